import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";

const MINUTES = 60;

/** The limiter names its prepared statements; the embedded database has one backend, where such names would collide. */
const unnamedStatements = {
  query: ({ text, values }: { text: string; values?: unknown[] }) => pool().query({ text, values }),
};

function limiter(keyPrefix: string, points: number, durationS: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: unnamedStatements,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix,
    points,
    duration: durationS,
  });
}

/** Tries allowed in a window. Counted before the password is looked at, so parallel guesses gain nothing. */
const byAddressAndEmail = limiter("sign-in:pair", 5, 15 * MINUTES);
const byAddress = limiter("sign-in:address", 50, 15 * MINUTES);
/** Bounds guessing from many addresses, high enough that a stranger cannot easily lock somebody out. */
const byEmail = limiter("sign-in:email", 100, 60 * MINUTES);
const setupByAddress = limiter("setup:address", 20, 15 * MINUTES);
const invitesByAddress = limiter("invite:address", 30, 15 * MINUTES);
const passwordByUser = limiter("password:user", 10, 15 * MINUTES);
/** Calls made to try an endpoint or a key: enough for a person, too few to guess a key or to search a network. */
const endpointTestsByUser = limiter("endpoint-test:user", 30, 5 * MINUTES);

/** Keys are hashed: the table needs no list of who tries to sign in. */
const key = (...parts: string[]) => createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

export class TooManyAttempts extends AppError {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("TOO_MANY_REQUESTS", `Too many attempts. Try again in ${inWords(waitMs)}.`);
    this.waitMs = waitMs;
  }
}

function inWords(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000);
  return minutes <= 1 ? "a minute" : `${minutes} minutes`;
}

async function consume(limit: RateLimiterPostgres, of: string): Promise<void> {
  try {
    await limit.consume(of);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw new TooManyAttempts(refusal.msBeforeNext);
    throw refusal;
  }
}

type Attempt = { address: string; email: string };

/** Counts one try to sign in. Throws TooManyAttempts (TOO_MANY_REQUESTS) with the wait. */
export async function countSignIn({ address, email }: Attempt): Promise<void> {
  await consume(byAddressAndEmail, key(address, email));
  await consume(byAddress, key(address));
  await consume(byEmail, key(email));
}

/** A success proves the person: their earlier slips are forgotten. */
export async function forgetSignIns({ address, email }: Attempt): Promise<void> {
  await byAddressAndEmail.delete(key(address, email));
  await byEmail.delete(key(email));
  await byAddress.reward(key(address), 1);
}

/** Counts one try to create the owner, so that a setup token cannot be guessed. */
export async function countSetup(address: string): Promise<void> {
  await consume(setupByAddress, key(address));
}

/** Counts one look at or use of an invitation. Throws TooManyAttempts. */
export async function countInvite(address: string): Promise<void> {
  await consume(invitesByAddress, key(address));
}

/** Counts one try to change a password. Throws TooManyAttempts. */
export async function countPasswordChange(userId: string): Promise<void> {
  await consume(passwordByUser, key(userId));
}

/** Counts one try of an endpoint that a person asked for. Throws TooManyAttempts. */
export async function countEndpointTest(userId: string): Promise<void> {
  await consume(endpointTestsByUser, key(userId));
}
