import { type CallEnd, type Dimension, type ListedCall, NONE, type SpendingFilters } from "@/server/spending/schema";

export const PERIOD_WORDS: Record<SpendingFilters["period"], string> = {
  today: "Today",
  "7": "Last 7 days",
  "": "Last 30 days",
  "90": "Last 90 days",
  custom: "Own dates",
};

/** What a row stands for, and how it is chosen: "By agent". */
export const DIMENSION_WORDS: Record<Dimension, { one: string; many: string; none: string }> = {
  agent: { one: "Agent", many: "agents", none: "An agent that is gone" },
  team: { one: "Team", many: "teams", none: "No team" },
  conversation: { one: "Conversation", many: "conversations", none: "Outside conversations" },
  model: { one: "Model", many: "models", none: "Not recorded" },
  provider: { one: "Provider", many: "providers", none: "Not recorded" },
  day: { one: "Day", many: "days", none: "" },
  tools: { one: "Set of tools", many: "sets of tools", none: "Not recorded: no answer" },
  run: { one: "Run", many: "runs", none: "A run that is gone" },
};

/** As a call ended; what an endpoint says in a word of its own stays that word. */
export const END_WORDS: Record<CallEnd, string> = {
  failed: "Failed",
  stopped: "Stopped",
  stop: "Said all it had",
  tool_calls: "Asked for tools",
  length: "Cut off: too long",
  content_filter: "Held back",
};

export function endWord({
  status,
  finishReason,
  errorCode,
}: Pick<ListedCall, "status" | "finishReason" | "errorCode">) {
  if (status === "failed") return errorCode === null ? END_WORDS.failed : `Failed: ${errorCode}`;
  if (status === "stopped") return END_WORDS.stopped;
  if (finishReason === null) return "Answered";
  return finishReason in END_WORDS ? END_WORDS[finishReason as CallEnd] : finishReason;
}

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** "12 Nov 2026", the same wherever the reader is: a day of UTC. */
export function dayWord(day: string): string {
  return dayFormat.format(new Date(day));
}

/** "openai/gpt-4o" in its parts; names of models hold slashes themselves. */
export function modelParts(key: string): { provider: string; model: string } {
  const slash = key.indexOf("/");
  return { provider: key.slice(0, slash), model: key.slice(slash + 1) };
}

/** What a key is called in a sentence, where the thing has no name of its own. */
export function keyWord(dimension: Dimension, key: string, name: string | null | undefined): string {
  if (dimension === "tools") return key === NONE ? DIMENSION_WORDS.tools.none : name || "No tools";
  if (name) return name;
  if (dimension === "day") return dayWord(key);
  if (dimension === "model") {
    const { provider, model } = modelParts(key);
    return provider === NONE ? model : key;
  }
  return dimension === "provider" && key !== NONE ? key : DIMENSION_WORDS[dimension].none;
}

/** "12 %"; what is there is not told as none, and what is not all not as all. */
export function shareWord(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return "<1 %";
  return percent === 100 && share < 1 ? ">99 %" : `${percent} %`;
}
