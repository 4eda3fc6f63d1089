import type { Execution } from "./execution";

/** The agent's instructions, with guidance on the spawn tools where its configuration wants it (LOK-SUP-10, LOK-SUP-22). */
export function systemPrompt(execution: Execution): string {
  const { config } = execution;
  const parts = [`You are ${execution.row.name}.`, config.instructions.trim()];
  if (config.canSpawnAgents && config.injectSpawnInstructions && execution.journal.opened.spawnable.length) {
    parts.push(SPAWN_GUIDANCE);
  }
  return parts.filter(Boolean).join("\n\n");
}

const SPAWN_GUIDANCE = `Working with other agents:
- Start every agent whose work does not depend on another's in one turn, with one agent__spawn call each; starting independent work one after the other is wrong.
- An agent knows nothing but the prompt you give it: put everything it needs there.
- agent__spawn returns at once with an id. Go on with what you can do yourself, then take results with agent__collect, which waits; agent__check looks without waiting.
- A failed agent comes back with exit_status "failed" and its message: decide what to do about it.
- Say in "reason" why you chose that agent.`;
