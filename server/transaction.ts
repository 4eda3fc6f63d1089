import pg from "pg";
import { isConnectionLost, UnknownOutcome } from "./database-failure";
import { pool } from "./db";
import { AppError } from "./errors";

/** What reads alike inside a transaction and outside: its client, or the pool. */
export type Reader = {
  query<T extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<T>>;
};

/**
 * Runs `work` in one transaction on one connection; rolls back when it throws. Await only the client's queries inside, and
 * change nothing outside: when the connection breaks before anything was committed, or in a deadlock, `work` runs once more.
 *
 * A connection that breaks between COMMIT and its answer leaves open whether it counted. Postgres is asked, so that nothing
 * is done twice and nothing that was done is called failed. Throws UnknownOutcome when it cannot be asked.
 */
export async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const first = await tryTransaction(work);
  if (!("broken" in first)) return first.result;
  if (first.broken === "at commit" && (await wasCommitted(first.id))) return first.result;
  const second = await tryTransaction(work);
  if (!("broken" in second)) return second.result;
  if (second.broken === "at commit" && (await wasCommitted(second.id))) return second.result;
  throw second.error;
}

type Broken<T> = { error: unknown } & ({ broken: "before commit" } | { broken: "at commit"; id: string; result: T });

async function tryTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<{ result: T } | Broken<T>> {
  const client = await pool().connect();
  let done: { id: string; result: T } | undefined;
  try {
    const id = await begin(client);
    const result = await work(client);
    done = { id, result };
    await client.query("commit");
    client.release();
    return { result };
  } catch (error) {
    // A connection that cannot even roll back is thrown away.
    const unusable = await client.query("rollback").then(
      () => undefined,
      (failed: Error) => failed,
    );
    client.release(unusable);
    // Two that waited for each other: nothing of this one was kept.
    if (!unusable && isDeadlock(error)) return { broken: "before commit", error };
    if (!unusable || !isConnectionLost(error)) throw error;
    return done ? { broken: "at commit", error, ...done } : { broken: "before commit", error };
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}

/** Begins, and returns the number under which Postgres remembers how the transaction ended. */
async function begin(client: pg.PoolClient): Promise<string> {
  // Two statements in one go are answered with two results.
  const answers = [await client.query("begin; select pg_current_xact_id()::text as id")].flat();
  return answers[1]?.rows[0].id;
}

const ASK_AGAIN_MS = [50, 200, 500, 1000, 2000];

/** How a transaction ended whose end nobody heard. The server may still be at it, or be coming up again. */
async function wasCommitted(id: string): Promise<boolean> {
  let last: unknown;
  for (const waitMs of ASK_AGAIN_MS) {
    try {
      const { rows } = await pool().query<{ status: string }>("select pg_xact_status($1::xid8) as status", [id]);
      if (rows[0]?.status === "committed") return true;
      if (rows[0]?.status === "aborted") return false;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new UnknownOutcome(last);
}

/** Runs `work`; when it breaks the named unique index, somebody else was first: throws CONFLICT with the sentence. */
export async function namesAreUnique<T>(index: string, sentence: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "23505" && error.constraint === index) {
      throw new AppError("CONFLICT", sentence, { cause: error });
    }
    throw error;
  }
}
