import { expect, test } from "vitest";
import { guardedFetchFor } from "@/server/outgoing/guarded-fetch";
import { startScriptedModel } from "@/tests/support/scripted-model";
import { researchDesk } from "@/tests/support/scripted-model-scripts";
import { type Model, ModelError, type ModelMessage, type ToolSpec } from "./model";
import { openAiCompatible } from "./openai-compatible";

const specOf = (name: string, parameters: Record<string, unknown> = {}): ToolSpec => ({
  name,
  description: "",
  parameters,
});
const SUPERVISOR_TOOLS = [
  specOf("agent__spawn", { properties: { agent: { enum: ["Searcher", "Fact-checker", "Writer"] } } }),
  specOf("agent__collect"),
  specOf("user__ask"),
];
const MARK = "[docs/durability.md#in-short]";

/** Plays an agent against the endpoint, trying again as the engine does; children are played when they are spawned. */
async function play(model: Model, system: string, task: string, tools: ToolSpec[], errors: string[]): Promise<string> {
  const messages: ModelMessage[] = [
    { role: "system", content: system },
    { role: "user", content: task },
  ];
  const outputs = new Map<unknown, string>();
  for (;;) {
    const request = { messages, tools, signal: new AbortController().signal, onText: () => {} };
    const reply = await model.complete(request).catch((error: unknown) => {
      if (!(error instanceof ModelError) || !error.retryable) throw error;
      errors.push(error.code);
      return model.complete(request);
    });
    if (reply.calls.length === 0) return reply.text ?? "";
    messages.push({ role: "assistant", content: reply.text, calls: reply.calls });
    for (const call of reply.calls) {
      const args = JSON.parse(call.arguments) as Record<string, string>;
      messages.push({ role: "tool", callId: call.id, content: JSON.stringify(await resultOf(call.name, args)) });
    }
  }

  async function resultOf(name: string, args: Record<string, string>): Promise<unknown> {
    if (name === "docs__search") return { passages: [{ citation: MARK, title: "In short", text: "…" }] };
    if (name === "user__ask") return { answer: "Short" };
    if (name === "agent__collect")
      return { status: "completed", exit_status: "completed", output: outputs.get(args.id) };
    const agent = args.agent ?? "";
    outputs.set(
      agent,
      await play(model, agent, args.prompt ?? "", agent === "Writer" ? [] : [specOf("docs__search")], errors),
    );
    return { status: "ok", id: agent, agent };
  }
}

test("the scripted desk comes to a cited answer over one 429 and one dropped connection, and counts both", async () => {
  const server = await startScriptedModel(researchDesk);
  try {
    const errors: string[] = [];
    const model = openAiCompatible({ baseUrl: server.url, fetch: guardedFetchFor(server.url), name: "scripted" });
    const answer = await play(model, "Supervisor", "What survives a crash?", SUPERVISOR_TOOLS, errors);
    expect(answer).toBe(`Finished steps are kept and the run goes on – “déjà vu” is avoided ✓ ${MARK}`);
    expect(errors).toEqual(["rate_limited", "connection_lost"]);

    const { requests, conversations } = server.stats();
    const steps = Object.values(conversations).flatMap((conversation) => Object.values(conversation.steps));
    expect(Object.keys(conversations)).toHaveLength(4);
    expect(requests).toBe(6 + 2 + 2 + 1 + errors.length);
    expect(steps.filter(({ requested }) => requested === 2)).toEqual([
      { requested: 2, answered: 1, failed: 1, closed: 0 },
      { requested: 2, answered: 1, failed: 1, closed: 0 },
    ]);
    expect(steps.filter(({ requested, answered }) => requested === 1 && answered === 1)).toHaveLength(steps.length - 2);
  } finally {
    await server.close();
  }
});
