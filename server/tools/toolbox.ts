import type pg from "pg";
import { mcpTools } from "@/server/mcp/mcp-tools";
import { attachmentNotes } from "./attachments";
import { TOOLS } from "./catalog";
import { knowledgeSearchTool, loadKnowledge } from "./knowledge-search";
import type { Tool, Toolbox } from "./tool";

/** Gathers what an agent run may use: the product's own tools, those of tool servers, and search over its knowledge. */
export function toolbox(pool: pg.Pool): Toolbox {
  return async ({ workspaceId, conversationId, names, knowledge }) => {
    const foreign = names.filter((name) => !TOOLS.has(name));
    const [{ tools: served, missing }, { bases, missing: lostBases }, notes] = await Promise.all([
      foreign.length ? mcpTools(pool, workspaceId, foreign) : { tools: new Map<string, Tool>(), missing: [] },
      knowledge.length || conversationId
        ? loadKnowledge(workspaceId, knowledge, conversationId)
        : { bases: [], missing: [] },
      attachmentNotes(workspaceId, conversationId),
    ]);
    const search = bases.length ? [knowledgeSearchTool({ baseIds: bases.map(({ id }) => id), bases })] : [];
    // In the order of the agent's form, search last: the same list at every execution, which the model's cache rewards.
    const own = names.flatMap((name) => TOOLS.get(name) ?? served.get(name) ?? []);
    return {
      tools: new Map([...own, ...search].map((tool) => [tool.name, tool])),
      missing: [...missing, ...lostBases],
      notes,
    };
  };
}
