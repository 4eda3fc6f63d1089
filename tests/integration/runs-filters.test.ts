import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import type { RunFilters } from "@/server/runs/list-schema";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, anAgent, aRun, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

const at = (text: string) => new Date(`2026-03-${text}Z`);
const CENT_NANO_USD = 10_000_000;
const MINUTE_MS = 60_000;

describe.each(DATABASE_KINDS)("the filters of the list of runs (%s)", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  let colleague: Scope;
  let team: TeamFixture;
  let agent: { agentId: string; agentVersionId: string };
  beforeAll(async () => {
    const workspaceId = await aWorkspace(db());
    owner = await aMember(db(), workspaceId);
    colleague = await aMember(db(), workspaceId, "operator");
    team = await aTeam(db(), workspaceId, { name: "Desk" });
    agent = await anAgent(db(), workspaceId, { name: "Clerk" });
    const other = await aTeam(db(), workspaceId, { name: "Other desk" });
    // Each differs from the plain one in one thing.
    const plain = {
      ...{
        status: "completed" as const,
        createdAt: at("10T12:00:00"),
        finishedAt: at("10T12:00:10"),
        startedById: owner.userId,
      },
      costNanoUsd: CENT_NANO_USD,
    };
    const add = (title: string, columns: object, of: Pick<TeamFixture, "teamId" | "teamVersionId"> = team) =>
      aRun(db(), workspaceId, of, { title, ...plain, ...columns });
    await add("plain", {});
    await add("paused", { status: "paused", heldAt: at("10T12:00:20"), finishedAt: null });
    await add("of the other desk", {}, other);
    await add("by a colleague", { startedById: colleague.userId });
    await add("by nobody", { startedById: null });
    await add("the day before", { createdAt: at("09T23:59:59.999"), finishedAt: at("10T00:00:00") });
    await add("the day after", { createdAt: at("11T00:00:00"), finishedAt: at("11T00:00:10") });
    await add("dear", { costNanoUsd: 2 * CENT_NANO_USD });
    await add("long", { finishedAt: at("10T12:02:00") });
    await add("held for long", { status: "suspended", heldAt: at("10T12:02:00"), finishedAt: null });
    await add("archived", { archivedAt: at("12T00:00:00") });
    await add("on its way out", { removingAt: at("12T00:00:00") });
    await db().run.create({
      data: {
        ...{ id: uuid(), workspaceId, title: "of the clerk", input: "Do it.", model: "rehearsal/rehearsal" },
        ...{ ...plain, status: "completed", agentVersionId: agent.agentVersionId },
      },
    });
    await callerOf(owner).runs.setTags({ runId: await idOf("dear"), tags: ["Later", "Money"] });
    await callerOf(owner).runs.setTags({ runId: await idOf("long"), tags: ["later"] });
    const elsewhere = await aMember(db(), await aWorkspace(db()));
    await aRun(db(), elsewhere.workspaceId, await aTeam(db(), elsewhere.workspaceId), { ...plain, status: "paused" });
  });
  const idOf = async (title: string) => (await db().run.findFirstOrThrow({ where: { title } })).id;
  const titles = async (filters: Partial<RunFilters>) => {
    const { items } = await callerOf(owner).runs.list({ ...filters, limit: 100 });
    const { runIds, more } = await callerOf(owner).runs.matching(filters);
    // What is done to all that match is done to what is listed.
    expect({ runIds, more }).toEqual({ runIds: items.map(({ id }) => id), more: false });
    return items.map(({ title }) => title).sort();
  };
  const ALL = [
    ...["by a colleague", "by nobody", "dear", "held for long", "long", "of the clerk", "of the other desk"],
    ...["paused", "plain", "the day after", "the day before"],
  ];
  const without = (...gone: string[]) => ALL.filter((title) => !gone.includes(title));

  test("leave archived runs out, and show them alone when asked", async () => {
    expect(await titles({})).toEqual(ALL);
    expect(await titles({ archived: true })).toEqual(["archived"]);
  });

  test("take several states", async () => {
    expect(await titles({ status: ["paused"] })).toEqual(["paused"]);
    expect(await titles({ status: ["paused", "suspended"] })).toEqual(["held for long", "paused"]);
    expect(await titles({ status: ["finished"] })).toEqual(without("held for long", "paused"));
  });

  test("take teams, and agents that ran by themselves", async () => {
    const [other] = await db().team.findMany({ where: { name: "Other desk", workspaceId: owner.workspaceId } });
    expect(await titles({ targets: [`team:${other?.id}`] })).toEqual(["of the other desk"]);
    expect(await titles({ targets: [`agent:${agent.agentId}`] })).toEqual(["of the clerk"]);
    expect(await titles({ targets: [`agent:${agent.agentId}`, `team:${other?.id}`] })).toEqual([
      "of the clerk",
      "of the other desk",
    ]);
    // An id is of one kind only.
    expect(await titles({ targets: [`team:${agent.agentId}`] })).toEqual([]);
  });

  test("take the conversation it is a question of", async () => {
    const conversation = uuid();
    const { workspaceId } = owner;
    await db().conversation.create({ data: { id: conversation, workspaceId, title: "A talk", teamId: team.teamId } });
    expect(await titles({ conversation })).toEqual([]);
    const where = { workspaceId, title: { in: ["plain", "dear", "archived"] } };
    await db().run.updateMany({ where, data: { conversationId: conversation } });
    expect(await titles({ conversation })).toEqual(["dear", "plain"]);
    expect(await titles({ conversation, archived: true })).toEqual(["archived"]);
    expect(await titles({ conversation: uuid() })).toEqual([]);
    await db().run.updateMany({ where, data: { conversationId: null } });
  });

  test("take who started it", async () => {
    expect(await titles({ startedBy: [colleague.userId] })).toEqual(["by a colleague"]);
    expect(await titles({ startedBy: [colleague.userId, owner.userId] })).toEqual(without("by nobody"));
  });

  test("take what they are about: an entity of the root or of an agent below, by type and id (INT-CTX-10)", async () => {
    const { workspaceId } = owner;
    const about = async (title: string, context: object, parentId: string | null = null) => {
      const id = uuid();
      const place = { id, workspaceId, runId: await idOf(title), parentId, depth: parentId === null ? 0 : 1 };
      const { agentVersionId } = agent;
      await db().agentRun.create({
        data: { ...place, handle: id, name: "Clerk", task: "Go.", agentVersionId, context },
      });
      return id;
    };
    const order = { type: "order", id: "47:11", label: "Kettle" };
    await about("plain", { variables: [], entities: [{ type: "customer", id: "c" }, order] });
    const root = await about("dear", { variables: [{ name: "order", value: "47:11" }], entities: [] });
    await about("dear", { variables: [], entities: [{ type: "order", id: "47:11" }] }, root);
    await about("archived", { variables: [], entities: [order] });
    await about("long", { variables: [], entities: [{ type: "customer", id: "47:11" }] });
    expect(await titles({ about: "order:47:11" })).toEqual(["dear", "plain"]);
    expect(await titles({ about: "order:47:11", archived: true })).toEqual(["archived"]);
    expect(await titles({ about: "customer:47:11" })).toEqual(["long"]);
    expect(await titles({ about: "order:47" })).toEqual([]);
    expect(await titles({ about: "order:\u0000" })).toEqual([]);
    await expect(callerOf(owner).runs.list({ about: "order" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const stranger = callerOf(await aMember(db(), await aWorkspace(db())));
    expect((await stranger.runs.list({ about: "order:47:11" })).items).toEqual([]);
    await db().agentRun.deleteMany({ where: { workspaceId } });
  });

  test("take days of UTC, both ends included", async () => {
    expect(await titles({ from: "2026-03-10" })).toEqual(without("the day before"));
    expect(await titles({ to: "2026-03-10" })).toEqual(without("the day after"));
    expect(await titles({ from: "2026-03-09", to: "2026-03-09" })).toEqual(["the day before"]);
    expect(await titles({ from: "2026-03-12" })).toEqual([]);
  });

  test("take what it cost at least, and how long it took as the list shows it", async () => {
    expect(await titles({ minCostNanoUsd: CENT_NANO_USD })).toEqual(ALL);
    expect(await titles({ minCostNanoUsd: CENT_NANO_USD + 1 })).toEqual(["dear"]);
    expect(await titles({ longerThanMs: MINUTE_MS })).toEqual(["held for long", "long"]);
    expect(await titles({ longerThanMs: 2 * MINUTE_MS })).toEqual([]);
  });

  test("take tags, however they are written; a run has all of them", async () => {
    expect(await titles({ tags: ["LATER"] })).toEqual(["dear", "long"]);
    expect(await titles({ tags: ["later", "money"] })).toEqual(["dear"]);
    expect(await titles({ tags: ["late"] })).toEqual([]);
  });

  test("hold together, and with the search", async () => {
    expect(await titles({ tags: ["later"], minCostNanoUsd: 2 * CENT_NANO_USD, search: "DEA" })).toEqual(["dear"]);
    expect(await titles({ tags: ["later"], status: ["paused"] })).toEqual([]);
  });

  test("page on without repeating or leaving out", async () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await callerOf(owner).runs.list({ status: ["finished"], limit: 3, cursor });
      seen.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
    }
    expect([...seen].sort()).toEqual(without("held for long", "paused"));
  });

  test("say what there is to choose from, of this workspace only", async () => {
    const { targets, people, tags } = await callerOf(owner).runs.choices();
    expect(targets.map(({ kind, name, isDeleted }) => [kind, name, isDeleted])).toEqual([
      ["team", "Desk", false],
      ["team", "Other desk", false],
      ["agent", "Clerk", false],
    ]);
    expect(people.map(({ id }) => id).sort()).toEqual([owner.userId, colleague.userId].sort());
    expect(tags.map(({ tag, runs }) => [tag.toLowerCase(), runs])).toEqual([
      ["later", 2],
      ["money", 1],
    ]);
  });

  test("refuse what is no filter", async () => {
    const { runs } = callerOf(owner);
    for (const input of [{ from: "2026-02-30" }, { targets: ["team:1"] }, { minCostNanoUsd: -1 }, { tags: [""] }]) {
      await expect(runs.list(input)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
  });
});
