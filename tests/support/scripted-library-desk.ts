import { call, collectAll, lastResults } from "./engine-scripts";
import type { ChatMessage, ChatRequest, Script } from "./scripted-model";
import type { Answer } from "./scripted-model-wire";

/**
 * Plays any team over any knowledge: whoever may start agents starts all of them, collects them and answers with their
 * lines; whoever may search searches for the task and quotes what was found; a task that says `Call <tool> with <JSON>` is done
 * by that call. It looks only at what came after the last question, so a follow-up is played like a first question.
 */
export const libraryDesk: Script = (request) => {
  const turn = sinceAsked(request);
  const task = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (toolNamed(request, "agent__spawn")) return lead(request, turn, task);
  const [, tool, args] = /Call (\S+) with (\{.*\})/.exec(task) ?? [];
  if (tool && args) {
    if (turn.length === 0) return { calls: [call(tool, JSON.parse(args))] };
    return { text: `The tool answered: ${JSON.stringify(lastResults(request)[0])}` };
  }
  if (!toolNamed(request, "knowledge_search")) return { text: task };
  if (turn.length === 0) {
    return {
      calls: [call("knowledge_search", { query: task.slice(0, 500), reason: "The documents are the source." })],
    };
  }
  return { text: quotesOf(lastResults(request)[0]).join("\n") || "The documents do not say." };
};

function lead(request: ChatRequest, turn: readonly ChatMessage[], task: string): Answer {
  if (turn.length === 0) {
    const agents = toolNamed(request, "agent__spawn")?.parameters?.properties?.agent?.enum ?? [];
    return {
      text: "Everybody looks at once.",
      calls: agents.map((agent) => call("agent__spawn", { agent, prompt: task, reason: `${agent} may find it.` })),
    };
  }
  const results = lastResults(request);
  if (results.every(({ exit_status }) => exit_status === undefined))
    return collectAll({ ...request, messages: [...turn] });
  const lines = results.flatMap(({ output }) => String(output ?? "").split("\n"));
  return { text: [...new Set(lines)].join("\n") };
}

/** The best two passages, each as its first words and its mark. */
function quotesOf(result: { [key: string]: unknown } | undefined): string[] {
  const passages = (result?.passages ?? []) as { citation: string; text: string }[];
  return passages.slice(0, 2).map(({ citation, text }) => `- ${text.replace(/\s+/g, " ").slice(0, 160)} ${citation}`);
}

function sinceAsked({ messages }: ChatRequest): ChatMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
}

function toolNamed({ tools }: ChatRequest, wanted: string) {
  return tools?.find(({ function: { name } }) => name === wanted)?.function;
}
