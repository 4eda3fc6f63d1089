import { v7 as uuid } from "uuid";
import { afterEach, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { WorkHub } from "@/server/engine/hub";
import { hashOf } from "@/server/engine/ids";
import { measureWorkspace } from "@/server/usage/jobs/measure-workspace";
import { startUpkeep } from "@/server/usage/jobs/upkeep";
import type { Retention } from "@/server/usage/schema";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aRun, aWorkspace, type TeamFixture } from "../support/factories";
import { aBase, aLiveDocument } from "../support/knowledge";
import { eventually } from "../support/launcher-process";
import { aSampleTeam, insertSampleRun } from "../support/sample-run";
import { useDatabase } from "../support/use-database";

const KEEP: Retention = { runDays: null, conversationDays: null, uploadDays: null };
const DAY_MS = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const BATCH = 12;

describe.each(DATABASE_KINDS)("what a workspace keeps (%s)", (kind) => {
  const database = useDatabase(kind);
  const toClose: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of toClose.splice(0).reverse()) await one.close();
  });

  type Place = { scope: Scope; team: TeamFixture; usage: ReturnType<typeof callerOf>["usage"] };
  async function aPlace(): Promise<Place> {
    const scope = await aMember(db(), await aWorkspace(db()));
    return { scope, team: await aSampleTeam(db(), scope.workspaceId), usage: callerOf(scope).usage };
  }
  /** Whoever asks whether a worker lives looks for its heartbeat. */
  async function work(workerId = `worker-${uuid()}`) {
    await db().worker.create({ data: { id: workerId, host: "here", pid: 1 } });
    const hub = new WorkHub(database().url);
    await hub.listen();
    const upkeep = startUpkeep({ workerId, hub });
    toClose.push(hub, upkeep);
    return upkeep;
  }
  /** Closes when so much was removed, between two removals. */
  async function workUntil(scope: Scope, items: number) {
    const upkeep = await work();
    await eventually("some of it is removed", async () => {
      const cleanup = await db().cleanup.findFirst({ where: { workspaceId: scope.workspaceId } });
      const removed = cleanup?.removed as { runs?: { items: number } } | undefined;
      return (removed?.runs?.items ?? 0) >= items;
    });
    await upkeep.close();
  }
  const finished = async (id: string) => {
    await eventually("the cleanup ends", async () => (await db().cleanup.findUnique({ where: { id } }))?.finishedAt);
    return db().cleanup.findUniqueOrThrow({ where: { id } });
  };
  const anOldRun = ({ scope, team }: Place, days: number, columns: Parameters<typeof aRun>[3] = {}) =>
    aRun(db(), scope.workspaceId, team, { status: "completed", finishedAt: daysAgo(days), ...columns });
  async function aConversation({ scope, team }: Place, days: number) {
    return db().conversation.create({
      data: {
        id: uuid(),
        workspaceId: scope.workspaceId,
        title: "A talk",
        teamId: team.teamId,
        updatedAt: daysAgo(days),
      },
    });
  }
  const age = (runId: string, days: number) =>
    db().run.update({ where: { id: runId }, data: { finishedAt: daysAgo(days) } });
  const rowsOf = ({ scope }: Place) => ({ where: { workspaceId: scope.workspaceId } });
  const runIds = async ({ scope }: Place) =>
    (await db().run.findMany({ where: { workspaceId: scope.workspaceId } })).map(({ id }) => id).sort();
  const hashesIn = async ({ scope }: Place) =>
    new Set((await db().blob.findMany({ where: { workspaceId: scope.workspaceId } })).map(({ hash }) => hash));
  const measure = ({ scope }: Place) => measureWorkspace(scope.workspaceId, AbortSignal.timeout(60_000));
  /** Rows that name a run or an agent run that is gone. */
  async function orphans(): Promise<number> {
    const tables = ["events", "agent_runs", "steps", "decisions", "usages", "human_requests", "citations"];
    const counts = tables.map(
      (table) => `(SELECT count(*) FROM ${table} t WHERE NOT EXISTS (SELECT FROM runs r WHERE r.id = t.run_id))`,
    );
    const { rows } = await pool().query(
      `SELECT (${counts.join(" + ")} + (SELECT count(*) FROM messages m WHERE NOT EXISTS (SELECT FROM agent_runs a WHERE a.id = m.agent_run_id)))::int AS n`,
    );
    return rows[0].n;
  }

  test("is measured by kind: what ended once, what runs again and again", async () => {
    const place = await aPlace();
    const { scope, team, usage } = place;
    const runId = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "finished" });
    const live = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "live" });
    const conversation = await aConversation(place, 1);
    const baseId = await aBase(db(), scope.workspaceId);
    const texts = Array.from({ length: 120 }, (_, n) => `Passage number${n} about trains, tracks and timetables.`);
    await aLiveDocument(db(), { workspaceId: scope.workspaceId, baseId }, ...texts);
    expect(await usage.get()).toMatchObject({ measuredAt: null });
    await measure(place);
    const { kinds, totalBytes, measuredAt } = await usage.get();
    const of = Object.fromEntries(kinds.map(({ kind, items, bytes }) => [kind, { items, bytes }]));
    expect(of).toMatchObject({
      files: { items: 1, bytes: 1 },
      passages: { items: 120 },
      runs: { items: 2 },
      conversations: { items: 1 },
      leftovers: { items: 0, bytes: 0 },
    });
    // Vectors of 256 numbers and more are most of what a passage takes.
    expect(of.passages?.bytes).toBeGreaterThan(120 * 500);
    expect(of.values?.items).toBe((await hashesIn(place)).size);
    expect(of.runs?.bytes).toBeGreaterThan(5_000);
    expect(totalBytes).toBe(kinds.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(measuredAt).not.toBeNull();
    // What ended is measured once; what runs, each time.
    const stored = await db().run.findMany({ where: { id: { in: [runId, live] } }, orderBy: { createdAt: "asc" } });
    expect(stored.map(({ status, keptBytes }) => [status, keptBytes === null])).toContainEqual(["completed", false]);
    expect(stored.map(({ status, keptBytes }) => [status, keptBytes === null])).toContainEqual(["running", true]);
    await db().conversation.delete({ where: { id: conversation.id } });
    await measure(place);
    expect((await usage.get()).kinds.find(({ kind }) => kind === "conversations")).toMatchObject({
      items: 0,
      bytes: 0,
    });
  });

  test("a dry run removes nothing, and a cleanup removes exactly what it showed", async () => {
    const place = await aPlace();
    const { scope, team, usage } = place;
    const old = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "finished" });
    await age(old, 40);
    const repeat = await anOldRun(place, 1, { rerunOfId: old });
    const young = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "failed" });
    const live = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "live" });
    const waiting = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "waiting" });
    await db().run.updateMany({ where: { id: { in: [live, waiting] } }, data: { createdAt: daysAgo(40) } });
    const kept = await aConversation(place, 5);
    const keptTurn = await anOldRun(place, 40, { conversationId: kept.id });
    const gone = await aConversation(place, 40);
    const goneTurn = await anOldRun(place, 40, { conversationId: gone.id });
    const attachments = await aBase(db(), scope.workspaceId, { conversationId: gone.id });
    await aLiveDocument(db(), { workspaceId: scope.workspaceId, baseId: attachments }, "An attachment.");
    await db().document.updateMany({ where: { baseId: attachments }, data: { createdAt: daysAgo(40) } });
    const unused = await db().file.create({
      data: {
        ...{ id: uuid(), workspaceId: scope.workspaceId, name: "unused.txt", mediaType: "text/plain", sizeBytes: 77n },
        ...{ status: "stored", touchedAt: daysAgo(40) },
      },
    });
    const before = await runIds(place);

    const rules = { runDays: 30, conversationDays: 30, uploadDays: 30 };
    const shown = await usage.preview(rules);
    expect(shown.kinds.map(({ kind, items }) => [kind, items])).toEqual([
      ["runs", 1],
      ["conversations", 1],
      ["uploads", 1],
    ]);
    expect(shown.kinds[0]).toMatchObject({ samples: [{ id: old, href: `/runs/${old}` }] });
    expect(shown.kinds[0]?.bytes).toBeGreaterThan(5_000);
    expect(shown.kinds[2]).toMatchObject({ bytes: 77, samples: [{ title: "unused.txt", href: null }] });
    expect(await runIds(place)).toEqual(before);

    await work();
    const { cleanupId } = await usage.clean({ ...rules, asOf: shown.asOf });
    const { removed } = await finished(cleanupId);
    expect(removed).toEqual(Object.fromEntries(shown.kinds.map(({ kind, items, bytes }) => [kind, { items, bytes }])));
    expect(await runIds(place)).toEqual([repeat.id, young, live, waiting, keptTurn.id].sort());
    expect(before).toContain(goneTurn.id);
    expect(await db().run.findUnique({ where: { id: repeat.id } })).toMatchObject({ rerunOfId: null });
    expect((await db().conversation.findMany(rowsOf(place))).map(({ id }) => id)).toEqual([kept.id]);
    expect(await db().file.findUnique({ where: { id: unused.id } })).toBeNull();
    expect(await db().document.count(rowsOf(place))).toBe(0);
    expect(await db().humanRequest.count({ where: { runId: waiting, status: "open" } })).toBe(1);
    expect(await orphans()).toBe(0);
    expect(await usage.preview(rules)).toMatchObject({ kinds: [{ items: 0 }, { items: 0 }, { items: 0 }] });
    const { cleanups } = await usage.get();
    expect(cleanups).toMatchObject([{ id: cleanupId, startedBy: scope.userName, removed }]);
  });

  test("large values of a run that is kept survive; those nobody names any more are swept", async () => {
    const place = await aPlace();
    const { scope, team, usage } = place;
    const sampled = { workspaceId: scope.workspaceId, team };
    const kept = await insertSampleRun(db(), { ...sampled, state: "finished" });
    const needed = await hashesIn(place);
    const old = await insertSampleRun(db(), { ...sampled, state: "finished" });
    await age(old, 40);
    // Only the old run names this one, and another value is left over from something deleted earlier.
    const [own, left] = ["only the old run's options", "nobody's"];
    for (const content of [own, left]) {
      await db().blob.create({ data: { workspaceId: scope.workspaceId, hash: hashOf(content), part: 0, content } });
    }
    const decision = await db().decision.findFirstOrThrow({ where: { runId: old } });
    await db().decision.updateMany({ where: { id: decision.id }, data: { optionsHash: hashOf(own) } });
    await measure(place);
    expect(await hashesIn(place)).toEqual(new Set([...needed, hashOf(own)]));

    await work();
    const { asOf } = await usage.preview({ ...KEEP, runDays: 30 });
    await finished((await usage.clean({ ...KEEP, runDays: 30, asOf })).cleanupId);
    await eventually("the value is swept", async () => !(await hashesIn(place)).has(hashOf(own)));
    expect(await hashesIn(place)).toEqual(needed);
    expect(await runIds(place)).toEqual([kept]);
  });

  test("a value that a run stores again while it is swept is there when the run names it", async () => {
    const place = await aPlace();
    const { scope, team } = place;
    const runId = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "live" });
    const decision = await db().decision.findFirstOrThrow({ where: { runId } });
    const content = "options that were left over";
    const hash = hashOf(content);
    const store = "INSERT INTO blobs (workspace_id, hash, part, content) VALUES ($1, $2, 0, $3) ON CONFLICT DO NOTHING";
    await pool().query(store, [scope.workspaceId, hash, content]);
    const client = await pool().connect();
    await client.query("begin");
    // Nothing is written: the value is there. What names it is not committed yet.
    await client.query(store, [scope.workspaceId, hash, content]);
    let isOver = false;
    const measuring = measure(place).finally(() => {
      isOver = true;
    });
    await client.query("UPDATE decisions SET options_hash = $2 WHERE id = $1", [decision.id, hash]);
    if (kind === "postgres") {
      await eventually("the sweep waits for the writer, or leaves it for another time", async () => {
        const { rows } = await pool().query(
          "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND mode = 'ShareRowExclusiveLock'",
        );
        return isOver || rows[0].n > 0;
      });
    }
    await client.query("commit");
    client.release();
    await measuring;
    expect(await hashesIn(place)).toContain(hash);
  });

  test("a cleanup cut off in the middle is finished by another worker, and counts each thing once", async () => {
    const place = await aPlace();
    for (let n = 0; n < BATCH; n++) {
      const old = await anOldRun(place, 40 + n);
      // Long ones take a while, so that there is a middle.
      await pool().query(
        "SELECT append_events((SELECT json_agg(json_build_object('r', $1::uuid, 'kind', 'run.note', 'body', json_build_object('n', n))) FROM generate_series(1, 300) n), NULL)",
        [old.id],
      );
    }
    const rules = { ...KEEP, runDays: 30 };
    const { asOf, kinds } = await place.usage.preview(rules);
    expect(kinds[0]?.items).toBe(BATCH);
    const { cleanupId } = await place.usage.clean({ ...rules, asOf });
    await expect(place.usage.clean({ ...rules, asOf })).rejects.toThrow("A cleanup is under way. Wait until it ends.");
    await workUntil(place.scope, 1);
    // As if it had been killed: its claim stands, its heartbeat does not.
    await db().cleanup.updateMany({ where: { id: cleanupId }, data: { workerId: "killed" } });
    const cut = await db().cleanup.findUniqueOrThrow({ where: { id: cleanupId } });
    const soFar = (cut.removed as { runs: { items: number } }).runs.items;
    expect(await db().run.count(rowsOf(place))).toBe(BATCH - soFar);

    // Two workers want it; one gets it.
    await Promise.all([work(), work()]);
    const { removed } = await finished(cleanupId);
    expect(removed).toEqual({ runs: { items: BATCH, bytes: kinds[0]?.bytes } });
    expect(await db().run.count(rowsOf(place))).toBe(0);
    expect(await orphans()).toBe(0);
  });

  test("the daily job removes by the saved rules and says so; nothing is removed while they are off", async () => {
    const place = await aPlace();
    await anOldRun(place, 40);
    await anOldRun(place, 10);
    await work();
    await eventually("it was measured", async () => (await place.usage.get()).measuredAt !== null);
    expect(await db().cleanup.count(rowsOf(place))).toBe(0);
    expect(await place.usage.get()).toMatchObject({ nextCleanupAt: null, cleanups: [] });

    await place.usage.saveRetention({ ...KEEP, runDays: 30 });
    const { nextCleanupAt } = await place.usage.get();
    expect(Date.parse(nextCleanupAt ?? "")).toBeGreaterThan(Date.now() + DAY_MS / 2);
    expect(await db().run.count(rowsOf(place))).toBe(2);
    // A day later.
    await db().workspaceUpkeep.updateMany({ data: { cleanDueAt: daysAgo(0) } });
    await work();
    const row = await eventually("the daily cleanup ends", () =>
      db().cleanup.findFirst({ where: { ...rowsOf(place).where, finishedAt: { not: null } } }),
    );
    expect(row).toMatchObject({ startedById: null, removed: { runs: { items: 1 } } });
    expect(await db().run.count(rowsOf(place))).toBe(1);
    expect((await place.usage.get()).cleanups).toMatchObject([{ startedBy: null, removed: { runs: { items: 1 } } }]);
  });

  test("nothing is removed without a rule, ahead of time, or by somebody who is no owner", async () => {
    const place = await aPlace();
    const asOf = new Date().toISOString();
    await expect(place.usage.clean({ ...KEEP, asOf })).rejects.toThrow(
      "Say what to delete: every kind is kept for ever.",
    );
    const ahead = new Date(Date.now() + DAY_MS).toISOString();
    await expect(place.usage.clean({ ...KEEP, runDays: 1, asOf: ahead })).rejects.toThrow(
      "This dry run lies in the future.",
    );
    const editor = callerOf(await aMember(db(), place.scope.workspaceId, "editor")).usage;
    const refused = "Only an owner may do this.";
    await expect(editor.clean({ ...KEEP, runDays: 1, asOf })).rejects.toThrow(refused);
    await expect(editor.preview({ ...KEEP, runDays: 1 })).rejects.toThrow(refused);
    await expect(editor.saveRetention({ ...KEEP, runDays: 1 })).rejects.toThrow(refused);
    expect(await db().cleanup.count(rowsOf(place))).toBe(0);
  });
});
