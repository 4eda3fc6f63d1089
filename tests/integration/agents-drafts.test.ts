import { v7 as uuid } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { agentConfig } from "@/server/agents/schema";
import { db } from "@/server/db";
import { DEFAULT_PATTERN_SETTINGS } from "@/server/engine/pattern-settings";
import { DEFAULT_RUN_LIMITS } from "@/server/engine/run-limits";
import type { TeamDraft, TeamPlace } from "@/server/teams/schema";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, anAgent, aTeam, aWorkspace } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

const CONFIG = agentConfig.parse({ purpose: "Finds passages.", instructions: "Search the handbook." });

describe.each(DATABASE_KINDS)("agents in forms on the %s database", (kind) => {
  useDatabase(kind);
  let ada: Scope;
  let agents: ReturnType<typeof callerOf>["agents"];
  beforeEach(async () => {
    ada = await aMember(db(), await aWorkspace(db()));
    agents = callerOf(ada).agents;
  });
  const colleague = async (name: string) => {
    const scope = await aMember(db(), ada.workspaceId, "editor");
    await db().user.update({ where: { id: scope.userId }, data: { name } });
    return callerOf(scope);
  };
  const create = (name: string, config: Partial<typeof CONFIG> = {}) =>
    agents.create({ name, config: { ...CONFIG, ...config } });

  test("a draft is saved, published, changed and published again, and each version stays as it was", async () => {
    const { agentId } = await create("Searcher");
    expect(await agents.get({ agentId })).toMatchObject({
      name: "Searcher",
      draftRevision: 1,
      draftSavedBy: ada.userName,
      problems: [],
      versions: [],
      published: null,
    });
    expect(await agents.publish({ agentId, draftRevision: 1, note: "first" })).toEqual({ number: 1, updatedTeams: [] });

    const second = { ...CONFIG, instructions: "Search twice." };
    const saved = await agents.saveDraft({ agentId, draftRevision: 1, name: "Finder", config: second });
    expect(saved).toMatchObject({ name: "Finder", draftRevision: 2, draft: second, published: CONFIG });
    expect((await agents.list({})).items).toMatchObject([{ name: "Finder", version: 1, hasUnpublishedChanges: true }]);

    expect(await agents.publish({ agentId, draftRevision: 2 })).toEqual({ number: 2, updatedTeams: [] });
    expect((await agents.list({})).items).toMatchObject([{ version: 2, hasUnpublishedChanges: false }]);
    expect(await agents.version({ agentId, number: 1 })).toMatchObject({
      number: 1,
      config: CONFIG,
      note: "first",
      publishedBy: ada.userName,
    });
    expect((await agents.get({ agentId })).versions.map(({ number, note }) => [number, note])).toEqual([
      [2, ""],
      [1, "first"],
    ]);
  });

  test("publishing what is published already makes no other version", async () => {
    const { agentId } = await create("Searcher");
    const answers = await Promise.all([1, 2, 3].map(() => agents.publish({ agentId, draftRevision: 1 })));
    expect(answers.map(({ number }) => number)).toEqual([1, 1, 1]);
    expect(await db().agentVersion.count({ where: { agentId } })).toBe(1);
  });

  test("of two who save the same draft one is told who saved when, and nothing of theirs is stored", async () => {
    const { agentId } = await create("Searcher");
    const mara = await colleague("Mara Lind");
    await mara.agents.saveDraft({ agentId, draftRevision: 1, name: "By Mara", config: CONFIG });
    const at = (await db().agent.findUniqueOrThrow({ where: { id: agentId } })).updatedAt.toISOString().slice(11, 16);
    const late = { ...CONFIG, instructions: "By Ada." };

    await expect(agents.saveDraft({ agentId, draftRevision: 1, name: "By Ada", config: late })).rejects.toThrow(
      `Mara Lind saved this agent at ${at} UTC. Reload to see it; your text is still in the form.`,
    );
    await expect(agents.publish({ agentId, draftRevision: 1 })).rejects.toThrow(/^Mara Lind saved this agent/);
    expect(await agents.get({ agentId })).toMatchObject({ name: "By Mara", draft: CONFIG, draftRevision: 2 });
    await expect(mara.agents.saveDraft({ agentId, draftRevision: 1, name: "Again", config: late })).rejects.toThrow(
      /^You saved this agent in another window at/,
    );
  });

  test("of many saves at once exactly one counts", async () => {
    const { agentId } = await create("Searcher");
    const saves = Array.from({ length: 6 }, (_, n) =>
      agents.saveDraft({ agentId, draftRevision: 1, name: `Name ${n}`, config: CONFIG }),
    );
    const outcomes = await Promise.allSettled(saves);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await agents.get({ agentId })).toMatchObject({ draftRevision: 2 });
  });

  test("a draft with problems is saved but not published, and every problem stands beside its field", async () => {
    const broken = {
      ...CONFIG,
      instructions: " ",
      model: "nobody/gpt",
      tools: ["docs__search", "files__read"],
      askBefore: ["user__ask"],
      knowledge: [uuid()],
    };
    const { agentId } = await create("Searcher", broken);
    const { problems } = await agents.get({ agentId });
    expect(problems.map(({ field }) => field)).toEqual(["instructions", "model", "tools", "askBefore", "knowledge"]);
    const refusal = await agents.publish({ agentId, draftRevision: 1 }).catch((error: Error) => error.message);
    expect(refusal).toContain("Searcher cannot be published yet.");
    for (const { message } of problems) expect(refusal).toContain(message);
    expect(await db().agentVersion.count({ where: { agentId } })).toBe(0);
  });

  test("what the workspace has makes the same draft publishable", async () => {
    const { workspaceId } = ada;
    const [providerId, baseId] = [uuid(), uuid()];
    await db().provider.create({ data: { id: providerId, workspaceId, name: "acme", baseUrl: "https://a.test/v1" } });
    const model = { workspaceId, providerId };
    await db().providerModel.create({ data: { ...model, id: uuid(), name: "org/large", kind: "chat" } });
    await db().providerModel.create({ data: { ...model, id: uuid(), name: "embed", kind: "embedding" } });
    await db().knowledgeBase.create({ data: { id: baseId, workspaceId, name: "Handbook", dims: 1, settings: {} } });
    const tools = [{ name: "read", description: "Reads a file.", inputSchema: { type: "object" } }];
    const server = { workspaceId, name: "files", transport: "stdio", command: "x", tools };
    await db().toolServer.create({ data: { ...server, id: uuid() } });

    const config = { model: "acme/org/large", tools: ["files__read"], askBefore: ["files__read"], knowledge: [baseId] };
    const { agentId } = await create("Reader", config);
    expect((await agents.get({ agentId })).problems).toEqual([]);

    await db().toolServer.updateMany({ where: { workspaceId }, data: { checkError: "It did not answer." } });
    expect((await agents.get({ agentId })).problems).toEqual([]);
    expect((await agents.tools()).find(({ name }) => name === "files__read")?.problem).toContain("It did not answer.");

    await db().toolServer.updateMany({ where: { workspaceId }, data: { enabled: false } });
    expect((await agents.get({ agentId })).problems).toEqual([
      { field: "tools", message: expect.stringContaining("turned off") },
    ]);
    const embedding = { ...CONFIG, model: "acme/embed" };
    const saved = await agents.saveDraft({ agentId, draftRevision: 1, name: "Reader", config: embedding });
    expect(saved.problems).toEqual([{ field: "model", message: expect.stringContaining("embedding model") }]);
  });

  test("an agent under a supervisor needs a purpose, unless the place says it", async () => {
    const { agentId } = await create("Searcher", { purpose: "" });
    expect((await agents.get({ agentId })).problems).toEqual([]);
    const lead = await create("Lead", { canSpawnAgents: true });
    const child = { agentId, purpose: null, children: [] };
    const draft = (place: TeamPlace): TeamDraft => ({
      ...{
        description: "",
        pattern: "route",
        example: "",
        patternSettings: DEFAULT_PATTERN_SETTINGS,
        alsoAllowed: [],
        limits: DEFAULT_RUN_LIMITS,
      },
      root: { agentId: lead.agentId, purpose: null, children: [place] },
    });
    const { teamId } = await callerOf(ada).teams.create({ name: "Desk", draft: draft(child) });
    expect((await agents.get({ agentId })).problems).toEqual([
      { field: "purpose", message: expect.stringContaining("“Desk”") },
    ]);
    expect((await agents.get({ agentId: lead.agentId })).problems).toEqual([]);
    await callerOf(ada).teams.saveDraft({
      ...{ teamId, draftRevision: 1, name: "Desk" },
      draft: draft({ ...child, purpose: "Looks things up." }),
    });
    expect((await agents.get({ agentId })).problems).toEqual([]);
  });

  test("a version is copied back into the draft, and publishing it makes the next one", async () => {
    const { agentId } = await create("Searcher");
    await agents.publish({ agentId, draftRevision: 1 });
    await agents.saveDraft({ agentId, draftRevision: 1, name: "Searcher", config: { ...CONFIG, maxToolRounds: 3 } });
    await agents.publish({ agentId, draftRevision: 2 });
    const restored = await agents.restoreVersion({ agentId, number: 1, draftRevision: 2 });
    expect(restored).toMatchObject({ draft: CONFIG, draftRevision: 3 });
    await expect(agents.restoreVersion({ agentId, number: 1, draftRevision: 2 })).rejects.toThrow(/^You saved/);
    await expect(agents.restoreVersion({ agentId, number: 9, draftRevision: 3 })).rejects.toThrow("no such version");
    expect(await agents.publish({ agentId, draftRevision: 3 })).toMatchObject({ number: 3 });
  });

  test("names are unique among agents that exist, also when two are made at once", async () => {
    const outcomes = await Promise.allSettled([create("Searcher"), create("Searcher"), create("Searcher")]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused).toHaveLength(2);
    for (const error of refused) {
      expect(error).toMatchObject({
        code: "CONFLICT",
        message: "There is already an agent called “Searcher”. Choose another name.",
      });
    }
    const other = await create("Other");
    const taken = agents.saveDraft({ ...other, draftRevision: 1, name: "Searcher", config: CONFIG });
    await expect(taken).rejects.toThrow(/already an agent called “Searcher”/);

    const [first] = (await agents.list({ search: "searcher" })).items;
    await agents.remove({ agentId: first?.id ?? "" });
    await expect(agents.get({ agentId: first?.id ?? "" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(agents.remove({ agentId: first?.id ?? "" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(create("Searcher")).resolves.toBeDefined();
  });

  test("a copy gets a name of its own within the length of names", async () => {
    const { agentId } = await create("S".repeat(60));
    await agents.duplicate({ agentId });
    await agents.duplicate({ agentId });
    const copies = (await agents.list({})).items.filter(({ name }) => name.includes("copy"));
    expect(copies.map(({ name }) => name).sort()).toEqual([`${"S".repeat(53)} copy 2`, `${"S".repeat(55)} copy`]);
    expect(copies[0]).toMatchObject({ version: null, purpose: CONFIG.purpose });
  });

  test("the list finds words in names and purposes and counts nothing of another workspace", async () => {
    await create("Searcher", { tools: ["docs__search"], model: "rehearsal/rehearsal" });
    await create("100% writer", { purpose: "Writes." });
    await anAgent(db(), await aWorkspace(db()), { name: "Stranger" });
    expect((await agents.list({})).items.map(({ name }) => name)).toEqual(["100% writer", "Searcher"]);
    expect((await agents.list({ search: "PASSAGES" })).items).toMatchObject([
      { name: "Searcher", tools: 1, knowledge: 0, model: "rehearsal/rehearsal", version: null, teams: [] },
    ]);
    expect((await agents.list({ search: "%" })).items.map(({ name }) => name)).toEqual(["100% writer"]);
  });

  test("publishing takes chosen teams along, in one piece or not at all", async () => {
    const team = await aTeam(db(), ada.workspaceId, {
      name: "Desk",
      agents: [{ name: "Searcher" }, { name: "Writer" }],
    });
    const { agentId } = await db().agentVersion.findUniqueOrThrow({ where: { id: team.children[0]?.agentVersionId } });
    const lead = await db().agentVersion.findUniqueOrThrow({ where: { id: team.root.agentVersionId } });
    await agents.saveDraft({ agentId, draftRevision: 1, name: "Searcher", config: CONFIG });
    const publish = { agentId, draftRevision: 2, updateTeamIds: [team.teamId] };
    expect(await agents.publish(publish)).toEqual({
      number: 2,
      updatedTeams: [{ id: team.teamId, name: "Desk", version: 2 }],
    });
    expect((await agents.get({ agentId })).teams).toEqual([
      { id: team.teamId, name: "Desk", version: 2, isBehind: false },
    ]);
    const { teams } = callerOf(ada);
    const now = await teams.version({ teamId: team.teamId, number: 2 });
    expect(now.note).toBe("Takes Searcher version 2.");
    expect(new Map(now.agents.map(({ name, version }) => [name, version]))).toEqual(
      new Map([
        [team.root.name, 1],
        ["Searcher", 2],
        ["Writer", 1],
      ]),
    );

    // A lead that may start nobody fits no team in which it leads.
    const idle = { agentId: lead.agentId, draftRevision: 2, updateTeamIds: [team.teamId] };
    await agents.saveDraft({ ...{ agentId: lead.agentId, draftRevision: 1, name: team.root.name }, config: CONFIG });
    await expect(agents.publish(idle)).rejects.toThrow(/may not start agents/);
    expect(await db().agentVersion.count({ where: { agentId: lead.agentId } })).toBe(1);
    expect(await db().teamVersion.count({ where: { teamId: team.teamId } })).toBe(2);
    await expect(agents.publish({ ...idle, updateTeamIds: [uuid()] })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await agents.publish({ ...idle, updateTeamIds: [] })).toEqual({ number: 2, updatedTeams: [] });
    expect((await agents.get({ agentId: lead.agentId })).teams).toMatchObject([{ version: 1, isBehind: true }]);
  });

  test("text no database takes for text is stored as a replacement, not refused with a fault", async () => {
    const { agentId } = await create("Odd\u0000name", { instructions: "half \ud800 and \u0000" });
    const { name, draft } = await agents.get({ agentId });
    expect([name, draft.instructions]).toEqual(["Odd\ufffdname", "half \ufffd and \ufffd"]);
  });
});
