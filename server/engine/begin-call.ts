import type { Tool } from "@/server/tools/tool";
import { callKeyOf } from "./call-key";
import { claimCall } from "./claim-call";
import { decide } from "./decide";
import type { Execution } from "./execution";
import { deriveId, hashOf } from "./ids";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import type { PlannedCall } from "./next-step";
import type { Offer } from "./offers";
import { answerKnown, refuseCall } from "./repeated-call";
import { keyOf } from "./run-tool";
import type { CallOutcome } from "./tools/engine-tool";

/** Among the decisions of one step, beside those of repeated-call.ts. */
const ORDINAL = 56;

const OFFERS: Offer[] = [
  { key: "retry", kind: "action", label: "Retry", description: "Send the same call again under the same key." },
];

export type BegunCall =
  | {
      /** Key of its entry among the calls of the workspace; null: none. */
      call: string | null;
      /** The key the far side is sent. */
      sent: string;
      /** Somebody may have made it already, and nobody knows. */
      mayHaveActed: boolean;
      /** Committed with the intent. */
      unit?: JournalUnit;
    }
  | { outcome: CallOutcome };

/**
 * What comes before a call that writes, as the owner of its tool wants it called (AGT-LRR-16, IDEM-02): a call that is known is answered
 * or refused, one without the key it must have is refused, and any other is this step's own. A call that was begun in an earlier execution
 * stays as it was begun then.
 */
export async function beginCall(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  args: unknown,
): Promise<BegunCall> {
  const own = keyOf(execution, planned);
  const found = execution.journal.opened.effects.find(({ key }) => key === own);
  if (found) return { call: found.call ?? null, sent: found.sent ?? own, mayHaveActed: found.status === "intended" };

  const sent = sentKeyOf(execution, tool, own);
  const policy = tool.policy?.idempotency;
  if (!policy) return { call: null, sent, mayHaveActed: false };
  const { runId, id: agentRunId } = execution.row;
  const turnPosition = execution.lastReplyPosition();
  const keyed = callKeyOf({ tool: tool.name, policy, args, runId, agentRunId, turnPosition });
  if (keyed.key === null) {
    if (policy.hint !== "required") return { call: null, sent, mayHaveActed: false };
    const what = keyed.missing.length
      ? `Its key is made of arguments that are missing: ${keyed.missing.join(", ")}.`
      : "";
    return {
      outcome: refuseCall(execution, planned, {
        code: "key_missing",
        message: `${tool.name} is not called without an idempotency key. ${what} Nothing was sent.`,
      }),
    };
  }
  const { position } = planned;
  const { key } = keyed;
  const claim = await claimCall(execution, { key, tool: tool.name, position, sent, policy, waitMs: tool.timeoutMs });
  if (claim.state === "claimed") {
    const begun = { call: key, sent: claim.sent, mayHaveActed: claim.uncertain };
    return claim.uncertain && tool.idempotency !== "none" ? { ...begun, unit: takeOver(execution, planned) } : begun;
  }
  const outcome = await answerKnown(execution, planned, tool, claim);
  const effect: JournalUnit = {
    effects: [
      {
        ...{ key: own, position, tool: tool.name, args: hashOf(planned.call.arguments) },
        ...{ honours: tool.idempotency !== "none", call: key, strategy: policy.strategy },
        ...{ repeatsAgent: claim.from.agentRunId, repeatsAt: claim.from.position },
        status: outcome.unit?.decisions?.some(({ kind }) => kind === "refusal") ? "refused" : "repeated",
      },
    ],
  };
  return { outcome: { ...outcome, unit: merged(effect, outcome.unit ?? {}) } };
}

/** What the far side is sent with the effect `key`: the same again after a crash, and never the same for two effects. */
export function sentKeyOf(execution: Execution, tool: Tool, key: string): string {
  return tool.policy?.idempotency.strategy === "uuid" ? deriveId(execution.row.id, `sent ${key}`) : key;
}

function takeOver(execution: Execution, { position }: PlannedCall): JournalUnit {
  return decide(execution, {
    position,
    ordinal: ORDINAL,
    kind: "retry",
    chosen: [{ option: "retry", label: "Retry", position, reason: null }],
    reason:
      "The same call was under way when the agent run that made it ended, and nobody knows what became of it. It is sent again under the key it was sent under.",
    source: "runtime-rule",
    offers: OFFERS,
  });
}
