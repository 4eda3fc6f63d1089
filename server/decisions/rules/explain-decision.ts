import type { DecisionKind, ReasonSource } from "@/server/engine/events";
import type { RunStatus } from "@/server/engine/state";
import { DEFAULT_SIMILARITY, type DecisionRecord, type Precedents } from "../schema";

const TASK_TOLD = 300;
const REASON_TOLD = 1_000;
const OPTIONS_NAMED = 8;

type Explained = Omit<DecisionRecord, "id" | "runId" | "agentRunId">;

/**
 * One decision in plain sentences, from the record only: who and when, what was asked, what it could choose from, what was chosen and why,
 * the cost so far, what came of it, what is said of it, and whether there was one like it. `precedents` null: not known yet.
 */
export function explainDecision(record: Explained, precedents: Precedents | null): string[] {
  return [
    whoAndWhen(record),
    asked(record),
    offered(record),
    CHOICES[record.kind](chosenWords(record)),
    reasoned(record),
    hadCost(record),
    cameOfIt(record),
    ...judged(record),
    preceded(precedents),
  ];
}

/** "2026-11-21 at 14:03:12 UTC": the same for everybody it is sent to. */
function utc(at: string): string {
  return `${at.slice(0, 10)} at ${at.slice(11, 19)} UTC`;
}

function whoAndWhen({ source, agentName, agentVersion, model, at, runTitle }: Explained): string {
  const agent = `${agentName} (version ${agentVersion})`;
  const where = `in the run “${runTitle}” on ${utc(at)}`;
  if (source === "human") return `A person decided this about ${agent} ${where}.`;
  if (source === "policy") return `A rule of this workspace decided this for ${agent} ${where}.`;
  if (source === "runtime-rule") return `A fixed rule of the engine decided this for ${agent} ${where}.`;
  return `${agent} decided this ${where}${model ? `, with the model ${model}` : ""}.`;
}

function asked({ task, agentName }: Explained): string {
  if (task.trim() === "") return `What ${agentName} was asked is not recorded.`;
  const told = cut(task, TASK_TOLD);
  return `It was asked: “${told}”${/[.!?…]$/.test(told) ? "" : "."}`;
}

function hadCost({ costSoFarNanoUsd, unpricedCalls }: Explained): string {
  const cost = dollars(costSoFarNanoUsd);
  if (unpricedCalls === 0) return `The run had cost ${cost} by then.`;
  const why = "no price is known for some of its calls";
  if (costSoFarNanoUsd === 0) return `What the run had cost by then is not known: ${why}.`;
  return `The run had cost ${cost} or more by then: ${why}.`;
}

function offered({ options }: Explained): string {
  if (options.length === 0) return "Nothing else was on offer.";
  const [only] = options;
  if (only && options.length === 1) return `Nothing but ${only.label} was on offer.`;
  const named = options.slice(0, OPTIONS_NAMED).map(({ label }) => label);
  const more = options.length - named.length;
  const names = more > 0 ? `${named.join(", ")} and ${more} more` : joined(named);
  return `It could choose from ${counted(options.length, "option")}: ${names}.`;
}

/** What each kind of choice is, with the words of what was chosen. */
const CHOICES: Record<DecisionKind, (chosen: string) => string> = {
  delegate: (chosen) => `It started other agents: ${chosen}.`,
  handoff: (chosen) => `It handed its task over to ${chosen}.`,
  tool_choice: (chosen) => `It called ${chosen}.`,
  finish: (chosen) => `It ended its work: ${chosen}.`,
  retry: (chosen) => `A call had failed. What was chosen: ${chosen}.`,
  limit: (chosen) => `A limit was reached. What was chosen: ${chosen}.`,
  answer: (chosen) => `A question was closed. The answer: ${chosen}.`,
  uncertain_effect: (chosen) => `It was not known whether a call that writes took effect. What was chosen: ${chosen}.`,
  approval: (chosen) => `A call needed leave. What was chosen: ${chosen}.`,
  stop: (chosen) => `Whether to end it was decided. What was chosen: ${chosen}.`,
  pause: (chosen) => `Whether to hold it was decided. What was chosen: ${chosen}.`,
  resume: (chosen) => `Whether a held run goes on was decided. What was chosen: ${chosen}.`,
  steer: (chosen) => `Something was said to the agent at work. What was chosen: ${chosen}.`,
  budget: (chosen) => `Spending came to a limit. What was chosen: ${chosen}.`,
  takeover: (chosen) => `The worker that carried it was gone. What was chosen: ${chosen}.`,
  guard: (chosen) => `A call was made again and again. What was chosen: ${chosen}.`,
  continue: (chosen) => `It answered while items of its list were open. What was chosen: ${chosen}.`,
  summary: (chosen) => `The result of another agent was long. What was chosen: ${chosen}.`,
  compaction: (chosen) => `The conversation filled the context of its model. What was chosen: ${chosen}.`,
  dispatch: (chosen) => `A task waited for nothing any more. What was chosen: ${chosen}.`,
  escalation: (chosen) => `A question went on to others. What was chosen: ${chosen}.`,
  cache_hit: (chosen) => `The same call had been made before. What was chosen: ${chosen}.`,
  refusal: (chosen) => `A call was not as its tool is set to be called. What was chosen: ${chosen}.`,
  fork: (chosen) => `The run was retried from a step of another one. What was chosen: ${chosen}.`,
  fallback: (chosen) => `A model or a tool had failed for good. What was chosen: ${chosen}.`,
};

function chosenWords({ chosen }: Explained): string {
  return chosen.length > 0 ? joined(chosen.map(({ label }) => label)) : "nothing that was on offer";
}

/** What a reason of each source is worth. */
const WORTH: Record<ReasonSource, string> = {
  "model-stated": "The model gave this reason when it chose. It is a claim.",
  "provider-reasoning": "How the model’s reasoning ended, as its provider sent it. It is a claim.",
  policy: "A rule of this workspace decided. It is certain.",
  "runtime-rule": "The engine decided by a fixed rule. It is certain.",
  human: "A person decided.",
  "not-stated": "No reason was given when the choice was made, and none is made up afterwards.",
};

function reasoned({ reason, chosen, source }: Explained): string {
  const said = reason ?? joined(chosen.flatMap((choice) => (choice.reason ? [choice.reason] : [])));
  if (source === "not-stated" || said === "") return WORTH["not-stated"];
  return `The reason given then: “${cut(said, REASON_TOLD)}” ${WORTH[source]}`;
}

function cameOfIt({ chosen }: Explained): string {
  const ends = chosen.flatMap(({ label, status }) => (status ? [`${label}: ${wordOf(status)}`] : []));
  return ends.length > 0 ? `What came of it: ${ends.join("; ")}.` : "No step or agent run of its own came of it.";
}

/** Where the screens have another word for it. */
const ENDS: Partial<Record<RunStatus, string>> = { completed: "succeeded", aborted: "stopped" };

function wordOf(status: string): string {
  return ENDS[status as RunStatus] ?? status;
}

function judged({ labels, options }: Explained): string[] {
  return labels
    .filter(({ endedAt }) => endedAt === null)
    .map(({ verdict, option, words, note, by }) => {
      const better = options.find(({ key }) => key === option)?.label ?? option ?? words;
      const said = verdict === "better" ? `that “${better}” would have been better` : `that it was ${verdict}`;
      return `${by} says ${said}${note ? `: “${note}”` : ""}.`;
    });
}

function preceded(precedents: Precedents | null): string {
  if (precedents?.state !== "prepared") return "Whether there were earlier decisions like it is not known yet.";
  const alike = `at least ${DEFAULT_SIMILARITY * 100} % alike`;
  if (precedents.total === 0) return `No earlier decision was like it (${alike}).`;
  return `${counted(precedents.total, "earlier decision was", "earlier decisions were")} like it (${alike}).`;
}

function cut(text: string, most: number): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}

/** "a, b and c". */
function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** Four digits, as runs show their cost. What is too small for them was not free. */
function dollars(nanoUsd: number): string {
  if (nanoUsd > 0 && nanoUsd < 50_000) return "<$0.0001";
  return (nanoUsd / 1e9).toLocaleString("en-US", { style: "currency", currency: "USD", minimumFractionDigits: 4 });
}
