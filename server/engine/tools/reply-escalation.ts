import { z } from "zod";
import { type Asked, answerOffers, chosenBy } from "@/server/requests/rules";
import { answerKindOf } from "../answer-schema";
import { type Asker, passOn } from "../escalation";
import { readReply } from "../escalation-reply";
import type { Answer, RequestView } from "../events";
import type { Execution } from "../execution";
import { FenceLostError } from "../journal/unit";
import { maySpawn } from "../may-spawn";
import { outsideDecision } from "../outside-decision";
import { REPLY_TOOL } from "../pending-escalations";
import { storedJson } from "../stored-json";
import { argumentsOf } from "../turn-decision";
import { type CallOutcome, type EngineTool, refusal } from "./engine-tool";

const SPEC = {
  name: REPLY_TOOL,
  description:
    "Answer a question that an agent below you waits with, listed under pending_escalations. Without a reply a person is asked instead.",
  parameters: {
    type: "object",
    properties: {
      escalation_id: { type: "string", description: "As it is listed, esc_…" },
      reply: {
        type: "string",
        description:
          "One of the options, or other words where the question takes them; for a [checkbox] question a JSON list of the options that apply. Leave it out to have a person asked.",
      },
      reason: { type: "string", description: "How you know, or why a person must say" },
    },
    required: ["escalation_id"],
    additionalProperties: false,
  },
};

const replyArguments = z.object({
  escalation_id: z.string(),
  reply: z.unknown().optional(),
  reason: z.string().optional(),
});

/** What an escalation id can look like. A model may write anything, also what Postgres takes for no text at all. */
const ESCALATION_ID = /^esc_([0-9a-f]{8})$/;

type Question = Asker & Asked & { prompt: string; status: RequestView["status"] };

/** agent__reply_escalation (LOK-ESC-10, LOK-ESC-11): answers a question from below, or leaves it to a person. Each counts once. */
export const replyEscalation: EngineTool = {
  kind: "tool",
  // Of two replies of one turn to the same question the first counts.
  isSerial: true,
  offer: (briefed) => (maySpawn(briefed) ? SPEC : null),
  async run(execution, { call }) {
    const parsed = replyArguments.safeParse(argumentsOf(call));
    if (!parsed.success)
      return refusal("malformed_arguments", `${REPLY_TOOL} needs an escalation_id: ${z.prettifyError(parsed.error)}`);
    const { escalation_id, reply } = parsed.data;
    const reason = parsed.data.reason?.trim();
    const question = await questionBelow(execution, escalation_id);
    if (!question) return failed("unknown_escalation", `No agent below you asks ${escalation_id.slice(0, 100)}.`);
    if (reply === undefined || reply === null) {
      const words = [`${execution.row.name} left it to a person.`, ...(reason ? [reason] : [])].join(" ");
      const passedOn = await passOn(execution, question, { reason: words, source: "model-stated" });
      // Passed on before, by an execution that was cut off, by another agent above or in time: a person is asked all the same.
      const isOpen = passedOn || (await questionBelow(execution, escalation_id))?.status === "open";
      return isOpen ? done(escalation_id, question, "A person is asked.") : over(execution, escalation_id);
    }
    const read = readReply(question, reply);
    if ("whyNot" in read) {
      execution.escalations.willRead(escalation_id);
      return failed("invalid_reply", `${escalation_id} cannot be answered so. ${read.whyNot}`);
    }
    const isAnswered = await answer(execution, question, read.answer, reason);
    return isAnswered ? done(escalation_id, question, "Answered.") : over(execution, escalation_id);
  },
};

async function questionBelow(execution: Execution, escalationId: string): Promise<Question | null> {
  const [, hex] = ESCALATION_ID.exec(escalationId) ?? [];
  if (!hex) return null;
  const { rows } = await execution.resources.pool.query<Omit<Question, "answerKind"> & { schema: unknown }>({
    name: "question_below",
    text: `select q.id, q.agent_run_id as "agentRunId", q.position, q.kind, q.prompt, q.options, q.schema, q.status
      from human_requests q
      where q.run_id = $1 and left(q.id::text, 8) = $2 and q.kind = 'question'
        and $3 in (select above.id from agents_above(q.agent_run_id) above)
      order by q.status = 'escalated' desc limit 1`,
    values: [execution.row.runId, hex, execution.row.id],
  });
  return rows[0] ? { ...rows[0], answerKind: answerKindOf(rows[0].schema) } : null;
}

/** False when it is asked of no agent any more. Given again after a crash, the same answer counts as given. */
async function answer(execution: Execution, question: Question, given: Answer, reason?: string): Promise<boolean> {
  const { id, epoch, name, workspaceId, runId } = execution.row;
  const chosen = chosenBy(question, given);
  const words = `${name} answered ${chosen.map(({ label }) => `“${label}”`).join(", ")}.`;
  const decision = outsideDecision({
    workspaceId,
    runId,
    agentRunId: question.agentRunId,
    position: question.position,
    kind: "answer",
    chosen,
    reason: reason ? `${words} ${reason}` : words,
    source: "model-stated",
    offers: answerOffers(question),
  });
  const { rows } = await execution.resources.pool.query<{ word: "answered" | "gone" | "lost" }>({
    name: "answer_escalation",
    text: "select answer_escalation($1, $2, $3, $4, $5) as word",
    values: [question.id, id, epoch, storedJson(given), decision],
  });
  if (rows[0]?.word === "lost") throw new FenceLostError(id);
  return rows[0]?.word === "answered";
}

function done(escalationId: string, { prompt }: Question, message: string): CallOutcome {
  return { value: { status: "ok", escalation_id: escalationId, question: prompt, message } };
}

async function over(execution: Execution, escalationId: string): Promise<CallOutcome> {
  const question = await questionBelow(execution, escalationId);
  if (question?.status === "open")
    return failed("escalation_over", `${escalationId} is with a person by now, who answers it.`);
  if (question?.status === "answered") return failed("escalation_over", `${escalationId} was answered already.`);
  return failed("escalation_over", `${escalationId} was withdrawn: the agent that asked waits no more.`);
}

function failed(code: string, message: string): CallOutcome {
  return { value: { status: "error", message }, error: { code, message } };
}
