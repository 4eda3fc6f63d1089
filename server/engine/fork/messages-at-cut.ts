import type { ModelMessage } from "@/server/models/model";

export type StepAtCut = {
  position: number;
  /** Messages [0, sent) were there when it was made. */
  sent: number | null;
  reply: number | null;
  /** Recorded before the cut. */
  isKept: boolean;
};

export type Talk = {
  messages: readonly { index: number; role: ModelMessage["role"] }[];
  steps: readonly StepAtCut[];
  /** How many phases a root that the engine leads gave out: in all, and before the cut. */
  phases: { all: number; kept: number };
  /** Positions of answers after which it was sent on before the cut. */
  sentOn: readonly number[];
};

/**
 * Indexes of an agent run's messages that were there at the cut. Messages have no events: what a step replied goes with that step, and what
 * no step replied (instructions, what people and agents said, the phases of a pattern) with what is known to have come after it.
 * What was said for a call in flight at the cut is left out, and is said again when the call is made again.
 */
export function messagesAtCut({ messages, steps, phases, sentOn }: Talk): number[] {
  const replies = new Map(steps.flatMap((step) => (step.reply === null ? [] : [[step.reply, step] as const])));
  const unsaid = messages.filter(({ index, role }) => role === "assistant" && !replies.has(index));
  // Before the phases come the answers of earlier turns of a conversation.
  const history = Math.max(0, unsaid.length - phases.all);
  const keptPhases = unsaid.slice(history, history + phases.kept).map(({ index }) => index);
  const before = Math.max(
    0,
    // A fork belongs to no conversation: instructions, what was said before in it, and the task stay together.
    history > 0 ? 2 * history + 2 : 0,
    ...steps.filter(({ isKept }) => isKept).map(({ sent }) => sent ?? 0),
    ...keptPhases.map((index) => index + 1),
    ...sentOn.map((position) => (steps.find((step) => step.position === position)?.reply ?? -2) + 2),
  );
  return messages
    .filter(({ index }) => replies.get(index)?.isKept ?? index < before)
    .map(({ index }) => index)
    .sort((a, b) => a - b);
}
