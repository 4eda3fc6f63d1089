import type pg from "pg";
import { storedJson } from "@/server/engine/stored-json";
import { AppError } from "@/server/errors";
import { STORED_NOW } from "@/server/stored-now";
import { inTransaction } from "@/server/transaction";
import type { Role, Scope } from "@/server/workspaces/scope";
import type { AssignRequestInput } from "../schema";

type Assignee = { id: string; name: string } | null;

/**
 * Says who is to answer a request that has no answer yet. Whoever may answer still can: it says whose it is, and shuts nobody out.
 * Throws NOT_FOUND for an unknown request or person, CONFLICT when it is closed, INVALID for somebody who could not answer it.
 */
export async function assignRequest({
  scope,
  input: { requestId, assigneeId },
}: {
  scope: Scope;
  input: AssignRequestInput;
}): Promise<void> {
  await inTransaction(async (client) => {
    const assignee = assigneeId === null ? null : await findAssignee(client, scope, assigneeId);
    const { rows } = await client.query<{ status: string; assignee_id: string | null }>(
      "SELECT status, assignee_id FROM human_requests WHERE workspace_id = $1 AND id = $2 FOR UPDATE",
      [scope.workspaceId, requestId],
    );
    const request = rows[0];
    if (!request) throw new AppError("NOT_FOUND", "There is no such request.");
    if (request.status !== "open" && request.status !== "escalated") {
      throw new AppError("CONFLICT", "This request needs no answer any more.");
    }
    if (request.assignee_id === assigneeId) return;
    await assign(client, { requestIds: [requestId], assignee, by: scope.userName });
  });
}

/** What was assigned to a member who can no longer answer is for nobody in particular again. Inside the caller's transaction. */
export async function unassignMember(client: pg.PoolClient, scope: Scope, userId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM human_requests
     WHERE workspace_id = $1 AND assignee_id = $2 AND status IN ('open', 'escalated') ORDER BY id FOR UPDATE`,
    [scope.workspaceId, userId],
  );
  if (rows.length === 0) return;
  await assign(client, { requestIds: rows.map(({ id }) => id), assignee: null, by: scope.userName });
}

/** The rows are locked. */
async function assign(
  client: pg.PoolClient,
  { requestIds, assignee, by }: { requestIds: string[]; assignee: Assignee; by: string },
): Promise<void> {
  const { rows } = await client.query<{ id: string; run_id: string; agent_run_id: string; at: Date }>(
    `UPDATE human_requests SET assignee_id = $2 WHERE id = ANY ($1::uuid[])
     RETURNING id, run_id, agent_run_id, ${STORED_NOW} AS at`,
    [requestIds, assignee?.id ?? null],
  );
  const events = rows.map(({ id, run_id, agent_run_id, at }) => ({
    r: run_id,
    a: agent_run_id,
    kind: "request.assigned",
    body: { requestId: id, assignee, by, at: at.toISOString() },
  }));
  await client.query("SELECT append_events($1)", [storedJson(events)]);
}

async function findAssignee(client: pg.PoolClient, scope: Scope, userId: string): Promise<NonNullable<Assignee>> {
  const { rows } = await client.query<{ name: string; role: Role }>(
    `SELECT u.name, m.role FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.workspace_id = $1 AND m.user_id = $2 FOR SHARE OF m`,
    [scope.workspaceId, userId],
  );
  const member = rows[0];
  if (!member) throw new AppError("NOT_FOUND", "This person is not a member of this workspace.");
  if (member.role === "viewer") {
    throw new AppError("INVALID", `${member.name} may only look. Choose somebody who may answer.`);
  }
  return { id: userId, name: member.name };
}
