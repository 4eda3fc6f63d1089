import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { startRun } from "@/server/runs/service/start-run";
import { createInnerContext } from "@/server/trpc/context";
import { appRouter } from "@/server/trpc/root";
import type { Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, anAgent, aTeam, aWorkspace } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("starting a run on the %s database", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
  });
  const caller = () =>
    appRouter.createCaller(
      createInnerContext({ user: { id: scope.userId, name: scope.userName, email: "somebody@example.test" } }),
    );
  const runs = () => db().run.count({ where: { workspaceId: scope.workspaceId } });
  const expectRefusal = async (input: Parameters<typeof startRun>[0]["input"], refusal: object) => {
    const before = await runs();
    await expect(startRun({ scope, input })).rejects.toMatchObject(refusal);
    expect(await runs()).toBe(before);
  };
  const invalid = (...words: string[]) => ({
    code: "INVALID",
    userMessage: expect.stringMatching(new RegExp(words.join(".*"), "s")),
  });

  test("an agent runs by itself, with its newest version, and is listed, found and shown as such", async () => {
    const clerk = await anAgent(db(), scope.workspaceId, { name: "Clerk" });
    const config = { purpose: "Better.", instructions: "Help more." };
    const [id, { workspaceId }, { agentId }] = [uuid(), scope, clerk];
    await db().agentVersion.create({ data: { id, workspaceId, agentId, number: 2, config } });
    const { runId } = await startRun({ scope, input: { agentId, input: "Go" } });
    const tree = await caller().runs.tree({ runId });
    expect(tree.run).toMatchObject({
      target: { kind: "agent", id: agentId, name: "Clerk", version: 2 },
      model: "rehearsal/rehearsal",
      conversationId: null,
      rerunOf: null,
    });
    expect(tree.agents).toMatchObject([{ name: "Clerk", depth: 0 }]);
    expect((await caller().runs.list({})).items.find((run) => run.id === runId)?.target.kind).toBe("agent");
    expect(await db().agentRun.findFirst({ where: { runId } })).toMatchObject({ agentVersionId: id, teamNodeId: null });
    const agent = await caller().runs.agent({ runId, agentRunId: tree.agents[0]?.id ?? "" });
    expect(agent.instructions).toBe("Help more.");
  });

  test("it can be said what a run is about, in bounds, and its first event tells it (INT-CTX-10, INT-CTX-11)", async () => {
    const { agentId } = await anAgent(db(), scope.workspaceId);
    const context = {
      variables: [
        { name: " priority ", value: 2 },
        { name: "note", value: "a\0b\ud800" },
        { name: "urgent", value: true },
      ],
      entities: [
        { type: "order", id: " 47:11 ", label: "Kettle" },
        { type: "order", id: "\ud800" },
      ],
    };
    const { runId } = await caller().runs.start({ agentId, input: "Go", context });
    const kept = {
      variables: [
        { name: "priority", value: 2 },
        { name: "note", value: "a\ufffdb\ufffd" },
        { name: "urgent", value: true },
      ],
      entities: [
        { type: "order", id: "47:11", label: "Kettle" },
        { type: "order", id: "\ufffd" },
      ],
    };
    expect((await caller().runs.tree({ runId })).agents[0]?.context).toEqual(kept);
    const { items } = await caller().runs.events({ runId });
    expect(items.map(({ body }) => body.kind).sort()).toEqual(["agent.context", "agent.created", "run.status"]);
    const nothing = await caller().runs.start({ agentId, input: "Go", context: { variables: [], entities: [] } });
    expect((await caller().runs.tree({ runId: nothing.runId })).agents[0]?.context).toBeNull();

    const before = await runs();
    const twice = { name: "a", value: 1 };
    for (const wrong of [
      { variables: [twice, twice] },
      { variables: [{ name: "1st", value: 1 }] },
      { variables: [{ name: "a", value: "x".repeat(2_001) }] },
      { variables: Array.from({ length: 51 }, (_, at) => ({ name: `v${at}`, value: 1 })) },
      { entities: [{ type: "an order", id: "1" }] },
      { entities: [{ type: "order", id: "x".repeat(201) }] },
      { entities: Array.from({ length: 101 }, (_, at) => ({ type: "order", id: String(at) })) },
      { variables: Array.from({ length: 11 }, (_, at) => ({ name: `v${at}`, value: "x".repeat(1_900) })) },
    ]) {
      await expect(caller().runs.start({ agentId, input: "Go", context: wrong })).rejects.toMatchObject({
        code: "BAD_REQUEST",
      });
    }
    expect(await runs()).toBe(before);
  });

  test("a run can be given a model of its own, else it takes the workspace's", async () => {
    const { workspaceId } = scope;
    const { agentId } = await anAgent(db(), workspaceId);
    const providerId = uuid();
    await db().provider.create({
      data: { id: providerId, workspaceId, name: "acme", baseUrl: "https://acme.test/v1" },
    });
    const model = (name: string, is: string) => ({ id: uuid(), workspaceId, providerId, name, kind: is });
    await db().providerModel.createMany({ data: [model("large/v2", "chat"), model("embed", "embedding")] });
    const modelOf = async (input: { model?: string }) => {
      const { runId } = await startRun({ scope, input: { agentId, input: "Go", ...input } });
      return (await caller().runs.tree({ runId })).run.model;
    };
    expect(await modelOf({ model: "acme/large/v2" })).toBe("acme/large/v2");
    const choose = (defaultModel: string | null) =>
      db().workspace.update({ where: { id: workspaceId }, data: { defaultModel } });
    await choose("acme/large/v2");
    expect(await modelOf({})).toBe("acme/large/v2");
    expect(await modelOf({ model: "rehearsal/rehearsal" })).toBe("rehearsal/rehearsal");
    await expectRefusal({ agentId, input: "Go", model: "acme/embed" }, invalid("model “acme/embed” is not set up"));
    await choose("acme/gone");
    await expectRefusal({ agentId, input: "Go" }, invalid("default model “acme/gone”"));
    await choose(null);
  });

  test("everything that is missing in a team is named before anything is stored", async () => {
    const { workspaceId } = scope;
    const team = await aTeam(db(), workspaceId, {
      agents: [
        { name: "Tooled", tools: ["docs__search", "shop__order", "gone__tool"] },
        { name: "Reader", knowledge: [uuid()], model: "nobody/none" },
        { name: "Leaver" },
      ],
    });
    await db().toolServer.create({
      data: {
        ...{ id: uuid(), workspaceId, name: "shop", transport: "http", url: "https://shop.test/mcp", enabled: false },
        tools: [{ name: "order" }],
      },
    });
    await db().agent.updateMany({ where: { workspaceId, name: "Leaver" }, data: { archivedAt: new Date() } });
    await expectRefusal(
      { teamId: team.teamId, input: "Go" },
      invalid(
        "Tooled uses a tool that does not exist here: gone__tool",
        "Tooled uses the tool server “shop”, which is turned off",
        "Reader searches a knowledge base that no longer exists",
        "Reader uses the model “nobody/none”",
        "“Leaver” was deleted",
      ),
    );
  });

  test("what is not there, was deleted, was never published or is named twice is refused as that", async () => {
    const { workspaceId } = scope;
    const { agentId } = await anAgent(db(), workspaceId, { name: "Gone" });
    const team = await aTeam(db(), workspaceId);
    const draft = uuid();
    await db().agent.create({ data: { id: draft, workspaceId, name: "Draft", draft: {} } });
    await expectRefusal({ agentId: draft, input: "Go" }, invalid("“Draft” was never published"));
    await expectRefusal({ teamId: uuid(), input: "Go" }, { code: "NOT_FOUND" });
    await expectRefusal({ agentId, teamId: team.teamId, input: "Go" }, invalid("either a team or an agent"));
    await expectRefusal({ input: "Go" }, invalid("either a team or an agent"));
    await expectRefusal({ agentId, input: "Go", rerunOfId: uuid() }, { code: "NOT_FOUND" });
    const stranger = await aMember(db(), await aWorkspace(db()));
    await expect(startRun({ scope: stranger, input: { agentId, input: "Go" } })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await db().agent.update({ where: { id: agentId }, data: { archivedAt: new Date() } });
    await expectRefusal({ agentId, input: "Go" }, { code: "NOT_FOUND" });
  });

  test("what can be started is listed: published and not deleted, teams first", async () => {
    const other = await aMember(db(), await aWorkspace(db()));
    const { workspaceId } = other;
    await aTeam(db(), workspaceId, {
      ...{ name: "Desk", description: "Answers.", example: "Ask this." },
      ...{ supervisor: { name: "Lead" }, agents: [{ name: "Searcher" }, { name: "Writer" }] },
    });
    await db().agent.create({ data: { id: uuid(), workspaceId, name: "Draft", draft: {} } });
    await db().agent.updateMany({ where: { workspaceId, name: "Writer" }, data: { archivedAt: new Date() } });
    const user = { id: other.userId, name: other.userName, email: "somebody@example.test" };
    const targets = await appRouter.createCaller(createInnerContext({ user })).runs.targets();
    expect(targets.map(({ kind: is, name, agents, example }) => [is, name, agents, example])).toEqual([
      ["team", "Desk", ["Lead", "Searcher", "Writer"], "Ask this."],
      ["agent", "Lead", [], null],
      ["agent", "Searcher", [], null],
    ]);
  });
});
