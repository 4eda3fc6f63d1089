import { z } from "zod";
import type { Tool } from "@/server/tools/tool";
import type { CallPlace, Claim } from "./claim-call";
import { decide } from "./decide";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import type { PlannedCall } from "./next-step";
import type { Offer } from "./offers";
import { type CallOutcome, refusal } from "./tools/engine-tool";

/** Among the decisions of one step: after an approval, before a summary. */
const ORDINAL = 55;

const OFFERS: Offer[] = [
  {
    key: "repeat",
    kind: "action",
    label: "Answer from before",
    description: "Give what the same call came to before.",
  },
  { key: "refuse", kind: "action", label: "Refuse it", description: "Tell the agent why the call was not made." },
  { key: "run", kind: "action", label: "Make the call", description: "Only for a call that nobody made before." },
];

/** A call that its key shows to have been made: what it came to then, or a refusal, as the owner wants it (IDEM-03). */
export async function answerKnown(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  known: Exclude<Claim, { state: "claimed" }>,
): Promise<CallOutcome> {
  const where = whereIs(execution, known.from);
  if (known.state === "under_way") {
    return refuseCall(execution, planned, {
      code: "call_under_way",
      message: `The same call is under way ${where}, and has not ended in ${tool.timeoutMs / 1000} s. This one was not made. Go on without it, or ask for it again later.`,
    });
  }
  const became = known.state === "succeeded" ? "succeeded" : "failed";
  if (tool.policy?.idempotency.onHit === "fail_fast") {
    return refuseCall(execution, planned, {
      code: "duplicate_call",
      message: `The same call was made at ${known.at} ${where}, and ${became}. It was not made again.`,
    });
  }
  const before = await recall(execution, known.from);
  if (!before) {
    return refuseCall(execution, planned, {
      code: "unreadable_outcome",
      message: `The same call was made at ${known.at} ${where}, and ${became}. What it came to cannot be read. It was not made again.`,
    });
  }
  const unit = decide(execution, {
    position: planned.position,
    ordinal: ORDINAL,
    kind: "cache_hit",
    chosen: [{ option: "repeat", label: "Answer from before", position: planned.position, reason: null }],
    reason: `The same call was made at ${known.at} ${where}, and ${became}.`,
    source: "policy",
    offers: OFFERS,
  });
  return { ...before, unit };
}

/** A call that is not made, with the decision that says why. `source`: how its owner wants the tool to be called. */
export function refuseCall(
  execution: Execution,
  planned: PlannedCall,
  { code, message }: { code: string; message: string },
): CallOutcome {
  const unit = decide(execution, {
    position: planned.position,
    ordinal: ORDINAL,
    kind: "refusal",
    chosen: [{ option: "refuse", label: "Refuse it", position: planned.position, reason: null }],
    reason: message,
    source: "policy",
    offers: OFFERS,
  });
  return { ...refusal(code, message), unit: merged(unit) };
}

function whereIs(execution: Execution, { runId, agentRunId, position }: CallPlace): string {
  if (agentRunId === execution.row.id) return `in step ${position}`;
  return runId === execution.row.runId ? "by another agent of this run" : `in the run ${runId}`;
}

const toolMessage = z.object({ role: z.literal("tool"), content: z.string() });
const stepError = z.object({ code: z.string(), message: z.string() });

/** What a recorded call came to, checked as whatever comes from elsewhere (IDEM-09); null when that cannot be read. */
async function recall(execution: Execution, from: CallPlace): Promise<Pick<CallOutcome, "value" | "error"> | null> {
  const { rows } = await execution.resources.pool.query<{ error: unknown; message: unknown; text: string | null }>({
    name: "recall_call",
    text: `select s.error, m.content as message,
        (select string_agg(b.content, '' order by b.part) from blobs b
         where b.workspace_id = s.workspace_id and b.hash = m.content ->> 'blob') as text
      from steps s join messages m on m.agent_run_id = s.agent_run_id and m.index = s.reply_message
      where s.workspace_id = $1 and s.agent_run_id = $2 and s.position = $3`,
    values: [execution.row.workspaceId, from.agentRunId, from.position],
  });
  const [row] = rows;
  if (!row) return null;
  try {
    const { content } = toolMessage.parse(row.text === null ? row.message : JSON.parse(row.text));
    const value = z.json().parse(JSON.parse(content));
    return row.error === null ? { value } : { value, error: stepError.parse(row.error) };
  } catch {
    return null;
  }
}
