import { readByIndex } from "@/server/read-by-index";
import { cosine, isOf } from "@/server/retrieval/compared-by";
import { COMPARED } from "@/server/retrieval/ranked-pages";
import { searchVector } from "@/server/retrieval/search-vector";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RunFilters } from "../list-schema";
import { RUN_VECTOR_VERSION } from "../rules";
import { runConditions } from "./run-conditions";

/** Whether runs are found by likeness, or by meaning, to what is searched for. */
export const isRanked = ({ rank, search }: RunFilters) => rank === "likeness" && search !== "";

/**
 * Runs most like the words that are searched for, the most alike first, among the newest of the filter that have ended and whose vector is
 * made. Vectors have length 1, so the inner product is the cosine. Throws NOT_READY when the model that finds by meaning does not answer.
 */
export async function rankRuns(
  workspaceId: WorkspaceId,
  filters: RunFilters,
  { place, limit }: { place: number; limit: number },
): Promise<{ id: string; similarity: number }[]> {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = runConditions({ ...filters, search: "" }, bind);
  const { text, model, dims, least } = await searchVector(workspaceId, filters.search);
  const by = { model: bind(model), dims: bind(dims) };
  return readByIndex<{ id: string; similarity: number }>(
    `WITH candidates AS MATERIALIZED (
       SELECT r.id FROM runs r WHERE ${conditions.join(" AND ")} ORDER BY r.created_at DESC, r.id LIMIT ${COMPARED}
     ), alike AS MATERIALIZED (
       SELECT c.id, ${cosine("v.embedding", { dims: by.dims, wanted: bind(text) })} AS similarity
       FROM candidates c JOIN run_vectors v ON v.run_id = c.id AND ${isOf(RUN_VECTOR_VERSION, by)}
     )
     SELECT x.id, least(1, x.similarity) AS similarity FROM alike x
     WHERE x.similarity >= ${bind(least)} ORDER BY x.similarity DESC, x.id LIMIT ${bind(limit)} OFFSET ${bind(place)}`,
    values,
  );
}
