import { v7 as uuid } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { type AgentConfig, agentConfig } from "@/server/agents/schema";
import { db } from "@/server/db";
import { type Combination, DEFAULT_PATTERN_SETTINGS, patternSettings } from "@/server/engine/pattern-settings";
import { DEFAULT_RUN_LIMITS } from "@/server/engine/run-limits";
import type { TeamDraft, TeamPlace } from "@/server/teams/schema";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, anAgent, aRun, aTeam, aWorkspace } from "@/tests/support/factories";
import { aSampleTeam } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

const place = (agentId: string, ...children: TeamPlace[]): TeamPlace => ({ agentId, purpose: null, children });
const draftOf = (root: TeamPlace | null): TeamDraft => ({
  ...{
    description: "Answers.",
    pattern: "coordinate",
    example: "Try this.",
    patternSettings: DEFAULT_PATTERN_SETTINGS,
    alsoAllowed: [],
    limits: DEFAULT_RUN_LIMITS,
    root,
  },
});

describe.each(DATABASE_KINDS)("teams in forms on the %s database", (kind) => {
  useDatabase(kind);
  let ada: Scope;
  let teams: ReturnType<typeof callerOf>["teams"];
  let agents: ReturnType<typeof callerOf>["agents"];
  beforeEach(async () => {
    ada = await aMember(db(), await aWorkspace(db()));
    ({ teams, agents } = callerOf(ada));
  });
  const published = async (name: string, config: Partial<AgentConfig> = {}) =>
    (await anAgent(db(), ada.workspaceId, { name, ...config })).agentId;
  const aDesk = async () => {
    const [lead, searcher] = [await published("Lead", { canSpawnAgents: true }), await published("Searcher")];
    const { teamId } = await teams.create({ name: "Desk", draft: draftOf(place(lead, place(searcher))) });
    return { lead, searcher, teamId };
  };
  /** A change of an agent, published: its next version. */
  const republish = async (agentId: string, change: Partial<AgentConfig>) => {
    const { name, draft, draftRevision } = await agents.get({ agentId });
    const saved = await agents.saveDraft({ agentId, draftRevision, name, config: { ...draft, ...change } });
    return agents.publish({ agentId, draftRevision: saved.draftRevision });
  };

  test("what becomes of the results of a broadcast is published with the team, and is a change like any other", async () => {
    const [lead, one, two] = [await published("Caller"), await published("One"), await published("Two")];
    const root = place(lead, place(one), place(two));
    const broadcast = (combine: Combination): TeamDraft => ({
      ...{ ...draftOf(root), pattern: "broadcast", patternSettings: patternSettings.parse({ broadcast: { combine } }) },
    });
    const { teamId } = await teams.create({ name: "Callers", draft: broadcast("majority") });
    expect(await teams.publish({ teamId, draftRevision: 1 })).toEqual({ number: 1 });
    expect((await teams.get({ teamId })).published?.patternSettings.broadcast.combine).toBe("majority");
    await teams.saveDraft({ teamId, draftRevision: 1, name: "Callers", draft: broadcast("all") });
    expect((await teams.all({})).items).toMatchObject([{ hasUnpublishedChanges: true }]);
    expect(await teams.publish({ teamId, draftRevision: 2 })).toEqual({ number: 2 });
    expect(await teams.publish({ teamId, draftRevision: 2 })).toEqual({ number: 2 });
    expect((await teams.version({ teamId, number: 1 })).draft).toEqual(broadcast("majority"));
  });

  test("a team is made, published and offered to be started; its versions stay as they were", async () => {
    const { teamId, lead, searcher } = await aDesk();
    expect(await teams.list()).toEqual([]);
    expect(await teams.publish({ teamId, draftRevision: 1, note: "first" })).toEqual({ number: 1 });
    expect(await teams.list()).toMatchObject([
      { name: "Desk", description: "Answers.", version: 1, example: "Try this.", agents: [{ depth: 0 }, { depth: 1 }] },
    ]);

    const next: TeamDraft = {
      ...{
        description: "Other.",
        pattern: "route",
        example: "",
        patternSettings: DEFAULT_PATTERN_SETTINGS,
        alsoAllowed: [],
        limits: DEFAULT_RUN_LIMITS,
      },
      root: { ...place(lead), children: [{ ...place(searcher), purpose: "Only here." }] },
    };
    const saved = await teams.saveDraft({ teamId, draftRevision: 1, name: "Second desk", draft: next });
    expect(saved).toMatchObject({
      name: "Second desk",
      draftRevision: 2,
      draft: next,
      published: { pattern: "coordinate" },
    });
    expect((await teams.all({})).items).toMatchObject([
      { name: "Second desk", version: 1, hasUnpublishedChanges: true, agents: ["Lead", "Searcher"] },
    ]);
    expect(await teams.list()).toMatchObject([{ description: "Answers." }]);
    expect(await teams.publish({ teamId, draftRevision: 2 })).toEqual({ number: 2 });
    expect(await teams.get({ teamId })).toMatchObject({ published: next, draft: next, problems: [] });
    expect((await teams.all({})).items).toMatchObject([
      { version: 2, hasUnpublishedChanges: false, behind: 0, runs: 0 },
    ]);

    const first = await teams.version({ teamId, number: 1 });
    expect(first).toMatchObject({
      note: "first",
      publishedBy: ada.userName,
      draft: draftOf(place(lead, place(searcher))),
    });
    expect(await teams.restoreVersion({ teamId, number: 1, draftRevision: 2 })).toMatchObject({ draft: first.draft });
    expect(await teams.publish({ teamId, draftRevision: 3 })).toEqual({ number: 3 });
    const nodes = await db().teamNode.findMany({
      where: { teamVersion: { teamId, number: 2 } },
      orderBy: { id: "asc" },
    });
    expect(nodes.map(({ purpose }) => purpose)).toEqual([null, "Only here."]);
  });

  test("publishing twice at once makes one version", async () => {
    const { teamId } = await aDesk();
    const answers = await Promise.all([1, 2, 3].map(() => teams.publish({ teamId, draftRevision: 1 })));
    expect(answers).toEqual([{ number: 1 }, { number: 1 }, { number: 1 }]);
    expect(await db().teamVersion.count({ where: { teamId } })).toBe(1);
  });

  test("of two who save the same draft one is told who saved when", async () => {
    const { teamId } = await aDesk();
    const scope = await aMember(db(), ada.workspaceId, "editor");
    await db().user.update({ where: { id: scope.userId }, data: { name: "Mara Lind" } });
    await callerOf(scope).teams.saveDraft({ teamId, draftRevision: 1, name: "By Mara", draft: draftOf(null) });
    const late = { teamId, draftRevision: 1, name: "By Ada", draft: draftOf(null) };
    await expect(teams.saveDraft(late)).rejects.toThrow(
      /^Mara Lind saved this team at \d\d:\d\d UTC. Reload to see it; your text is still in the form.$/,
    );
    await expect(teams.publish({ teamId, draftRevision: 1 })).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await teams.get({ teamId })).toMatchObject({ name: "By Mara", draftRevision: 2 });
  });

  test("a team with a cycle is saved but not published, and the whole way round is named", async () => {
    const { lead, searcher } = await aDesk();
    const round = draftOf(place(lead, place(searcher, place(lead))));
    const { teamId } = await teams.create({ name: "Round", draft: round });
    const { problems } = await teams.get({ teamId });
    expect(problems).toContainEqual({
      field: "root.children.0.children.0",
      message: "Lead would work under itself: Lead → Searcher → Lead. Remove one of the places.",
    });
    await expect(teams.publish({ teamId, draftRevision: 1 })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("Lead → Searcher → Lead"),
    });
    expect(await db().teamVersion.count({ where: { teamId } })).toBe(0);
  });

  test("a team with a deleted agent says which, is not published, and still shows what it was", async () => {
    const { teamId, searcher } = await aDesk();
    await teams.publish({ teamId, draftRevision: 1 });
    expect((await agents.get({ agentId: searcher })).teams).toEqual([
      { id: teamId, name: "Desk", version: 1, isBehind: false },
    ]);
    await agents.remove({ agentId: searcher });
    const detail = await teams.get({ teamId });
    expect(detail.problems).toEqual([
      { field: "root.children.0", message: expect.stringContaining("“Searcher” was deleted") },
    ]);
    expect(detail.agents).toContainEqual(expect.objectContaining({ id: searcher, name: "Searcher", isDeleted: true }));
    await expect(teams.publish({ teamId, draftRevision: 1 })).rejects.toThrow(/“Searcher” was deleted/);
    await expect(teams.updateAgents({ teamId })).rejects.toThrow(/“Searcher” was deleted/);
    expect((await teams.version({ teamId, number: 1 })).agents.map(({ name }) => name)).toContain("Searcher");
    expect(await db().teamVersion.count({ where: { teamId } })).toBe(1);
  });

  test("agents that are unknown, of another workspace, unpublished or may not start others stand in the way", async () => {
    const stranger = await anAgent(db(), await aWorkspace(db()), { name: "Stranger" });
    const lead = await published("Lead");
    const config = agentConfig.parse({ purpose: "Writes.", instructions: "Write." });
    const { agentId: writer } = await agents.create({ name: "Writer", config });
    const root = place(lead, place(uuid()), place(stranger.agentId), place(writer), place(writer));
    const { teamId } = await teams.create({ name: "Desk", draft: draftOf(root) });
    const detail = await teams.get({ teamId });
    expect(detail.problems).toEqual([
      {
        field: "root",
        message: "Lead may not start agents: turn on “May lead other agents” under Team in its form, and publish it.",
      },
      { field: "root", message: "Writer is more than once under Lead. One place is enough." },
      { field: "root.children.0", message: "This agent does not exist. Choose another." },
      { field: "root.children.1", message: "This agent does not exist. Choose another." },
      { field: "root.children.2", message: "Writer was never published. Publish it first." },
      { field: "root.children.3", message: "Writer was never published. Publish it first." },
    ]);
    expect(JSON.stringify(detail)).not.toContain("Stranger");
    await expect(teams.publish({ teamId, draftRevision: 1 })).rejects.toThrow(/may not start agents/);
  });

  test("the newest agents are taken without touching the draft, and only when there are newer ones", async () => {
    const { teamId, searcher, lead } = await aDesk();
    await expect(teams.updateAgents({ teamId })).rejects.toThrow(/never published/);
    await teams.publish({ teamId, draftRevision: 1 });
    await teams.saveDraft({ teamId, draftRevision: 1, name: "Desk", draft: draftOf(null) });
    expect(await teams.updateAgents({ teamId })).toEqual({ number: 1 });
    await republish(searcher, { instructions: "Search again." });
    await republish(searcher, { instructions: "Search better." });
    expect((await teams.all({})).items).toMatchObject([{ behind: 1 }]);
    expect((await teams.get({ teamId })).agents.find(({ id }) => id === searcher)).toMatchObject({
      version: 3,
      heldVersion: 1,
    });
    expect(await teams.updateAgents({ teamId })).toEqual({ number: 2 });
    expect((await teams.all({})).items).toMatchObject([{ behind: 0, hasUnpublishedChanges: true }]);
    expect(await teams.get({ teamId })).toMatchObject({
      draft: { root: null },
      draftRevision: 2,
      published: draftOf(place(lead, place(searcher))),
    });
  });

  test("a team that was only ever published by a seed is edited from its newest version", async () => {
    const desk = await aSampleTeam(db(), ada.workspaceId);
    const { draft, draftRevision, ...detail } = await teams.get({ teamId: desk.teamId });
    expect(draft).toEqual(detail.published);
    expect(draft.root?.children).toHaveLength(2);
    expect(detail.problems).toEqual([]);
    const example = "Another one.";
    await teams.saveDraft({ teamId: desk.teamId, draftRevision, name: detail.name, draft: { ...draft, example } });
    expect(await teams.publish({ teamId: desk.teamId, draftRevision: 2 })).toEqual({ number: 2 });
    const { teamId: copy } = await teams.duplicate({ teamId: desk.teamId });
    expect(await teams.get({ teamId: copy })).toMatchObject({
      name: "Handbook desk copy",
      draft: { ...draft, example },
      versions: [],
    });
  });

  test("a deleted team is gone from every list and frees its name; its runs stay", async () => {
    const team = await aTeam(db(), ada.workspaceId, { name: "Desk" });
    const run = await aRun(db(), ada.workspaceId, team);
    expect((await teams.all({})).items).toMatchObject([{ name: "Desk", runs: 1, lastRunAt: expect.any(String) }]);
    await teams.remove({ teamId: team.teamId });
    expect([(await teams.all({})).items, await teams.list()]).toEqual([[], []]);
    for (const ask of [
      () => teams.get({ teamId: team.teamId }),
      () => teams.remove({ teamId: team.teamId }),
      () => teams.publish({ teamId: team.teamId, draftRevision: 1 }),
      () => teams.version({ teamId: team.teamId, number: 1 }),
      () => teams.duplicate({ teamId: team.teamId }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await db().run.count({ where: { id: run.id } })).toBe(1);
    await expect(teams.create({ name: "Desk", draft: draftOf(null) })).resolves.toBeDefined();
    await expect(teams.create({ name: "Desk", draft: draftOf(null) })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test.each([21, 5_000])("a tree of %i levels is refused before anything is stored", async (levels) => {
    let deep = place(uuid());
    for (let level = 1; level < levels; level += 1) deep = place(uuid(), deep);
    await expect(teams.create({ name: "Deep", draft: draftOf(deep) })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(teams.preview({ name: "Deep", draft: draftOf(deep) })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect((await teams.all({})).items).toEqual([]);
  });
});
