import { AppError } from "./errors";

/** A transaction whose end nobody heard: what it did counts, or does not. */
export class UnknownOutcome extends AppError {
  constructor(cause: unknown) {
    super(
      "NOT_READY",
      "The database went away at the very moment of saving, so it is not known whether this was saved. Look before you try again.",
      { cause },
    );
  }
}

/** Why the database did not do what was asked, in a sentence for people; null when it was no fault of its. */
export function describeDatabaseFailure(error: unknown): string | null {
  const { code, message, syscall } = read(error);
  if (code === "53100") {
    return "The database cannot be written: its disk is full. Free space on it, then try again. What was under way goes on by itself.";
  }
  if (code === "25006") {
    return "The database cannot be written: it is read-only at the moment. Make it writable, then try again. What was under way goes on by itself.";
  }
  if (code === "53300") return "The database takes no more connections at the moment. Try again soon.";
  if (code === "53200") return "The database has run out of memory. Try again soon; give it more if this goes on.";
  return isAway({ code, message, syscall }) ? "The database cannot be reached at the moment. Try again soon." : null;
}

/** The connection broke, or none could be made: what was sent on it may or may not have been done. */
export function isConnectionLost(error: unknown): boolean {
  return isAway(read(error));
}

/** Lost connections, restarts, deadlocks, serialisation failures, and a database that cannot write for now. */
const PASSING = /^(08|57P|40P01|40001|53|55006|25006|58)/;

/**
 * The database may do the same later. Background work that meets this is left as it is and goes on from its rows: nothing is
 * wrong with what is worked on. Nothing was written, or the rows tell that it was.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof UnknownOutcome) return true;
  const failure = read(error);
  return PASSING.test(failure.code) || isAway(failure);
}

type Failure = { code: string; message: string; syscall: string };

/** Of the server: a class of Postgres's error codes. Of the way to it: a code of the system. Of the driver: only a text. */
function isAway({ code, message, syscall }: Failure): boolean {
  if (/^(08|57P0[1-5])/.test(code)) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)) return true;
  if (code === "ENOENT" && syscall === "connect") return true;
  return /^(Connection (terminated|ended)|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed and is not queryable))/i.test(
    message,
  );
}

/** Prisma hides what the driver said: in `cause`, or in `meta.driverAdapterError.cause`, whose code is `originalCode`. */
function read(error: unknown): Failure {
  const thrown = asRecord(error);
  const adapter = asRecord(asRecord(thrown.meta).driverAdapterError);
  const inner = asRecord(adapter.cause ?? (thrown.name === "DriverAdapterError" ? thrown.cause : undefined));
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const kind = PRISMA_KINDS[text(inner.kind)];
  return {
    code: text(inner.originalCode) || kind || PRISMA_CODES[text(thrown.code)] || text(inner.code) || text(thrown.code),
    message: text(inner.originalMessage) || text(inner.message) || text(thrown.message),
    syscall: text(thrown.syscall),
  };
}

const PRISMA_KINDS: Record<string, string> = {
  DatabaseNotReachable: "ECONNREFUSED",
  ConnectionClosed: "ECONNRESET",
  SocketTimeout: "ETIMEDOUT",
  TooManyConnections: "53300",
};
const PRISMA_CODES: Record<string, string> = {
  P1001: "ECONNREFUSED",
  P1002: "ETIMEDOUT",
  P1017: "ECONNRESET",
  P2037: "53300",
};

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
