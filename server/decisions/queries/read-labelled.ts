import { pool } from "@/server/db";
import { findBlobs } from "@/server/runs/queries/blobs";
import { toInstant } from "@/server/runs/queries/instant";
import type { OfferedOption } from "@/server/runs/schema";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { DecisionFilters, DecisionLabel, DecisionRecord } from "../schema";
import { filterDecisions } from "./filter-decisions";
import { listLabels } from "./list-labels";
import { MODEL_OF } from "./model-of";
import { IMPORTED, OUTCOME } from "./outcome";

/** With all their options: small enough to be held at once. */
const DECISIONS_A_READ = 100;

/** A labelled decision as it leaves the installation: one line of the file. */
export type LabelledDecision = Omit<DecisionRecord, "labels" | "chosen"> & {
  agentId: string;
  /** Taken in a run that came from a file of another installation. */
  isImported: boolean;
  /** Without what became of each: `outcome` says it for all. */
  chosen: { option: string; label: string; reason: string | null }[];
  /** Only those that stand. Persons are named as they are on screen. */
  labels: Pick<DecisionLabel, "verdict" | "option" | "words" | "note" | "by" | "at">[];
};

type Row = Omit<LabelledDecision, "options" | "labels" | "at"> & { at: Date; optionsHash: string | null };

/**
 * Ids of the newest labelled decisions of a filter, the newest first, and how many there are in all. Each is looked up by its id
 * (OFFSET keeps it so): where nothing gathers statistics, a join would compare all with all.
 */
export async function findLabelled(
  workspaceId: WorkspaceId,
  filters: DecisionFilters,
  most: number,
): Promise<{ ids: string[]; total: number }> {
  const { conditions, values, bind } = filterDecisions(workspaceId, filters);
  const { rows } = await pool().query<{ id: string; total: number }>(
    `WITH labelled AS MATERIALIZED (SELECT DISTINCT decision_id AS id FROM decision_labels WHERE workspace_id = $1 AND ended_at IS NULL)
     SELECT d.id, (count(*) OVER ())::int AS total FROM labelled
     CROSS JOIN LATERAL (SELECT * FROM decisions d WHERE d.workspace_id = $1 AND d.id = labelled.id OFFSET 0) d
     WHERE ${conditions.join(" AND ")} ORDER BY d.at DESC, d.id LIMIT ${bind(most)}`,
    values,
  );
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

/** These decisions in their order, a few at a time. One that is deleted meanwhile is left out. */
export async function* readLabelled(
  workspaceId: WorkspaceId,
  ids: readonly string[],
): AsyncGenerator<LabelledDecision[]> {
  for (let from = 0; from < ids.length; from += DECISIONS_A_READ) {
    const rows = await readRows(workspaceId, ids.slice(from, from + DECISIONS_A_READ));
    yield await withParts(workspaceId, rows);
  }
}

async function readRows(workspaceId: WorkspaceId, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await pool().query<Row>(
    `SELECT d.id, d.run_id AS "runId", r.title AS "runTitle", d.agent_run_id AS "agentRunId", a.name AS "agentName",
       v.agent_id AS "agentId", v.number AS "agentVersion",
       ${MODEL_OF} AS model, d.kind, a.task,
       (SELECT json_agg(json_build_object('option', c ->> 'option', 'label', c ->> 'label', 'reason', c ->> 'reason') ORDER BY nth)
        FROM jsonb_array_elements(d.chosen) WITH ORDINALITY AS e (c, nth)) AS chosen,
       d.reason, d.source, ${OUTCOME} AS outcome, d.cost_so_far_nano_usd::float8 AS "costSoFarNanoUsd", d.at,
       ${IMPORTED} AS "isImported", d.options_hash AS "optionsHash"
     FROM unnest($2::uuid[]) WITH ORDINALITY AS x (id, place) JOIN decisions d ON d.workspace_id = $1 AND d.id = x.id
     JOIN runs r ON r.workspace_id = d.workspace_id AND r.id = d.run_id
     JOIN agent_runs a ON a.workspace_id = d.workspace_id AND a.id = d.agent_run_id
     JOIN agent_versions v ON v.workspace_id = d.workspace_id AND v.id = a.agent_version_id
     LEFT JOIN steps s ON s.agent_run_id = d.agent_run_id AND s.position = d.position
     LEFT JOIN usages u ON u.agent_run_id = d.agent_run_id AND u.position = d.position
     ORDER BY x.place`,
    [workspaceId, ids],
  );
  return rows;
}

async function withParts(workspaceId: WorkspaceId, rows: readonly Row[]): Promise<LabelledDecision[]> {
  const [blobs, labels] = await Promise.all([
    findBlobs(
      workspaceId,
      rows.flatMap(({ optionsHash }) => optionsHash ?? []),
    ),
    listLabels(
      workspaceId,
      rows.map(({ id }) => id),
    ),
  ]);
  return rows.map(({ optionsHash, at, chosen, ...row }) => ({
    ...row,
    options: JSON.parse(blobs.get(optionsHash ?? "") ?? "[]") as OfferedOption[],
    chosen: chosen ?? [],
    at: toInstant(at),
    labels: (labels.get(row.id) ?? [])
      .filter(({ endedAt }) => endedAt === null)
      .map(({ verdict, option, words, note, by, at: saidAt }) => ({ verdict, option, words, note, by, at: saidAt })),
  }));
}
