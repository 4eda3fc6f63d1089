import type pg from "pg";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { logger } from "@/server/logger";
import { hidingOf } from "@/server/secrets/redaction";
import { inTransaction } from "@/server/transaction";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { MOST_TAGS, type RunRefusal, type RunsChanged, tagKey } from "../list-schema";
import { NO_SUCH_RUN, uniqueTags } from "../rules";

/** Throws NOT_FOUND. */
export async function renameRun({
  scope: { workspaceId },
  runId,
  title,
}: {
  scope: Scope;
  runId: string;
  title: string;
}): Promise<{ title: string }> {
  const clean = (await hidingOf(workspaceId))(title);
  const { rowCount } = await pool().query(
    `WITH renamed AS (UPDATE runs SET title = $3 WHERE workspace_id = $1 AND id = $2 AND removing_at IS NULL RETURNING id)
     SELECT tell_changed($1, 'runs', id) FROM renamed`,
    [workspaceId, runId, clean],
  );
  if (!rowCount) throw new AppError("NOT_FOUND", NO_SUCH_RUN);
  return { title: clean };
}

/** The tags of a run from now on. Throws NOT_FOUND. */
export async function setTags({
  scope: { workspaceId },
  runId,
  tags,
}: {
  scope: Scope;
  runId: string;
  tags: readonly string[];
}): Promise<{ tags: string[] }> {
  const unique = uniqueTags((await hidingOf(workspaceId))(tags));
  await inTransaction(async (client) => {
    const [run] = await lockRuns(client, workspaceId, [runId]);
    if (!run) throw new AppError("NOT_FOUND", NO_SUCH_RUN);
    await client.query("DELETE FROM run_tags WHERE workspace_id = $1 AND run_id = $2", [workspaceId, runId]);
    await addTags(client, workspaceId, { runIds: [runId], tags: unique });
    await client.query("SELECT tell_changed($1, 'runs', $2)", [workspaceId, runId]);
  });
  return { tags: unique };
}

/** Adds tags to several runs and takes others away. One that would have too many stays as it is. */
export async function tagRuns({
  scope: { workspaceId },
  runIds,
  add,
  take,
}: {
  scope: Scope;
  runIds: readonly string[];
  add: readonly string[];
  take: readonly string[];
}): Promise<RunsChanged> {
  const adding = uniqueTags((await hidingOf(workspaceId))(add));
  return inTransaction(async (client) => {
    const runs = await lockRuns(client, workspaceId, runIds);
    const { rows: counts } = await client.query<{ runId: string; tags: number }>(
      `SELECT run_id AS "runId", count(*)::int AS tags FROM run_tags
       WHERE workspace_id = $1 AND run_id = ANY($2::uuid[]) AND NOT key = ANY($3::text[]) GROUP BY run_id`,
      [workspaceId, runIds, [...take, ...add].map(tagKey)],
    );
    const full = new Set(counts.filter(({ tags }) => tags + adding.length > MOST_TAGS).map(({ runId }) => runId));
    const changing = runs.filter(({ id }) => !full.has(id)).map(({ id }) => id);
    await client.query(
      "DELETE FROM run_tags WHERE workspace_id = $1 AND run_id = ANY($2::uuid[]) AND key = ANY($3::text[])",
      [workspaceId, changing, take.map(tagKey)],
    );
    await addTags(client, workspaceId, { runIds: changing, tags: adding });
    await client.query("SELECT tell_changed($1, 'runs', NULL)", [workspaceId]);
    const tooMany = runs
      .filter(({ id }) => full.has(id))
      .map(({ id, title }) => ({
        runId: id,
        title,
        why: `A run has at most ${MOST_TAGS} tags. Take some away first.`,
      }));
    return { done: changing.length, refused: [...missingOf(runIds, runs), ...tooMany] };
  });
}

/** Takes runs out of the list, or back into it. Nothing of them changes. */
export async function archiveRuns({
  scope: { workspaceId, userId },
  runIds,
  archived,
}: {
  scope: Scope;
  runIds: readonly string[];
  archived: boolean;
}): Promise<RunsChanged> {
  const done = await inTransaction(async (client) => {
    const runs = await lockRuns(client, workspaceId, runIds);
    await client.query(
      archived
        ? `UPDATE runs SET archived_at = now(), archived_by_id = $3
           WHERE workspace_id = $1 AND id = ANY($2::uuid[]) AND archived_at IS NULL AND $3::uuid IS NOT NULL`
        : `UPDATE runs SET archived_at = NULL, archived_by_id = NULL
           WHERE workspace_id = $1 AND id = ANY($2::uuid[]) AND $3::uuid IS NOT NULL`,
      [workspaceId, runs.map(({ id }) => id), userId],
    );
    await client.query("SELECT tell_changed($1, 'runs', NULL)", [workspaceId]);
    return { done: runs.length, refused: missingOf(runIds, runs) };
  });
  logger.info({ workspaceId, userId, runIds, archived }, archived ? "runs were archived" : "runs were taken back");
  return done;
}

type Locked = { id: string; title: string };

/** In one order, so that two who change the same runs at once wait for each other instead of for both. */
async function lockRuns(client: pg.ClientBase, workspaceId: WorkspaceId, runIds: readonly string[]): Promise<Locked[]> {
  const { rows } = await client.query<Locked>(
    `SELECT id, title FROM runs WHERE workspace_id = $1 AND id = ANY($2::uuid[]) AND removing_at IS NULL
     ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, runIds],
  );
  return rows;
}

function missingOf(asked: readonly string[], runs: readonly Locked[]): RunRefusal[] {
  const found = new Set(runs.map(({ id }) => id));
  return [...new Set(asked)].filter((id) => !found.has(id)).map((runId) => ({ runId, title: null, why: NO_SUCH_RUN }));
}

/** A tag that a run has already stays as it was written. */
async function addTags(
  client: pg.ClientBase,
  workspaceId: WorkspaceId,
  { runIds, tags }: { runIds: readonly string[]; tags: readonly string[] },
): Promise<void> {
  await client.query(
    `INSERT INTO run_tags (run_id, workspace_id, key, tag)
     SELECT r.id, $1, t.key, t.tag FROM unnest($2::uuid[]) AS r(id) CROSS JOIN unnest($3::text[], $4::text[]) AS t(key, tag)
     ON CONFLICT (run_id, key) DO NOTHING`,
    [workspaceId, runIds, tags.map(tagKey), tags],
  );
}
