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

/** What a state means, as in docs/concepts.md. */
const MEANING_OF: Record<RunStatus, string> = {
  queued: "Stored, and no worker has begun it.",
  running: "A worker is executing it.",
  waiting: "Nothing moves until a person answers.",
  paused: "A person paused it. It goes on where it was when somebody resumes it.",
  suspended: "A limit stopped it. It goes on where it was when somebody resumes it.",
  interrupted: "No worker could carry it on. What it did is kept.",
  completed: "It ended well.",
  failed: "It ended with an error.",
  aborted: "A person or a policy ended it.",
};

/** Reasons the engine writes as codes, in words. */
const REASON_WORDS: Record<string, string> = {
  tool_loop_limit: "tool loop limit",
  max_duration: "maximum duration",
  max_duration_exceeded: "maximum duration",
  progress_timeout: "no progress",
  budget: "budget",
  budget_exhausted: "budget used up",
  stopped: "stopped by a person",
  budget_stopped: "stopped by a person who was asked about its budget",
  stopped_in_loop: "stopped in a loop",
};

/** Reasons of an aborted run that mean "a person pressed Stop". */
const STOPPED_BY_PERSON = new Set(["stopped", "stopped_by_person", "user_stop", "user"]);

/** A reason is a sentence, a code, or `code: sentence`; only a code is turned into words. */
export function reasonWords(reason: string): string {
  return reason.replace(/^[a-z_]+(?=$|: )/, (code) => REASON_WORDS[code] ?? code.replaceAll("_", " "));
}

/** Whether a reason says it all by itself. */
export function isSentence(reason: string): boolean {
  return /^[A-Z].*\.$/s.test(reason);
}

/** What is left of a reason beside its state, in the room a word has: the code without its sentence; null for a mere sentence. */
function shortReason(reason: string): string | null {
  if (isSentence(reason)) return null;
  const code = /^[a-z_]+(?=: )/.exec(reason)?.[0];
  return reasonWords(code ?? reason);
}

/** The reason as a sentence of its own. */
export function reasonSentence(reason: string): string {
  const words = reasonWords(reason);
  const capital = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** The word for a status: "Stopped" for an end by a person, "Aborted: reason" for one by a policy, without its sentence. */
export function statusWord(status: RunStatus, reason?: string | null): string {
  if (status === "aborted" && reason && !STOPPED_BY_PERSON.has(reason) && !/^stopped by /i.test(reason)) {
    return withReason("Aborted", reason);
  }
  if (status === "suspended" && reason) return withReason(WORD_OF.suspended, reason);
  return WORD_OF[status];
}

function withReason(word: string, reason: string): string {
  const short = shortReason(reason);
  return short === null ? word : `${word}: ${short}`;
}

/** The word, and the sentence behind it where there is one: "Suspended. This run may cost $0.10." */
export function statusInFull(status: RunStatus, reason?: string | null): string {
  const word = statusWord(status, reason);
  const sentence = isTelling(status) ? reason?.replace(/^[a-z_]+: /, "") : null;
  return sentence && isSentence(sentence) ? `${word}. ${sentence.slice(0, -1)}` : word;
}

const isTelling = (status: RunStatus) => status === "suspended" || status === "aborted";

/** The word in full, where a narrow column cuts it off, and what the state means. */
export function statusHelp(status: RunStatus, reason?: string | null): string {
  return `${statusInFull(status, reason)}. ${MEANING_OF[status]}`;
}
