import { z } from "zod";

/** What an agent version holds. Limits follow LOK-SUP-02/03 and DESIGN section 6 (25 tool rounds). */
export const agentConfig = z.strictObject({
  /** What a supervisor sees when it chooses among its agents. */
  purpose: z.string().max(500),
  instructions: z.string().max(20_000),
  /** Null: the workspace's model. */
  model: z.string().nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
  tools: z.array(z.string()).default([]),
  canSpawnAgents: z.boolean().default(false),
  maxConcurrentAgents: z.int().min(1).max(64).default(4),
  maxAgentDepth: z.int().min(1).max(8).default(3),
  maxToolRounds: z.int().min(1).max(1000).default(25),
  /** Adds guidance on the spawn tools to the instructions (LOK-SUP-22). */
  injectSpawnInstructions: z.boolean().default(true),
});
export type AgentConfig = z.infer<typeof agentConfig>;
