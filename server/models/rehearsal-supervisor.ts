import type { ToolSpec } from "./model";
import type { Next, PastCall } from "./rehearsal";
import { composeAnswer, requestIn } from "./rehearsal-agent";
import { keywordsOf } from "./rehearsal-text";

type Member = { name: string; purpose: string };

const WRITES = /\b(writ|summar|edit|draft|compos)/i;

/**
 * Rules of an agent that may spawn others: spawn everyone who does not write, collect them, ask a person one question,
 * spawn the writer with the findings and the answer, collect it, and answer with its text.
 */
export function nextOfSupervisor(task: string, tools: readonly ToolSpec[], past: readonly PastCall[]): Next {
  const members = membersIn(tools);
  const { workers, writer } = splitMembers(members);
  const spawns = past.filter((call) => call.name === "agent__spawn");
  if (spawns.length === 0 && workers.length > 0) return spawnWorkers(task, workers);

  const waiting = spawns.map((call) => field(call.result, "id")).filter((id) => id && !isCollected(id, past));
  if (waiting.length > 0) return collect(waiting);

  const asked = past.find((call) => call.name === "user__ask");
  if (!asked && tools.some((tool) => tool.name === "user__ask")) return ask(requestIn(task));

  const written = spawns.find((call) => call.arguments.agent === writer?.name);
  const prompt = writersPrompt(requestIn(task), field(asked?.result, "answer"), collected(past, writer));
  if (writer && !written) {
    return {
      text: `The findings are complete. ${writer.name} writes the answer.`,
      calls: [spawn(writer, prompt, `All findings are collected, and ${writer.name} turns findings into an answer.`)],
    };
  }
  const writersText = collectedFrom(past, field(written?.result, "id"));
  return { text: writersText || composeAnswer(prompt) };
}

/** Names from the enum of `agent`, purposes from the lines `- name: purpose` of the description. */
function membersIn(tools: readonly ToolSpec[]): Member[] {
  const tool = tools.find(({ name }) => name === "agent__spawn");
  const properties = tool?.parameters.properties as Record<string, { enum?: unknown }> | undefined;
  const names = properties?.agent?.enum;
  if (!tool || !Array.isArray(names)) return [];
  const lines = tool.description.split("\n").map((line) => line.trim());
  return names.map(String).map((name) => ({
    name,
    purpose:
      lines
        .find((line) => line.startsWith(`- ${name}:`))
        ?.slice(name.length + 3)
        .trim() ?? "",
  }));
}

/** Where everybody writes, all of them work and nobody is kept for the end. */
function splitMembers(members: Member[]): { workers: Member[]; writer: Member | undefined } {
  const workers = members.filter(({ purpose }) => !WRITES.test(purpose));
  if (workers.length === 0) return { workers: members, writer: undefined };
  return { workers, writer: members.find(({ purpose }) => WRITES.test(purpose)) };
}

function spawnWorkers(task: string, workers: Member[]): Next {
  const names = workers.map(({ name }) => name).join(" and ");
  return {
    text: workers.length > 1 ? `${names} can work at the same time.` : `${names} begins.`,
    calls: workers.map((worker) =>
      spawn(
        worker,
        `Do your part for this request and cite what you use.\n\nRequest: ${oneLine(task)}`,
        reasonFor(worker),
      ),
    ),
  };
}

function reasonFor({ name, purpose }: Member): string {
  return purpose ? `${name} fits this part: ${purpose}` : `${name} is a member of the team.`;
}

function spawn({ name }: Member, prompt: string, reason: string) {
  return { name: "agent__spawn", arguments: { agent: name, prompt, reason } };
}

function collect(ids: string[]): Next {
  return {
    text: ids.length > 1 ? `Waiting for ${ids.length} agents.` : "Waiting for one agent.",
    calls: ids.map((id) => ({ name: "agent__collect", arguments: { id, reason: "Its result is needed to go on." } })),
  };
}

function ask(request: string): Next {
  const topic = keywordsOf(request).slice(0, 4).join(", ");
  return {
    text: "One thing only you can say.",
    calls: [
      {
        name: "user__ask",
        arguments: {
          question: `How detailed should the answer be${topic ? ` (about ${topic})` : ""}?`,
          options: ["Short", "Detailed"],
          reason: "The request does not say how detailed the answer should be.",
        },
      },
    ],
  };
}

function writersPrompt(request: string, answer: string, findings: { name: string; output: string }[]): string {
  const style = answer ? `The reader wants: ${answer}\n\n` : "";
  const parts = findings.map(({ name, output }) => `Findings of ${name}:\n${output}`).join("\n\n");
  return `Write the answer from the findings, and keep their citations.\n\nRequest: ${oneLine(request)}\n\n${style}${parts}`;
}

/** A failed collect counts too: asking again would not end. */
function isCollected(id: string, past: readonly PastCall[]): boolean {
  return past.some((call) => call.name === "agent__collect" && call.arguments.id === id);
}

function collected(past: readonly PastCall[], writer: Member | undefined): { name: string; output: string }[] {
  return past
    .filter((call) => call.name === "agent__collect")
    .map((call) => ({ name: field(call.result, "agent"), output: field(call.result, "output") }))
    .filter(({ name, output }) => output && name !== writer?.name);
}

function collectedFrom(past: readonly PastCall[], id: string): string {
  const call = id ? past.find(({ name, arguments: { id: of } }) => name === "agent__collect" && of === id) : undefined;
  return field(call?.result, "output");
}

function field(value: unknown, name: string): string {
  const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === "string" ? found : "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
