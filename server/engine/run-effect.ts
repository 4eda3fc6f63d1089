import { type Tool, ToolError } from "@/server/tools/tool";
import { askPerson } from "./ask-person";
import { type Execution, merged } from "./execution";
import { hashOf } from "./ids";
import type { JournalUnit } from "./journal/unit";
import type { PlannedCall } from "./next-step";
import type { Offer } from "./offers";
import { act, failure, keyOf } from "./run-tool";
import { type CallOutcome, refusal } from "./tools/engine-tool";

const MOST_KEYED_ATTEMPTS = 3;

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
 * else a person is asked and no second request is ever sent by itself.
 */
export async function runEffect(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  args: unknown,
): Promise<CallOutcome> {
  const honours = tool.idempotency !== "none";
  for (let sending = 0; ; sending++) {
    const key = sending ? `${keyOf(execution, planned)}:${sending}` : keyOf(execution, planned);
    const effect = (status: Effect["status"]): JournalUnit => ({
      effects: [
        { key, position: planned.position, tool: tool.name, args: hashOf(planned.call.arguments), honours, status },
      ],
    });
    const found = execution.journal.opened.effects.find((known) => known.key === key)?.status;
    // Settled by an answer in an earlier execution, which then sent it under the next key.
    if (found === "uncertain") continue;
    let outcome: CallOutcome | "uncertain";
    if (found === "intended" && !honours) outcome = "uncertain";
    else {
      if (!found) await execution.journal.append(effect("intended"));
      await execution.faultPoint("after-intent", planned.position);
      outcome = await send(execution, tool, args, key, honours);
    }
    if (outcome !== "uncertain") return { ...outcome, unit: effect(outcome.error ? "failed" : "applied") };

    const answer = await settle(execution, planned, tool, sending);
    const done = execution.endWaiting();
    if (answer === "retry") {
      await execution.journal.append(merged(effect("uncertain"), done));
      continue;
    }
    if (answer === "happened") {
      return { value: { output: "done; a person confirmed it" }, unit: merged(effect("applied"), done) };
    }
    const unknown = refusal(
      "outcome_unknown",
      "It is not known whether this call took effect. A person decided to leave it.",
    );
    return { ...unknown, unit: merged(effect("given_up"), done) };
  }
}

type Effect = NonNullable<JournalUnit["effects"]>[number];

async function send(
  execution: Execution,
  tool: Tool,
  args: unknown,
  key: string,
  honours: boolean,
): Promise<CallOutcome | "uncertain"> {
  for (let attempt = 1; ; attempt++) {
    try {
      return { value: await act(execution, tool, args, key) };
    } catch (error) {
      execution.signal.throwIfAborted();
      if (error instanceof ToolError) return failure(error);
      if (!honours) return "uncertain";
      if (attempt >= MOST_KEYED_ATTEMPTS) return failure(error);
    }
  }
}

async function settle(execution: Execution, planned: PlannedCall, tool: Tool, sending: number): Promise<string> {
  const { position, call } = planned;
  const ordinal = 100 + sending;
  const decision = execution.decide({
    position,
    ordinal,
    kind: "uncertain_effect",
    chosen: [{ option: "ask", label: "Ask a person", position, reason: null }],
    reason: `The outcome of ${tool.name} was not recorded, and the far side cannot tell a repeated call from a new one.`,
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
    decisionId: execution.decisionId(position, ordinal),
    unit: decision,
  });
}
