import { ofRun } from "@/server/runs/queries/of-run";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ExampleNoun } from "../schema";

/** Of each noun its table, what it is called, and what changes when somebody changes it (of a row `x`). */
const NOUNS: Record<ExampleNoun, { table: string; name: string; fingerprint: string }> = {
  run: {
    table: "runs",
    name: "x.title",
    fingerprint: `concat_ws('/',
      (SELECT count(*) FROM human_requests q WHERE q.workspace_id = x.workspace_id AND q.run_id = x.id AND q.answered_by_id IS NOT NULL),
      (SELECT count(*) FROM decisions d WHERE d.workspace_id = x.workspace_id AND ${ofRun("d", "x.id")} AND d.kind = 'stop'))`,
  },
  conversation: {
    table: "conversations",
    name: "x.title",
    fingerprint: `concat_ws('/', x.title,
      (SELECT count(*) FROM runs r WHERE r.workspace_id = x.workspace_id AND r.conversation_id = x.id),
      (SELECT count(*) FROM knowledge_bases b WHERE b.workspace_id = x.workspace_id AND b.conversation_id = x.id))`,
  },
  team: {
    table: "teams",
    name: "x.name",
    fingerprint: `concat_ws('/', x.name, x.draft_revision,
      (SELECT count(*) FROM team_versions v WHERE v.workspace_id = x.workspace_id AND v.team_id = x.id))`,
  },
  agent: {
    table: "agents",
    name: "x.name",
    fingerprint: `concat_ws('/', x.name, x.draft_revision,
      (SELECT count(*) FROM agent_versions v WHERE v.workspace_id = x.workspace_id AND v.agent_id = x.id))`,
  },
  base: {
    table: "knowledge_bases",
    name: "x.name",
    fingerprint: `concat_ws('/', x.name, x.description, x.embedding_model, x.settings,
      (SELECT string_agg(d.id || '.' || d.revision, ' ' ORDER BY d.id) FROM documents d
       WHERE d.workspace_id = x.workspace_id AND d.base_id = x.id))`,
  },
  tool_server: {
    table: "tool_servers",
    name: "x.name",
    fingerprint: `concat_ws('/', x.name, x.transport, x.url, x.command, x.args, x.secret_names, x.enabled, x.effects)`,
  },
};

/** An example that is still there. */
export type ExampleFact = { noun: ExampleNoun; id: string; name: string; isChanged: boolean };

/** The examples of a workspace that are still there, and which of them somebody changed. */
export async function readExamples(workspaceId: WorkspaceId, reader: Reader): Promise<ExampleFact[]> {
  const parts = Object.entries(NOUNS).map(
    ([noun, { table, name, fingerprint }]) => `
    SELECT e.noun, x.id, ${name} AS name, e.fingerprint <> md5(${fingerprint}) AS "isChanged"
    FROM examples e JOIN ${table} x ON x.workspace_id = e.workspace_id AND x.id = e.row_id
    WHERE e.workspace_id = $1 AND e.noun = '${noun}'`,
  );
  const { rows } = await reader.query<ExampleFact>(`${parts.join(" UNION ALL ")} ORDER BY 1, 3, 2`, [workspaceId]);
  return rows;
}

/** For seeds: from now on these are examples, as they are. */
export async function rememberExamples(
  workspaceId: WorkspaceId,
  reader: Reader,
  made: Readonly<Record<ExampleNoun, readonly string[]>>,
): Promise<void> {
  for (const [noun, ids] of Object.entries(made)) {
    const { table, fingerprint } = NOUNS[noun as ExampleNoun];
    await reader.query(
      `INSERT INTO examples (workspace_id, noun, row_id, fingerprint)
       SELECT x.workspace_id, $2, x.id, md5(${fingerprint}) FROM ${table} x
       WHERE x.workspace_id = $1 AND x.id = ANY($3::uuid[]) ON CONFLICT DO NOTHING`,
      [workspaceId, noun, ids],
    );
  }
}
