import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { BUILT_IN_DIMS, BUILT_IN_MODEL } from "./built-in-embedder";

/** Whose vectors a workspace's runs and decisions are compared by: "built-in" or "provider/model", and how many numbers each has. */
export type ComparedBy = { model: string; dims: number };

export const BUILT_IN: ComparedBy = { model: BUILT_IN_MODEL, dims: BUILT_IN_DIMS };

/** Vectors `v` that can be compared with today's: made so, by that model. Takes the names of the parameters. */
export const isOf = (version: number, { model, dims }: { model: string; dims: string }) =>
  `v.version = ${version} AND v.model = ${model} AND v.dims = ${dims} AND NOT v.refused`;

/** How alike a vector `v` is to the wanted one. The database may look at it before it has left out those of other lengths, which cannot be compared. */
export const cosine = (embedding: string, { dims, wanted }: { dims: string; wanted: string }) =>
  `CASE WHEN v.dims = ${dims} THEN -(${embedding} <#> ${wanted}::vector) END`;

/** A row of `v` in place of which none is made: today's, or one of a newer worker. */
export const isMade = (version: number, { model, dims }: { model: string; dims: string }) =>
  `(v.version > ${version} OR v.version = ${version} AND v.model = ${model} AND v.dims = ${dims})`;

/** What a vector replaces when it is stored: one of an older way or of another model. */
export const replacesStored = (table: string) =>
  `(${table}.version < excluded.version OR ${table}.version = excluded.version
     AND (${table}.model, ${table}.dims) IS DISTINCT FROM (excluded.model, excluded.dims))`;

/** Holds while the workspace $1 still compares by that model: a vector of another one must not replace one that was paid for. */
export const isStillChosen = ({ model, dims }: { model: string; dims: string }) =>
  `NOT EXISTS (SELECT 1 FROM finding_settings f WHERE f.workspace_id = $1 AND (f.embedding_model, f.dims) IS DISTINCT FROM (${model}::text, ${dims}::int))
   AND (${model}::text = '${BUILT_IN_MODEL}' OR EXISTS (SELECT 1 FROM finding_settings f WHERE f.workspace_id = $1))`;

/** What the workspace chose; the built-in way unless it did. */
export async function comparedBy(workspaceId: WorkspaceId): Promise<ComparedBy> {
  const { rows } = await pool().query<ComparedBy>({
    name: "compared_by",
    text: "SELECT embedding_model AS model, dims FROM finding_settings WHERE workspace_id = $1",
    values: [workspaceId],
  });
  return rows[0] ?? BUILT_IN;
}
