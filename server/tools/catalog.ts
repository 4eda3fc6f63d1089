import { docsSearch } from "./docs-search";
import type { Tool } from "./tool";

/** The tools an agent version may name, besides those the engine carries out itself. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map([docsSearch].map((tool) => [tool.name, tool]));
