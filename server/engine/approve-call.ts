import { askPersonFor } from "./ask-person";
import { decide, decisionId } from "./decide";
import type { Execution } from "./execution";
import { hashOf } from "./ids";
import type { PlannedCall } from "./next-step";
import type { Offer } from "./offers";
import { type CallOutcome, refusal } from "./tools/engine-tool";

/** Among the decisions of one step: after those of the turn, before those of an uncertain effect. */
const ORDINAL = 50;

const OFFERS: Offer[] = [
  { key: "ask", kind: "action", label: "Ask a person", description: "Show the exact call and wait for an answer." },
  { key: "run", kind: "action", label: "Run it", description: "Only for tools this agent may use without asking." },
];

const ANSWERS = [
  { value: "allow", label: "Allow this call", description: "It runs once, with exactly these arguments." },
  { value: "refuse", label: "Do not allow it", description: "The agent is told, and goes on without it." },
];

/**
 * Waits for a person before a call of a tool its agent must ask about, or about which a fork asks. The request holds the exact call and the hash of
 * its arguments; its answer counts for this call alone, also after a crash, and the row is asked once more before it is made.
 * Returns null when the call may run, else what the model is told. Anything but "allow" refuses, and is passed on as words. So does no answer
 * in the agent's time for it.
 */
export async function approveCall(
  execution: Execution,
  planned: PlannedCall,
  /** A rule of the run, as a sentence; null: it is the agent that must ask. */
  rule: string | null,
): Promise<CallOutcome | null> {
  const { position, call } = planned;
  const decision = decide(execution, {
    position,
    ordinal: ORDINAL,
    kind: "approval",
    chosen: [{ option: "ask", label: "Ask a person", position, reason: null }],
    reason: rule ?? `${execution.row.name} must ask before each call of ${call.name}.`,
    source: "policy",
    offers: OFFERS,
  });
  const answer = await askPersonFor(
    execution,
    {
      position,
      place: `approval ${position}`,
      kind: "approval",
      prompt: `May ${execution.row.name} call ${call.name}?${rule === null ? "" : ` ${rule}`}`,
      options: ANSWERS,
      call: { tool: call.name, arguments: call.arguments },
      decisionId: decisionId(execution, position, ORDINAL),
      unit: decision,
    },
    execution.config.approvalTimeoutMs,
  );
  const resumed = execution.endWaiting();
  if (answer === "allow") {
    if (!(await isAllowed(execution, planned))) {
      const why =
        "This call is not the one a person allowed, so it was not made. Ask for it anew if it is still needed.";
      return { ...refusal("not_allowed", why), unit: resumed };
    }
    if (Object.keys(resumed).length) await execution.journal.append(resumed);
    return null;
  }
  if (answer === null) {
    const why = "This call was not allowed, because nobody answered in time. It was not made. Go on without it.";
    return { ...refusal("not_allowed", why), unit: resumed };
  }
  const words = answer === "refuse" ? "." : ` and said: ${answer}`;
  return { ...refusal("not_allowed", `A person did not allow this call${words}`), unit: resumed };
}

/** Whether what a person allowed is this very call: the same agent run, step, tool and arguments. */
async function isAllowed(execution: Execution, { position, call }: PlannedCall): Promise<boolean> {
  const { rows } = await execution.resources.pool.query({
    name: "is_allowed",
    text: `select 1 from human_requests
      where agent_run_id = $1 and position = $2 and kind = 'approval' and status = 'answered' and answer = '"allow"'
        and call ->> 'tool' = $3 and arguments_hash = $4`,
    values: [execution.row.id, position, call.name, hashOf(call.arguments)],
  });
  return rows.length > 0;
}
