import type { AgentConfig } from "@/server/agents/schema";
import type { ModelMessage } from "@/server/models/model";
import { decide } from "./decide";
import type { Todo } from "./events";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import type { Progress } from "./next-step";
import type { Offer } from "./offers";
import { openTasks } from "./open-tasks";
import { openItems, renderTodo, todoUnit } from "./todo";

/** Among the decisions of the step that answered: after the answer itself. */
const ORDINAL = 30;
const TASKS_ORDINAL = 31;

const LABELS = { send_on: "Send it on", end: "Let it end" };
const OFFERS: Offer[] = [
  { key: "send_on", kind: "action", label: LABELS.send_on, description: "Tell it what is open; it goes on." },
  { key: "end", kind: "action", label: LABELS.end, description: "Take the answer although not all is done." },
];

const CONTINUATION = `You answered while items of your list are open. Go on with the next open item now; do not only say that you will.
Tick each item with todo__done as soon as it is finished. When the list no longer fits, call todo__clear.`;

const TASKS_LEFT = `You answered while work of your plan is left. See it through now; do not only say that you will.
What is no longer wanted, end with agent__task_fail.`;

type Continuation = { do: "send_on" | "end"; reason: string };
/** What is open, and how often it was sent on because of it. */
type Open = { open: number; noun: string; continues: number; most: number };

/**
 * Whether an agent that answered is sent on because of open items (LOK-TODO-06, LOK-TODO-07, LOK-TODO-09); null when nothing of the
 * kind is to be decided.
 * @param answers what it answered so far without asking for tools, the newest last
 */
export function judgeAnswer(
  { autoContinue, maxAutoContinues: most }: Pick<AgentConfig, "autoContinue" | "maxAutoContinues">,
  todo: Todo | null,
  answers: readonly string[],
): Continuation | null {
  const open = openItems(todo);
  if (!autoContinue || !todo || open === 0) return null;
  return judgeOpen({ open, noun: "item", continues: todo.continues, most }, answers);
}

/** The same for anything that may be open when it answers. */
export function judgeOpen({ open, noun, continues, most }: Open, answers: readonly string[]): Continuation {
  const what = open === 1 ? `1 ${noun}` : `${open} ${noun}s`;
  const soFar = `sent on ${continues} of at most ${most} times, ${what} open`;
  if (continues > 0 && answers.at(-1)?.trim() === answers.at(-2)?.trim())
    return { do: "end", reason: `It answered the same as before: ${soFar}.` };
  if (continues >= most) return { do: "end", reason: `It used up its continuations: ${soFar}.` };
  return { do: "send_on", reason: `Sent on, ${continues + 1} of at most ${most} times, with ${what} open.` };
}

/** Answers of this agent run: what it said without asking for tools. Those of earlier turns of its conversation are not its own. */
export function answersIn({ messages, steps }: Pick<Progress, "messages" | "steps">): string[] {
  return steps.filter(isReply).flatMap(({ replyMessage }) => {
    const reply = replyMessage === null ? undefined : messages.get(replyMessage);
    return reply?.role === "assistant" && reply.calls.length === 0 ? [reply.content ?? ""] : [];
  });
}

function isReply({ kind, status }: Progress["steps"][number]): boolean {
  return kind === "model" && status === "completed";
}

/**
 * Sends an agent that answered on while its list has open items, or its plan has open tasks. The message, the count and the decision are one
 * commit, and whether it was sent on is seen from the message: a second execution neither sends nor counts it again.
 * Returns null when it was sent on, else what belongs to the commit of its end.
 */
export async function sendOn(execution: Execution): Promise<JournalUnit | null> {
  const ofList = await sendOnForList(execution);
  const ofTasks = ofList && (await sendOnForTasks(execution));
  return ofTasks && merged(ofList, ofTasks);
}

async function sendOnForList(execution: Execution): Promise<JournalUnit | null> {
  const { config, todo } = execution;
  const verdict = judgeAnswer(config, todo, answersIn(execution));
  if (!verdict || !todo) return {};
  const decision = decisionOn(execution, verdict, ORDINAL);
  if (verdict.do === "end") return decision;
  const counted = { ...todo, continues: todo.continues + 1 };
  execution.todo = counted;
  const words = `${config.continuationPrompt ?? CONTINUATION}\n\n${renderTodo(todo)}`;
  await execution.journal.append(merged(tell(execution, words), todoUnit(counted), decision));
  return null;
}

/** Counted by the messages that sent it on: nothing else is kept of that. */
async function sendOnForTasks(execution: Execution): Promise<JournalUnit | null> {
  const left = await openTasks(execution);
  if (left.length === 0) return {};
  const continues = [...execution.messages.values()].filter(
    ({ role, content }) => role === "user" && content?.startsWith(TASKS_LEFT),
  ).length;
  const of = { open: left.length, noun: "task", continues, most: execution.config.maxAutoContinues };
  const verdict = judgeOpen(of, answersIn(execution));
  const decision = decisionOn(execution, verdict, TASKS_ORDINAL);
  if (verdict.do === "end") return decision;
  await execution.journal.append(merged(tell(execution, [TASKS_LEFT, "", ...left].join("\n")), decision));
  return null;
}

function decisionOn(execution: Execution, verdict: Continuation, ordinal: number): JournalUnit {
  return decide(execution, {
    position: execution.steps.findLast(isReply)?.position ?? 0,
    ordinal,
    kind: "continue",
    chosen: [{ option: verdict.do, label: LABELS[verdict.do], position: null, reason: null }],
    reason: verdict.reason,
    source: "runtime-rule",
    offers: OFFERS,
  });
}

function tell(execution: Execution, content: string): JournalUnit {
  const message: ModelMessage = { role: "user", content };
  const index = execution.messages.size;
  execution.messages.set(index, message);
  return execution.journal.message(index, message);
}
