import { VALUE_TYPE_WORDS, valueWords } from "@/components/runs/context-words";
import { taskWord } from "@/components/runs/inspector/task-status";
import { countedNames, DECISION_WORDS } from "@/components/runs/run-labels";
import { formatBytes, formatCount, formatMoney, formatPlural } from "@/components/ui/format";
import { statusWord } from "@/components/ui/status-words";
import { entityKey, typeOfValue } from "@/server/engine/run-context";
import type { Moment, Snapshot } from "@/server/runs/queries/inside/schema";

/** One fact of an agent's state. */
type Fact = { key: string; section: string; name: string; text: string };
export type FactChange = {
  key: string;
  section: string;
  name: string;
  before: string | null;
  after: string | null;
  kind: "same" | "new" | "gone" | "changed";
};

/** What a state says, fact by fact: what it wants, what it has under way, what it knows, what it used. */
function factsOf(state: Snapshot): Fact[] {
  const { context, spent } = state;
  const messages = [context.system, context.user, context.assistant, context.tool];
  const size = (of: { messages: number; bytes: number }) =>
    `${formatPlural(of.messages, "message")}, ${formatBytes(of.bytes)}`;
  const own = (section: string, name: string, text: string | null) => ({
    key: `${section} ${name}`,
    section,
    name,
    text,
  });
  const facts: (Omit<Fact, "text"> & { text: string | null })[] = [
    own("Goal", "Task", state.task),
    own("Goal", "State", state.status && statusWord(state.status, state.statusReason)),
    own("Goal", "Goal of its list", state.todo?.goal || null),
    ...state.variables.map(({ name, value }) => ({
      ...{ key: `variable ${name}`, section: "Variables", text: valueWords(value) },
      name: `${name}, ${VALUE_TYPE_WORDS[typeOfValue(value)].toLowerCase()}`,
    })),
    ...state.entities.map((entity) => ({
      ...{ key: `entity ${entityKey(entity)}`, section: "Entities", name: `${entity.type} ${entity.id}` },
      text: entity.label ?? "Tracked",
    })),
    ...(state.todo?.items ?? []).map((item) => ({
      ...{ key: `todo ${item.id}`, section: "List", name: item.text, text: item.done ? "Done" : "Open" },
    })),
    ...state.tasks.map((task) => ({
      ...{ key: `task ${task.number}`, section: "Tasks", name: `${task.number}. ${task.subject}` },
      text: taskWord(task.status),
    })),
    ...state.children.map((child) => ({
      ...{ key: `child ${child.id}`, section: "Agents it started", name: child.name },
      text: statusWord(child.status, child.reason),
    })),
    ...state.requests.map((request) => ({
      ...{ key: `request ${request.id}`, section: "Questions", name: request.prompt },
      text:
        request.answer === null ? REQUEST_WORDS[request.status] : `${REQUEST_WORDS[request.status]}: ${request.answer}`,
    })),
    ...state.mails.map((mail) => ({
      ...{ key: `mail ${mail.id}`, section: "Letters" },
      name: `${mail.isSent ? "To" : "From"} ${mail.with}: ${mail.text}`,
      text: mail.isRead ? "Read" : "Not read",
    })),
    own("Conversation", "Messages", formatCount(messages.reduce((all, { messages: count }) => all + count, 0))),
    own("Conversation", "Instructions", size(context.system)),
    own("Conversation", "Told", size(context.user)),
    own("Conversation", "Said", size(context.assistant)),
    own("Conversation", "Tool results", size(context.tool)),
    own(
      "Conversation",
      "Input of its last call",
      context.reportedTokens === null ? null : `${formatCount(context.reportedTokens)} tokens`,
    ),
    own("Used so far", "Turns", formatCount(state.turns)),
    own("Used so far", "Steps", formatCount(state.steps)),
    own("Used so far", "Failed steps", formatCount(state.failedSteps)),
    own("Used so far", "Tokens in", formatCount(spent.inputTokens)),
    own("Used so far", "Tokens out", formatCount(spent.outputTokens)),
    own("Used so far", "Cost", costWords(spent)),
    own("Settings", "Model", state.model),
    own("Settings", "Version", String(state.agent.version)),
  ];
  return facts.flatMap(({ text, ...fact }) => (text === null ? [] : [{ ...fact, text }]));
}

const REQUEST_WORDS: Record<Snapshot["requests"][number]["status"], string> = {
  escalated: "Asked above",
  open: "Open",
  answered: "Answered",
  expired: "No answer in time",
  withdrawn: "Withdrawn",
};

function costWords({ costNanoUsd, unpricedCalls }: Snapshot["spent"]): string {
  if (unpricedCalls === 0) return formatMoney(costNanoUsd);
  const left = `${formatPlural(unpricedCalls, "call")} without a known cost`;
  return costNanoUsd === 0 ? left : `${formatMoney(costNanoUsd)} and ${left}`;
}

/** Two states fact by fact, in the order of the later one; what is gone comes where it was. */
export function diffStates(before: Snapshot, after: Snapshot): FactChange[] {
  const [old, now] = [factsOf(before), factsOf(after)];
  const [byOld, byNow] = [old, now].map((facts) => new Map(facts.map((fact) => [fact.key, fact])));
  const sections = [...new Set([...now, ...old].map(({ section }) => section))];
  return sections.flatMap((section) => {
    const keys = new Set([...old, ...now].filter((fact) => fact.section === section).map(({ key }) => key));
    return [...keys].map((key): FactChange => {
      const [was, is] = [byOld?.get(key), byNow?.get(key)];
      const kind = !was ? "new" : !is ? "gone" : was.text === is.text && was.name === is.name ? "same" : "changed";
      return { key, section, name: (is ?? was)?.name ?? "", before: was?.text ?? null, after: is?.text ?? null, kind };
    });
  });
}

/** "Delegate → Searcher, Writer" */
export function momentWords({ kind, chosen }: Pick<Moment, "kind" | "chosen">): string {
  const words: Record<string, string> = DECISION_WORDS;
  const labels = countedNames(chosen.map(({ label }) => label));
  const word = words[kind] ?? kind;
  return labels && labels !== word ? `${word} → ${labels}` : word;
}
