import { type CleanupKind, MB, type UsageKind } from "@/server/usage/schema";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** In the unit limits are set in, of 1,048,576 bytes: "812.4 MB"; "<0.1 MB" for what is more than nothing. */
export function formatMb(bytes: number): string {
  if (bytes > 0 && bytes < MB / 20) return "<0.1 MB";
  return `${grouped.format(bytes / MB)} MB`;
}

/** Colours of the bar; plum is for choices. The words beside them carry the meaning. */
export const KIND_WORDS: Record<UsageKind, { word: string; what: string; items: string; color: string }> = {
  files: { word: "Files", what: "Uploads as they came", items: "file", color: "var(--bar-model)" },
  passages: {
    word: "Passages",
    what: "What searches look through, with its index",
    items: "passage",
    color: "var(--bar-retrieval)",
  },
  runs: { word: "Runs", what: "Messages, steps, events and decisions", items: "run", color: "var(--bar-tool)" },
  conversations: {
    word: "Conversations",
    what: "The same, of runs that are turns of a conversation",
    items: "conversation",
    color: "var(--st-running)",
  },
  values: {
    word: "Large values",
    what: "Long messages and lists of options of all runs, stored once however often they occur",
    items: "value",
    color: "var(--bar-waiting)",
  },
  leftovers: {
    word: "Left over",
    what: "Large values of runs that were deleted; swept away by itself",
    items: "value",
    color: "var(--bar-queued)",
  },
};

export const CLEANUP_WORDS: Record<CleanupKind, { one: string; many: string }> = {
  runs: { one: "run", many: "runs" },
  conversations: { one: "conversation", many: "conversations" },
  uploads: { one: "unused upload", many: "unused uploads" },
};

/** Where an error comes from, by the category its step keeps (AGT-ERR-03). */
export const CATEGORY_WORDS: Record<string, string> = {
  LLM: "Model",
  MCP: "Tool server",
  NETWORK: "Network",
  SERVER_ERROR: "Far side",
  CLIENT_ERROR: "Refused call",
  PARAMETER: "Arguments",
  INVOCATION: "Unknown tool",
  VALIDATION: "Rule",
  UNKNOWN: "Unknown",
};
