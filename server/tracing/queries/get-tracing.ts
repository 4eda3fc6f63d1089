import { db, pool } from "@/server/db";
import { allowedHosts } from "@/server/outgoing/allowed-hosts";
import { hostPortOf } from "@/server/outgoing/targets";
import { toInstantOrNull } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { MOST_COUNTED, type TraceSinkView } from "../schema";

/** Where the workspace's traces go, and how that goes. Null: nowhere. */
export async function getTracing(workspaceId: WorkspaceId): Promise<{ sink: TraceSinkView | null }> {
  const [sink, allowed] = await Promise.all([
    db().traceSink.findUnique({ where: { workspaceId } }),
    allowedHosts(workspaceId),
  ]);
  if (!sink) return { sink: null };
  const isFailing = sink.failures > 0;
  return {
    sink: {
      url: sink.url,
      headerNames: headerNamesOf(sink.headerNames),
      enabled: sink.enabled,
      withContent: sink.withContent,
      privateHostAllowed: allowed.has(hostPortOf(sink.url)),
      failures: sink.failures,
      failingSince: toInstantOrNull(sink.failingSince),
      problem: isFailing ? sink.problem : null,
      nextTryAt: isFailing ? sink.nextTryAt.toISOString() : null,
      sentAt: toInstantOrNull(sink.sentAt),
      sent: Number(sink.sent),
      dropped: Number(sink.dropped),
      waiting: sink.enabled ? await countWaiting(workspaceId) : 0,
    },
  };
}

/** Stored by us, as a list of texts. */
export function headerNamesOf(json: unknown): string[] {
  return Array.isArray(json) ? json.filter((name) => typeof name === "string") : [];
}

/** Up to a bound: nobody needs to know more. */
async function countWaiting(workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await pool().query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (
       SELECT FROM trace_sinks k JOIN agent_runs a ON a.workspace_id = k.workspace_id AND a.finished_at >= k.settled_at
         AND a.status IN ('completed', 'failed', 'aborted')
       WHERE k.workspace_id = $1 AND NOT EXISTS (SELECT FROM trace_exports e WHERE e.agent_run_id = a.id)
       LIMIT ${MOST_COUNTED}) waiting`,
    [workspaceId],
  );
  return rows[0]?.waiting ?? 0;
}
