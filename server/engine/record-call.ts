import type { ModelMessage } from "@/server/models/model";
import type { StepKind } from "./events";
import type { Execution } from "./execution";
import { launchChildren } from "./follow-tasks";
import { merged } from "./journal/merged";
import { nextStep, type PlannedCall } from "./next-step";
import { resultText } from "./result-text";
import type { CallOutcome } from "./tools/engine-tool";

/** Commits what a call came to: step, message for the model, whatever the outcome adds, and what begins next. */
export async function recordCall(
  execution: Execution,
  planned: PlannedCall,
  kind: StepKind,
  outcome: CallOutcome,
  /** Where the model's next call goes, when this is the last call of its turn to end; else null. */
  nextPosition: number | null,
): Promise<void> {
  const { content, error: unusable } = resultText(outcome.value);
  const error = outcome.error ?? unusable ?? null;
  const message: ModelMessage = { role: "tool", callId: planned.call.id, content };
  await execution.faultPoint("after-effect", planned.position);
  await execution.settled;
  const turn = execution.turn();
  const { position } = planned;
  const begun = { position, turn, kind, name: planned.call.name, startedAt: execution.startOf(position) };
  const unit = merged(
    outcome.unit ?? {},
    execution.finish(
      {
        ...{ position, turn, kind, name: planned.call.name },
        status: error ? "failed" : "completed",
        error,
        ...(outcome.made?.spent ?? { inputTokens: 0, outputTokens: 0, costNanoUsd: null }),
        inputBytes: Buffer.byteLength(planned.call.arguments),
        outputBytes: Buffer.byteLength(message.content),
      },
      {
        callId: planned.call.id,
        reply: planned.messageIndex,
        ...(outcome.made ? { request: outcome.made.request } : {}),
        ...(outcome.facts ? { facts: outcome.facts } : {}),
      },
    ),
    execution.journal.message(planned.messageIndex, message),
  );
  execution.messages.set(planned.messageIndex, message);
  const { messages, steps, config } = execution;
  const isLast =
    nextPosition !== null && nextStep({ messages, steps, maxToolRounds: config.maxToolRounds }).do === "call-model";
  // The model is asked next: say so in the same commit.
  const next = isLast
    ? [{ position: nextPosition, turn: turn + 1, kind: "model" as const, name: execution.modelName }]
    : [];
  await execution.settle(merged(unit, execution.begin(next)), () =>
    execution.takeBack(begun, planned.messageIndex, next),
  );
  await execution.faultPoint("after-result", planned.position);
  launchChildren(execution, outcome.launch ?? []);
}
