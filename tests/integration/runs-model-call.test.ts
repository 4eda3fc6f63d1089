import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { DEFAULT_RUN_LIMITS } from "@/server/engine/run-limits";
import type { ModelMessage } from "@/server/models/model";
import { toChatParams } from "@/server/models/openai-messages";
import { storeFork } from "@/server/runs/service/store-fork";
import { type MessageView, modelCall, stepDetail } from "@/server/runs/step-schema";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, PRICE, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import type { ChatRequest, Script } from "@/tests/support/scripted-model";

type Turn = ReturnType<Script>;

function toModelMessage({ role, content, calls, callId }: MessageView): ModelMessage {
  if (role === "assistant") return { role, content, calls };
  return role === "tool" ? { role, content: content ?? "", callId: callId ?? "" } : { role, content: content ?? "" };
}

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
      supervisor: { tools: ["look_up"], temperature: 0.25, maxOutputTokens: 1_234 },
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
      ...{ provider: usage.provider, model: "scripted", responseModel: "scripted" },
      ...{ endpoint: desk().server.url, ofToday: { endpoint: false, contextTokens: false } },
      parameters: { temperature: 0.25, maxOutputTokens: 1_234 },
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
    const place = { runId, agentRunId, position: failed?.position ?? -1 };
    expect((await callerOf(desk().scope).runs.step(place)).request).toMatchObject({ maxOutputTokens: 1_234 });
    expect(await read(failed?.position ?? -1)).toMatchObject({
      parameters: { temperature: 0.25, maxOutputTokens: 1_234 },
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
    // Nor is the address another one that was entered since.
    expect(await read(step)).toEqual(billed);
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

  test("how long a reply may be is what was asked for, also under a budget; with requests kept before nothing is said of it", async () => {
    const { scope } = desk();
    const asked = desk().words("ask shortly", turns({ text: "Short." }));
    const team = await aTeam(db(), scope.workspaceId, { supervisor: {}, agents: [{}] });
    const lastCall = async (id: string) => {
      await desk().ended(id);
      const { root } = await soundRecord(scope, id);
      const place = { runId: id, agentRunId: root.id, position: 0 };
      const { request } = await callerOf(scope).runs.step(place);
      const { parameters } = modelCall.parse(await callerOf(scope).runs.modelCall(place));
      expect(parameters.maxOutputTokens).toBe(request?.maxOutputTokens);
      return { parameters, agentRunId: root.id };
    };
    const free = await lastCall(await desk().start(team, asked));
    expect(free.parameters).toEqual({ temperature: null, maxOutputTokens: null });
    const limited = await lastCall(
      await desk().start(team, asked, { limits: { ...DEFAULT_RUN_LIMITS, maxTokens: 100_000 } }),
    );
    expect(limited.parameters).toEqual({ temperature: null, maxOutputTokens: 4_096 });

    await pool().query(
      `UPDATE blobs SET content = (content::jsonb - 'maxOutputTokens' - 'endpoint' - 'contextTokens')::text
       WHERE hash = (SELECT request_hash FROM steps WHERE agent_run_id = $1)`,
      [free.agentRunId],
    );
    const { runId: id } = await db().agentRun.findUniqueOrThrow({ where: { id: free.agentRunId } });
    expect((await lastCall(id)).parameters).toEqual({ temperature: null });
  });

  test("a request is shown as it was sent: malformed arguments as they were rewritten, and without what is hidden since it was stored", async () => {
    const { scope } = desk();
    const sent: ChatRequest[] = [];
    const gate = desk().gate("hold");
    const keep =
      (turn: Turn) =>
      (request: ChatRequest): Turn => {
        sent.push(request);
        return turn;
      };
    const team = await aTeam(db(), scope.workspaceId, {
      supervisor: { tools: ["hold", "look_up"], temperature: 0.5, maxOutputTokens: 700 },
      agents: [{}],
    });
    const id = await desk().play(
      team,
      "write to jane.doe@example.com",
      turns(
        keep({ calls: [{ name: "look_up", arguments: '{"for": jane.doe@example.com' }] }),
        keep({ calls: [call("hold")] }),
      ),
    );
    // What it is told then is in other words, by which no script is found.
    desk().fallback = keep({ text: "Written." });
    await eventually(() => expect(gate.calls).toBe(1));
    await callerOf(scope).workspace.savePrivacy({ redactsPii: true });
    gate.open();
    await desk().ended(id);
    const { root, steps: all } = await soundRecord(scope, id);
    const positions = all.flatMap(({ kind: is, position }) => (is === "model" ? [position] : []));
    const shown = await Promise.all(
      positions.map(async (position) => {
        const place = { runId: id, agentRunId: root.id, position, whole: true };
        const { request } = stepDetail.parse(await callerOf(scope).runs.step(place));
        if (!request) throw new Error("a model call without a request");
        return request;
      }),
    );
    const last = shown.at(-1) as (typeof shown)[number];
    const params = toChatParams(
      "scripted",
      {
        messages: last.messages.map(toModelMessage),
        ...{ tools: last.tools, temperature: last.temperature ?? 0, maxOutputTokens: last.maxOutputTokens ?? 0 },
        signal: new AbortController().signal,
      },
      "",
    );
    expect(sent).toHaveLength(3);
    expect(sent[2]).toMatchObject(params);
    expect(JSON.stringify(last)).not.toContain("jane.doe@example.com");
    expect(last.messages.flatMap(({ calls }) => calls).map(({ isRewritten = false }) => isRewritten)).toEqual([
      true,
      false,
    ]);
    // Those of before had it in them, which is said.
    expect(shown.map(({ isCleaned }) => isCleaned)).toEqual([true, true, true]);
    desk().fallback = () => ({ text: "Done." });
    await callerOf(scope).workspace.savePrivacy({ redactsPii: false });
    const place = { runId: id, agentRunId: root.id, position: positions[0] ?? -1 };
    expect((await callerOf(scope).runs.step(place)).request?.isCleaned).toBe(false);
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
    expect(await of("Searcher", 0)).toMatchObject({
      ...{ contextTokens: 32_000, endpoint: "https://api.example.com" },
      // It is from before they were kept with a call.
      ofToday: { endpoint: true, contextTokens: true },
    });
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
    expect(condensing).toMatchObject({ model: "scripted", usage: null, sameRequests: 4 });
  });

  test("a tool's call has none, and nor has another workspace", async () => {
    const tool = steps.find(({ kind: is }) => is === "tool");
    await expect(read(tool?.position ?? -1)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const stranger = await aMember(db(), await aWorkspace(db()));
    await expect(read(0, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
