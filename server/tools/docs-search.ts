import { z } from "zod";
import { readDocsSections } from "./docs-sections";
import { buildTextIndex, type TextIndex } from "./text-index";
import { type Tool, ToolError } from "./tool";

const input = z.object({ query: z.string().trim().min(1).max(1000), reason: z.string().optional() });

const MOST_PASSAGES = 5;

/** Searches the product's own documentation. Passages carry a citation mark that a model can repeat as it is. */
export const docsSearch: Tool = {
  name: "docs__search",
  description:
    "Searches the documentation of this product and returns up to five passages, best first. " +
    "Cite what you use by repeating the passage's citation, brackets included, after the sentence it supports.",
  parameters: {
    type: "object",
    properties: {
      query: { type: "string", description: "Keywords to look for." },
      reason: { type: "string", description: "Why this search is needed now." },
    },
    required: ["query"],
    additionalProperties: false,
  },
  sideEffect: "read",
  idempotency: "none",
  timeoutMs: 5_000,
  async run(args, { keepScores }) {
    const parsed = input.safeParse(args);
    if (!parsed.success) throw new ToolError(`docs__search: ${z.prettifyError(parsed.error)}`);
    const hits = docsIndex().search(parsed.data.query, MOST_PASSAGES);
    // Words are all it searches by.
    const none = { vector: null, vectorRank: null, fused: null };
    keepScores?.(
      hits.map(({ section, score }, at) => ({
        ...{ mark: section.citation.slice(1, -1), keyword: score, keywordRank: at + 1 },
        ...none,
      })),
    );
    return { passages: hits.map(({ section }) => section) };
  },
};

let index: TextIndex | undefined;
/** Read once a process: the pages change only with the product. */
function docsIndex(): TextIndex {
  index ??= buildTextIndex(readDocsSections());
  return index;
}
