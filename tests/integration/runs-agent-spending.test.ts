import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import type { RunTree } from "@/server/runs/schema";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("what an agent run spent of what it may, on the %s database", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  let tree: RunTree;
  const agentNamed = (name: string) => tree.agents.find((agent) => agent.name === name) ?? tree.agents[0];
  const spending = (name: string, as = scope) =>
    callerOf(as).runInside.agentSpending({ runId: tree.run.id, agentRunId: agentNamed(name)?.id ?? "" });
  /** As if its version had been published with these. */
  const configure = (name: string, config: object) =>
    pool().query(
      "UPDATE agent_versions v SET config = v.config || $2::jsonb FROM agent_runs a WHERE a.id = $1 AND v.id = a.agent_version_id",
      [agentNamed(name)?.id, JSON.stringify(config)],
    );
  const reserve = (name: string, position: number, status: string) =>
    db().reservation.create({
      data: {
        ...{ agentRunId: agentNamed(name)?.id ?? "", position, epoch: 1, workspaceId: scope.workspaceId },
        ...{ runId: tree.run.id, day: new Date(), costNanoUsd: 500n, tokens: 70n, status },
      },
    });
  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    const team = await aSampleTeam(db(), scope.workspaceId);
    const runId = await insertSampleRun(db(), { ...scope, team, startedById: scope.userId, state: "finished" });
    tree = await getRunTree(scope.workspaceId, runId);
  });

  test("itself, with its agents, and by model", async () => {
    const lead = await spending("Desk lead");
    const sum = (of: (agent: (typeof tree.agents)[number]) => number) =>
      tree.agents.reduce((all, agent) => all + of(agent), 0);
    expect(lead.tree).toMatchObject({
      inputTokens: sum(({ inputTokens }) => inputTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      costNanoUsd: sum(({ costNanoUsd }) => costNanoUsd),
    });
    expect(lead.own.inputTokens).toBe(agentNamed("Desk lead")?.inputTokens);
    expect(lead.models.reduce((all, { calls }) => all + calls, 0)).toBe(lead.tree.calls);
    const searcher = await spending("Searcher");
    expect(searcher.tree).toEqual(searcher.own);
    expect(searcher.rounds).toEqual({ used: 2, most: 25 });
  });

  test("its own limits and those above it, with what is spent and reserved below each", async () => {
    expect((await spending("Searcher")).limits).toEqual([]);
    await configure("Searcher", { maxTokens: 9_000 });
    await configure("Desk lead", { maxCostNanoUsd: 1_000_000_000, maxConcurrentAgents: 3, canSpawnAgents: true });
    await reserve("Searcher", 90, "reserved");
    await reserve("Searcher", 91, "unconfirmed");
    await reserve("Searcher", 92, "released");
    await reserve("Writer", 90, "reserved");

    const searcher = await spending("Searcher");
    const { id, inputTokens, outputTokens, costNanoUsd } = agentNamed("Searcher") ?? expect.fail();
    expect(searcher.reserved).toEqual({ costNanoUsd: 1_000, tokens: 140 });
    expect(searcher.agents).toBeNull();
    const lead = await spending("Desk lead");
    expect(searcher.limits).toEqual([
      {
        ...{ agentRunId: id, name: "Searcher", maxCostNanoUsd: null, maxTokens: 9_000 },
        spent: { costNanoUsd, tokens: inputTokens + outputTokens },
        reserved: { costNanoUsd: 1_000, tokens: 140 },
      },
      {
        ...{
          agentRunId: agentNamed("Desk lead")?.id,
          name: "Desk lead",
          maxCostNanoUsd: 1_000_000_000,
          maxTokens: null,
        },
        spent: { costNanoUsd: lead.tree.costNanoUsd, tokens: lead.tree.inputTokens + lead.tree.outputTokens },
        reserved: { costNanoUsd: 1_500, tokens: 210 },
      },
    ]);
    expect(lead).toMatchObject({ agents: { open: 0, most: 3 }, reserved: { costNanoUsd: 1_500, tokens: 210 } });
    expect(lead.limits).toEqual([searcher.limits[1]]);
  });

  test("how full its context was, by the provider's count and the model's window", async () => {
    const last = tree.steps.findLast(
      ({ agentRunId, kind: is }) => agentRunId === agentNamed("Searcher")?.id && is === "model",
    );
    const context = { position: last?.position, tokens: last?.inputTokens, model: "general-1" };
    expect((await spending("Searcher")).context).toMatchObject({ ...context, contextTokens: null });
    await db().provider.create({
      data: {
        ...{ id: crypto.randomUUID(), workspaceId: scope.workspaceId, name: "api.example.com" },
        baseUrl: "https://api.example.com",
        models: { create: [{ id: crypto.randomUUID(), name: "general-1", kind: "chat", contextTokens: 32_000 }] },
      },
    });
    expect((await spending("Searcher")).context).toMatchObject({ ...context, contextTokens: 32_000 });
    // A provider that counts nothing.
    await pool().query("UPDATE usages SET input_tokens = 0 WHERE agent_run_id = $1", [agentNamed("Searcher")?.id]);
    expect((await spending("Searcher")).context).toMatchObject({ tokens: null });
  });

  test("a call tells how it counts against the limits", async () => {
    const { id } = agentNamed("Searcher") ?? expect.fail();
    const call = () => callerOf(scope).runs.modelCall({ runId: tree.run.id, agentRunId: id, position: 0 });
    expect((await call()).reservation).toBeNull();
    await reserve("Searcher", 0, "unconfirmed");
    expect((await call()).reservation).toEqual({ status: "unconfirmed", costNanoUsd: 500, tokens: 70 });
  });

  test("is not found from another workspace", async () => {
    const stranger = await aMember(db(), await aWorkspace(db()));
    await expect(spending("Searcher", stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
