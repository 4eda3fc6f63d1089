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
  // Where everybody writes, all of them work at once and nobody is kept for the end.
  const areAllWriters = members.every(({ purpose }) => WRITES.test(purpose));
  const workers = members.filter(({ purpose }) => areAllWriters || !WRITES.test(purpose));
  const writer = members.find((member) => !workers.includes(member));
  const spawns = past.filter(({ name }) => name === "agent__spawn");
  const collects = past.filter(({ name }) => name === "agent__collect");
  if (spawns.length === 0 && workers.length > 0) return spawnWorkers(task, workers);

  const ids = spawns.map(({ result }) => field(result, "id")).filter(Boolean);
  // A collect that failed counts too: asking again would not end.
  const waiting = ids.filter((id) => !collects.some(({ arguments: { id: asked } }) => asked === id));
  if (waiting.length > 0) {
    return {
      text: waiting.length > 1 ? `Waiting for ${waiting.length} agents.` : "Waiting for one agent.",
      calls: waiting.map((id) => ({ name: "agent__collect", arguments: { id } })),
    };
  }
  const asked = past.find(({ name }) => name === "user__ask");
  if (!asked && tools.some(({ name }) => name === "user__ask")) return ask(requestIn(task));

  const written = spawns.find((call) => call.arguments.agent === writer?.name);
  const findings = collects.filter(({ result }) => field(result, "agent") !== writer?.name).map(({ result }) => result);
  const prompt = writersPrompt(requestIn(task), field(asked?.result, "answer"), findings);
  if (writer && !written) {
    const reason = `All findings are collected, and ${writer.name} turns findings into an answer.`;
    return {
      text: `The findings are complete. ${writer.name} writes the answer.`,
      calls: [spawn(writer, prompt, reason)],
    };
  }
  const writersText = collects.find(({ result }) => writer && field(result, "agent") === writer.name)?.result;
  return { text: field(writersText, "output") || composeAnswer(prompt) };
}

/** Names from the enum of `agent`, purposes from the lines `- name: purpose` of the description. */
function membersIn(tools: readonly ToolSpec[]): Member[] {
  const tool = tools.find(({ name }) => name === "agent__spawn");
  const properties = tool?.parameters.properties as Record<string, { enum?: string[] }> | undefined;
  const lines = tool?.description.split("\n") ?? [];
  return (properties?.agent?.enum ?? []).map((name) => {
    const line = lines.find((text) => text.startsWith(`- ${name}:`)) ?? "";
    return { name, purpose: line.slice(name.length + 3).trim() };
  });
}

function spawnWorkers(task: string, workers: Member[]): Next {
  const names = workers.map(({ name }) => name).join(" and ");
  const prompt = `Do your part for this request and cite what you use.\n\nRequest: ${oneLine(task)}`;
  return {
    text: workers.length > 1 ? `${names} can work at the same time.` : `${names} begins.`,
    calls: workers.map((worker) => spawn(worker, prompt, `${worker.name} fits this part: ${worker.purpose}`)),
  };
}

function spawn({ name }: Member, prompt: string, reason: string) {
  return { name: "agent__spawn", arguments: { agent: name, prompt, reason } };
}

function ask(request: string): Next {
  const topic = keywordsOf(request).slice(0, 4).join(", ");
  const question = `How detailed should the answer be${topic ? ` (about ${topic})` : ""}?`;
  const reason = "The request does not say how detailed the answer should be.";
  return {
    text: "One thing only you can say.",
    calls: [{ name: "user__ask", arguments: { question, options: ["Short", "Detailed"], reason } }],
  };
}

function writersPrompt(request: string, answer: string, findings: unknown[]): string {
  const parts = findings.map((result) => `Findings of ${field(result, "agent")}:\n${field(result, "output")}`);
  const style = answer ? [`The reader wants: ${answer}`] : [];
  const task = "Write the answer from the findings, and keep their citations.";
  return [task, `Request: ${oneLine(request)}`, ...style, ...parts].join("\n\n");
}

function field(value: unknown, name: string): string {
  const found = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof found === "string" ? found : "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
