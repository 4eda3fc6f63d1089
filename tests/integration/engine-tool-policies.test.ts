import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { type ResiliencePolicy, resiliencePolicy } from "@/server/engine/resilience/policy";
import { type Tool, ToolError, UnreachedError } from "@/server/tools/tool";
import { toolPolicy } from "@/server/tools/tool-policy";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

const DONE = { text: "Done." };
const QUICK = { maxAttempts: 2, backoffMs: 1, jitter: false };
type Stated = Parameters<typeof resiliencePolicy.parse>[0];

describe.each(DATABASE_KINDS)("calls of tools behind their policy, on the %s database", (kind) => {
  const desk = useDesk(kind);
  let tools = 0;

  /** A tool with a name of its own that does these things in turn; the last one stays. */
  function offer(acts: (() => unknown)[], also: Partial<Tool> & { guarded?: Stated } = {}) {
    const { guarded, ...rest } = also;
    const name = `tool_${++tools}`;
    const seen = { name, calls: 0, keys: [] as string[] };
    const policy = guarded ? { policy: toolPolicy.parse({ resilience: guarded }) } : {};
    const run: Tool["run"] = async (_args, { key }) => {
      seen.keys.push(key);
      return acts[Math.min(seen.calls++, acts.length - 1)]?.();
    };
    desk().tools.set(name, { ...aTool(name, async () => null, { ...rest, ...policy }), run });
    return seen;
  }
  const fails = (message: string, category?: ToolError["category"]) => () => {
    throw new ToolError(message, category);
  };
  const breaks = () => {
    throw new Error("it broke");
  };
  async function play(names: string[], config: Partial<AgentConfig> = {}, extra: string[] = []) {
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { canSpawnAgents: false, tools: [...new Set([...names, ...extra])], ...config },
      agents: [],
    });
    const asks = names.map((name, nth) => ({ calls: [call(name, { nth })] }));
    const runId = await desk().play(team, `calls ${names.join()}`, turns(...asks, DONE));
    expect((await desk().ended(runId)).status).toBe("completed");
    return soundRecord(desk().scope, runId);
  }
  const callsOf = ({ steps }: Awaited<ReturnType<typeof play>>) => steps.filter(({ kind: step }) => step === "tool");
  const policies = (policy: Stated): ResiliencePolicy => resiliencePolicy.parse(policy);

  test("AGT-RES-02: a read that may pass is made again, each time by a decision", async () => {
    const tool = offer([fails("no answer", "NETWORK"), fails("no answer", "SERVER_ERROR"), () => "seen"], {
      guarded: { retry: QUICK },
    });
    const record = await play([tool.name]);
    expect(tool.calls).toBe(3);
    expect(callsOf(record)).toMatchObject([{ status: "completed" }]);
    const retries = record.decisions.filter((decision) => decision.kind === "retry");
    expect(retries.map(({ reason, source }) => [reason, source])).toEqual([
      ["no answer; waiting 0.0 s; retry 1 of 2", "policy"],
      ["no answer; waiting 0.0 s; retry 2 of 2", "policy"],
    ]);
  });

  test("AGT-ERR-09: what will not pass is not made again, and its step says what it was", async () => {
    const tool = offer([fails("a field is missing", "PARAMETER")], { guarded: { retry: QUICK } });
    const record = await play([tool.name]);
    expect(tool.calls).toBe(1);
    expect(callsOf(record)[0]?.error).toEqual({
      ...{ code: "refused", message: "a field is missing" },
      ...{ stableCode: "TROUPE-ACTIONEXECUTION", category: "PARAMETER", retryable: false },
    });
  });

  test("AGT-RES-01: the agent's policy holds where the tool's says nothing, part by part", async () => {
    const retry = { ...QUICK, maxAttempts: 1 };
    const own = offer([breaks], { guarded: { retry: QUICK } });
    const agents = offer([breaks], { guarded: { fallback: { text: "Look again tomorrow." } } });
    const toolResilience = policies({ retry });
    await play([own.name], { toolResilience });
    const record = await play([agents.name], { toolResilience });
    expect([own.calls, agents.calls]).toEqual([3, 2]);
    expect(callsOf(record)).toMatchObject([{ status: "completed" }]);
  });

  test("what writes without a key is never made again, whatever the policy says", async () => {
    const tool = offer([breaks], {
      ...{ sideEffect: "external", idempotency: "none" },
      guarded: { retry: QUICK, fallback: { text: "Never said." } },
    });
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { canSpawnAgents: false, tools: [tool.name] },
      agents: [],
    });
    const runId = await desk().play(team, "writes once", turns({ calls: [call(tool.name)] }, DONE));
    expect(await desk().openRequest(runId)).toMatchObject({ prompt: expect.stringMatching(/take effect/) });
    expect(tool.calls).toBe(1);
  });

  test("what writes under a key is sent again as often as the policy says; nothing stands in while nobody knows whether it happened", async () => {
    const tool = offer([breaks], {
      ...{ sideEffect: "external", idempotency: "required" },
      guarded: { retry: { ...QUICK, maxAttempts: 4 }, fallback: { text: "Never said." } },
    });
    const record = await play([tool.name]);
    expect(tool.calls).toBe(5);
    expect(new Set(tool.keys).size).toBe(1);
    expect(callsOf(record)[0]?.error).toMatchObject({ code: "outcome_unknown" });
    expect(record.decisions.map((decision) => decision.kind)).not.toContain("fallback");
  });

  test("what did not get through says nothing of the sending before it", async () => {
    const gone = () => {
      throw new UnreachedError("nobody is there");
    };
    const writes = { sideEffect: "external", idempotency: "required", guarded: { retry: QUICK } } as const;
    const lost = offer([breaks, gone], writes);
    const never = offer([gone], writes);
    const record = await play([lost.name, never.name]);
    expect([lost.calls, never.calls]).toEqual([3, 1]);
    expect(callsOf(record).map(({ error }) => error?.code)).toEqual(["outcome_unknown", "refused"]);
  });

  test("a call that may have been sent is seen through, whatever its limits say by then", async () => {
    const never = { enabled: true, maxRequests: 1, windowMs: 3_600_000, maxWaitMs: 0 };
    const policy = toolPolicy.parse({ resilience: { rateLimit: never, fallback: { text: "Never said." } } });
    const gate = desk().gate("cut off", { sideEffect: "external", idempotency: "required", policy });
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["cut off"] },
      agents: [],
    });
    const runId = await desk().play(team, "is cut off", turns({ calls: [call("cut off")] }, DONE));
    await eventually(() => expect(gate.calls).toBe(1));
    await desk().shut();
    await desk().open();
    await eventually(() => expect(gate.calls).toBe(2));
    gate.open();
    expect((await desk().ended(runId)).status).toBe("completed");
    const record = await soundRecord(desk().scope, runId);
    expect(callsOf(record)).toMatchObject([{ status: "completed", error: null }]);
    expect(record.decisions.map((decision) => decision.kind)).not.toContain("fallback");
  });

  test("what a person must be asked about does not stand in", async () => {
    const asked = offer([() => "secrets"]);
    const failing = offer([fails("down", "NETWORK")], { guarded: { fallback: { use: asked.name } } });
    const record = await play([failing.name], { askBefore: [asked.name] }, [asked.name]);
    expect([failing.calls, asked.calls]).toEqual([1, 0]);
    expect(callsOf(record)).toMatchObject([{ status: "failed" }]);
  });

  test("AGT-RES-09: another tool that only reads stands in with the same arguments; one that writes never does", async () => {
    const other = offer([() => "from the cache"]);
    const writes = offer([() => "written"], { sideEffect: "external", idempotency: "required" });
    const helped = offer([fails("down", "NETWORK")], { guarded: { fallback: { use: other.name } } });
    const alone = offer([fails("down", "NETWORK")], { guarded: { fallback: { use: writes.name } } });
    const record = await play([helped.name, alone.name], {}, [other.name, writes.name]);
    expect([other.calls, writes.calls]).toEqual([1, 0]);
    expect(callsOf(record).map(({ name, status }) => [name, status])).toEqual([
      [helped.name, "completed"],
      [alone.name, "failed"],
    ]);
    expect(record.decisions.filter((decision) => decision.kind === "fallback")).toMatchObject([
      { position: 1, source: "policy", reason: `${helped.name} failed (refused): down`, chosen: [{ position: 1 }] },
    ]);
  });

  test("AGT-RES-04, AGT-RES-12: an open breaker refuses calls of that tool, and says so; the tool is left alone", async () => {
    const breaker = { enabled: true, failureThreshold: 2, resetTimeoutMs: 3_600_000 };
    const tool = offer([fails("down", "NETWORK")], { guarded: { breaker } });
    const record = await play([tool.name, tool.name, tool.name]);
    expect(tool.calls).toBe(2);
    expect(callsOf(record).map(({ error }) => error?.code)).toEqual(["refused", "refused", "breaker_open"]);
    expect(callsOf(record)[2]?.error).toMatchObject({ stableCode: "TROUPE-BREAKEROPEN", retryable: true });
  });

  test("AGT-RES-05: a rate that is used up refuses what would wait too long", async () => {
    const rateLimit = { enabled: true, maxRequests: 1, windowMs: 3_600_000, maxWaitMs: 10 };
    const tool = offer([() => "seen"], { guarded: { rateLimit } });
    const record = await play([tool.name, tool.name]);
    expect(callsOf(record).map(({ error }) => error?.code)).toEqual([undefined, "rate_exceeded"]);
    expect(tool.calls).toBe(1);
  });

  test("AGT-RES-07: no more calls than may be are under way over all runs; a dead worker's slots are free", async () => {
    const bulkhead = { enabled: true, maxConcurrent: 1, maxWaitMs: 20_000 };
    const policy = toolPolicy.parse({ resilience: { bulkhead } });
    const gate = desk().gate("crowded", { policy });
    const { workspaceId } = desk().scope;
    await pool().query(
      "insert into call_slots (id, workspace_id, subject, worker_id) values ($1, $2, 'tool:crowded', 'a dead worker')",
      [crypto.randomUUID(), workspaceId],
    );
    const team = await aTeam(db(), workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["crowded"] },
      agents: [],
    });
    const runs = await Promise.all(
      [1, 2].map((nth) => desk().play(team, `goes in ${nth}`, turns({ calls: [call("crowded")] }, DONE))),
    );
    await eventually(() => expect(gate.calls).toBe(1));
    gate.open();
    for (const run of runs) expect((await desk().ended(run)).status).toBe("completed");
    expect(gate.calls).toBe(2);
    await eventually(async () => expect((await pool().query("select from call_slots")).rowCount).toBe(0));
  });

  test("AGT-RES-12: a call that finds no room in time is refused", async () => {
    const bulkhead = { enabled: true, maxConcurrent: 1, maxWaitMs: 50 };
    const policy = toolPolicy.parse({ resilience: { bulkhead } });
    const gate = desk().gate("full", { policy });
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["full"] },
      agents: [],
    });
    const inside = await desk().play(team, "is inside", turns({ calls: [call("full")] }, DONE));
    await eventually(() => expect(gate.calls).toBe(1));
    const outside = await desk().play(team, "stays outside", turns({ calls: [call("full")] }, DONE));
    expect((await desk().ended(outside)).status).toBe("completed");
    expect(callsOf(await soundRecord(desk().scope, outside))[0]?.error).toMatchObject({ code: "bulkhead_full" });
    gate.open();
    expect((await desk().ended(inside)).status).toBe("completed");
  });
});
