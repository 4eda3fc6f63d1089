import { v7 as newId } from "uuid";
import { deriveId, handleOf } from "@/server/engine/ids";
import { queuedAgent } from "@/server/engine/queued-agent";
import { storable, storedJson } from "@/server/engine/stored-json";
import { inTransaction } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";

const TITLE_CHARACTERS = 80;

type StoreRun = {
  workspaceId: WorkspaceId;
  userId: string | null;
  teamId: string;
  teamVersionId: string;
  root: { nodeId: string; agentVersionId: string; name: string };
  input: string;
  /** "provider/name" */
  model: string;
};

/** Stores a run with its root agent run, both queued, and tells the workers. Whether it may run was judged before. */
export async function storeRun(run: StoreRun): Promise<string> {
  const runId = newId();
  const rootId = deriveId(runId, "root");
  const handle = handleOf(rootId, run.root.name);
  const input = storable(run.input);
  await inTransaction(async (client) => {
    await client.query(
      `insert into runs (id, workspace_id, team_id, team_version_id, title, input, model, started_by_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [runId, run.workspaceId, run.teamId, run.teamVersionId, titleOf(input), input, run.model, run.userId],
    );
    const { rows } = await client.query<{ created_at: Date }>(
      `insert into agent_runs (id, workspace_id, run_id, handle, name, agent_version_id, team_node_id, depth, task)
       values ($1, $2, $3, $4, $5, $6, $7, 0, $8) returning created_at`,
      [rootId, run.workspaceId, runId, handle, run.root.name, run.root.agentVersionId, run.root.nodeId, input],
    );
    const createdAt = (rows[0]?.created_at ?? new Date()).toISOString();
    const agent = queuedAgent({
      id: rootId,
      parentId: null,
      spawnedById: null,
      handle,
      name: run.root.name,
      depth: 0,
      task: input,
      createdAt,
    });
    const status = { status: "queued", reason: null, answer: null, at: createdAt };
    await client.query("select append_events($1, null)", [
      storedJson([
        { r: runId, kind: "run.status", body: status },
        { r: runId, a: rootId, kind: "agent.created", body: { agent } },
      ]),
    ]);
    // A hint; a worker's sweep finds the row without it.
    await client.query("select pg_notify('troupe_work', $1)", [`queued:${rootId}`]);
  });
  return runId;
}

function titleOf(input: string): string {
  const line = input.trim().split("\n", 1)[0] ?? "";
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`;
}
