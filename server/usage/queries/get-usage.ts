import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { storedLimits, storedRetention, USAGE_KINDS, type UsageKind, type UsageView } from "../schema";
import { readRunsAtWork } from "../service/read-standing";
import { listCleanups } from "./list-cleanups";

type WorkspaceRow = {
  limits: unknown;
  retention: unknown;
  clean_due_at: Date | null;
  runs_today: number;
  spent_today: number;
  tokens_today: number;
  files: number;
  file_bytes: number;
  largest_upload: number;
};
type KindRow = { kind: UsageKind; bytes: number; items: number; measured_at: Date };

/** What the workspace keeps and may keep. Files are counted now; the rest as last measured by a worker. */
export async function getUsage(workspaceId: WorkspaceId): Promise<UsageView> {
  const [workspace, measured, fullestBase, runsAtWork, cleanups] = await Promise.all([
    readWorkspace(workspaceId),
    readKinds(workspaceId),
    findFullestBase(workspaceId),
    readRunsAtWork(pool(), workspaceId),
    listCleanups(workspaceId),
  ]);
  const kinds = USAGE_KINDS.map((kind) => {
    if (kind === "files") return { kind, items: workspace?.files ?? 0, bytes: workspace?.file_bytes ?? 0 };
    const row = measured.find((one) => one.kind === kind);
    return { kind, items: row?.items ?? 0, bytes: row?.bytes ?? 0 };
  });
  const retention = storedRetention.parse(workspace?.retention ?? {});
  const isOn = Object.values(retention).some((days) => days !== null);
  return {
    kinds,
    totalBytes: kinds.reduce((total, { bytes }) => total + bytes, 0),
    measuredAt: measured[0]?.measured_at.toISOString() ?? null,
    limits: storedLimits.parse(workspace?.limits ?? {}),
    now: {
      runsToday: workspace?.runs_today ?? 0,
      runsAtWork,
      spentTodayNanoUsd: workspace?.spent_today ?? 0,
      tokensToday: workspace?.tokens_today ?? 0,
      fullestBase,
      largestUploadBytes: workspace?.largest_upload ?? 0,
    },
    retention,
    nextCleanupAt: isOn ? (workspace?.clean_due_at?.toISOString() ?? null) : null,
    cleanups,
  };
}

async function readWorkspace(workspaceId: WorkspaceId): Promise<WorkspaceRow | undefined> {
  const { rows } = await pool().query<WorkspaceRow>(
    `SELECT w.limits, w.retention, u.clean_due_at,
       CASE WHEN u.runs_day = (now() AT TIME ZONE 'UTC')::date THEN u.runs_started ELSE 0 END AS runs_today, f.*,
       spent.cost::float8 AS spent_today, spent.tokens::float8 AS tokens_today
     FROM workspaces w LEFT JOIN workspace_upkeep u ON u.workspace_id = w.id
     CROSS JOIN LATERAL (SELECT count(*)::int AS files, coalesce(sum(size_bytes), 0)::float8 AS file_bytes,
       coalesce(max(size_bytes), 0)::float8 AS largest_upload FROM files WHERE workspace_id = w.id) f
     CROSS JOIN LATERAL spent_on(w.id, utc_day()) spent
     WHERE w.id = $1`,
    [workspaceId],
  );
  return rows[0];
}

async function readKinds(workspaceId: WorkspaceId): Promise<KindRow[]> {
  const { rows } = await pool().query<KindRow>(
    "SELECT kind, bytes::float8 AS bytes, items::float8 AS items, measured_at FROM workspace_usage WHERE workspace_id = $1",
    [workspaceId],
  );
  return rows;
}

/** Attachments of a conversation are no base anybody knows by name. */
async function findFullestBase(workspaceId: WorkspaceId): Promise<{ name: string; documents: number } | null> {
  const { rows } = await pool().query<{ name: string; documents: number }>(
    `SELECT b.name, count(d.id)::int AS documents FROM knowledge_bases b
     LEFT JOIN documents d ON d.workspace_id = $1 AND d.base_id = b.id
     WHERE b.workspace_id = $1 AND b.conversation_id IS NULL
     GROUP BY b.id ORDER BY count(d.id) DESC, b.name LIMIT 1`,
    [workspaceId],
  );
  return rows[0] ?? null;
}
