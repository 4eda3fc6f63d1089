import { beforeAll, describe, expect, test } from "vitest";
import { unpackRunTree } from "@/components/runs/unpack-run-tree";
import { db } from "@/server/db";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import { createInnerContext } from "@/server/trpc/context";
import { appRouter } from "@/server/trpc/root";
import type { Role, Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { expectRowsToSay } from "@/tests/support/fold-events";
import { aSampleTeam, insertSampleRun, type SampleState } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

const NOT_ALLOWED = { code: "FORBIDDEN" };
const NOT_FOUND = { code: "NOT_FOUND" };

describe.each(DATABASE_KINDS)("the procedures of runs on the %s database", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  let team: TeamFixture;
  beforeAll(async () => {
    owner = await aMember(db(), await aWorkspace(db()));
    team = await aSampleTeam(db(), owner.workspaceId);
  });
  const as = ({ userId, userName }: Scope) =>
    appRouter.createCaller(
      createInnerContext({ user: { id: userId, name: userName, email: "somebody@example.test" } }),
    );
  const asNew = async (role: Role) => as(await aMember(db(), owner.workspaceId, role));
  const aSampleRun = (state: SampleState) =>
    insertSampleRun(db(), { ...owner, team, startedById: owner.userId, state });
  const expectConsistent = async (runId: string) => {
    const tree = unpackRunTree(await as(owner).runs.tree({ runId }));
    expectRowsToSay(tree, await listEventsAfter(owner.workspaceId, { runId, seq: 0, limit: 1_000 }));
    return tree;
  };

  test("a viewer reads everything and changes nothing", async () => {
    const viewer = await asNew("viewer");
    const runId = await aSampleRun("waiting");
    const { items } = await viewer.requests.list({});
    const requestId = items.find((request) => request.runId === runId)?.id ?? "";
    expect((await viewer.runs.list({})).items.map(({ id }) => id)).toContain(runId);
    expect((await viewer.runs.summary()).waiting).toBeGreaterThan(0);
    expect(await viewer.teams.list()).toHaveLength(1);

    await expect(viewer.runs.start({ teamId: team.teamId, input: "Go" })).rejects.toMatchObject(NOT_ALLOWED);
    await expect(viewer.runs.stop({ runId })).rejects.toMatchObject(NOT_ALLOWED);
    await expect(viewer.requests.answer({ requestId, answer: "Returns" })).rejects.toMatchObject(NOT_ALLOWED);
    expect((await expectConsistent(runId)).run.status).toBe("waiting");
  });

  test("an operator starts a run, and it is there at once with its root", async () => {
    const operator = await asNew("operator");
    const plain = await aSampleTeam(db(), (await aMember(db(), await aWorkspace(db()))).workspaceId);
    await expect(operator.runs.start({ teamId: plain.teamId, input: "Go" })).rejects.toMatchObject(NOT_FOUND);
    await db().agentVersion.updateMany({ where: { workspaceId: owner.workspaceId }, data: { config: runnable } });
    const { runId } = await operator.runs.start({ teamId: team.teamId, input: "  Say hello.  " });
    const tree = await expectConsistent(runId);
    expect(tree.run).toMatchObject({ status: "queued", input: "Say hello.", startedBy: "Ada Tester" });
    expect(tree.agents).toMatchObject([{ name: "Desk lead", parentId: null, status: "queued" }]);
    expect((await operator.runs.list({ status: ["active"] })).items.map(({ id }) => id)).toContain(runId);
  });

  test("a stopped run is aborted with everything in it, and stopping it again changes nothing", async () => {
    const operator = await asNew("operator");
    const runId = await aSampleRun("live");
    expect(await operator.runs.stop({ runId })).toEqual({ status: "aborted" });
    const tree = await expectConsistent(runId);
    expect(tree.agents.map(({ status }) => status)).toEqual(["aborted", "aborted", "aborted"]);
    expect(tree.liveTexts).toEqual([]);
    expect(await operator.runs.stop({ runId })).toEqual({ status: "aborted" });
    expect((await operator.runs.tree({ runId })).lastSeq).toBe(tree.lastSeq);
  });

  test("an answer counts once: a later one is told what stands", async () => {
    const runId = await aSampleRun("waiting");
    const request = (await expectConsistent(runId)).requests[0];
    const requestId = request?.id ?? "";
    const first = await (await asNew("operator")).requests.answer({ requestId, answer: "Returns" });
    expect(first).toMatchObject({ counted: true, request: { status: "answered", answer: "Returns" } });
    const second = await (await asNew("editor")).requests.answer({ requestId, answer: "Damaged parcels" });
    expect(second).toMatchObject({ counted: false, request: { status: "answered", answer: "Returns" } });
    const tree = await expectConsistent(runId);
    expect(tree.run).toMatchObject({ openRequests: 0, status: "running" });
    expect((await as(owner).requests.list({})).items.map(({ id }) => id)).not.toContain(requestId);
  });

  test("what belongs to another workspace does not exist", async () => {
    const stranger = as(await aMember(db(), await aWorkspace(db())));
    const runId = await aSampleRun("waiting");
    const tree = unpackRunTree(await as(owner).runs.tree({ runId }));
    const requestId = tree.requests[0]?.id ?? "";
    const agentRunId = tree.agents[0]?.id ?? "";
    const decisionId = tree.decisions[0]?.id ?? "";
    await expect(stranger.runs.tree({ runId })).rejects.toMatchObject(NOT_FOUND);
    await expect(stranger.runs.step({ runId, agentRunId, position: 0 })).rejects.toMatchObject(NOT_FOUND);
    await expect(stranger.runs.decision({ runId, decisionId })).rejects.toMatchObject(NOT_FOUND);
    await expect(stranger.runs.agent({ runId, agentRunId })).rejects.toMatchObject(NOT_FOUND);
    await expect(stranger.runs.events({ runId })).rejects.toMatchObject(NOT_FOUND);
    await expect(stranger.runs.stop({ runId })).rejects.toMatchObject(NOT_FOUND);
    await expect(stranger.requests.answer({ requestId, answer: "Returns" })).rejects.toMatchObject(NOT_FOUND);
    expect((await stranger.runs.list({})).items).toEqual([]);
    expect((await expectConsistent(runId)).run.status).toBe("waiting");
  });
});

/** Only tools the product has: starting refuses any other. */
const runnable = { purpose: "Helps.", instructions: "Help.", tools: [] };
