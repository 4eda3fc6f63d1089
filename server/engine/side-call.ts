import type { ModelError, ModelMessage, ModelReply } from "@/server/models/model";
import { askModel } from "./ask-model";
import { callSettings } from "./call-settings";
import { inSlot } from "./call-slots";
import { ownOrdinal } from "./decide";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import { asModelError, decideRetry, retryOf } from "./model-failure";
import { pause } from "./pause";
import { reasoningUnit } from "./reasoning";
import { isMaybeCharged, type Overspent, releaseCall, reserve } from "./reserve-call";
import type { RetryPart } from "./resilience/policy";
import { judgeRetry, type RetryVerdict } from "./retry-policy";
import { type Spent, spentOn } from "./spent";

export type SideCall = {
  /** Of the step whose call this is; its usage is counted there. */
  position: number;
  /** "provider/model" */
  modelRef: string;
  messages: readonly ModelMessage[];
  maxOutputTokens: number;
};

/** A model call that was answered: what it used, and hash of the request blob, which holds its messages too. */
export type MadeCall = { spent: Spent; request: string };

export type SideCallEnd =
  /** `text` may be empty. `unit` belongs to the commit of the step. */
  | { ended: "replied"; text: string; made: MadeCall; unit: JournalUnit }
  /** In words, why there is no answer. */
  | { ended: "failed"; code: string; message: string }
  /** It does not fit a limit on spending. Nothing is recorded of that yet. */
  | { ended: "refused"; overspent: Overspent };

/** Among the ordinals of one execution at one position: after those of a limit and of a call that is sent again. */
const FIRST_RETRY = 60;

/**
 * A model call of the engine's own, such as one that condenses: under the same budgets and retries as an agent's, without tools, and not
 * streamed. Each retry is a decision, stored before its pause; the answer is committed by the caller, so a second execution asks again.
 */
export async function sideCall(execution: Execution, call: SideCall): Promise<SideCallEnd> {
  const { journal, signal } = execution;
  for (let failures = 1; ; failures++) {
    // Again for each try: one that had to wait too long for its turn gave back what was reserved.
    const overspent = await reserve(execution, { ...call, tools: [] });
    if (overspent) return { ended: "refused", overspent };
    try {
      return await execution.bounded(() => inSlot(execution, call, () => ask(execution, call)));
    } catch (failure) {
      signal.throwIfAborted();
      const error = asModelError(failure);
      const verdict = judge(execution, error, failures, await retryOf(execution, call.modelRef));
      if (!verdict.retry) {
        await releaseCall(execution, call.position, error);
        return { ended: "failed", code: error.code, message: `${error.message} (${verdict.reason})` };
      }
      const ordinal = ownOrdinal(execution, FIRST_RETRY + failures);
      await journal.append(decideRetry(execution, { position: call.position, ordinal, verdict, next: call.position }));
      await execution.bounded(() => pause(verdict.delayMs, signal));
    }
  }
}

async function ask(execution: Execution, call: SideCall): Promise<SideCallEnd> {
  const { position, modelRef, messages, maxOutputTokens } = call;
  const { journal, resources, signal } = execution;
  await execution.faultPoint("before-model", position);
  const model = await resources.models.find(execution.row.workspaceId, modelRef);
  const reply: ModelReply = await askModel(execution, model, { messages, tools: [], maxOutputTokens, signal });
  await execution.faultPoint("after-model", position);
  const { spent, unit } = spentOn(journal, position, model, reply.usage);
  const settings = callSettings(modelRef, model, { temperature: null, maxOutputTokens });
  const request = journal.blob(JSON.stringify({ ...settings, tools: [], messages }));
  return {
    ended: "replied",
    text: reply.text?.trim() ?? "",
    made: { spent, request: request.hash },
    unit: merged(unit, reasoningUnit(position, reply), { blobs: request.blobs }),
  };
}

/** One reservation holds room for one call: under a budget, one that may have been charged is not made again. */
function judge(
  { journal, resources }: Execution,
  error: ModelError,
  failures: number,
  policy: RetryPart,
): RetryVerdict {
  if (journal.isBudgeted && isMaybeCharged(error)) {
    return { retry: false, reason: `${error.code}: it may have been charged, and its budget holds room for one call` };
  }
  return judgeRetry(error, failures, resources.random(), policy);
}
