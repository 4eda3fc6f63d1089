import { readByIndex } from "@/server/read-by-index";
import { COMPARED, LEAST_SIMILARITY } from "@/server/retrieval/ranked-pages";
import { vectorOfSearch } from "@/server/retrieval/vector-of-parts";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { RUN_VECTOR_VERSION } from "../rules";
import type { RunFilters } from "../schema";
import { runConditions } from "./run-conditions";

/** Whether runs are found by likeness to what is searched for. */
export const isRanked = ({ rank, search }: RunFilters) => rank === "likeness" && search !== "";

/**
 * Runs most like the words that are searched for, the most alike first, among the newest of the filter that have ended and whose vector is
 * made. Vectors have length 1, so the inner product is the cosine.
 */
export async function rankRuns(
  workspaceId: WorkspaceId,
  filters: RunFilters,
  { place, limit }: { place: number; limit: number },
): Promise<{ id: string; similarity: number }[]> {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = runConditions({ ...filters, search: "" }, bind);
  const wanted = bind(await vectorOfSearch(filters.search));
  return readByIndex<{ id: string; similarity: number }>(
    `WITH candidates AS MATERIALIZED (
       SELECT r.id FROM runs r WHERE ${conditions.join(" AND ")} ORDER BY r.created_at DESC, r.id LIMIT ${COMPARED}
     )
     SELECT x.id, least(1, x.similarity) AS similarity FROM (
       SELECT c.id, -(v.embedding <#> ${wanted}::vector) AS similarity
       FROM candidates c JOIN run_vectors v ON v.run_id = c.id AND v.version = ${RUN_VECTOR_VERSION}) x
     WHERE x.similarity >= ${LEAST_SIMILARITY} ORDER BY x.similarity DESC, x.id LIMIT ${bind(limit)} OFFSET ${bind(place)}`,
    values,
  );
}
