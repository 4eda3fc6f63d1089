import { createHash } from "node:crypto";
import { canonicalJson } from "@/server/engine/canonical-json";

/** Equal for the same tools with the same schemas, in whatever order they were offered (LLM-OBS-09). */
export function surfaceHash(tools: readonly { name: string; parameters: unknown }[]): string {
  const sorted = tools
    .map(({ name, parameters }) => ({ name, parameters }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return createHash("sha256").update(canonicalJson(sorted)).digest("hex");
}
