import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { type ListRunsInput, listRunsInput } from "@/server/runs/list-schema";
import { countRuns } from "@/server/runs/queries/count-runs";
import { listRuns } from "@/server/runs/queries/list-runs";
import { runCounts, runPage } from "@/server/runs/schema";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aRun, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun, SAMPLE_STATES } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("the list of runs on the %s database", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  let workspaceId: WorkspaceId;
  let team: TeamFixture;
  beforeAll(async () => {
    workspaceId = await aWorkspace(db());
    scope = await aMember(db(), workspaceId);
    team = await aTeam(db(), workspaceId);
  });
  const list = async (input: Partial<ListRunsInput> = {}, where = workspaceId) =>
    runPage.parse(await listRuns(where, listRunsInput.parse(input)));

  test("is complete and repeats nothing while runs start, also those of one millisecond", async () => {
    const instants = [0, 1, 1, 1, 1, 2, 3, 3, 4].map((ms) => new Date(Date.UTC(2026, 0, 1) + ms));
    const ids: string[] = [];
    for (let round = 0; round < 3; round++) {
      for (const createdAt of instants) ids.push((await aRun(db(), workspaceId, team, { createdAt })).id);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ cursor, limit: 4 });
      seen.push(...page.items.map(({ id }) => id));
      await aRun(db(), workspaceId, team, { title: "Started meanwhile" });
      cursor = page.nextCursor;
    } while (cursor);

    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort()).toEqual(expect.arrayContaining([...ids].sort()));
    const times = (await list({ limit: 100 })).items.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  test("from each run leads to those before and after it, as the list has them, filtered or not", async () => {
    const place = await aWorkspace(db());
    const owner = await aMember(db(), place);
    const desk = await aTeam(db(), place);
    for (const [at, ms] of [0, 1, 1, 1, 2].entries()) {
      const columns = { createdAt: new Date(Date.UTC(2026, 0, 1) + ms), title: at % 2 === 0 ? "Even" : "Odd" };
      await aRun(db(), place, desk, columns);
    }
    const { runs } = callerOf(owner);
    for (const search of ["", "even"]) {
      const ids = (await list({ search }, place)).items.map(({ id }) => id);
      expect(ids.length).toBe(search ? 3 : 5);
      for (const [at, runId] of ids.entries()) {
        expect(await runs.neighbour({ runId, which: "older", search })).toEqual({ runId: ids[at + 1] ?? null });
        expect(await runs.neighbour({ runId, which: "newer", search })).toEqual({ runId: ids[at - 1] ?? null });
      }
    }
    // One that the filter leaves out leads to those around it.
    const [all, even] = [await list({}, place), await list({ search: "even" }, place)];
    const odd = all.items.find(({ title }) => title === "Odd")?.id ?? "";
    const around = await Promise.all(
      (["newer", "older"] as const).map((which) => runs.neighbour({ runId: odd, which, search: "even" })),
    );
    const at = all.items.findIndex(({ id }) => id === odd);
    const evenIds = new Set(even.items.map(({ id }) => id));
    const ids = all.items.map(({ id }) => id);
    expect(around).toEqual([
      { runId: ids.slice(0, at).findLast((id) => evenIds.has(id)) ?? null },
      { runId: ids.slice(at).find((id) => evenIds.has(id)) ?? null },
    ]);
    await expect(callerOf(scope).runs.neighbour({ runId: odd, which: "older" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("refuses a cursor it did not give", async () => {
    await expect(list({ cursor: "1; DROP TABLE runs" })).rejects.toMatchObject({ code: "INVALID" });
  });

  test("searches title, request and answer for the very characters typed", async () => {
    const found = await aRun(db(), workspaceId, team, { title: "Save 100%_of C:\\temp", input: "Nothing more" });
    const other = await aRun(db(), workspaceId, team, { title: "Other", input: "Save 1000 of everything" });
    const search = async (text: string) => (await list({ search: text })).items.map(({ id }) => id);
    expect(await search("100%_OF c:\\")).toEqual([found.id]);
    expect(await search("nothing MORE")).toEqual([found.id]);
    expect(await search("save 100")).toEqual(expect.arrayContaining([found.id, other.id]));
    expect(await search("%%%")).toEqual([]);
    const answered = await aRun(db(), workspaceId, team, { title: "Answered", answer: "It is in the GRÜNE Mappe." });
    expect(await search("in the gr")).toEqual([answered.id]);
    // Whether other letters than plain ones are found large and small is up to the database's locale.
    const { rows } = await pool().query("SELECT 'Ü' ILIKE 'ü' AS folds");
    expect(await search("grüne MAPPE")).toEqual(rows[0].folds ? [answered.id] : []);
    expect(await search("GRÜNE mappe")).toEqual([answered.id]);
  });

  test("filters by what a person looks for, and stays in its workspace", async () => {
    const owner = await aMember(db(), await aWorkspace(db()));
    const desk = await aSampleTeam(db(), owner.workspaceId);
    const ids: Record<string, string> = {};
    for (const state of SAMPLE_STATES) {
      ids[state] = await insertSampleRun(db(), { ...owner, team: desk, startedById: owner.userId, state });
    }
    const filtered = async (status: ListRunsInput["status"]) =>
      (await list({ status }, owner.workspaceId)).items.map(({ id }) => id).sort();
    const of = (...states: (typeof SAMPLE_STATES)[number][]) => states.map((state) => ids[state]).sort();
    expect(await filtered([])).toEqual(of("finished", "live", "waiting", "failed"));
    expect(await filtered(["active"])).toEqual(of("live", "waiting"));
    expect(await filtered(["waiting"])).toEqual(of("waiting"));
    expect(await filtered(["failed"])).toEqual(of("failed"));
    expect(await filtered(["finished"])).toEqual(of("finished", "failed"));
    expect(await filtered(["failed", "waiting"])).toEqual(of("waiting", "failed"));
    expect(await filtered(["completed", "running"])).toEqual(of("finished", "live"));
    expect(await filtered(["paused"])).toEqual([]);
  });

  test("tells of each run who works and at what", async () => {
    const owner = await aMember(db(), await aWorkspace(db()));
    const desk = await aSampleTeam(db(), owner.workspaceId);
    await insertSampleRun(db(), { ...owner, team: desk, startedById: owner.userId, state: "live" });
    await insertSampleRun(db(), { ...owner, team: desk, state: "finished" });
    const [finished, live] = (await list({}, owner.workspaceId)).items.sort((a, b) => a.status.localeCompare(b.status));
    expect(finished).toMatchObject({
      status: "completed",
      target: { kind: "team", id: desk.teamId, name: "Handbook desk", version: 1 },
      agents: { total: 3, running: 0 },
      doing: null,
      startedBy: null,
      finishedAt: expect.stringMatching(/Z$/),
    });
    expect(live).toMatchObject({
      status: "running",
      agents: { total: 3, running: 3 },
      doing: "Searcher: general-1",
      startedBy: owner.userName,
    });
  });

  test("says since when a run is held", async () => {
    const owner = await aMember(db(), await aWorkspace(db()));
    const team = await aTeam(db(), owner.workspaceId);
    const held = await aRun(db(), owner.workspaceId, team, {
      status: "paused",
      heldAt: new Date("2026-01-02T03:04:05.678Z"),
    });
    const moving = await aRun(db(), owner.workspaceId, team, { status: "running" });
    const { items } = await list({}, owner.workspaceId);
    expect(new Map(items.map(({ id, heldAt }) => [id, heldAt]))).toEqual(
      new Map([
        [held.id, "2026-01-02T03:04:05.678Z"],
        [moving.id, null],
      ]),
    );
  });

  test("is summed up for the home page", async () => {
    const owner = await aMember(db(), await aWorkspace(db()));
    const desk = await aSampleTeam(db(), owner.workspaceId);
    const runIds: string[] = [];
    for (const state of SAMPLE_STATES) {
      runIds.push(await insertSampleRun(db(), { ...owner, team: desk, startedById: owner.userId, state }));
    }
    const { items } = await list({}, owner.workspaceId);
    const spent = items.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
    const counts = runCounts.parse(await countRuns(owner.workspaceId));
    expect(counts).toMatchObject({ active: 2, activeArchived: 0, waiting: 1, failedLastDay: 1 });
    // The samples take a minute and a half: near midnight a part of them belongs to yesterday.
    expect(counts.spentTodayNanoUsd).toBeLessThanOrEqual(spent);
    await db().step.updateMany({ where: { runId: { in: runIds } }, data: { finishedAt: new Date() } });
    await db().run.updateMany({ where: { finishedAt: { not: null } }, data: { finishedAt: new Date() } });
    expect((await countRuns(owner.workspaceId)).spentTodayNanoUsd).toBe(spent);
    await db().step.updateMany({
      where: { runId: { in: runIds } },
      data: { finishedAt: new Date(Date.now() - 864e5) },
    });
    expect((await countRuns(owner.workspaceId)).spentTodayNanoUsd).toBe(0);
    expect(await countRuns(scope.workspaceId)).toMatchObject({ waiting: 0, failedLastDay: 0, spentTodayNanoUsd: 0 });
  });
});
