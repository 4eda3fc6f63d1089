import type pg from "pg";
import { v7 as newId } from "uuid";
import { deriveId, handleOf } from "@/server/engine/ids";
import type { RunContext } from "@/server/engine/run-context";
import type { RunLimits } from "@/server/engine/run-limits";
import { storable, storedJson } from "@/server/engine/stored-json";
import { AppError } from "@/server/errors";
import { inTransaction, type Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";

const TITLE_CHARACTERS = 80;

/** Of a team, or of an agent by itself: then there is no team version and no node. */
export type StoreRun = {
  workspaceId: WorkspaceId;
  userId: string | null;
  teamId: string | null;
  teamVersionId: string | null;
  root: { nodeId: string | null; agentVersionId: string; name: string };
  input: string;
  /** "provider/name" */
  model: string;
  conversationId?: string;
  rerunOfId?: string;
  limits?: RunLimits;
  /** What it is about. */
  context?: RunContext;
};

/** Stores a run with its root agent run, both queued, and tells the workers. Whether it may run was judged before. */
export async function storeRun(run: StoreRun): Promise<string> {
  return inTransaction((client) => storeRunWith(client, run));
}

/** As `storeRun`, inside a transaction of the caller. Throws INVALID while everything in the workspace is paused. */
export async function storeRunWith(client: pg.ClientBase, run: StoreRun): Promise<string> {
  const runId = newId();
  const { name, nodeId, agentVersionId } = run.root;
  const id = deriveId(runId, "root");
  const handle = handleOf(id, name);
  const input = storable(run.input);
  const { rows } = await client.query<{ by: string | null }>({
    name: "store_run",
    text: "select store_run($1, $2) as by",
    values: [
      storedJson({
        ...{ id: runId, workspace_id: run.workspaceId, team_id: run.teamId, team_version_id: run.teamVersionId },
        ...{ agent_version_id: run.teamVersionId === null ? agentVersionId : null, title: titleOf(input), input },
        ...{ conversation_id: run.conversationId ?? null, rerun_of_id: run.rerunOfId ?? null, model: run.model },
        ...{ started_by_id: run.userId, limits: run.limits ?? {} },
      }),
      storedJson({ id, handle, name, nodeId, agentVersionId, ...(run.context ? { context: run.context } : {}) }),
    ],
  });
  refuseIfPaused(rows[0]?.by);
  return runId;
}

/** Throws INVALID while everything in the workspace is paused; it is not paused before the transaction ends. */
export async function assertNotPaused(client: Reader, workspaceId: WorkspaceId): Promise<void> {
  const { rows } = await client.query<{ by: string | null }>("select paused_by($1) as by", [workspaceId]);
  refuseIfPaused(rows[0]?.by);
}

function refuseIfPaused(by: string | null | undefined): void {
  if (by) throw new AppError("INVALID", `${by} paused everything in this workspace. Resume it first.`);
}

/** The first line, cut to fit a list. */
export function titleOf(input: string): string {
  const line = input.trim().split("\n", 1)[0] ?? "";
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`;
}
