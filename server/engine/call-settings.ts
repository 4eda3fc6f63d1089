import type { Model } from "@/server/models/model";

/**
 * What a model call is made with beside its messages and tools, as it is kept with its request. Requests are stored once by hash, so
 * nothing belongs here that differs from call to call of one agent. Of an agent without a longest reply of its own that is another one only
 * once a limit on spending holds.
 */
export type CallSettings = {
  /** "provider/model" */
  model: string;
  temperature: number | null;
  /** Longest reply asked for; null: none was named. */
  maxOutputTokens: number | null;
  /** Base address that was called; null: the model is in this process. */
  endpoint: string | null;
  /** How much the model took, as it was set then; null: nobody had said. */
  contextTokens: number | null;
};

export function callSettings(
  model: string,
  { endpoint, contextTokens }: Pick<Model, "endpoint" | "contextTokens">,
  { temperature, maxOutputTokens }: Pick<CallSettings, "temperature" | "maxOutputTokens">,
): CallSettings {
  return { model, temperature, maxOutputTokens, endpoint: endpoint ?? null, contextTokens: contextTokens ?? null };
}
