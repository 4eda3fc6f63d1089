import { refusalIn } from "./refused";

/** Why no answer came of a guarded call, by a code and in one sentence that holds nothing of the call. */
export type Unreached = { code: "private-host" | "refused" | "unreachable"; says: string };

/** `isLate`: the call was ended by its own time limit. */
export function describeUnreached(
  error: unknown,
  { host, isLate, timeoutMs }: { host: string; isLate: boolean; timeoutMs: number },
): Unreached {
  const refusal = refusalIn(error);
  if (refusal?.code === "private-host") {
    const says = `${host} is on this machine or a private network. An owner must allow this host before anything is sent there.`;
    return { code: "private-host", says };
  }
  if (refusal) return { code: "refused", says: refusal.message };
  if (isLate) return { code: "unreachable", says: `${host} did not answer within ${timeoutMs / 1000} s.` };
  const code = systemCodeIn(error);
  if (code === "ENOTFOUND") return { code: "unreachable", says: `No server is known by the name of ${host}.` };
  return { code: "unreachable", says: `${host} could not be reached${code ? ` (${code})` : ""}.` };
}

/** The system's code inside an error, however deeply a client has wrapped it. */
export function systemCodeIn(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}

const MOST_RETRY_AFTER_MS = 60 * 60_000;

/** For how long the far side wants to be left alone, in ms, an hour at most; null when it does not say. */
export function readRetryAfter(headers: Headers): number | null {
  const value = headers.get("retry-after");
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MOST_RETRY_AFTER_MS) : null;
}
