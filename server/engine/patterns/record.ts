import { z } from "zod";
import type { ModelMessage, ToolCall } from "@/server/models/model";
import type { Execution } from "../execution";
import { type Handoff, handoff } from "../handoffs";
import { deriveId } from "../ids";
import { hasEnded, RUN_STATUSES, type RunStatus } from "../state";
import { argumentsOf } from "../turn-decision";
import type { Part, PartEnd, Standing } from "./policy";

/** A part with where it is: its step, its call among the messages, and its agent run. */
export type PlacedPart = Part & {
  position: number;
  call: ToolCall;
  /** Message that gave out its phase, and the one its result belongs in. */
  callIndex: number;
  resultIndex: number;
  childId: string;
  /** Its agent run is stored. */
  isStarted: boolean;
  /** Its result is in the record. */
  isRecorded: boolean;
  /** Number of its phase, from 1. */
  phase: number;
};

/** How the record of an engine-led root stands. */
export type Placed = {
  standing: Standing;
  parts: PlacedPart[];
  nextPosition: number;
  /** Said by people since an agent was last started or the root's model last asked. */
  unheard: string[];
};

type Child = {
  id: string;
  status: RunStatus;
  reason: string | null;
  result: string | null;
  createdAt: string;
  finishedAt: string | null;
  handoff: Handoff | null;
};

/** Ids of the calls that stand for the parts of a phase. No model gave them. */
const CALL_ID = "pattern_";

/** The message that gives out a phase, in the words of a turn: one call for each part. */
export function phaseMessage(
  name: string,
  position: number,
  parts: readonly Omit<Part, "end">[],
): Extract<ModelMessage, { role: "assistant" }> {
  const calls = parts.map(({ agent, task }, nth) => ({
    id: `${CALL_ID}${position + nth}`,
    name,
    arguments: JSON.stringify({ agent, prompt: task }),
  }));
  return { role: "assistant", content: null, calls };
}

const recordedEnd = z.object({
  exit_status: z.enum(RUN_STATUSES),
  output: z.string(),
  message: z.string().nullable().default(null),
  handoff: handoff.optional(),
});

/** An end as the record keeps it, in the shape agent__collect gives. */
export function endValue(agent: string, { status, text, reason, handoff }: PartEnd): Record<string, unknown> {
  return {
    ...{ agent, exit_status: status, output: text },
    ...(reason === null ? {} : { message: reason }),
    ...(handoff ? { handoff } : {}),
  };
}

/** What is so far: from the record of the root, and for what it has not recorded yet from the rows of its children. */
export async function readPlaced(execution: Execution): Promise<Placed> {
  const { rows } = await execution.resources.pool.query<Child>({
    name: "children_of_pattern",
    // What a fork copied has waited since the fork began: its limits begin anew.
    text: `select a.id, a.status, a.status_reason as reason, a.result, iso(greatest(a.created_at, r.created_at)) as "createdAt",
        iso(a.finished_at) as "finishedAt", a.handoff
      from agent_runs a join runs r on r.id = a.run_id where a.parent_id = $1`,
    values: [execution.row.id],
  });
  const children = new Map(rows.map((child) => [child.id, child]));
  const recorded = new Set(execution.steps.map(({ position }) => position));
  const phases: PlacedPart[][] = [];
  let nextPosition = 0;
  const stored = [...execution.messages.entries()].sort(([a], [b]) => a - b);
  for (const [callIndex, message] of stored) {
    if (!isPhase(message)) continue;
    const first = nextPosition;
    phases.push(
      message.calls.map((call, nth): PlacedPart => {
        const { agent, prompt } = argumentsOf(call);
        const position = first + nth;
        const resultIndex = callIndex + 1 + nth;
        const childId = deriveId(execution.row.id, `pattern ${position}`);
        const child = children.get(childId);
        const isRecorded = recorded.has(position);
        return {
          ...{ agent: String(agent), task: String(prompt), call, position, callIndex, resultIndex, childId },
          ...{ isStarted: child !== undefined, isRecorded, phase: phases.length + 1 },
          end: isRecorded ? fromMessage(execution.messages.get(resultIndex), child) : endOf(child),
        };
      }),
    );
    nextPosition += message.calls.length;
  }
  // The first agents of a phase are stored with it.
  const begun = phases.at(-1)?.flatMap(({ childId }) => children.get(childId)?.createdAt ?? []) ?? [];
  const said = await saidTo(execution);
  const begunAt = Math.min(...begun.map((at) => Date.parse(at)));
  return {
    standing: {
      task: execution.row.task,
      said: said.map(({ text }) => text),
      agents: execution.spawnable.map(({ name }) => name),
      phases,
      waitedMs: execution.resources.now().getTime() - begunAt,
    },
    parts: phases.flat(),
    nextPosition,
    unheard: said.filter(({ isHeard }) => !isHeard).map(({ text }) => text),
  };
}

function endOf(child: Child | undefined): PartEnd | null {
  if (!child || !hasEnded(child.status)) return null;
  const { status, reason, result, finishedAt, handoff } = child;
  const whyNot = status === "completed" ? null : (reason ?? status);
  return { status, text: result ?? "", reason: whyNot, finishedAt, ...(handoff ? { handoff } : {}) };
}

function fromMessage(message: ModelMessage | undefined, child: Child | undefined): PartEnd {
  const { exit_status, output, message: reason, handoff } = recordedEnd.parse(JSON.parse(message?.content ?? "null"));
  const end = { status: exit_status, text: output, reason, finishedAt: child?.finishedAt ?? null };
  return { ...end, ...(handoff ? { handoff } : {}) };
}

/** The messages before its task: its instructions, and what was said before in its conversation. */
export function beforeTask(execution: Execution): ModelMessage[] {
  const messages = execution.stored();
  return messages.slice(0, taskIndex(execution, messages));
}

/** Where its task is among its messages: the last such before its first phase, as it may have been asked the same before. */
function taskIndex({ row }: Execution, messages: readonly ModelMessage[]): number {
  const phase = messages.findIndex(isPhase);
  const opening = phase === -1 ? messages : messages.slice(0, phase);
  return opening.findLastIndex(({ role, content }) => role === "user" && content === row.task);
}

function isPhase(message: ModelMessage): message is Extract<ModelMessage, { role: "assistant" }> {
  return message.role === "assistant" && message.calls[0]?.id.startsWith(CALL_ID) === true;
}

/**
 * What people said to it, told or not yet told: whatever follows its task and is no call and no result. Heard is what was said before its
 * last phase or the last reply of its model.
 */
async function saidTo(execution: Execution): Promise<{ text: string; isHeard: boolean }[]> {
  const messages = await execution.nextStored();
  const task = taskIndex(execution, messages);
  const lastHeard = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.flatMap(({ role, content }, index) =>
    index > task && role === "user" && content ? [{ text: content, isHeard: index < lastHeard }] : [],
  );
}
