import { askUser } from "./ask-user";
import { cancelAgent, checkAgent, collectAgent, listAgents } from "./children";
import type { EngineTool } from "./engine-tool";
import { spawnAgent } from "./spawn";

/** Tools the engine carries out itself, by the name models call them. */
export const ENGINE_TOOLS: ReadonlyMap<string, EngineTool> = new Map<string, EngineTool>([
  ["agent__spawn", spawnAgent],
  ["agent__check", checkAgent],
  ["agent__collect", collectAgent],
  ["agent__list", listAgents],
  ["agent__cancel", cancelAgent],
  ["user__ask", askUser],
]);
