import { v7 as newId } from "uuid";
import { agentConfig } from "@/server/agents/schema";
import { pool } from "@/server/db";
import { hashOf } from "@/server/engine/ids";
import type { RunStatus } from "@/server/engine/state";
import { isTerminal } from "@/server/engine/state";
import { ENGINE_TOOLS } from "@/server/engine/tools/engine-tools";
import { AppError } from "@/server/errors";
import { describeConfiguredModel } from "@/server/models/configured-model";
import { TOOLS } from "@/server/tools/catalog";
import { inTransaction } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import type { StartRunInput } from "./schema";
import { storeRun } from "./store-run";

type TeamNode = { id: string; parent_id: string | null; agent_version_id: string; name: string; config: unknown };

/**
 * Stores a run and its root agent run and tells the workers. Pins the team's newest version, and with it every agent version.
 * Refuses by name what could not work (promise 9): NOT_FOUND for the team, INVALID for an agent that uses a missing tool.
 */
export async function startRun({ scope, input }: { scope: Scope; input: StartRunInput }): Promise<{ runId: string }> {
  const { rows: versions } = await pool().query<{ id: string }>(
    `select v.id from team_versions v join teams t on t.id = v.team_id and t.workspace_id = v.workspace_id
     where v.workspace_id = $1 and v.team_id = $2 and t.archived_at is null order by v.number desc limit 1`,
    [scope.workspaceId, input.teamId],
  );
  const version = versions[0];
  if (!version) throw new AppError("NOT_FOUND", "There is no such team, or it has no published version.");
  const { rows: nodes } = await pool().query<TeamNode>(
    `select n.id, n.parent_id, n.agent_version_id, a.name, av.config
     from team_nodes n join agent_versions av on av.id = n.agent_version_id join agents a on a.id = av.agent_id
     where n.workspace_id = $1 and n.team_version_id = $2`,
    [scope.workspaceId, version.id],
  );
  const root = nodes.find((node) => node.parent_id === null);
  if (!root) throw new AppError("INVALID", "This team has no supervisor.");
  refuseMissingTools(nodes);

  const { provider, name } = describeConfiguredModel();
  const runId = await storeRun({
    workspaceId: scope.workspaceId,
    userId: scope.userId,
    teamId: input.teamId,
    teamVersionId: version.id,
    root: { nodeId: root.id, agentVersionId: root.agent_version_id, name: root.name },
    input: input.input,
    model: `${provider}/${name}`,
  });
  return { runId };
}

function refuseMissingTools(nodes: readonly TeamNode[]): void {
  for (const node of nodes) {
    const missing = agentConfig.parse(node.config).tools.filter((name) => !TOOLS.has(name) && !ENGINE_TOOLS.has(name));
    if (missing.length) {
      throw new AppError(
        "INVALID",
        `${node.name} uses a tool that does not exist here: ${missing.join(", ")}. Remove it from the agent.`,
      );
    }
  }
}

/** Ends a run with everything in it. What was done stays. A run that has ended stays as it is. */
export async function stopRun({ scope, runId }: { scope: Scope; runId: string }): Promise<{ status: RunStatus }> {
  return inTransaction(async (client) => {
    const { rows } = await client.query<{ status: RunStatus; root_id: string }>(
      `select r.status, a.id as root_id from runs r
       join agent_runs a on a.run_id = r.id and a.parent_id is null where r.workspace_id = $1 and r.id = $2`,
      [scope.workspaceId, runId],
    );
    const run = rows[0];
    if (!run) throw new AppError("NOT_FOUND", "There is no such run.");
    if (isTerminal(run.status)) return { status: run.status };
    const { rows: ended } = await client.query<{ ids: string[]; at: Date }>(
      "select abort_agent_runs(array[$1::uuid], $2) as ids, now()::timestamptz(3) as at",
      [run.root_id, "stopped"],
    );
    const outcome = ended[0];
    if (!outcome?.ids.length) {
      // It ended by itself between the two statements.
      const { rows: now } = await client.query<{ status: RunStatus }>("select status from runs where id = $1", [runId]);
      return { status: now[0]?.status ?? run.status };
    }
    // After the steps that were cut off, which the line above recorded.
    const { rows: last } = await client.query<{ position: number }>(
      "select coalesce(max(position), 0) as position from steps where agent_run_id = $1",
      [run.root_id],
    );
    const at = outcome.at.toISOString();
    const reason = `stopped by ${scope.userName}`;
    const options = JSON.stringify([
      { key: "stop", kind: "action", label: "Stop", description: "End the run now. What was done stays." },
      { key: "let_run", kind: "action", label: "Let it run", description: "Do nothing." },
    ]);
    const decision = {
      id: newId(),
      agentRunId: run.root_id,
      position: last[0]?.position ?? 0,
      ordinal: 0,
      kind: "stop",
      chosen: [{ option: "stop", label: "Stop", position: null, reason: null }],
      reason,
      source: "human",
      at,
    };
    await storeDecision(client, scope, runId, decision, options);
    await client.query("select append_events($1, $2)", [
      JSON.stringify([
        { r: runId, a: run.root_id, kind: "decision.made", body: { decision } },
        { r: runId, kind: "run.status", body: { status: "aborted", reason, answer: null, at } },
      ]),
      JSON.stringify([{ r: runId, status: "aborted", reason }]),
    ]);
    return { status: "aborted" };
  });
}

type StoredDecision = {
  id: string;
  agentRunId: string;
  position: number;
  ordinal: number;
  kind: string;
  chosen: unknown[];
  reason: string;
  source: string;
  at: string;
};

/** A decision taken outside an execution: by a person. The caller holds the run's row, so that event and row say the same cost. */
export async function storeDecision(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  scope: Scope,
  runId: string,
  decision: StoredDecision,
  options: string,
): Promise<void> {
  const hash = hashOf(options);
  await client.query(
    "insert into blobs (workspace_id, hash, part, content) values ($1, $2, 0, $3) on conflict do nothing",
    [scope.workspaceId, hash, options],
  );
  await client.query(
    `insert into decisions (id, workspace_id, run_id, agent_run_id, position, ordinal, kind, options_hash, chosen, reason, source,
       cost_so_far_nano_usd, at)
     select $1, $2, id, $4, $5, $6, $7, $8, $9, $10, $11, cost_nano_usd, $12 from runs where id = $3`,
    [
      decision.id,
      scope.workspaceId,
      runId,
      decision.agentRunId,
      decision.position,
      decision.ordinal,
      decision.kind,
      hash,
      JSON.stringify(decision.chosen),
      decision.reason,
      decision.source,
      decision.at,
    ],
  );
}
