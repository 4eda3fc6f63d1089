import { pool } from "@/server/db";
import { STORED_NOW } from "@/server/stored-now";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { measureEndedRuns } from "../jobs/measure-runs";
import { cutoffsOf } from "../rules";
import { CLEANUP_KINDS, type CleanupCandidate, type CleanupKind, type CleanupPreview, type Retention } from "../schema";
import { BYTES_OF, CANDIDATES, TITLE_OF } from "./cleanup-candidates";

const SAMPLES = 5;
/** A first measurement of very many runs is not waited for: then sizes are too small for once. */
const MEASURE_FOR_MS = 3_000;
const HREF: Record<CleanupKind, (id: string) => string | null> = {
  runs: (id) => `/runs/${id}`,
  conversations: (id) => `/conversations/${id}`,
  uploads: () => null,
};

/** A dry run: what a cleanup by these rules would remove now. Removes nothing. */
export async function previewCleanup(workspaceId: WorkspaceId, retention: Retention): Promise<CleanupPreview> {
  await measureEndedRuns(workspaceId, AbortSignal.timeout(MEASURE_FOR_MS)).catch((error: unknown) => {
    if (!(error instanceof DOMException)) throw error;
  });
  const { rows } = await pool().query<{ now: Date }>(`SELECT ${STORED_NOW} AS now`, []);
  const asOf = rows[0]?.now ?? new Date();
  const cutoffs = cutoffsOf(retention, asOf);
  const kinds: CleanupPreview["kinds"] = [];
  for (const kind of CLEANUP_KINDS) {
    const before = cutoffs[kind];
    if (before) kinds.push({ kind, ...(await summarise(workspaceId, kind, before)) });
  }
  return { asOf: asOf.toISOString(), kinds };
}

type Summary = { items: number; bytes: number; oldest: Date | null; newest: Date | null };

async function summarise(workspaceId: WorkspaceId, kind: CleanupKind, before: string) {
  const { from, where, id, at } = CANDIDATES[kind];
  const { rows: sums } = await pool().query<Summary>(
    `SELECT count(*)::int AS items, coalesce(sum(${BYTES_OF[kind]}), 0)::float8 AS bytes, min(${at}) AS oldest, max(${at}) AS newest
     FROM ${from} WHERE ${where}`,
    [workspaceId, before],
  );
  const { rows: samples } = await pool().query<{ id: string; title: string; at: Date; bytes: number }>(
    `SELECT ${id} AS id, ${TITLE_OF[kind]} AS title, ${at} AS at, (${BYTES_OF[kind]})::float8 AS bytes
     FROM ${from} WHERE ${where} ORDER BY ${at}, ${id} LIMIT ${SAMPLES}`,
    [workspaceId, before],
  );
  const { items = 0, bytes = 0, oldest = null, newest = null } = sums[0] ?? {};
  return {
    ...{ items, bytes, oldest: oldest?.toISOString() ?? null, newest: newest?.toISOString() ?? null },
    samples: samples.map((row): CleanupCandidate => ({ ...row, at: row.at.toISOString(), href: HREF[kind](row.id) })),
  };
}
