import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { storeFork } from "@/server/runs/service/store-fork";
import { modelCall } from "@/server/runs/step-schema";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { PRICE, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";

const RATES = {
  ...{ inputNanoUsdPerMtok: PRICE.inputNanoUsd, cachedNanoUsdPerMtok: null },
  ...{ outputNanoUsdPerMtok: PRICE.outputNanoUsd, reasoningNanoUsdPerMtok: null },
};

describe.each(DATABASE_KINDS)("the record of a model call on the %s database", (kind) => {
  const desk = useDesk(kind);
  let runId: string;
  let agentRunId: string;
  let steps: { position: number; kind: string; status: string }[];
  const read = async (position: number, scope = desk().scope) =>
    modelCall.parse(await callerOf(scope).runs.modelCall({ runId, agentRunId, position }));

  beforeAll(async () => {
    desk().tools.set(
      "look_up",
      aTool("look_up", async () => ({ found: "it" })),
    );
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { tools: ["look_up"], temperature: 0.25 },
      agents: [{}],
    });
    runId = await desk().play(
      team,
      "make some calls",
      turns(
        (_request, { attempt }) =>
          attempt === 0
            ? { fault: "status", status: 503, message: "away" }
            : { calls: [call("look_up", { reason: "It is asked for." })] },
        // Longer than what a row holds.
        { text: "word ".repeat(3_000) },
      ),
    );
    await desk().ended(runId);
    const record = await soundRecord(desk().scope, runId);
    agentRunId = record.root.id;
    steps = record.steps;
  });

  test("one that was answered: what was asked for, what was used, and how it ended and arrived", async () => {
    const [, first, last] = steps.filter((step) => step.kind === "model");
    const one = await read(first?.position ?? -1);
    const usage = await db().usage.findFirstOrThrow({ where: { agentRunId, position: first?.position ?? -1 } });
    expect(one).toMatchObject({
      ...{ provider: usage.provider, model: "scripted", responseModel: "scripted", endpoint: "" },
      parameters: { temperature: 0.25 },
      usage: {
        ...{ prompt: usage.inputTokens, completion: usage.outputTokens, cached: usage.cachedTokens, isKnown: true },
        total: usage.inputTokens + usage.outputTokens,
      },
      cost: { nanoUsd: Number(usage.costNanoUsd), rates: RATES },
      ...{ finishReason: "tool_calls", error: null, retryAttempt: 1, isReused: false },
    });
    expect(one.tools?.names).toContain("look_up");
    expect(one.tools?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(one.stream?.pieces).toBeGreaterThan(0);
    expect(one.elapsedMs).toBe(Date.parse(one.completedAt) - Date.parse(one.startedAt));

    // Its reply lies in a blob.
    const other = await read(last?.position ?? -1);
    expect(other).toMatchObject({ finishReason: "stop", retryAttempt: 0 });
    expect(other.stream?.firstPieceMs).toBeGreaterThanOrEqual(0);
    // The same tools, the same hash; the same call, the same id.
    expect(other.tools?.hash).toBe(one.tools?.hash);
    expect(other.callId).not.toBe(one.callId);
    expect((await read(last?.position ?? -1)).callId).toBe(other.callId);
  });

  test("one that failed: why, and that nobody knows what it used", async () => {
    const failed = steps.find((step) => step.status === "failed");
    expect(await read(failed?.position ?? -1)).toMatchObject({
      ...{ usage: null, cost: null, finishReason: null, stream: null, responseModel: null },
      error: { code: "unavailable", message: expect.stringContaining("503") },
    });
  });

  test("LLM-OBS-06: the rates are those it was billed at, whatever the model costs later, and of an old call they are not kept", async () => {
    const step = steps.findLast(({ kind: is }) => is === "model")?.position ?? -1;
    const { workspaceId } = desk().scope;
    const usage = await db().usage.findFirstOrThrow({ where: { agentRunId, position: step } });
    const billed = await read(step);
    await db().provider.create({
      data: {
        ...{ id: crypto.randomUUID(), workspaceId, name: usage.provider, baseUrl: "https://1.1.1.1/v1" },
        models: {
          create: [
            {
              ...{ id: crypto.randomUUID(), name: "scripted", kind: "chat" },
              ...{ inputNanoUsdPerMtok: 7n, outputNanoUsdPerMtok: 7n },
            },
          ],
        },
      },
    });
    expect(await read(step)).toEqual({ ...billed, endpoint: "https://1.1.1.1/v1" });
    expect(billed.cost).toMatchObject({ rates: RATES, parts: { cachedDiscountNanoUsd: 0, reasoningNanoUsd: 0 } });

    const { inputRate, outputRate } = usage;
    const where = { agentRunId_position: { agentRunId, position: step }, workspaceId };
    await db().usage.update({ where, data: { inputRate: null, outputRate: null } });
    expect((await read(step)).cost).toEqual({ nanoUsd: billed.cost?.nanoUsd, rates: null, parts: null });
    await db().usage.update({ where, data: { inputRate, outputRate } });
  });

  test("LLM-OBS-01, LLM-OBS-07: cached tokens and reasoning have their own price, the cost is told by part, and a copy keeps all of it", async () => {
    const { scope } = desk();
    const price = { cachedNanoUsd: 100_000_000, reasoningNanoUsd: 5_000_000_000 };
    desk().model = desk().scripted({ price: { ...PRICE, ...price } });
    const counts = { prompt_tokens: 1_000, completion_tokens: 300, total_tokens: 1_300 };
    const details = {
      prompt_tokens_details: { cached_tokens: 800 },
      completion_tokens_details: { reasoning_tokens: 100 },
    };
    const team = await aTeam(db(), scope.workspaceId, { supervisor: { tools: ["look_up"] }, agents: [{}] });
    const id = await desk().play(
      team,
      "cost by part",
      turns({ calls: [call("look_up")], usage: { ...counts, ...details } }, { text: "So much." }),
    );
    await desk().ended(id);
    desk().model = desk().scripted();
    const { root } = await soundRecord(scope, id);
    const of = async (run: string, agent: string) =>
      modelCall.parse(await callerOf(scope).runs.modelCall({ runId: run, agentRunId: agent, position: 0 }));
    const call0 = await of(id, root.id);
    expect(call0).toMatchObject({
      usage: { prompt: 1_000, cached: 800, completion: 300, reasoning: 100, total: 1_300 },
      cost: {
        nanoUsd: 200_000 + 80_000 + 600_000 + 500_000,
        rates: { ...RATES, cachedNanoUsdPerMtok: 100_000_000, reasoningNanoUsdPerMtok: 5_000_000_000 },
        parts: {
          ...{ promptNanoUsd: 1_000_000, cachedDiscountNanoUsd: 720_000 },
          ...{ completionNanoUsd: 600_000, reasoningNanoUsd: 500_000 },
        },
      },
    });
    // A price of its own is another version.
    expect(call0.cost?.rates?.version).not.toBe(
      (await read(steps.find(({ kind: is, status }) => is === "model" && status === "completed")?.position ?? -1)).cost
        ?.rates?.version,
    );

    const forkId = await storeFork({
      scope,
      input: { runId: id, agentRunId: root.id, position: 2, askBeforeWrites: true },
    });
    await desk().ended(forkId);
    const fork = await soundRecord(scope, forkId);
    expect(fork.steps[0]?.reused).toEqual({ inputTokens: 1_000, outputTokens: 300, costNanoUsd: 1_380_000 });
    const copied = await of(forkId, fork.root.id);
    expect(copied).toMatchObject({ isReused: true, usage: call0.usage, cost: call0.cost, responseModel: "scripted" });
  });

  test("of what fills a context: the model's window, calls with the same tools, and a hash that is another for other tools", async () => {
    const { scope } = desk();
    const team = await aSampleTeam(db(), scope.workspaceId);
    const sample = await insertSampleRun(db(), { ...scope, team, state: "finished" });
    const agents = await db().agentRun.findMany({ where: { runId: sample } });
    const of = async (name: string, position: number) =>
      modelCall.parse(
        await callerOf(scope).runs.modelCall({
          ...{ runId: sample, agentRunId: agents.find((agent) => agent.name === name)?.id ?? "", position },
        }),
      );
    const one = await of("Searcher", 0);
    expect(one).toMatchObject({
      provider: "api.example.com",
      contextTokens: null,
      isCondensed: false,
      sameRequests: 2,
    });
    expect(one.usage).toMatchObject({ prompt: 402, completion: 38, cached: 0, isKnown: true });
    expect((await of("Searcher", 2)).tools?.hash).toBe(one.tools?.hash);
    expect((await of("Writer", 0)).tools?.hash).not.toBe(one.tools?.hash);
    await db().provider.create({
      data: {
        ...{ id: crypto.randomUUID(), workspaceId: scope.workspaceId, name: "api.example.com" },
        baseUrl: "https://api.example.com",
        models: { create: [{ id: crypto.randomUUID(), name: "general-1", kind: "chat", contextTokens: 32_000 }] },
      },
    });
    expect(await of("Searcher", 0)).toMatchObject({ contextTokens: 32_000, endpoint: "https://api.example.com" });
  });

  test("the call that condensed what a tool returned has one, under the tool's step", async () => {
    const tool = steps.find(({ kind: is }) => is === "tool")?.position ?? -1;
    const [asked] = await db().step.findMany({ where: { agentRunId, kind: "model", status: "completed" }, take: 1 });
    await pool().query("UPDATE steps SET request_hash = $3 WHERE agent_run_id = $1 AND position = $2", [
      ...[agentRunId, tool, asked?.requestHash],
    ]);
    const condensing = await read(tool);
    await pool().query("UPDATE steps SET request_hash = NULL WHERE agent_run_id = $1 AND position = $2", [
      ...[agentRunId, tool],
    ]);
    // Beside it the two calls that were answered.
    expect(condensing).toMatchObject({ model: "scripted", usage: null, sameRequests: 3 });
  });

  test("a tool's call has none, and nor has another workspace", async () => {
    const tool = steps.find(({ kind: is }) => is === "tool");
    await expect(read(tool?.position ?? -1)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const stranger = await aMember(db(), await aWorkspace(db()));
    await expect(read(0, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
