import type { ChosenOption, ReasonSource } from "../events";
import type { Handoff } from "../handoffs";
import type { RunStatus } from "../state";

/** How one agent's part ended. */
export type PartEnd = {
  status: RunStatus;
  /** Its answer; empty when it gave none. */
  text: string;
  /** Why it did not complete. */
  reason: string | null;
  /** ISO; null where it did not end by itself. */
  finishedAt: string | null;
  /** Whom it handed the task over to. */
  handoff?: Handoff;
};

/** Why a part has no result that was not waited for. */
export const STOPPED = "it was stopped: its result was not waited for";

/** What one agent was given; `end` is null while it works, or waits for room. */
export type Part = { agent: string; task: string; end: PartEnd | null };

/** All that a policy may look at: nothing but what the record says, so that it says the same after a crash. */
export type Standing = {
  /** What the run was given. */
  task: string;
  /** What people said to the root while it was at work, oldest first. */
  said: readonly string[];
  /** The agents below the root, in the order of the team. */
  agents: readonly string[];
  /** What was given out so far, phase by phase; the parts of a phase are worked on at the same time. */
  phases: readonly (readonly Part[])[];
  /** Since the last phase began, in ms. Once everything has ended, nothing may depend on it any more. */
  waitedMs: number;
};

/** The answer of the run, and why it is that. */
export type Conclusion = {
  text: string;
  reason: string;
  source: ReasonSource;
  /** The agent whose result it is; absent where none was preferred to another. */
  chosen?: ChosenOption;
};

export type Move =
  /** The next phase. */
  | { do: "start"; parts: readonly Omit<Part, "end">[]; reason: string }
  /** Until another part ends, or that time is over. */
  | { do: "wait"; atMostMs?: number }
  /** The answer of the run. What still works is cancelled. */
  | ({ do: "answer" } & Conclusion)
  /** The root's model is asked once more, without tools: what it replies to `prompt` is read as the answer. */
  | { do: "ask"; prompt: string; read: (reply: string) => Conclusion }
  | { do: "fail"; code: string; message: string };

/** Decides what an engine-led team does next. */
export type Policy = (standing: Standing) => Move;
