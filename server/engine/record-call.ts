import type { ModelMessage } from "@/server/models/model";
import type { StepKind } from "./events";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import type { PlannedCall } from "./next-step";
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
  const text =
    typeof outcome.value === "string" ? JSON.stringify({ output: outcome.value }) : JSON.stringify(outcome.value);
  const message: ModelMessage = { role: "tool", callId: planned.call.id, content: text ?? '{"output":"done"}' };
  await execution.faultPoint("after-effect", planned.position);
  const turn = execution.turn();
  const unit = merged(
    outcome.unit ?? {},
    execution.finish(
      {
        position: planned.position,
        turn,
        kind,
        name: planned.call.name,
        status: outcome.error ? "failed" : "completed",
        error: outcome.error ?? null,
        inputTokens: 0,
        outputTokens: 0,
        costNanoUsd: null,
        inputBytes: Buffer.byteLength(planned.call.arguments),
        outputBytes: Buffer.byteLength(message.content),
      },
      { callId: planned.call.id, reply: planned.messageIndex },
    ),
    execution.journal.message(planned.messageIndex, message),
  );
  execution.messages.set(planned.messageIndex, message);
  // The model is asked next: say so in the same commit.
  const follows = nextPosition !== null && turn < execution.config.maxToolRounds;
  await execution.journal.append(
    follows
      ? merged(
          unit,
          execution.begin([
            { position: nextPosition, turn: turn + 1, kind: "model", name: execution.resources.model.name },
          ]),
        )
      : unit,
  );
  await execution.faultPoint("after-result", planned.position);
  if (outcome.launch?.length) execution.resources.launch(outcome.launch);
}
