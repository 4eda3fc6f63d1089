import { formatPlural } from "@/components/ui/format";
import { EXAMPLE_NOUNS, type ExampleNoun, type ExampleView } from "@/server/examples/schema";

const WORDS: Record<ExampleNoun, string> = {
  run: "run",
  conversation: "conversation",
  team: "team",
  agent: "agent",
  base: "knowledge base",
  tool_server: "tool server",
};

/** "10 runs, 2 conversations and 1 team", without what there is none of. */
export function exampleCounts(examples: readonly Pick<ExampleView, "noun">[]): string {
  const parts = EXAMPLE_NOUNS.flatMap((noun) => {
    const count = examples.filter((example) => example.noun === noun).length;
    return count ? [formatPlural(count, WORDS[noun])] : [];
  });
  const last = parts.pop() ?? "";
  return parts.length ? `${parts.join(", ")} and ${last}` : last;
}
