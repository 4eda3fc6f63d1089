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
  expect(answer).toMatch(/continues after the restart from its last recorded step/);
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
