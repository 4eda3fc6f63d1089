import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { scale } from "@/prisma/seed/scenarios/scale";
import { db, pool } from "@/server/db";
import type { StepRow } from "@/server/engine/events";
import { REHEARSAL } from "@/server/models/configured-model";
import { countRuns } from "@/server/runs/queries/count-runs";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import type { RunTree } from "@/server/runs/schema";
import { pauseWorkspace, resumeWorkspace } from "@/server/runs/service/control-workspace";
import { storeFork } from "@/server/runs/service/store-fork";
import { inTransaction } from "@/server/transaction";
import { deleteRun } from "@/server/usage/jobs/remove-run";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, anAgent, aWorkspace } from "@/tests/support/factories";
import { expectRowsToSay } from "@/tests/support/fold-events";
import { useDatabase } from "@/tests/support/use-database";

const STEPS = 10_000;
const SIZES = { steps: STEPS, runs: 12, agents: 6, teams: 2, documents: 0, conversations: 0 };

/** Nobody executes anything here: what is stored is looked at as it was stored. */
describe.each(DATABASE_KINDS)("retrying a run from a step, as it is stored (%s)", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  let large: RunTree;
  let small: RunTree;

  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    await scale(SIZES);
    const treeOf = async (which: string) => {
      const { rows } = await pool().query<{ id: string }>(
        `select s.run_id as id from steps s join runs r on r.id = s.run_id where r.status = 'completed' and r.conversation_id is null
         group by s.run_id order by count(*) ${which} limit 1`,
      );
      return getRunTree(scope.workspaceId, rows[0]?.id ?? "");
    };
    large = await treeOf("desc");
    small = await treeOf("asc");
  }, 120_000);

  const placeOf = (tree: RunTree, step: StepRow | undefined) => ({
    runId: tree.run.id,
    agentRunId: step?.agentRunId ?? "",
    position: step?.position ?? 0,
  });
  const lastOf = (tree: RunTree) =>
    placeOf(tree, [...tree.steps].sort((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1));
  const runs = () => db().run.count();

  test(`a run of ${STEPS} steps is copied, and its rows say what its events say`, async () => {
    expect(large.steps).toHaveLength(STEPS);
    const before = await countRuns(scope.workspaceId);
    const forkId = await storeFork({ scope, input: { ...lastOf(large), askBeforeWrites: true } });
    const fork = await getRunTree(scope.workspaceId, forkId);
    expectRowsToSay(fork, await listEventsAfter(scope.workspaceId, { runId: forkId, seq: 0, limit: 1_000_000 }));
    expect(fork.steps.length).toBeGreaterThan(STEPS * 0.9);
    expect(fork.steps.every(({ reused }) => reused)).toBe(true);
    expect(fork.run).toMatchObject({ status: "running", costNanoUsd: 0, inputTokens: 0, isFork: true });
    // What was paid for before is not counted a second time.
    expect((await countRuns(scope.workspaceId)).spentTodayNanoUsd).toBe(before.spentTodayNanoUsd);
  }, 300_000);

  test("what would be kept is told first, and what it cost", async () => {
    const place = lastOf(small);
    const plan = await callerOf(scope).runs.retryPlan(place);
    const { agentName, keptSteps, reusedCostNanoUsd } = plan;
    expect(agentName).toBe(small.agents.find(({ id }) => id === place.agentRunId)?.name);
    expect(keptSteps).toBeLessThan(small.steps.length);
    expect(reusedCostNanoUsd).toBeLessThanOrEqual(small.run.costNanoUsd);
    await expect(callerOf(scope).runs.retryPlan({ ...place, position: 9_999 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("a viewer may not, nor while the run is at work or everything is paused; nothing is stored then", async () => {
    const viewer = callerOf(await aMember(db(), scope.workspaceId, "viewer"));
    const before = await runs();
    const place = lastOf(small);
    await expect(viewer.runs.retryFrom(place)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(viewer.runs.retryPlan(place)).rejects.toMatchObject({ code: "FORBIDDEN" });

    const caller = callerOf(scope);
    const refused = (sentence: RegExp) => ({ message: expect.stringMatching(sentence) });
    await db().run.update({ where: { id: small.run.id }, data: { status: "running" } });
    await expect(caller.runs.retryFrom(place)).rejects.toMatchObject(refused(/still at work. Pause or stop it/));
    await db().run.update({ where: { id: small.run.id }, data: { status: "completed" } });

    await pauseWorkspace({ scope });
    await expect(storeFork({ scope, input: { ...place, askBeforeWrites: true } })).rejects.toMatchObject(
      refused(/paused everything/),
    );
    await resumeWorkspace({ scope });
    expect(await runs()).toBe(before);
  });

  test("what the run's own versions name and is gone is named before anything is stored", async () => {
    const before = await runs();
    await db().run.update({ where: { id: small.run.id }, data: { model: "acme/gone" } });
    await expect(callerOf(scope).runs.retryFrom(lastOf(small))).rejects.toMatchObject({
      message: expect.stringMatching(/versions the run was made with.*“acme\/gone”.*new run/s),
    });
    expect(await runs()).toBe(before);
  });

  test("so is what only an agent names that its supervisors may also start", async () => {
    const { model, teamVersionId } = await db().run.findUniqueOrThrow({ where: { id: small.run.id } });
    const { agentVersionId, name } = await anAgent(db(), scope.workspaceId, { tools: ["gone__tool"] });
    const data = { workspaceId: scope.workspaceId, teamVersionId: teamVersionId ?? "", agentVersionId, position: 0 };
    await db().run.update({ where: { id: small.run.id }, data: { model: REHEARSAL.ref } });
    await db().teamAllowedAgent.create({ data });
    await expect(callerOf(scope).runs.retryFrom(lastOf(small))).rejects.toMatchObject({
      message: expect.stringMatching(`${name} uses a tool that does not exist here: gone__tool`),
    });
    await db().teamAllowedAgent.deleteMany({ where: { agentVersionId } });
    await db().run.update({ where: { id: small.run.id }, data: { model } });
  });

  test("a run whose conversation has files attached is not retried outside of it", async () => {
    const { workspaceId } = scope;
    const before = await db().run.findUniqueOrThrow({ where: { id: small.run.id } });
    const { id: conversationId } = await db().conversation.create({
      data: { id: uuid(), workspaceId, title: "Talk", teamId: before.teamId },
    });
    const { id: baseId } = await db().knowledgeBase.create({
      data: { id: uuid(), workspaceId, conversationId, name: "Attached", dims: 1, settings: {} },
    });
    const file = { workspaceId, name: "plan.pdf", mediaType: "application/pdf" };
    const { id: fileId } = await db().file.create({ data: { id: uuid(), ...file } });
    await db().document.create({
      data: { id: uuid(), ...file, baseId, fileId, sizeBytes: 1, sha256: "", createdAt: before.createdAt },
    });
    await db().run.update({ where: { id: small.run.id }, data: { conversationId, model: REHEARSAL.ref } });
    await expect(callerOf(scope).runs.retryFrom(lastOf(small))).rejects.toMatchObject({
      message: expect.stringMatching(/attached to its conversation: “plan.pdf”.*Ask again in the conversation/),
    });
    const { model } = before;
    await db().run.update({ where: { id: small.run.id }, data: { conversationId: null, model } });
  });

  test("a run that is deleted leaves what was retried from it, without the link", async () => {
    const forkId = await storeFork({ scope, input: { ...lastOf(small), askBeforeWrites: false } });
    expect((await getRunTree(scope.workspaceId, small.run.id)).run.forks).toMatchObject([{ id: forkId }]);
    await inTransaction((client) => deleteRun(client, scope.workspaceId, small.run.id));
    const { run, steps } = await getRunTree(scope.workspaceId, forkId);
    expect(run).toMatchObject({ forkOf: null, isFork: true });
    expect(steps.every(({ reused }) => reused)).toBe(true);
  });
});
