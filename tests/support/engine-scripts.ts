import { z } from "zod";
import type { EngineTool } from "@/server/engine/tools/engine-tool";
import type { Tool } from "@/server/tools/tool";
import type { ChatRequest } from "./scripted-model";
import type { ScriptedCall } from "./scripted-model-wire";

/** Words for scripts that act as a model: calls, and what came back for those of the last turn. */

export function call(name: string, args: ScriptedCall["arguments"] = {}): ScriptedCall {
  return { name, arguments: args };
}

export function spawn(agent: string, prompt: string, reason = "It fits."): ScriptedCall {
  return call("agent__spawn", { agent, prompt, reason });
}

export function collect(id: unknown): ScriptedCall {
  return call("agent__collect", { id });
}

type Result = { [key: string]: unknown };

/** What the tools of the last turn answered, in the order they were called. */
export function lastResults(request: ChatRequest): Result[] {
  const calls = request.messages.findLast(({ tool_calls }) => tool_calls)?.tool_calls ?? [];
  return calls.map(({ id }) => {
    const message = request.messages.find(({ tool_call_id }) => tool_call_id === id);
    return JSON.parse(message?.content ?? "null") as Result;
  });
}

/** Ids of all children spawned so far, in order. */
export function spawned(request: ChatRequest): string[] {
  const results = request.messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(content ?? "{}"));
  return results.flatMap((result: Result) => (result.status === "ok" && result.agent ? [String(result.id)] : []));
}

/** Collects every child spawned so far. */
export function collectAll(request: ChatRequest): { calls: ScriptedCall[] } {
  return { calls: spawned(request).map(collect) };
}

/** A tool for one test; it only reads unless told otherwise. */
export function aTool(name: string, run: Tool["run"], also: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `The tool ${name} of a test`,
    parameters: z.toJSONSchema(z.object({})) as { [key: string]: unknown },
    sideEffect: "none",
    idempotency: "none",
    timeoutMs: 20_000,
    run,
    ...also,
  };
}

/** A tool of the engine's that never ends and has no time limit: what a fault of the engine would look like. */
export function hangs(name: string, begun = () => {}): EngineTool {
  const { description, parameters } = aTool(name, async () => null);
  return {
    kind: "tool",
    offer: ({ config }) => (config.tools.includes(name) ? { name, description, parameters } : null),
    run: ({ signal }) => {
      begun();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
}

/** Lets everybody through once `count` have come. */
export function meetingOf(count: number): () => Promise<string> {
  let come = 0;
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    come += 1;
    if (come >= count) open();
    await all;
    return "met";
  };
}
