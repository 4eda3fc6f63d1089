import { z } from "zod";
import type { TextDelta } from "@/server/engine/events";
import { CHANGED_NOUNS, type ChangedNoun } from "./live-schema";

/** What a notification says. `missed`: some may have been lost, read again whatever matters. */
export type Hint =
  | { type: "run"; workspaceId: string; runId: string; lastSeq: number; requests: boolean; status: boolean }
  | { type: "delta"; workspaceId: string; delta: TextDelta }
  /** Something else of the workspace changed: a noun of CHANGED_NOUNS and, where one is meant, its id. */
  | { type: "noun"; workspaceId: string; noun: ChangedNoun; id: string | null }
  | { type: "missed"; workspaceId: string };

/** `workspace:run:lastSeq:flags`; flag r: a request opened or closed, s: the run's status moved. */
export function parseRunHint(payload: string): Hint | null {
  const [workspaceId, runId, lastSeq, flags = ""] = payload.split(":");
  if (!workspaceId || !runId || !lastSeq) return null;
  return {
    type: "run",
    workspaceId,
    runId,
    lastSeq: Number(lastSeq),
    requests: flags.includes("r"),
    status: flags.includes("s"),
  };
}

/** `workspace:noun:id`, from the SQL function tell_changed(). */
export function parseChanged(payload: string): Hint | null {
  const [workspaceId, word, id] = payload.split(":");
  const noun = CHANGED_NOUNS.find((known) => known === word);
  return workspaceId && noun ? { type: "noun", workspaceId, noun, id: id || null } : null;
}

/** Short keys: a notification holds less than 8 kB. */
const deltaPayload = z.object({
  w: z.string(),
  r: z.string(),
  a: z.string(),
  p: z.int(),
  o: z.int(),
  t: z.string(),
});

export function parseDelta(payload: string): Hint | null {
  let json: unknown;
  try {
    json = JSON.parse(payload);
  } catch {
    return null;
  }
  const parsed = deltaPayload.safeParse(json);
  if (!parsed.success) return null;
  const { w, r, a, p, o, t } = parsed.data;
  return { type: "delta", workspaceId: w, delta: { runId: r, agentRunId: a, position: p, offset: o, text: t } };
}
