import type { ModelMessage, ToolSpec } from "@/server/models/model";

/** English takes about four. Text that takes fewer than three is estimated too low. */
export const BYTES_PER_TOKEN = 3;

/** What a model is sent, in tokens: an estimate, the same for budgets and for how full a context is. */
export function estimateTokens(messages: readonly ModelMessage[], tools: readonly ToolSpec[]): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify([messages, tools])) / BYTES_PER_TOKEN);
}
