import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { MOST_TAGS } from "@/server/runs/list-schema";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aRun, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

const NOT_ALLOWED = { code: "FORBIDDEN" };
const NOT_FOUND = { code: "NOT_FOUND" };
const INVALID = { code: "BAD_REQUEST" };

describe.each(DATABASE_KINDS)("titles, tags and the archive of runs (%s)", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  let team: TeamFixture;
  beforeAll(async () => {
    owner = await aMember(db(), await aWorkspace(db()));
    team = await aTeam(db(), owner.workspaceId);
  });
  const runs = () => callerOf(owner).runs;
  const aNewRun = async () => (await aRun(db(), owner.workspaceId, team)).id;
  const find = async (runId: string, archived = false) =>
    (await runs().list({ archived, limit: 100 })).items.find(({ id }) => id === runId);

  test("a title is trimmed, and what was asked stays", async () => {
    const runId = await aNewRun();
    expect(await runs().rename({ runId, title: "  Parcels of May " })).toEqual({ title: "Parcels of May" });
    expect(await find(runId)).toMatchObject({ title: "Parcels of May" });
    expect((await runs().tree({ runId })).run).toMatchObject({ title: "Parcels of May", input: "Do something." });
    for (const title of [" ", "x".repeat(201)])
      await expect(runs().rename({ runId, title })).rejects.toMatchObject(INVALID);
  });

  test("a run has a tag once, however it is written, and the first way stays", async () => {
    const runId = await aNewRun();
    expect(await runs().setTags({ runId, tags: [" Später ", "SPÄTER", "Ops"] })).toEqual({ tags: ["Später", "Ops"] });
    expect((await find(runId))?.tags).toEqual(["Ops", "Später"]);
    expect(await runs().tag({ runIds: [runId], add: ["ops", "more"] })).toEqual({ done: 1, refused: [] });
    expect((await find(runId))?.tags).toEqual(["more", "Ops", "Später"]);
    await runs().tag({ runIds: [runId], add: [], take: ["OPS", "nothing"] });
    expect((await find(runId))?.tags).toEqual(["more", "Später"]);
    await runs().setTags({ runId, tags: [] });
    expect((await find(runId))?.tags).toEqual([]);
  });

  test("tags have a length and a number", async () => {
    const runId = await aNewRun();
    const many = Array.from({ length: MOST_TAGS }, (_, n) => `tag ${n}`);
    await expect(runs().setTags({ runId, tags: ["x".repeat(41)] })).rejects.toMatchObject(INVALID);
    await expect(runs().setTags({ runId, tags: [" "] })).rejects.toMatchObject(INVALID);
    await expect(runs().setTags({ runId, tags: [...many, "one more"] })).rejects.toMatchObject(INVALID);
    await runs().setTags({ runId, tags: many });
    const free = await aNewRun();
    const outcome = await runs().tag({ runIds: [runId, free], add: ["one more"] });
    expect(outcome).toMatchObject({ done: 1, refused: [{ runId, title: "A run" }] });
    expect(outcome.refused[0]?.why).toMatch(/at most 20 tags/);
    expect((await find(runId))?.tags).toHaveLength(MOST_TAGS);
    // One it has already, or in place of another, is no more.
    expect(await runs().tag({ runIds: [runId], add: ["TAG 1", "one more"], take: ["tag 2"] })).toMatchObject({
      done: 1,
    });
    expect((await find(runId))?.tags).toHaveLength(MOST_TAGS);
  });

  test("archived runs leave the list and come back, nothing of them is removed, and who did it is kept", async () => {
    const runIds = [await aNewRun(), await aNewRun()];
    const [runId = ""] = runIds;
    expect(await runs().archive({ runIds, archived: true })).toEqual({ done: 2, refused: [] });
    expect(await find(runId)).toBeUndefined();
    const archived = await find(runId, true);
    expect(archived?.archived).toMatchObject({ by: owner.userName });
    // Whoever did it first did it.
    const colleague = await aMember(db(), owner.workspaceId, "operator");
    await callerOf(colleague).runs.archive({ runIds, archived: true });
    expect((await db().run.findUniqueOrThrow({ where: { id: runId } })).archivedById).toBe(owner.userId);
    expect((await runs().tree({ runId })).run.archived).toEqual(archived?.archived);
    await runs().archive({ runIds, archived: false });
    expect(await find(runId)).toMatchObject({ archived: null });
    expect(await find(runId, true)).toBeUndefined();
  });

  test("archived runs that have not ended are active, and how many there are is told beside it", async () => {
    const before = await runs().summary();
    await runs().archive({ runIds: [await aNewRun(), await aNewRun()], archived: true });
    expect(await runs().summary()).toMatchObject({
      active: before.active + 2,
      activeArchived: before.activeArchived + 2,
    });
  });

  test("several are changed, and which are not there is told", async () => {
    const runId = await aNewRun();
    const unknown = uuid();
    const refused = [{ runId: unknown, title: null, why: expect.stringMatching(/There is no such run/) }];
    expect(await runs().archive({ runIds: [runId, unknown], archived: true })).toEqual({ done: 1, refused });
    expect(await runs().tag({ runIds: [unknown, runId], add: ["seen"] })).toEqual({ done: 1, refused });
  });

  test("operators may, viewers may not, and runs of another workspace are not there", async () => {
    const runId = await aNewRun();
    const viewer = callerOf(await aMember(db(), owner.workspaceId, "viewer")).runs;
    await expect(viewer.rename({ runId, title: "Mine" })).rejects.toMatchObject(NOT_ALLOWED);
    await expect(viewer.setTags({ runId, tags: [] })).rejects.toMatchObject(NOT_ALLOWED);
    await expect(viewer.tag({ runIds: [runId] })).rejects.toMatchObject(NOT_ALLOWED);
    await expect(viewer.archive({ runIds: [runId], archived: true })).rejects.toMatchObject(NOT_ALLOWED);
    const stranger = callerOf(await aMember(db(), await aWorkspace(db()))).runs;
    await expect(stranger.rename({ runId, title: "Mine" })).rejects.toMatchObject(NOT_FOUND);
    await expect(stranger.setTags({ runId, tags: ["mine"] })).rejects.toMatchObject(NOT_FOUND);
    expect(await stranger.tag({ runIds: [runId], add: ["mine"] })).toMatchObject({ done: 0 });
    expect(await stranger.archive({ runIds: [runId], archived: true })).toMatchObject({ done: 0 });
    expect((await stranger.choices()).tags).toEqual([]);
    const operator = callerOf(await aMember(db(), owner.workspaceId, "operator")).runs;
    await operator.rename({ runId, title: "Operated" });
    await operator.setTags({ runId, tags: ["operated"] });
    expect(await find(runId)).toMatchObject({ title: "Operated", tags: ["operated"], archived: null });
  });
});
