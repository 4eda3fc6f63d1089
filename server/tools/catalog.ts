import { docsSearch } from "./docs-search";
import type { Tool } from "./tool";

/** The tools an agent version may name. The engine's own (`agent__…`, `user__ask`) are given by an agent's rights instead. */
const CATALOG: ReadonlyMap<string, Tool> = new Map([docsSearch].map((tool) => [tool.name, tool]));

export function findTool(name: string): Tool | undefined {
  return CATALOG.get(name);
}

export function listTools(): Tool[] {
  return [...CATALOG.values()];
}
