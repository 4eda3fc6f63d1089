import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { prepareWorkspace } from "@/server/decisions/jobs/prepare-precedents";
import { prepareRuns, startPreparingRuns } from "@/server/runs/jobs/prepare-run-vectors";
import { deleteRun } from "@/server/usage/jobs/remove-run";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aRun, aWorkspace, type TeamFixture } from "../support/factories";
import { eventually } from "../support/launcher-process";
import { aSampleTeam, insertSampleRun } from "../support/sample-run";
import { useDatabase } from "../support/use-database";

const NEVER = new AbortController().signal;
const LONG_AGO = new Date(0);

const TEXTS = [
  ["Refund the parcel that arrived damaged.", "The customer gets 30 euros back for the damaged parcel."],
  ["Translate the price list into French.", "Forty lines of prices are translated."],
  ["Plan the move of the north warehouse.", "The shelves go first, then the office."],
] as const;

describe.each(DATABASE_KINDS)("finding by likeness (%s)", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  let team: TeamFixture;
  let ids: string[];
  const api = () => callerOf(scope);

  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    team = await aSampleTeam(db(), scope.workspaceId);
    ids = [];
    for (const [input, answer] of TEXTS) {
      const { id } = await aRun(db(), scope.workspaceId, team, { title: input, input, answer, status: "completed" });
      ids.push(id);
    }
    await aRun(db(), scope.workspaceId, team, { input: "Refund a damaged parcel at once.", status: "running" });
    const stranger = await aWorkspace(db());
    await aRun(db(), stranger, await aSampleTeam(db(), stranger), {
      ...{ input: "Refund the damaged parcel.", status: "completed" },
    });
    await prepareRuns(stranger, LONG_AGO, NEVER);
    await prepareRuns(scope.workspaceId, LONG_AGO, NEVER);
  });

  test("runs that have ended get a vector each, others none", async () => {
    const made = await db().runVector.findMany({ where: { workspaceId: scope.workspaceId } });
    expect(made.map(({ runId }) => runId).sort()).toEqual([...ids].sort());
    expect(new Set(made.map(({ dims }) => dims))).toEqual(new Set([480]));
  });

  test("the most alike run comes first, in whatever order and form the words are", async () => {
    const find = (search: string) => api().runs.list({ search, rank: "likeness" });
    const { items } = await find("damaged parcels, refunded");
    expect(items[0]?.id).toBe(ids[0]);
    expect(items[0]?.similarity).toBeGreaterThan(0.3);
    expect(items.map(({ similarity = 0 }) => similarity)).toEqual(
      items.map(({ similarity = 0 }) => similarity).sort((a, b) => b - a),
    );
    expect((await find("warehouse moving plans")).items[0]?.id).toBe(ids[2]);
    expect((await find("zzz qqq xxx")).items).toEqual([]);
    // The very words, in that order, are nowhere.
    expect((await api().runs.list({ search: "damaged parcels, refunded" })).items).toEqual([]);
  });

  test("without words to compare with it is the usual list", async () => {
    const { items } = await api().runs.list({ rank: "likeness" });
    expect(items).toHaveLength(4);
    expect(items[0]?.similarity).toBeUndefined();
  });

  test("is narrowed by the other filters, page by page, and for what is done to all that match", async () => {
    const [one, two] = [ids[0] ?? "", ids[1] ?? ""];
    await api().runs.tag({ runIds: [two], add: ["later"] });
    const search = "refund the damaged parcel, translate the price list";
    const all = (await api().runs.list({ search, rank: "likeness" })).items.map(({ id }) => id);
    expect(all).toEqual(expect.arrayContaining([one, two]));
    expect((await api().runs.list({ search, rank: "likeness", tags: ["later"] })).items.map(({ id }) => id)).toEqual([
      two,
    ]);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<ReturnType<typeof api>["runs"]["list"]>> = await api().runs.list({
        ...{ search, rank: "likeness", limit: 1, cursor },
      });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all);
    expect(await api().runs.matching({ search, rank: "likeness" })).toEqual({ runIds: all, more: false });
    await expect(api().runs.list({ search, rank: "likeness", cursor: "1.2" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  test("an old way of making vectors is replaced, and they go with their run", async () => {
    const { id } = await aRun(db(), scope.workspaceId, team, { input: "Water the plants.", status: "failed" });
    await prepareRuns(scope.workspaceId, LONG_AGO, NEVER);
    await pool().query("UPDATE run_vectors SET version = 0, embedding = '[1,2]' WHERE run_id = $1", [id]);
    expect((await api().runs.list({ search: "plants", rank: "likeness" })).items).toEqual([]);
    await prepareRuns(scope.workspaceId, LONG_AGO, NEVER);
    expect((await api().runs.list({ search: "plants", rank: "likeness" })).items.map((run) => run.id)).toEqual([id]);
    const client = await pool().connect();
    await deleteRun(client, scope.workspaceId, id).finally(() => client.release());
    expect(await db().runVector.count({ where: { runId: id } })).toBe(0);
  });

  test("a worker makes them in the background", async () => {
    const { id } = await aRun(db(), scope.workspaceId, team, { input: "Count the stock.", status: "completed" });
    const worker = startPreparingRuns();
    try {
      await eventually("it is prepared", async () => (await db().runVector.count({ where: { runId: id } })) === 1);
    } finally {
      await worker.close();
    }
  });

  test("decisions: the situation most like the words comes first, under the other filters", async () => {
    const workspaceId = await aWorkspace(db());
    const own = callerOf(await aMember(db(), workspaceId));
    const house = await aSampleTeam(db(), workspaceId);
    const runId = await insertSampleRun(db(), { workspaceId, team: house, state: "finished" });
    await prepareWorkspace(workspaceId, LONG_AGO, NEVER);
    await db().agentRun.updateMany({ where: { workspaceId, name: "Writer" }, data: { task: "Bake a lemon cake." } });
    await pool().query("DELETE FROM decision_vectors WHERE workspace_id = $1", [workspaceId]);
    await prepareWorkspace(workspaceId, LONG_AGO, NEVER);
    const { items } = await own.decisions.list({ search: "cakes with lemon", rank: "likeness" });
    expect(items[0]).toMatchObject({ agentName: "Writer", runId });
    expect(items[0]?.similarity).toBeGreaterThan(0.2);
    const others = await own.decisions.list({ search: "cakes with lemon", rank: "likeness", agent: "Searcher" });
    expect(others.items.every(({ agentName }) => agentName === "Searcher")).toBe(true);
    const words = await own.decisions.list({ search: "cakes with lemon" });
    expect(words.items).toEqual([]);
  });

  test("decisions by the version of their agent", async () => {
    const workspaceId = await aWorkspace(db());
    const own = callerOf(await aMember(db(), workspaceId));
    const house = await aSampleTeam(db(), workspaceId);
    await insertSampleRun(db(), { workspaceId, team: house, state: "finished" });
    const of = async (filters: object) => (await own.decisions.list({ limit: 100, ...filters })).items;
    const all = await of({});
    expect(await of({ version: "1" })).toEqual(all);
    expect(await of({ version: "2" })).toEqual([]);
    await db().agentVersion.updateMany({ where: { id: house.root.agentVersionId }, data: { number: 7 } });
    const second = await of({ version: "7" });
    expect(second.length).toBeGreaterThan(0);
    expect(new Set(second.map(({ agentName }) => agentName))).toEqual(new Set(["Desk lead"]));
    expect(await of({ version: "7", agent: "Searcher" })).toEqual([]);
    expect((await own.decisions.outcomes({ version: "7" })).decisions).toBe(second.length);
  });
});
