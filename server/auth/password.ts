import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/**
 * OWASP's 32 MiB setting. Stored with each hash, so raising it later leaves older hashes readable. Nothing in the product
 * changes it; tests that are not about passwords do (tests/support/product.ts).
 */
export const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 3 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r };
  return new Promise((resolve, reject) => {
    // The same password typed on another keyboard may be composed differently.
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function format(salt: Buffer, key: Buffer): string {
  return [
    "scrypt",
    PASSWORD_COST.N,
    PASSWORD_COST.r,
    PASSWORD_COST.p,
    salt.toString("base64url"),
    key.toString("base64url"),
  ].join("$");
}

/** "scrypt$N$r$p$salt$key", with a salt of its own. Takes about a fifth of a second on purpose. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(salt, await derive(password, salt, PASSWORD_COST));
}

/** A key nobody derived: no password matches it, and finding that out takes as long as with a real one. */
const unmatchable = () => format(randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));

/**
 * Compares in constant time. With null (no such person) the same work is done, so that neither the answer nor its
 * timing tells who has an account.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = (stored ?? unmatchable()).split("$");
  if (scheme !== "scrypt" || !salt || !key) throw new Error("A stored password hash is not readable.");
  const expected = Buffer.from(key, "base64url");
  const actual = await derive(password, Buffer.from(salt, "base64url"), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
