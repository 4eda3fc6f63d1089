import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ListSpendingInput, SpendingFilters, SpendingGroup } from "../schema";
import { callsOf } from "./calls-of";
import { nameOf } from "./names-sql";
import { readCalls } from "./read-calls";
import { CALL_COLUMNS, SUMS, type SumsRow, toSums } from "./sums-sql";

type Row = SumsRow & { key: string; name: string | null; all_cost: number; total: number };

/** What the list is sorted by, most first. */
const ORDERS: Record<Exclude<SpendingFilters["sort"], "">, string> = {
  cost: `g."costNanoUsd"`,
  calls: "g.calls",
  failed: "g.failed",
  input: `g."inputTokens"`,
  cached: `g."cachedTokens"`,
  output: `g."outputTokens"`,
  reasoning: `g."reasoningTokens"`,
  firstToken: "g.first_token[1]",
  duration: `g."durationMs"`,
};

/**
 * Calls of a filter by what they belong to: what they used and cost, and how soon they were answered (LLM-OBS-08, -09, -10). Throws
 * INVALID for a cursor that is not ours.
 */
export async function listGroups(
  workspaceId: WorkspaceId,
  { cursor, limit, direction: _, ...filters }: ListSpendingInput,
): Promise<{ items: SpendingGroup[]; total: number; nextCursor: string | null }> {
  const place = placeOf(cursor);
  const by = filters.by === "" || filters.by === "call" ? "agent" : filters.by;
  const { from, conditions, values, bind, key, surfaces } = await callsOf(workspaceId, filters, { sums: true });
  const byCost = `g."costNanoUsd" DESC, g."inputTokens" + g."outputTokens" DESC, g.calls DESC`;
  const order = filters.sort
    ? `${ORDERS[filters.sort]} DESC NULLS LAST, ${byCost}`
    : by === "day"
      ? "g.key DESC"
      : byCost;
  const rows = await readCalls<Row>(
    `WITH calls AS MATERIALIZED (
       SELECT ${key(by)} AS key, ${CALL_COLUMNS} FROM ${from} WHERE ${conditions.join(" AND ")}
     ), groups AS (SELECT c.key, ${SUMS} FROM calls c GROUP BY c.key)
     SELECT x.*, ${nameOf(by, "x.key")} AS name FROM (
       SELECT g.*, sum(g."costNanoUsd") OVER () AS all_cost, (count(*) OVER ())::int AS total
       FROM groups g ORDER BY ${order}, g.key LIMIT ${bind(limit + 1)} OFFSET ${bind(place)}
     ) x`,
    values,
  );
  const surfaceNames = new Map([...surfaces.values()].map(({ hash, names }) => [hash, names.join(", ")]));
  return {
    items: rows.slice(0, limit).map(({ key: of, name, all_cost, total: __, ...row }) => ({
      ...toSums(row),
      key: of,
      name: by === "tools" ? (surfaceNames.get(of) ?? null) : name,
      share: all_cost > 0 ? row.costNanoUsd / all_cost : null,
    })),
    total: rows[0]?.total ?? 0,
    nextCursor: rows.length > limit ? String(place + limit) : null,
  };
}

/** Where a page begins: groups are put in order anew for each. */
function placeOf(cursor: string | null | undefined): number {
  if (!cursor) return 0;
  if (!/^\d{1,6}$/.test(cursor)) {
    throw new AppError("INVALID", "This page of the list no longer exists. Open the list again.");
  }
  return Number(cursor);
}
