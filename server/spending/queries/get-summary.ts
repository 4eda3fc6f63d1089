import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { instantsOf } from "../rules";
import { NARROWING, type SpendingFilters, type SpendingSummary } from "../schema";
import { callsOf } from "./calls-of";
import { nameOf } from "./names-sql";
import { readCalls } from "./read-calls";
import { CALL_COLUMNS, SUMS, type SumsRow, toSums } from "./sums-sql";

/** All calls of a filter together and day by day, and what is not in these figures. */
export async function getSummary(workspaceId: WorkspaceId, filters: SpendingFilters): Promise<SpendingSummary> {
  const { from, conditions, values, key, surfaces, days } = await callsOf(workspaceId, filters, { sums: true });
  const [rows, removed, names] = await Promise.all([
    readCalls<SumsRow & { day: string | null }>(
      `WITH calls AS MATERIALIZED (
         SELECT ${key("day")} AS day, ${CALL_COLUMNS} FROM ${from} WHERE ${conditions.join(" AND ")}
       ) SELECT c.day, ${SUMS} FROM calls c GROUP BY GROUPING SETS ((), (c.day)) ORDER BY c.day`,
      values,
    ),
    readRemoved(workspaceId, days),
    readNames(workspaceId, filters),
  ]);
  // With no call at all there is still the row of all of them.
  const total = rows.find(({ day }) => day === null) as SumsRow & { day: null };
  const surface = [...surfaces.values()].find(({ hash }) => hash === filters.tools);
  return {
    ...days,
    total: sumsOf(total),
    days: rows.flatMap((row) => (row.day === null ? [] : [{ ...sumsOf(row), day: row.day }])),
    removed,
    names: { ...names, ...(surface ? { tools: surface.names.join(", ") } : {}) },
  };
}

function sumsOf({ day: _, ...row }: SumsRow & { day: string | null }) {
  return toSums(row);
}

async function readRemoved(
  workspaceId: WorkspaceId,
  days: { from: string; to: string },
): Promise<SpendingSummary["removed"]> {
  const { from, before } = instantsOf(days);
  const { rows } = await pool().query<SpendingSummary["removed"]>(
    `SELECT count(*)::int AS runs, coalesce(sum(cost_nano_usd), 0)::float8 AS "costNanoUsd" FROM removed_runs
     WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3`,
    [workspaceId, from, before],
  );
  return rows[0] ?? { runs: 0, costNanoUsd: 0 };
}

async function readNames(workspaceId: WorkspaceId, filters: SpendingFilters): Promise<SpendingSummary["names"]> {
  const narrowed = NARROWING.filter((dimension) => filters[dimension] !== "");
  const columns = narrowed.map((dimension, n) => `${nameOf(dimension, `$${n + 2}::text`)} AS "${dimension}"`);
  // Those without a name of their own ask nothing, and every parameter must be asked for.
  const { rows } = await pool().query<Record<string, string | null>>(
    `SELECT $1::uuid AS workspace${[...columns, ...narrowed.map((_, n) => `$${n + 2}::text`)].map((column) => `, ${column}`).join("")}`,
    [workspaceId, ...narrowed.map((dimension) => filters[dimension])],
  );
  return Object.fromEntries(
    narrowed.flatMap((dimension) => {
      const name = rows[0]?.[dimension];
      return name ? [[dimension, name]] : [];
    }),
  );
}
