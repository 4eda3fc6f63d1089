import { expect, test } from "vitest";
import { docsSearch } from "@/server/tools/docs-search";
import type { ModelError, ModelMessage, ModelReply, ToolSpec } from "./model";
import { rehearsalModel } from "./rehearsal";

const model = rehearsalModel({ pauseMs: 0 });
const TASK =
  "What happens to a run when the machine loses power or the process is killed, and what is repeated afterwards?";

const spawnTool: ToolSpec = {
  name: "agent__spawn",
  description: [
    "Starts an agent. Agents:",
    "- Searcher: Finds the passages that answer a question.",
    "- Fact-checker: Checks what the documentation supports.",
    "- Writer: Writes the final answer from findings.",
  ].join("\n"),
  parameters: {
    type: "object",
    properties: { agent: { type: "string", enum: ["Searcher", "Fact-checker", "Writer"] } },
  },
};
const collectTool: ToolSpec = { name: "agent__collect", description: "", parameters: {} };
const askTool: ToolSpec = { name: "user__ask", description: "", parameters: {} };
const supervisorTools = [spawnTool, collectTool, askTool];

async function next(messages: readonly ModelMessage[], tools: readonly ToolSpec[]): Promise<ModelReply> {
  return model.complete({ messages, tools, signal: new AbortController().signal });
}

type Answers = (call: { name: string; arguments: Record<string, unknown> }) => unknown;

/** Plays an agent to its end, answering its calls; returns its turns. */
async function play(opening: ModelMessage[], tools: ToolSpec[], answers: Answers): Promise<ModelReply[]> {
  const messages = [...opening];
  const turns: ModelReply[] = [];
  while (turns.length < 10) {
    const reply = await next(messages, tools);
    turns.push(reply);
    if (reply.calls.length === 0) return turns;
    messages.push({ role: "assistant", content: reply.text, calls: reply.calls });
    for (const call of reply.calls) {
      const result = await answers({
        name: call.name,
        arguments: JSON.parse(call.arguments) as Record<string, unknown>,
      });
      messages.push({ role: "tool", callId: call.id, content: JSON.stringify(result) });
    }
  }
  throw new Error("the agent never came to an end");
}

const asked = (instructions: string, task: string): ModelMessage[] => [
  { role: "system", content: instructions },
  { role: "user", content: task },
];
const searchDocs: Answers = ({ arguments: args }) =>
  docsSearch.run(args, { workspaceId: "", runId: "", agentRunId: "", key: "", signal: new AbortController().signal });
const lastText = (turns: ModelReply[]) => turns.at(-1)?.text ?? "";
const namesOf = (turn: ModelReply | undefined) => turn?.calls.map(({ name }) => name);

/** The engine's side of the spawn tools, playing each child for real. */
function desk(answer: string) {
  const children = new Map<string, { agent: string; output: string }>();
  const prompts: Record<string, string> = {};
  const answers: Answers = async ({ name, arguments: args }) => {
    if (name === "user__ask") return { answer };
    if (name === "agent__collect")
      return { status: "completed", id: args.id, exit_status: "completed", ...children.get(String(args.id)) };
    const agent = String(args.agent);
    const id = `agent_${children.size}`;
    prompts[agent] = String(args.prompt);
    const tools = agent === "Writer" ? [] : [docsSearch];
    const instructions = agent === "Fact-checker" ? "Verify the claims." : "Do your part.";
    children.set(id, {
      agent,
      output: lastText(await play(asked(instructions, String(args.prompt)), tools, searchDocs)),
    });
    return { status: "ok", id, agent };
  };
  return { answers, prompts };
}

test("a supervisor spawns two at once, collects both, asks, has it written, and answers with citations", async () => {
  const { answers, prompts } = desk("Detailed");
  const turns = await play(asked("Lead.", TASK), supervisorTools, answers);
  expect(turns.map(namesOf)).toEqual([
    ["agent__spawn", "agent__spawn"],
    ["agent__collect", "agent__collect"],
    ["user__ask"],
    ["agent__spawn"],
    ["agent__collect"],
    [],
  ]);
  for (const turn of [turns[0], turns[3]]) {
    for (const call of turn?.calls ?? [])
      expect(JSON.parse(call.arguments)).toMatchObject({ reason: expect.stringMatching(/\w/) });
  }
  expect(prompts.Writer).toContain("The reader wants: Detailed");
  const answer = lastText(turns);
  expect(answer).toContain("[docs/durability.md");
  expect(answer).toMatch(/the run continues (after the restart )?from its last recorded step/);
  expect(answer).toMatch(/power loss/);
});

test("a short answer is shorter than a detailed one, and part of what was found", async () => {
  const answerFor = async (style: string) => {
    const { answers, prompts } = desk(style);
    return { text: lastText(await play(asked("Lead.", TASK), supervisorTools, answers)), found: prompts.Writer ?? "" };
  };
  const short = await answerFor("Short");
  const detailed = await answerFor("Detailed");
  expect(short.text.split("\n")).toHaveLength(3);
  expect(detailed.text.split("\n").length).toBeGreaterThan(3);
  for (const line of short.text.split("\n")) expect(short.found).toContain(line.slice(2, line.indexOf(" [")));
});

test("agents that fail are gone on without", async () => {
  const turns = await play(asked("Lead.", TASK), supervisorTools, ({ name, arguments: args }) => {
    if (name === "agent__spawn" && args.agent === "Searcher") return { tool_call_error: "no room" };
    if (name === "agent__spawn") return { status: "ok", id: `id-${String(args.agent)}` };
    if (name === "agent__collect")
      return { status: "completed", id: args.id, exit_status: "failed", output: "", message: "broke" };
    return { tool_call_error: "nobody is there" };
  });
  expect(turns.map(namesOf)).toEqual([
    ["agent__spawn", "agent__spawn"],
    ["agent__collect"],
    ["user__ask"],
    ["agent__spawn"],
    ["agent__collect"],
    [],
  ]);
  expect(lastText(turns)).toBe("The findings hold no passage to cite, so there is no answer to give.");
});

test("what an agent below asks is left to a person, once, and the agent is collected again", async () => {
  const asks = {
    status: "pending",
    pending_escalations: [{ escalation_id: "esc_0123abcd", question: "[ask] Which?" }],
  };
  let collected = 0;
  const turns = await play(asked("Lead.", TASK), [spawnTool, collectTool], ({ name, arguments: args }) => {
    if (name === "agent__spawn") return { status: "ok", id: `id-${String(args.agent)}` };
    if (name === "agent__reply_escalation") return { status: "ok", escalation_id: args.escalation_id };
    collected += 1;
    if (collected === 1) return asks;
    return { status: "completed", id: args.id, exit_status: "completed", output: `- It holds. [${collected}]` };
  });
  expect(turns.map(namesOf)).toEqual([
    ["agent__spawn", "agent__spawn"],
    ["agent__collect", "agent__collect"],
    ["agent__reply_escalation"],
    ["agent__collect"],
    ["agent__spawn"],
    ["agent__collect"],
    [],
  ]);
  expect(JSON.parse(turns[2]?.calls[0]?.arguments ?? "")).toEqual({
    escalation_id: "esc_0123abcd",
    reason: "Fixed rules know no answers of their own.",
  });
});

test("a question that comes as a message is no task", async () => {
  const listed: ModelMessage = {
    role: "user",
    content: 'Agents below you wait.\n{"pending_escalations":[{"escalation_id":"esc_0123abcd"}]}',
  };
  const reply = await next([...asked("Lead.", TASK), listed], supervisorTools);
  expect(namesOf(reply)).toEqual(["agent__reply_escalation"]);
  const after: ModelMessage[] = [
    ...asked("Lead.", TASK),
    listed,
    { role: "assistant", content: reply.text, calls: reply.calls },
    { role: "tool", callId: reply.calls[0]?.id ?? "", content: '{"status":"ok"}' },
  ];
  const spawns = (await next(after, supervisorTools)).calls.map((call) => JSON.parse(call.arguments).prompt as string);
  expect(spawns).toHaveLength(2);
  for (const prompt of spawns) expect(prompt).toContain(TASK);
});

test("a searcher whose first search found little searches once more with other words", async () => {
  const queries: unknown[] = [];
  const turns = await play(
    asked("Find.", "Request: how do frobnicators handle takeover of runs"),
    [docsSearch],
    ({ arguments: args }) => {
      queries.push(args.query);
      return { passages: [] };
    },
  );
  expect(queries).toHaveLength(2);
  expect(queries[0]).not.toBe(queries[1]);
  expect(lastText(turns)).toBe("No passage was found for this task.");
});

test("a fact-checker says which passage supports which claim, and which claim has none", async () => {
  const prompt = [
    "Check these.",
    "- An event is committed to the database before any browser hears of it. [a]",
    "- Purple elephants juggle seventeen flaming telescopes every Wednesday. [b]",
  ].join("\n");
  const turns = await play(asked("You verify claims.", prompt), [docsSearch], searchDocs);
  expect(lastText(turns)).toMatch(/Supported: An event is committed .* \[docs\/durability\.md#events-come-first\]/);
  expect(lastText(turns)).toContain("No passage supports “Purple elephants");
});

test("the text is streamed in pieces that add up, and the same request gives the same reply", async () => {
  const pieces: string[] = [];
  const request = { messages: asked("Lead.", TASK), tools: supervisorTools, signal: new AbortController().signal };
  const streamed = await model.complete({ ...request, onText: (piece) => pieces.push(piece) });
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("")).toBe(streamed.text);
  expect(await model.complete(request)).toEqual(streamed);
  expect(streamed.usage.inputTokens).toBeGreaterThan(0);
});

test("cancelling ends a pause at once", async () => {
  const controller = new AbortController();
  const pending = rehearsalModel({ pauseMs: 3_600_000 }).complete({
    messages: asked("Lead.", TASK),
    tools: supervisorTools,
    signal: controller.signal,
    onText: () => {},
  });
  controller.abort();
  await expect(pending).rejects.toMatchObject({ code: "cancelled" } satisfies Partial<ModelError>);
});

test("asked to condense, it keeps pieces with citations, paths and figures, in their order, in three tenths of the length", async () => {
  const filler = "This sentence only fills the room between what tells something. ";
  const result = `${filler.repeat(10)}\nThe limit is 4 MB [limits#3].\n${filler.repeat(10)}\nSee server/models/rehearsal.ts for it.\n${filler.repeat(10)}`;
  const { text } = await next(asked("You condense the result of the agent Searcher.", result), []);
  expect(text?.length).toBeLessThanOrEqual(result.length * 0.3);
  const told = text ?? "";
  expect(told.indexOf("[limits#3]")).toBeGreaterThan(-1);
  expect(told.indexOf("server/models/rehearsal.ts")).toBeGreaterThan(told.indexOf("[limits#3]"));
});

test("a supervisor that plans in tasks starts the same by tasks, looks who waits for room, and answers from all", async () => {
  const taskTool = { ...spawnTool, name: "agent__task_create" };
  let lists = 0;
  const turns = await play(asked("Lead.", TASK), [taskTool, collectTool], async ({ name, arguments: args }) => {
    const agent = String(args.agent);
    if (name === "agent__task_create") {
      if (agent === "Fact-checker")
        return { status: "ok", task_id: 2, auto_dispatch: { status: "waiting", message: "There is no room." } };
      return { status: "ok", task_id: 1, auto_dispatch: { status: "ok", id: `agent_${agent}`, agent } };
    }
    if (name === "agent__task_list") {
      lists += 1;
      return { tasks: [{ id: 2, owner: "agent_Fact-checker" }] };
    }
    const of = String(args.id).slice("agent_".length);
    return { status: "completed", agent: of, exit_status: "completed", output: `${of} says so. [docs/a.md#b]` };
  });
  expect(turns.map(namesOf)).toEqual([
    ["agent__task_create", "agent__task_create"],
    ["agent__collect"],
    ["agent__task_list"],
    ["agent__collect"],
    ["agent__task_create"],
    ["agent__collect"],
    [],
  ]);
  expect(lists).toBe(1);
  expect(lastText(turns)).toBe("Writer says so. [docs/a.md#b]");
});

test("an agent that may hand over gives what it found to the one that writes, once", async () => {
  const handoff: ToolSpec = { ...spawnTool, name: "agent__handoff" };
  const tools: ToolSpec[] = [docsSearch, handoff];
  const turns = await play(asked("You search.", TASK), tools, (call) =>
    call.name === "agent__handoff" ? { tool_call_error: "not now" } : searchDocs(call),
  );
  expect(namesOf(turns.at(-2))).toEqual(["agent__handoff"]);
  expect(JSON.parse(turns.at(-2)?.calls[0]?.arguments ?? "")).toMatchObject({
    ...{ agent: "Writer", tell: expect.stringContaining("Findings:\nRead ") },
  });
  // It may not: what it found is its answer.
  expect(lastText(turns)).toMatch(/^Read \d+ passages\./);
});

test("a verdict and scores go by citations", async () => {
  const results = (begin: string) =>
    `${begin}\n\n<result of="One">\nSure.\n</result>\n\n<result of="Two">\nA run goes on from its last step. [docs/a.md#b]\n</result>`;
  const verdict = await next(asked("", results("Agents debated the task and still disagree.")), []);
  expect(JSON.parse(verdict.text ?? "")).toEqual({ agent: "Two", reason: "It holds 1 cited sentence." });
  const scores = await next(asked("", results("Answer with a JSON array and nothing else.")), []);
  expect(JSON.parse(scores.text ?? "")).toMatchObject([
    { agent: "One", score: 0 },
    { agent: "Two", score: 1 },
  ]);
});
