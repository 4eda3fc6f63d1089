import { pool } from "@/server/db";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ExampleNoun, ExampleView } from "../schema";
import { type ExampleFact, readExamples } from "./facts";

const CHANGED: Record<ExampleNoun, string> = {
  run: "Somebody here answered or stopped it.",
  conversation: "Somebody here went on with it.",
  team: "Somebody here changed it.",
  agent: "Somebody here changed it.",
  base: "Somebody here changed it.",
  tool_server: "Somebody here changed it.",
};

/**
 * What would go if the examples were removed now, and what would stay and why: whatever somebody changed, and whatever something
 * of their own still needs. Empty when there are no examples (any more).
 */
export async function planRemoval(workspaceId: WorkspaceId, reader: Reader = pool()): Promise<ExampleView[]> {
  const facts = await readExamples(workspaceId, reader);
  if (!facts.length) return [];
  const kept = new Map<string, string>();
  for (const { id, noun, isChanged } of facts) if (isChanged) kept.set(id, CHANGED[noun]);
  // What uses something comes before what it uses.
  for (const [noun, sql] of NEEDED) {
    const going = (of: ExampleNoun) =>
      facts.filter((fact) => fact.noun === of && !kept.has(fact.id)).map(({ id }) => id);
    const { rows } = await reader.query<{ id: string; why: string }>(sql, [
      ...[workspaceId, going(noun), going("run"), going("conversation"), going("team"), going("agent")],
    ]);
    for (const { id, why } of rows) kept.set(id, why);
  }
  return facts.map((fact) => toView(fact, kept));
}

function toView({ noun, id, name }: ExampleFact, kept: ReadonlyMap<string, string>): ExampleView {
  return { noun, id, name, whyKept: kept.get(id) ?? null };
}

/** Every statement takes all parameters, so that one call serves them all. */
const GOING = `WITH going AS (SELECT $3::uuid[] AS runs, $4::uuid[] AS conversations, $5::uuid[] AS teams, $6::uuid[] AS agents)`;

/** Of the examples $2 of a noun those that something needs which stays. */
const NEEDED: readonly (readonly [ExampleNoun, string])[] = [
  [
    "run",
    `${GOING} SELECT r.id, 'A run or conversation that stays belongs to it.' AS why FROM runs r, going
     WHERE r.workspace_id = $1 AND r.id = ANY($2) AND (
       (r.conversation_id IS NOT NULL AND NOT (r.conversation_id = ANY(going.conversations)))
       OR EXISTS (SELECT FROM runs again WHERE again.workspace_id = $1 AND (again.rerun_of_id = r.id OR again.forked_from_run_id = r.id)
         AND NOT (again.id = ANY(going.runs))))`,
  ],
  [
    "conversation",
    `${GOING} SELECT c.id, 'One of its runs stays.' AS why FROM conversations c, going
     WHERE c.workspace_id = $1 AND c.id = ANY($2) AND EXISTS (SELECT FROM runs r
       WHERE r.workspace_id = $1 AND r.conversation_id = c.id AND NOT (r.id = ANY(going.runs)))`,
  ],
  [
    "run",
    `${GOING} SELECT r.id, 'Its conversation stays.' AS why FROM runs r, going
     WHERE r.workspace_id = $1 AND r.id = ANY($2) AND r.conversation_id IS NOT NULL
       AND NOT (r.conversation_id = ANY(going.conversations))`,
  ],
  [
    "team",
    `${GOING} SELECT t.id, 'Runs or conversations that stay were made with it.' AS why FROM teams t, going
     WHERE t.workspace_id = $1 AND t.id = ANY($2) AND (
       EXISTS (SELECT FROM runs r WHERE r.workspace_id = $1 AND r.team_id = t.id AND NOT (r.id = ANY(going.runs)))
       OR EXISTS (SELECT FROM conversations c WHERE c.workspace_id = $1 AND c.team_id = t.id
         AND NOT (c.id = ANY(going.conversations))))`,
  ],
  [
    "agent",
    `${GOING} SELECT a.id, 'A team, run or conversation that stays needs it.' AS why FROM agents a, going
     WHERE a.workspace_id = $1 AND a.id = ANY($2) AND (
       EXISTS (SELECT FROM agent_versions v JOIN agent_runs ar ON ar.agent_version_id = v.id
         WHERE v.workspace_id = $1 AND v.agent_id = a.id AND NOT (ar.run_id = ANY(going.runs)))
       OR EXISTS (SELECT FROM agent_versions v JOIN team_nodes n ON n.agent_version_id = v.id
         JOIN team_versions tv ON tv.id = n.team_version_id
         WHERE v.workspace_id = $1 AND v.agent_id = a.id AND NOT (tv.team_id = ANY(going.teams)))
       OR EXISTS (SELECT FROM agent_versions v JOIN team_allowed_agents x ON x.agent_version_id = v.id
         JOIN team_versions tv ON tv.id = x.team_version_id
         WHERE v.workspace_id = $1 AND v.agent_id = a.id AND NOT (tv.team_id = ANY(going.teams)))
       OR EXISTS (SELECT FROM teams t WHERE t.workspace_id = $1 AND t.archived_at IS NULL AND NOT (t.id = ANY(going.teams))
         AND t.draft::text LIKE '%' || a.id || '%')
       OR EXISTS (SELECT FROM conversations c WHERE c.workspace_id = $1 AND c.agent_id = a.id
         AND NOT (c.id = ANY(going.conversations))))`,
  ],
  [
    "base",
    `${GOING} SELECT b.id, 'An agent that stays searches it.' AS why FROM knowledge_bases b, going
     WHERE b.workspace_id = $1 AND b.id = ANY($2) AND EXISTS (
       SELECT FROM agents a LEFT JOIN agent_versions v ON v.workspace_id = $1 AND v.agent_id = a.id
       WHERE a.workspace_id = $1 AND a.archived_at IS NULL AND NOT (a.id = ANY(going.agents))
         AND (a.draft -> 'knowledge' ? b.id::text OR v.config -> 'knowledge' ? b.id::text))`,
  ],
  [
    "tool_server",
    `${GOING} SELECT s.id, 'An agent that stays uses its tools.' AS why FROM tool_servers s, going
     WHERE s.workspace_id = $1 AND s.id = ANY($2) AND EXISTS (
       SELECT FROM agents a LEFT JOIN agent_versions v ON v.workspace_id = $1 AND v.agent_id = a.id
       WHERE a.workspace_id = $1 AND a.archived_at IS NULL AND NOT (a.id = ANY(going.agents))
         AND (a.draft ->> 'tools' LIKE '%"' || s.name || '\\_\\_%' OR v.config ->> 'tools' LIKE '%"' || s.name || '\\_\\_%'))`,
  ],
];
