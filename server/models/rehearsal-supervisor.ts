import type { ToolSpec } from "./model";
import type { Next, PastCall } from "./rehearsal";
import { composeAnswer, requestIn } from "./rehearsal-agent";
import { keywordsOf } from "./rehearsal-text";

type Member = { name: string; purpose: string };

type Supervisor = {
  task: string;
  tools: readonly ToolSpec[];
  past: readonly PastCall[];
  /** Ids of what agents below asked so far. */
  asked: readonly string[];
};

const REPLY = "agent__reply_escalation";
/** Where only the second is offered, agents are started by tasks. */
const STARTS = ["agent__spawn", "agent__task_create"];
const HANDOFF = "agent__handoff";
const WRITES = /\b(writ|summar|edit|draft|compos)/i;

/**
 * Rules of an agent that may start others, by hand or by tasks: start everyone who does not write, collect them, ask a person one question,
 * start the writer with the findings and the answer, collect it, and answer with its text. What one of them asks meanwhile is left
 * to a person.
 */
export function nextOfSupervisor({ task, tools, past, asked: questions }: Supervisor): Next {
  const replies = past.filter(({ name }) => name === REPLY).map(({ arguments: args }) => args.escalation_id);
  const unanswered = questions.filter((id) => !replies.includes(id));
  if (unanswered.length > 0) return leaveToPerson(unanswered);

  const members = membersIn(tools);
  // Where everybody writes, all of them work at once and nobody is kept for the end.
  const areAllWriters = members.every(({ purpose }) => WRITES.test(purpose));
  const workers = members.filter(({ purpose }) => areAllWriters || !WRITES.test(purpose));
  const writer = members.find((member) => !workers.includes(member));
  const by = STARTS.find((start) => tools.some(({ name }) => name === start)) ?? "";
  const starts = past.filter(({ name }) => name === by);
  // Come back early because somebody asked, it is collected again.
  const collects = past.filter(
    ({ name, result }) => name === "agent__collect" && field(result, "status") !== "pending",
  );
  if (starts.length === 0 && workers.length > 0) return startWorkers(by, task, workers);

  const ids = starts.map(({ result }) => idIn(result) || ownerOf(result, past)).filter(Boolean);
  // A collect that failed counts too: asking again would not end.
  const waiting = ids.filter((id) => !collects.some(({ arguments: { id: asked } }) => asked === id));
  if (waiting.length > 0) {
    return {
      text: waiting.length > 1 ? `Waiting for ${waiting.length} agents.` : "Waiting for one agent.",
      calls: waiting.map((id) => ({ name: "agent__collect", arguments: { id } })),
    };
  }
  // Somebody had to wait for room: now there is some.
  if (starts.some(({ result }) => field(detail(result), "status") === "waiting" && !ownerOf(result, past)))
    return { text: "Looking who began meanwhile.", calls: [{ name: "agent__task_list", arguments: {} }] };
  const asked = past.find(({ name }) => name === "user__ask");
  if (!asked && tools.some(({ name }) => name === "user__ask")) return ask(requestIn(task));

  const written = starts.find((call) => call.arguments.agent === writer?.name);
  const findings = collects.filter(({ result }) => field(result, "agent") !== writer?.name).map(({ result }) => result);
  const prompt = writersPrompt(requestIn(task), field(asked?.result, "answer"), findings);
  if (writer && !written) {
    const reason = `All findings are collected, and ${writer.name} turns findings into an answer.`;
    return {
      text: `The findings are complete. ${writer.name} writes the answer.`,
      calls: [start(by, writer, prompt, reason)],
    };
  }
  const writersText = collects.find(({ result }) => writer && field(result, "agent") === writer.name)?.result;
  return { text: field(writersText, "output") || composeAnswer(prompt) };
}

function leaveToPerson(questions: readonly string[]): Next {
  const reason = "Fixed rules know no answers of their own.";
  return {
    text: "That is for a person to say.",
    calls: questions.map((id) => ({ name: REPLY, arguments: { escalation_id: id, reason } })),
  };
}

/** An agent that may hand the task over gives what it found to one that writes, once; what it found stays its answer if it may not. */
export function handOn(found: Next, tools: readonly ToolSpec[], past: readonly PastCall[]): Next {
  const writer = membersIn(tools, [HANDOFF]).find(({ purpose }) => WRITES.test(purpose));
  if (found.calls || !writer || past.some(({ name }) => name === HANDOFF)) return found;
  const reason = `${writer.name} turns findings into an answer.`;
  return {
    text: `The findings are complete. ${writer.name} writes the answer.`,
    calls: [
      { name: HANDOFF, arguments: { agent: writer.name, reason, tell: `What was found.\n\nFindings:\n${found.text}` } },
    ],
  };
}

/** Names from the enum of `agent`, purposes from the lines `- name: purpose` of the description. */
function membersIn(tools: readonly ToolSpec[], of: readonly string[] = STARTS): Member[] {
  const tool = of.flatMap((start) => tools.find(({ name }) => name === start) ?? [])[0];
  const properties = tool?.parameters.properties as Record<string, { enum?: string[] }> | undefined;
  const lines = tool?.description.split("\n") ?? [];
  return (properties?.agent?.enum ?? []).map((name) => {
    const line = lines.find((text) => text.startsWith(`- ${name}:`)) ?? "";
    return { name, purpose: line.slice(name.length + 3).trim() };
  });
}

function startWorkers(by: string, task: string, workers: Member[]): Next {
  const names = workers.map(({ name }) => name).join(" and ");
  const prompt = `Do your part for this request and cite what you use.\n\nRequest: ${oneLine(task)}`;
  return {
    text: workers.length > 1 ? `${names} can work at the same time.` : `${names} begins.`,
    calls: workers.map((worker) => start(by, worker, prompt, `${worker.name} fits this part: ${worker.purpose}`)),
  };
}

function start(by: string, { name }: Member, prompt: string, reason: string) {
  const what = by === "agent__spawn" ? { reason } : { subject: `The part of ${name}` };
  return { name: by, arguments: { agent: name, prompt, ...what } };
}

/** What became of the agent of a task. */
function detail(result: unknown): unknown {
  return (result as { auto_dispatch?: unknown } | null | undefined)?.auto_dispatch;
}

function idIn(result: unknown): string {
  return field(result, "id") || field(detail(result), "id");
}

/** Who works on a task, as the newest list says. */
function ownerOf(result: unknown, past: readonly PastCall[]): string {
  const list = past.findLast(({ name }) => name === "agent__task_list")?.result as { tasks?: unknown[] } | undefined;
  const number = (result as { task_id?: unknown } | null | undefined)?.task_id;
  return field(
    list?.tasks?.find((one) => (one as { id?: unknown }).id === number),
    "owner",
  );
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
