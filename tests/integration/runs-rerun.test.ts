import { v7 as uuid } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { unpackRunTree } from "@/components/runs/unpack-run-tree";
import { db, pool } from "@/server/db";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, anAgent, aTeam, aWorkspace } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("running a run again as a whole, as it is stored (%s)", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  let agentId: string;
  let first: string;
  let second: string;
  beforeEach(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    await db().toolServer.create({
      data: {
        ...{
          id: uuid(),
          workspaceId: scope.workspaceId,
          name: "notes",
          transport: "stdio",
          tools: [{ name: "write" }],
        },
      },
    });
    const agent = await anAgent(db(), scope.workspaceId, { name: "Clerk" });
    agentId = agent.agentId;
    first = (await db().agentVersion.findFirstOrThrow({ where: { agentId } })).id;
    second = uuid();
    await db().agentVersion.create({
      data: {
        ...{ id: second, workspaceId: scope.workspaceId, agentId, number: 2 },
        config: { purpose: "Files.", instructions: "File it.", tools: ["notes__write", "docs__search"] },
      },
    });
  });
  const api = () => callerOf(scope);
  const versionOf = async (runId: string) =>
    (await db().agentRun.findFirstOrThrow({ where: { runId } })).agentVersionId;

  test("pins the version that was chosen, else the newest; both runs say what became of them", async () => {
    const { runId } = await api().runs.start({ agentId, input: "Go" });
    expect(await versionOf(runId)).toBe(second);
    const again = await api().runs.start({ agentId, input: "Go", rerunOfId: runId, version: 1 });
    expect(await versionOf(again.runId)).toBe(first);
    const newest = await api().runs.start({ agentId, input: "Go", rerunOfId: runId });
    expect(await versionOf(newest.runId)).toBe(second);

    const tree = unpackRunTree(await api().runs.tree({ runId: again.runId }));
    expect(tree.run.target).toMatchObject({ name: "Clerk", version: 1 });
    expect(tree.run.rerunOf).toEqual({ id: runId, title: "Go", target: { id: agentId, name: "Clerk", version: 2 } });
    expect(tree.run).toMatchObject({ isFork: false, forkOf: null, reruns: [] });
    // Nothing of it is reused.
    expect(tree.steps).toEqual([]);
    expect((await api().runs.tree({ runId })).run.reruns).toMatchObject([
      { id: again.runId, title: "Go", status: "queued", target: "Clerk v1" },
      { id: newest.runId, title: "Go", status: "queued", target: "Clerk v2" },
    ]);
    expect((await api().runs.compare({ leftRunId: runId, rightRunId: again.runId })).left.id).toBe(runId);
  });

  test("the version of a team is chosen with its agents of then", async () => {
    const { workspaceId } = scope;
    const team = await aTeam(db(), workspaceId, { name: "Desk" });
    const teamVersionId = uuid();
    await db().teamVersion.create({
      data: { id: teamVersionId, workspaceId, teamId: team.teamId, number: 2, pattern: "coordinate", limits: {} },
    });
    await db().teamNode.create({
      data: { id: uuid(), workspaceId, teamVersionId, agentVersionId: first, position: 0 },
    });
    const start = (version?: number) =>
      api().runs.start({ teamId: team.teamId, input: "Go", ...(version === undefined ? {} : { version }) });
    expect(await versionOf((await start()).runId)).toBe(first);
    expect(await versionOf((await start(1)).runId)).toBe(team.root.agentVersionId);
  });

  test("a version there is not is refused by name, and nothing is stored", async () => {
    const before = await db().run.count();
    await expect(api().runs.start({ agentId, input: "Go", version: 7 })).rejects.toThrow(
      "There is no version 7 of “Clerk”. Choose another.",
    );
    expect(await db().run.count()).toBe(before);
  });

  test("what it would do is told first: its versions, what the run before wrote, and which tools write", async () => {
    const { runId } = await api().runs.start({ agentId, input: "Go", version: 1 });
    const agentRunId = (await db().agentRun.findFirstOrThrow({ where: { runId } })).id;
    await db().effect.create({
      data: {
        ...{ key: uuid(), workspaceId: scope.workspaceId, runId, agentRunId, position: 1, tool: "notes__write" },
        ...{ argumentsHash: "x", honoursKey: false, status: "done", epoch: 1 },
      },
    });
    const plan = await api().runs.rerunPlan({ runId });
    expect(plan).toMatchObject({ effectsTotal: 1, effectTools: ["notes__write"], writes: ["notes__write"] });
    expect(plan.versions).toMatchObject([
      { number: 2, isOfRun: false },
      { number: 1, isOfRun: true },
    ]);
    expect((await api().runs.rerunPlan({ runId, version: 1 })).writes).toEqual([]);
    const stranger = callerOf(await aMember(db(), await aWorkspace(db())));
    await expect(stranger.runs.rerunPlan({ runId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(stranger.runs.start({ agentId, input: "Go", rerunOfId: runId })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("it is about what the run before was about when it began, unless something else is said (INT-CTX-10)", async () => {
    const context = {
      variables: [{ name: "priority", value: 2 }],
      entities: [{ type: "order", id: "4711", label: "Kettle" }],
    };
    const { runId } = await api().runs.start({ agentId, input: "Go", context });
    // What its agent notes later is not what it began with.
    await pool().query("UPDATE agent_runs SET context = NULL WHERE run_id = $1", [runId]);
    const contextOf = async (id: string) => (await db().agentRun.findFirstOrThrow({ where: { runId: id } })).context;
    expect((await api().runs.rerunPlan({ runId })).context).toEqual(context);
    const again = await api().runs.start({ agentId, input: "Go", rerunOfId: runId });
    expect(await contextOf(again.runId)).toEqual(context);
    const other = { variables: [], entities: [{ type: "order", id: "4712" }] };
    const changed = await api().runs.start({ agentId, input: "Go", rerunOfId: runId, context: other });
    expect(await contextOf(changed.runId)).toEqual(other);
    const nothing = { variables: [], entities: [] };
    const without = await api().runs.start({ agentId, input: "Go", rerunOfId: runId, context: nothing });
    expect(await contextOf(without.runId)).toBeNull();
    expect((await api().runs.rerunPlan({ runId: without.runId })).context).toBeNull();
    const { left, right } = await api().runs.compare({ leftRunId: again.runId, rightRunId: without.runId });
    expect([left.about, right.about]).toEqual([context, null]);
  });

  test("people are asked before it writes where that is wanted, and only there", async () => {
    const { runId } = await api().runs.start({ agentId, input: "Go" });
    const asking = await api().runs.start({ agentId, input: "Go", rerunOfId: runId, askBeforeWrites: true });
    const overridesOf = async (id: string) =>
      (await pool().query<{ overrides: object }>("SELECT overrides FROM runs WHERE id = $1", [id])).rows[0]?.overrides;
    expect(await overridesOf(runId)).toEqual({});
    expect(await overridesOf(asking.runId)).toMatchObject({ since: "start", askBeforeWrites: true, askBefore: [] });
  });
});
