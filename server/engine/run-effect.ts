import { type Tool, ToolError, UnreachedError } from "@/server/tools/tool";
import { askPerson } from "./ask-person";
import { beginCall, sentKeyOf } from "./begin-call";
import { decide, decisionId, ownOrdinal } from "./decide";
import type { Execution } from "./execution";
import { hashOf } from "./ids";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import type { PlannedCall } from "./next-step";
import type { Offer } from "./offers";
import { pause } from "./pause";
import type { RetryPart } from "./resilience/policy";
import { EFFECT_RETRY, judgeEffectRetry } from "./retry-policy";
import { act, failure, keyOf } from "./run-tool";
import { type CallOutcome, refusal } from "./tools/engine-tool";

const RETRY_OFFERS: Offer[] = [
  { key: "retry", kind: "action", label: "Retry", description: "Send the same call again under the same key." },
  { key: "give_up", kind: "action", label: "Give up", description: "Tell the agent that the outcome is unknown." },
];

const UNCERTAIN_OFFERS: Offer[] = [
  {
    key: "ask",
    kind: "action",
    label: "Ask a person",
    description: "Only somebody who looks at the far side can tell.",
  },
  { key: "repeat", kind: "action", label: "Repeat the call", description: "Would do it twice if it had happened." },
];

const ANSWERS = [
  { value: "happened", label: "It happened", description: "Go on as if the call had succeeded. It is not sent again." },
  { value: "retry", label: "It did not: send it", description: "The call is sent once more." },
  { value: "give_up", label: "Leave it", description: "The agent is told that the outcome is unknown." },
];

/**
 * A call that writes (promise 2): the intent is committed before it acts, the outcome with the step.
 * An intent found open was in flight when an earlier execution stopped: under a key the far side honours it is sent again,
 * else a person is asked and no second request is ever sent by itself. So is the same call of another agent run that ended before
 * anybody learned what became of it. A call that is known is not made at all.
 * `retry`: null: the engine's own rule. `guard`: may refuse to have it sent, by throwing, but never what may have been sent before.
 */
export async function runEffect(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  args: unknown,
  { retry, guard }: { retry: RetryPart | null; guard: SendGuard },
): Promise<CallOutcome> {
  const begun = await beginCall(execution, planned, tool, args);
  if ("outcome" in begun) return begun.outcome;
  const honours = tool.idempotency !== "none";
  for (let sending = 0; ; sending++) {
    const key = sending ? `${keyOf(execution, planned)}:${sending}` : keyOf(execution, planned);
    const sent = sending ? sentKeyOf(execution, tool, key) : begun.sent;
    const effect = (status: Effect["status"]): JournalUnit => ({
      effects: [
        {
          ...{
            key,
            position: planned.position,
            tool: tool.name,
            args: hashOf(planned.call.arguments),
            honours,
            status,
          },
          ...(begun.call === null ? {} : { call: begun.call }),
          ...(sent === key ? {} : { sent }),
          ...(tool.policy ? { strategy: tool.policy.idempotency.strategy } : {}),
        },
      ],
    });
    const found = execution.journal.opened.effects.find((known) => known.key === key)?.status;
    // Settled by an answer in an earlier execution, which then sent it under the next key.
    if (found === "uncertain") continue;
    const mayHaveActed = found === "intended" || (sending === 0 && begun.mayHaveActed);
    let end: SendEnd = { status: "unanswered" };
    if (!mayHaveActed || honours) {
      const sendIt = async () => {
        if (!found) await execution.journal.append(merged(effect("intended"), begun.unit ?? {}));
        await execution.faultPoint("after-intent", planned.position);
        return send(execution, planned, tool, { args, key: sent, sending, retry: retry ?? EFFECT_RETRY, mayHaveActed });
      };
      end = await execution.bounded(() => (mayHaveActed || sending > 0 ? sendIt() : guard(sendIt)));
    }
    if (end.status !== "unanswered")
      return { ...end.outcome, key: sent, unit: merged(effect(end.status), end.unit ?? {}) };

    const why = begun.mayHaveActed && !found && sending === 0 ? OTHERS : lost(tool);
    const answer = await settle(execution, planned, tool, { sending, why });
    const done = execution.endWaiting();
    if (answer === "retry") {
      await execution.journal.append(merged(effect("uncertain"), done));
      continue;
    }
    if (answer === "happened") {
      return { value: { output: "done; a person confirmed it" }, unit: merged(effect("applied"), done) };
    }
    const left = refusal(
      "outcome_unknown",
      "It is not known whether this call took effect. A person decided to leave it.",
    );
    return { ...left, unit: merged(effect("given_up"), done) };
  }
}

/** What comes around the first sending of a call, such as a wait for its turn. */
export type SendGuard = (send: () => Promise<SendEnd>) => Promise<SendEnd>;

type Effect = NonNullable<JournalUnit["effects"]>[number];

/** `unanswered`: the far side cannot tell a repeated call, so nobody but a person may say what comes next. */
export type SendEnd =
  | { status: "unanswered" }
  | { status: "applied" | "failed" | "uncertain"; outcome: CallOutcome; unit?: JournalUnit };

/** Sends the call, under a key the far side honours several times: each retry is a decision, stored before the pause. */
async function send(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  {
    args,
    key,
    sending,
    retry,
    mayHaveActed,
  }: { args: unknown; key: string; sending: number; retry: RetryPart; mayHaveActed: boolean },
): Promise<SendEnd> {
  for (let attempt = 1; ; attempt++) {
    try {
      return { status: "applied", outcome: { value: await act(execution, tool, args, { key }) } };
    } catch (error) {
      execution.signal.throwIfAborted();
      // What did not get through says nothing of a sending before it.
      const saysNothing = error instanceof UnreachedError && (mayHaveActed || attempt > 1);
      if (error instanceof ToolError && !saysNothing) return { status: "failed", outcome: failure(error) };
      if (tool.idempotency === "none") return { status: "unanswered" };
      const message = error instanceof Error ? error.message : String(error);
      const code = failure(error).error?.code ?? "tool_failed";
      const verdict = judgeEffectRetry({ code, message }, attempt, execution.resources.random(), retry);
      const unit = decide(execution, {
        position: planned.position,
        ordinal: ownOrdinal(execution, 10 * sending + attempt),
        kind: "retry",
        chosen: [
          verdict.retry
            ? { option: "retry", label: "Retry", position: planned.position, reason: null }
            : { option: "give_up", label: "Give up", position: null, reason: null },
        ],
        reason: verdict.reason,
        source: "runtime-rule",
        offers: RETRY_OFFERS,
      });
      if (!verdict.retry) return { status: "uncertain", outcome: unknown(attempt, message), unit };
      await execution.journal.append(unit);
      await pause(verdict.delayMs, execution.signal);
    }
  }
}

/** The last answer was lost like those before it: whether the far side acted cannot be told, so nobody says it did not. */
function unknown(attempts: number, message: string): CallOutcome {
  return refusal(
    "outcome_unknown",
    `It is not known whether this call took effect: it was sent ${attempts} times under one key, and no answer came. The last error: ${message}`,
  );
}

const lost = (tool: Tool) =>
  `The outcome of ${tool.name} was not recorded, and the far side cannot tell a repeated call from a new one.`;
const OTHERS =
  "The same call was under way when the agent run that made it ended. Nobody knows what became of it, and the far side cannot tell a repeated call from a new one.";

async function settle(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  { sending, why }: { sending: number; why: string },
): Promise<string> {
  const { position, call } = planned;
  const ordinal = 100 + sending;
  const decision = decide(execution, {
    position,
    ordinal,
    kind: "uncertain_effect",
    chosen: [{ option: "ask", label: "Ask a person", position, reason: null }],
    reason: why,
    source: "runtime-rule",
    offers: UNCERTAIN_OFFERS,
  });
  return askPerson(execution, {
    position,
    place: `effect ${position}.${sending}`,
    kind: "uncertain_effect",
    prompt: `Did this call of ${tool.name} take effect?`,
    options: ANSWERS,
    call: { tool: tool.name, arguments: call.arguments },
    decisionId: decisionId(execution, position, ordinal),
    unit: decision,
  });
}
