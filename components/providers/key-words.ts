import { HIDDEN_KEY, type ProviderView } from "@/server/providers/schema";

type Keyed = Pick<ProviderView, "apiKeyHint">;

/** Which key a provider is called with. */
export function keyWords({ apiKeyHint }: Keyed): string {
  if (apiKeyHint === null) return "No key";
  return apiKeyHint === HIDDEN_KEY ? "Key stored, too short to show its end" : `Key ${apiKeyHint}`;
}

/** Names the key there is, inside a sentence. */
export function storedKeyWords({ apiKeyHint }: Keyed): string {
  return apiKeyHint === HIDDEN_KEY ? "the stored key" : `the stored key ${apiKeyHint}`;
}
