import { estimateTokensOf, type MessageView, type StepDetail, type TextCut } from "@/server/runs/step-schema";

type Request = Pick<NonNullable<StepDetail["request"]>, "messages" | "tools">;
export type RequestPart = { name: string; tokens: number; bytes: number; color: string };

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;
const sizeOf = (text: string): TextCut => ({ bytes: bytesOf(text), tokens: estimateTokensOf(text) });

function sizeOfCall({ name, arguments: given, cut }: MessageView["calls"][number]): TextCut {
  return cut ? { ...cut, bytes: bytesOf(name) + cut.bytes } : sizeOf(name + given);
}

/** Tools whose results are passages. */
const KNOWLEDGE_TOOLS = ["knowledge_search", "docs__search"];

/**
 * What filled a request, part by part, in estimated tokens (TID-TOK-02). `isCondensed`: the message after the first is the summary of
 * earlier ones, which is what the agent remembers of them.
 */
export function partsOfRequest({ messages, tools }: Request, isCondensed: boolean): RequestPart[] {
  const searches = new Set(
    messages.flatMap(({ calls }) => calls.flatMap(({ id, name }) => (KNOWLEDGE_TOOLS.includes(name) ? [id] : []))),
  );
  const partOf = (message: MessageView, at: number): keyof typeof PARTS => {
    if (message.role === "system") return at === 0 ? "system" : "memory";
    if (isCondensed && at === 1) return "memory";
    if (message.role === "tool") return searches.has(message.callId ?? "") ? "knowledge" : "results";
    return message.role === "assistant" ? "said" : "told";
  };
  const sizes: Record<keyof typeof PARTS, TextCut[]> = {
    ...{ system: [], tools: tools.map((tool) => tool.cut ?? sizeOf(JSON.stringify(tool))), memory: [], knowledge: [] },
    ...{ told: [], said: [], results: [] },
  };
  for (const [at, message] of messages.entries()) {
    sizes[partOf(message, at)].push(message.cut ?? sizeOf(message.content ?? ""), ...message.calls.map(sizeOfCall));
  }
  return (Object.keys(PARTS) as (keyof typeof PARTS)[])
    .map((part) => ({
      ...PARTS[part],
      tokens: sizes[part].reduce((sum, { tokens }) => sum + tokens, 0),
      bytes: sizes[part].reduce((sum, { bytes }) => sum + bytes, 0),
    }))
    .filter(({ bytes }) => bytes > 0);
}

const PARTS = {
  system: { name: "System", color: "var(--k-agent)" },
  tools: { name: "Tool definitions", color: "var(--bar-tool)" },
  memory: { name: "Memory: summary of earlier messages", color: "var(--k-decision)" },
  knowledge: { name: "Knowledge", color: "var(--bar-retrieval)" },
  told: { name: "Task and answers of people", color: "var(--bar-waiting)" },
  said: { name: "What it said before", color: "var(--bar-model)" },
  results: { name: "Tool results", color: "var(--bar-queued)" },
};
