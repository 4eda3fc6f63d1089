import { pool } from "@/server/db";
import { answerKindOf } from "@/server/engine/answer-schema";
import type { Answer } from "@/server/engine/events";
import { decisionOf } from "@/server/engine/turn-decision";
import { AppError } from "@/server/errors";
import type { ModelMessage, ToolCall } from "@/server/models/model";
import { whyNotAnswer } from "@/server/requests/rules";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { type Cut, findCut, findCutAfterReply, findCutBeforeAnswer, findReader } from "../queries/find-cut";
import { getStep } from "../queries/get-step";
import { listMessages } from "../queries/messages";
import type { StepInput, WhatIfEdit } from "../step-schema";

/** Where a fork begins, and what is changed in the copy before it goes on. */
export type EditedFork = {
  kind: WhatIfEdit["kind"];
  cut: Cut;
  /** In the words of a sentence: “… retried “Title” from step 4 of Lead (scripted), with another choice.” */
  words: string;
  /** Messages of the agent run, by their indexes; the copy may not have them yet. */
  messages: { index: number; message: ModelMessage }[];
  /** What the agent run is asked to do. */
  task: string | null;
  /** Of a question that stands open at the cut: how it is answered. */
  answer: { requestId: string; answer: Answer } | null;
  decision: ReturnType<typeof decisionOf> | null;
  /** "provider/model" that answers from there on. */
  model: string | null;
  /** The agent run had recorded nothing: its first messages are kept, which it would begin anew. */
  firstMessages: number;
};

const UNTOUCHED = { messages: [], task: null, answer: null, decision: null, model: null, firstMessages: 0 };
const WORDS: Record<WhatIfEdit["kind"], string> = {
  reply: "with another choice",
  result: "with another result",
  answer: "with another answer",
  instructions: "with other instructions",
  model: "with another model",
};

/**
 * Reads what a change needs, before anything is stored: what was recorded never changes. Throws NOT_FOUND for a step that is not there, and
 * INVALID for one of which that cannot be changed, and for calls the model was not offered or that are no JSON objects.
 */
export async function findEdited({
  scope,
  place,
  edit,
}: {
  scope: Scope;
  place: StepInput;
  edit: WhatIfEdit;
}): Promise<EditedFork> {
  const reader = pool();
  const { workspaceId } = scope;
  const said = { ...UNTOUCHED, kind: edit.kind, words: WORDS[edit.kind] };
  switch (edit.kind) {
    case "model":
      return { ...said, model: edit.model, cut: await findCut(reader, workspaceId, place) };
    case "result": {
      const { callId, reply } = await getRecorded(workspaceId, place);
      if (callId === null) throw new AppError("INVALID", "This step is no call, so it has no result to change.");
      if (reply === null) throw new AppError("INVALID", NOTHING_CAME_BACK);
      const cut = await findCut(reader, workspaceId, await findReader(reader, workspaceId, place));
      return { ...said, cut, messages: [{ index: reply, message: { role: "tool", callId, content: edit.content } }] };
    }
    case "answer": {
      const { cut, asked } = await findCutBeforeAnswer(reader, workspaceId, place);
      const whyNot = whyNotAnswer({ ...asked, answerKind: answerKindOf(asked.schema) }, edit.answer);
      if (whyNot) throw new AppError("INVALID", whyNot);
      return { ...said, cut, answer: { requestId: asked.requestId, answer: edit.answer } };
    }
    case "instructions": {
      const { sent, isFirst } = await getRecorded(workspaceId, place);
      if (sent === null) throw new AppError("INVALID", "No model was asked in this step, so it was told nothing.");
      const cut = await findCut(reader, workspaceId, place);
      const messages: EditedFork["messages"] = [{ index: 0, message: { role: "system", content: edit.content } }];
      const task = edit.task ?? null;
      if (task !== null) {
        const index = await getTaskMessage(workspaceId, place);
        messages.push({ index, message: { role: "user", content: task } });
      }
      return { ...said, cut, messages, task, firstMessages: isFirst ? sent : 0 };
    }
    case "reply": {
      const cut = await findCutAfterReply(reader, workspaceId, place);
      const { reply } = await getRecorded(workspaceId, place);
      if (reply === null) throw new AppError("INVALID", NOTHING_CAME_BACK);
      const { request } = await getStep(workspaceId, place);
      const calls = callsOf(edit, place.position, new Set(request?.tools.map(({ name }) => name)));
      const text = edit.text.trim() || null;
      if (calls.length === 0 && text === null) throw new AppError("INVALID", "Choose a call, or write the answer.");
      const decision = decisionOf({ text }, calls, place.position + 1);
      const reason = `${scope.userName} chose this in place of what the model had chosen.`;
      return {
        ...said,
        ...{ cut, messages: [{ index: reply, message: { role: "assistant", content: text, calls } }] },
        decision: { ...decision, reason, source: "human" },
      };
    }
    default:
      return edit satisfies never;
  }
}

const NOTHING_CAME_BACK = "Nothing came back in this step, so there is nothing to change.";

/** `sent`: how many messages a model was asked with; `reply`: index of what came back. */
type Recorded = { callId: string | null; sent: number | null; reply: number | null; isFirst: boolean };

async function getRecorded(workspaceId: WorkspaceId, place: StepInput): Promise<Recorded> {
  const { rows } = await pool().query<Recorded>(
    `SELECT call_id AS "callId", CASE WHEN kind = 'model' THEN request_messages END AS sent, reply_message AS reply,
       NOT EXISTS (SELECT FROM steps e WHERE e.workspace_id = $1 AND e.agent_run_id = $3 AND e.position < $4) AS "isFirst"
     FROM steps WHERE workspace_id = $1 AND run_id = $2 AND agent_run_id = $3 AND position = $4`,
    [workspaceId, place.runId, place.agentRunId, place.position],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "This step was not recorded, or it is in another workspace.");
  return rows[0];
}

/** Index of the message that asks an agent run to do its task. Throws INVALID where none does, as in an agent run that had recorded nothing. */
async function getTaskMessage(workspaceId: WorkspaceId, { agentRunId }: StepInput): Promise<number> {
  const { rows } = await pool().query<{ task: string; sent: number | null }>(
    `SELECT a.task, (SELECT s.request_messages FROM steps s WHERE s.workspace_id = $1 AND s.agent_run_id = $2 AND s.kind = 'model'
       ORDER BY s.position LIMIT 1) AS sent
     FROM agent_runs a WHERE a.workspace_id = $1 AND a.id = $2`,
    [workspaceId, agentRunId],
  );
  const [agent] = rows;
  const told = await listMessages(workspaceId, { agentRunId, from: 0, to: agent?.sent ?? 0 });
  const index = told.findLastIndex(({ role, content }) => role === "user" && content === agent?.task);
  if (index === -1)
    throw new AppError("INVALID", "No message asks this agent run to do its task, so it cannot be changed.");
  return index;
}

function callsOf(
  edit: Extract<WhatIfEdit, { kind: "reply" }>,
  position: number,
  offered: ReadonlySet<string>,
): ToolCall[] {
  return edit.calls.map((call, at) => {
    if (!offered.has(call.name)) {
      throw new AppError(
        "INVALID",
        `“${call.name}” was not offered in this step. Choose one of the options as offered.`,
      );
    }
    if (!isObject(call.arguments)) {
      throw new AppError(
        "INVALID",
        `The arguments of “${call.name}” are no JSON object. Write them as {"name": "value"}.`,
      );
    }
    // Once in a conversation, also when a choice before it was another one, too.
    return { id: `chosen_${position}_${at + 1}`, name: call.name, arguments: call.arguments };
  });
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
