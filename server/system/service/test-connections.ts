import type pg from "pg";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { checkSavedProvider } from "@/server/providers/service/check-endpoint";
import { checkToolServer } from "@/server/tool-servers/service/check-tool-server";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { thisInstallation } from "../queries/here";
import type { Report } from "../schema";
import { examineInstallation } from "./examine-installation";

/** More would be a load of their own; the rest stays as last tested. */
const MOST_AT_ONCE = 50;

type Tester = { userId: string; userName: string };
type What = "providers" | "tool-servers";
type Row = { id: string; workspaceId: WorkspaceId };

/**
 * Calls every provider, or every tool server that is switched on, in all workspaces, one after the other, and keeps each outcome where
 * the next examination finds it. Only ever because a person asked for it. Throws TOO_MANY_REQUESTS.
 */
export async function testConnections(
  database: pg.Pool,
  { what, tester, signal }: { what: What; tester: Tester; signal?: AbortSignal | undefined },
): Promise<void> {
  const { rows } = await database.query<Row>(
    what === "providers"
      ? `SELECT id, workspace_id AS "workspaceId" FROM providers ORDER BY id LIMIT $1`
      : `SELECT id, workspace_id AS "workspaceId" FROM tool_servers WHERE enabled ORDER BY id LIMIT $1`,
    [MOST_AT_ONCE],
  );
  for (const { id, workspaceId } of rows) {
    signal?.throwIfAborted();
    // Whoever looks after the installation may know whether its connections work, in whichever workspace they are.
    const scope = { ...tester, workspaceId, role: "owner" as const };
    try {
      if (what === "providers") await checkSavedProvider(scope, id);
      else await checkToolServer({ scope, input: { toolServerId: id }, signal });
    } catch (error) {
      // Removed or changed meanwhile, or its key does not open: the others are tested all the same.
      if (!(error instanceof AppError) || error.code === "TOO_MANY_REQUESTS") throw error;
    }
  }
}

/** Tests them, then looks at everything anew. */
export async function testAndExamine(
  scope: Scope,
  { what, signal }: { what: What; signal?: AbortSignal | undefined },
): Promise<Report> {
  await testConnections(pool(), { what, tester: { userId: scope.userId, userName: scope.userName }, signal });
  return examineInstallation(thisInstallation(scope));
}
