import type { RunStatus } from "@/server/engine/state";

/** The colours a status may take (tokens `--st-<tone>`). The engine has more states than the eye needs hues. */
export const STATUS_TONES = ["queued", "running", "waiting", "succeeded", "failed", "cancelled", "suspended"] as const;
export type StatusTone = (typeof STATUS_TONES)[number];

export const TONE_OF: Record<RunStatus, StatusTone> = {
  queued: "queued",
  running: "running",
  waiting: "waiting",
  paused: "suspended",
  suspended: "suspended",
  interrupted: "suspended",
  completed: "succeeded",
  failed: "failed",
  aborted: "cancelled",
};

const WORD_OF: Record<RunStatus, string> = {
  queued: "Queued",
  running: "Running",
  waiting: "Waiting",
  paused: "Paused",
  suspended: "Suspended",
  interrupted: "Interrupted",
  completed: "Succeeded",
  failed: "Failed",
  aborted: "Stopped",
};

/** Reasons the engine writes as codes, in words. */
const REASON_WORDS: Record<string, string> = {
  tool_loop_limit: "tool loop limit",
  max_duration: "maximum duration",
  budget: "budget",
  stopped: "stopped by a person",
};

/** Reasons of an aborted run that mean "a person pressed Stop". */
const STOPPED_BY_PERSON = new Set(["stopped", "stopped_by_person", "user_stop", "user"]);

/** A reason is a sentence, a code, or `code: sentence`; only a code is turned into words. */
export function reasonWords(reason: string): string {
  return REASON_WORDS[reason] ?? reason.replace(/^[a-z_]+(?=$|: )/, (code) => code.replaceAll("_", " "));
}

/** The reason as a sentence of its own. */
export function reasonSentence(reason: string): string {
  const words = reasonWords(reason);
  const capital = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** The word for a status: "Stopped" for an end by a person, "Aborted: reason" for one by a policy. */
export function statusWord(status: RunStatus, reason?: string | null): string {
  if (status === "aborted" && reason && !STOPPED_BY_PERSON.has(reason) && !/^stopped by /i.test(reason)) {
    return `Aborted: ${reasonWords(reason)}`;
  }
  if (status === "suspended" && reason) return `Suspended: ${reasonWords(reason)}`;
  return WORD_OF[status];
}
