import { keptWords } from "@/components/runs/inspector/retry-words";
import { textKey } from "@/components/runs/run-live-text";
import type { RunState } from "@/components/runs/run-state";
import type { DecisionRow, RequestView, StepRow } from "@/server/engine/events";
import type { OfferedOption } from "@/server/runs/schema";
import type { RetryPlan, StepDetail, WhatIfEdit } from "@/server/runs/step-schema";

export type EditKind = WhatIfEdit["kind"];

/** What can be changed at a step: of a model's, what it was asked with and what it replied; of a call, what a person answered about it, and what it returned. */
export function editsOf({ kind, status }: Pick<StepRow, "kind" | "status">, asked?: RequestView): EditKind[] {
  if (kind === "model") return status === "completed" ? ["reply", "instructions", "model"] : ["instructions", "model"];
  if (kind === "summary") return [];
  return asked && mayBeAnsweredAnew(asked) ? ["answer", "result"] : ["result"];
}

/** What became of a call, and how a run goes on at its limit, are no choices that could have been others. */
function mayBeAnsweredAnew({ kind, status }: RequestView): boolean {
  return (status === "answered" || status === "expired") && kind !== "uncertain_effect" && kind !== "budget";
}

/** What a person was asked in a step, the last time. */
export function askedIn(
  { requests }: Pick<RunState, "requests">,
  { agentRunId, position }: Pick<StepRow, "agentRunId" | "position">,
): RequestView | undefined {
  return requests.findLast((request) => request.agentRunId === agentRunId && request.position === position);
}

/**
 * The step a decision is about: of a model's turn the turn, of what a rule or a person decided about a call that call. None for what came
 * from outside or between steps, and for a step that was never recorded.
 */
export function stepOfDecision({ steps }: Pick<RunState, "steps">, decision: DecisionRow): StepRow | undefined {
  const place = textKey(decision.agentRunId, decision.position);
  return steps.find(({ agentRunId, position }) => textKey(agentRunId, position) === place);
}

/** What a person has filled in. `option` is the key of one as offered. */
export type WhatIfDraft = {
  kind: EditKind;
  option: string | null;
  /** Arguments of a tool, as JSON. */
  args: string;
  /** What a chosen agent is told. */
  prompt: string;
  answer: string;
  result: string;
  /** Of a question: the value of an option, or OWN_WORDS; null: none is chosen. */
  said: string | null;
  words: string;
  /** Of a question with several answers. */
  ticked: string[];
  instructions: string;
  task: string;
  model: string | null;
};

const ANSWER = "answer";
/** In place of the value of an option, which has no space around it. */
export const OWN_WORDS = "\n";
const AGENT = "agent:";

/** Begins with what was: whoever changes a word starts from there. */
export function draftOf(kind: EditKind, { request, reply, call }: StepDetail, task: string): WhatIfDraft {
  const [first] = reply?.calls ?? [];
  return {
    ...{ kind, option: null, args: first ? pretty(first.arguments) : "{}", prompt: promptOf(first?.arguments) },
    answer: reply?.content ?? "",
    result: call?.result ?? "",
    ...{ said: null, words: "", ticked: [], task },
    instructions: request?.messages.find(({ role }) => role === "system")?.content ?? "",
    model: null,
  };
}

/** What is asked for; a sentence where something is missing. `task`: what the agent run was asked to do. */
export function editFrom(draft: WhatIfDraft, was: StepDetail, task: string): WhatIfEdit | string {
  switch (draft.kind) {
    case "model":
      return draft.model === null ? "Choose a model." : { kind: "model", model: draft.model };
    case "instructions":
      if (draft.instructions.trim() === "") return "Say what the agent is told.";
      if (draft.task.trim() === "") return "Say what it is asked to do.";
      return {
        ...{ kind: "instructions", content: draft.instructions },
        ...(draft.task !== task && { task: draft.task }),
      };
    case "answer":
      return answerFrom(draft, was);
    case "result":
      return { kind: "result", content: draft.result };
    case "reply":
      return replyFrom(draft, was);
    default:
      return draft.kind satisfies never;
  }
}

function answerFrom({ said, words, ticked }: WhatIfDraft, { humanRequest }: StepDetail): WhatIfEdit | string {
  if (humanRequest?.answerKind === "several") return { kind: "answer", answer: ticked };
  if (said === null) return "Choose an answer.";
  const answer = said === OWN_WORDS ? words.trim() : said;
  return answer === "" ? "Write the answer." : { kind: "answer", answer };
}

function replyFrom({ option, args, prompt, answer }: WhatIfDraft, was: StepDetail): WhatIfEdit | string {
  if (option === null) return "Choose one of the options.";
  if (option === ANSWER) {
    return answer.trim() === "" ? "Write the answer." : { kind: "reply", text: answer, calls: [] };
  }
  if (!option.startsWith(AGENT)) {
    const why = whyNoObject(args);
    return why ?? { kind: "reply", text: "", calls: [{ name: option, arguments: args }] };
  }
  if (prompt.trim() === "") return "Say what the agent is to do.";
  const agent = option.slice(AGENT.length);
  const reason = "A person asked what would have happened.";
  const offered = new Set(was.request?.tools.map(({ name }) => name));
  // Whoever may only hand over has no agents to start.
  return offered.has("agent__spawn")
    ? { kind: "reply", text: "", calls: [callOf("agent__spawn", { agent, prompt, reason })] }
    : { kind: "reply", text: "", calls: [callOf("agent__handoff", { agent, tell: prompt, reason })] };
}

const callOf = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });

/** Whether it can be chosen here: agents of a team that works by tasks are started by those, not by a choice. */
export function isChoosable({ key }: Pick<OfferedOption, "key">, { request }: Pick<StepDetail, "request">): boolean {
  if (!key.startsWith(AGENT)) return true;
  return request?.tools.some(({ name }) => name === "agent__spawn" || name === "agent__handoff") ?? false;
}

const SAME_VERSIONS = "with the versions this run was made with. Nothing before it is done again.";

/** From where the new run goes on. */
export function whatIfWords(kind: EditKind, plan: RetryPlan): string {
  if (kind === "reply") return `A new run goes on from here as if this had been chosen, ${SAME_VERSIONS}`;
  if (kind === "answer") return `A new run goes on from where this was asked, answered so by you, ${SAME_VERSIONS}`;
  if (kind === "result") return `A new run goes on from where ${plan.agentName} read the result, ${SAME_VERSIONS}`;
  return keptWords(plan);
}

/** Which fields an option needs. */
export function fieldOf(option: Pick<OfferedOption, "key" | "kind">): "answer" | "prompt" | "args" {
  if (option.key === ANSWER) return "answer";
  return option.key.startsWith(AGENT) ? "prompt" : "args";
}

function whyNoObject(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return null;
  } catch {
    // Said below, whatever is wrong with it.
  }
  return 'The arguments are no JSON object, such as {"name": "value"}.';
}

function promptOf(args = "{}"): string {
  try {
    const { prompt, tell } = JSON.parse(args) as { prompt?: unknown; tell?: unknown };
    return String(prompt ?? tell ?? "");
  } catch {
    return "";
  }
}

function pretty(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    return args;
  }
}
