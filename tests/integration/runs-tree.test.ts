import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import { type RunTree, runTree } from "@/server/runs/schema";
import type { Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { expectRowsToSay } from "@/tests/support/fold-events";
import { RunWriter } from "@/tests/support/run-writer";
import { aSampleTeam, insertSampleRun, SAMPLE_STATES } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("the tree of a run on the %s database", (kind) => {
  const database = useDatabase(kind);
  let scope: Scope;
  let team: TeamFixture;
  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    team = await aSampleTeam(db(), scope.workspaceId);
  });
  const aSampleRun = (state: (typeof SAMPLE_STATES)[number]) =>
    insertSampleRun(db(), { workspaceId: scope.workspaceId, team, startedById: scope.userId, state });

  test.each(SAMPLE_STATES)("of a %s run says what its events say", async (state) => {
    const runId = await aSampleRun(state);
    const tree = runTree.parse(await getRunTree(scope.workspaceId, runId));
    const events = await listEventsAfter(scope.workspaceId, { runId, seq: 0, limit: 1_000 });

    expectRowsToSay(tree, events);
    expect(tree.run.openRequests).toBe(tree.requests.filter(({ status }) => status === "open").length);
    expect(tree.run.costNanoUsd).toBe(tree.steps.reduce((sum, step) => sum + (step.costNanoUsd ?? 0), 0));
    expect(tree.run.inputTokens).toBe(tree.agents.reduce((sum, agent) => sum + agent.inputTokens, 0));
    expect(tree.run.startedBy).toBe(scope.userName);
  });

  test("tells a call at work apart from one that is recorded", async () => {
    const tree = await getRunTree(scope.workspaceId, await aSampleRun("live"));
    const searcher = tree.agents.find(({ name }) => name === "Searcher");
    expect(searcher?.openSteps.map(({ position, kind: is }) => ({ position, is }))).toEqual([
      { position: 2, is: "model" },
    ]);
    expect(tree.liveTexts).toEqual([
      { agentRunId: searcher?.id, position: 2, text: "Parcels that arrive damaged are refunded" },
    ]);
    expect(tree.run.agents).toEqual({ total: 3, running: 3 });
    expect(tree.run.doing).toBe("Searcher: general-1");
    const toolCall = tree.steps.find(({ kind: is }) => is === "tool");
    expect(toolCall?.costNanoUsd).toBeNull();
  });

  test("keeps a call of unknown price unknown", async () => {
    const runId = await aSampleRun("finished");
    await db().usage.updateMany({ where: { runId, position: 0 }, data: { costNanoUsd: null } });
    const { steps } = await getRunTree(scope.workspaceId, runId);
    const unpriced = steps.filter(({ kind: is, position }) => is === "model" && position === 0);
    expect(unpriced.length).toBeGreaterThan(0);
    for (const step of unpriced) expect(step).toMatchObject({ costNanoUsd: null, inputTokens: expect.any(Number) });
  });

  test("is one snapshot: whatever a writer commits meanwhile, rows and last seq agree", async () => {
    const runId = await aSampleRun("live");
    const before = await getRunTree(scope.workspaceId, runId);
    const agentRunId = before.agents[0]?.id ?? "";
    const writer = new RunWriter(database().url, { workspaceId: scope.workspaceId, runId, agentRunId });
    let writing = true;
    const trees: RunTree[] = [];
    await Promise.all([
      (async () => {
        for (let position = 100; position < 220; position++) await writer.writeStep(position);
        writing = false;
      })(),
      (async () => {
        while (writing) trees.push(await getRunTree(scope.workspaceId, runId));
      })(),
    ]);
    await writer.close();

    const events = await listEventsAfter(scope.workspaceId, { runId, seq: 0, limit: 1_000 });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    // Something was caught in the middle, or this shows nothing.
    expect(new Set(trees.map(({ lastSeq }) => lastSeq)).size).toBeGreaterThan(5);
    for (const tree of trees) expectRowsToSay(tree, events.slice(0, tree.lastSeq));
  });

  test("of another workspace does not exist", async () => {
    const runId = await aSampleRun("finished");
    const stranger = await aWorkspace(db());
    await expect(getRunTree(stranger, runId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
