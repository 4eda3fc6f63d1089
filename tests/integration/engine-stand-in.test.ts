import { afterEach, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { effectivePolicy, type ResiliencePolicy, resiliencePolicy } from "@/server/engine/resilience/policy";
import { DEFAULT_RUN_LIMITS } from "@/server/engine/run-limits";
import type { Model } from "@/server/models/model";
import { storeRun } from "@/server/runs/store-run";
import { toolPolicy } from "@/server/tools/tool-policy";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, PRICE, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import { startPostgresProxy } from "@/tests/support/postgres-proxy";
import type { Script } from "@/tests/support/scripted-model";

const OTHER = "other/other";
const DOWN = { fault: "status", status: 503 } as const;

describe.each(DATABASE_KINDS)("model calls behind the policy of their provider, on the %s database", (kind) => {
  const desk = useDesk(kind);
  let subjects = 0;
  afterEach(() => {
    desk().model = desk().scripted();
    desk().models.clear();
  });
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const record = (runId: string) => soundRecord(desk().scope, runId);

  /** The usual model, guarded by this policy, with breaker and rate limit of its own. */
  function guarded(policy: Parameters<typeof resiliencePolicy.parse>[0]): Model {
    const subject = { workspaceId: desk().scope.workspaceId, key: `provider:${++subjects}`, name: "The provider" };
    const stated: ResiliencePolicy = resiliencePolicy.parse(policy);
    return { ...desk().scripted(), guard: { subject, policy: effectivePolicy(stated) } };
  }
  /** A model that stands in, at another price. */
  const standIn = (policy: object = {}) => {
    const price = { inputNanoUsd: PRICE.inputNanoUsd * 10, outputNanoUsd: PRICE.outputNanoUsd * 10 };
    desk().models.set(OTHER, { ...guarded(policy), ...desk().scripted({ name: "other", price }) });
  };
  const quick = { maxAttempts: 1, backoffMs: 1, jitter: false };
  const gate = async () => {
    const { rows } = await pool().query("select breaker ->> 'is' as state, rate from gates where subject = $1", [
      `provider:${subjects}`,
    ]);
    return rows[0];
  };

  test("AGT-RES-09: after its retries a call is answered by the model that stands in, and counted at its price", async () => {
    desk().model = guarded({ retry: quick });
    standIn();
    desk().tools.set(
      "look",
      aTool("look", async () => "seen"),
    );
    const script: Script = (request, place) =>
      request.model === "other"
        ? turns({ calls: [call("look")] })(request, place)
        : request.messages.some(({ role }) => role === "tool")
          ? { text: "Back again." }
          : DOWN;
    const runId = await desk().play(await solo({ fallbackModel: OTHER, tools: ["look"] }), "is helped out", script);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Back again." });
    const { steps, decisions, run } = await record(runId);
    expect(steps.map(({ name, status }) => [name, status])).toEqual([
      ["scripted", "failed"],
      ["scripted", "failed"],
      ["other", "completed"],
      ["look", "completed"],
      // The next turn asks its own model again.
      ["scripted", "completed"],
    ]);
    expect(steps[1]?.error).toMatchObject({ standIn: OTHER });
    expect(decisions.map((decision) => decision.kind)).toEqual(["retry", "fallback", "tool_choice", "finish"]);
    expect(decisions[1]?.chosen).toMatchObject([{ option: "fallback", position: 2 }]);
    expect(run.costNanoUsd).toBe(11 * 160_000);
    const { rows } = await pool().query("select model from usages where run_id = $1 order by position", [runId]);
    expect(rows.map(({ model }) => model)).toEqual(["other", "scripted"]);
  });

  test("a model that stands in is retried by its own provider's policy, and nobody stands in for it", async () => {
    desk().model = guarded({ retry: { maxAttempts: 0 }, fallback: { use: OTHER } });
    standIn({ retry: { ...quick, maxAttempts: 2 } });
    const runId = await desk().play(await solo(), "nobody answers", () => DOWN);
    expect((await desk().ended(runId)).status).toBe("failed");
    const { steps, decisions } = await record(runId);
    expect(steps.map(({ name }) => name)).toEqual(["scripted", "other", "other", "other"]);
    expect(decisions.map((decision) => decision.kind)).toEqual(["fallback", "retry", "retry", "retry"]);
  });

  test("a fallback for some errors leaves the others alone", async () => {
    desk().model = guarded({ retry: { maxAttempts: 0 }, fallback: { use: OTHER, on: ["unavailable"] } });
    standIn();
    const runId = await desk().play(await solo(), "is not let in", () => ({ fault: "status", status: 401 }));
    expect(await desk().ended(runId)).toMatchObject({ status: "failed", reason: /^unauthorized/ });
  });

  test("AGT-RES-02: errors a policy does not retry are given up at once", async () => {
    desk().model = guarded({ retry: { maxAttempts: 5, backoffMs: 1, noRetryOn: ["unavailable"] } });
    const runId = await desk().play(await solo(), "gives up", () => DOWN);
    expect((await desk().ended(runId)).status).toBe("failed");
    expect((await record(runId)).decisions.map(({ reason }) => reason)).toEqual([
      "unavailable is not retried, by policy",
    ]);
  });

  test("AGT-RES-04: a breaker that opened refuses without a call, lets a trial in later, and closes; the run waits for that", async () => {
    const breaker = { enabled: true, failureThreshold: 2, resetTimeoutMs: 300, successThreshold: 1 };
    desk().model = guarded({ retry: { ...quick, maxAttempts: 5 }, breaker });
    const words = "waits for the breaker";
    const runId = await desk().play(await solo(), words, (_, { attempt }) => (attempt < 2 ? DOWN : { text: "Here." }));
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Here." });
    const { steps } = await record(runId);
    const codes = steps.map(({ error }) => error?.code);
    // Two failed, one was a trial; how often it was refused in between depends on how busy the machine is.
    expect(codes.filter((code) => code !== "breaker_open")).toEqual(["unavailable", "unavailable", undefined]);
    expect(codes.at(-1)).toBeUndefined();
    expect(await gate()).toMatchObject({ state: "closed" });
  });

  test.each(["a model", "a tool"])(
    "the database away while the breaker of %s is read is no failure of it: the call is made when it is back",
    async (whose) => {
      const breaker = { enabled: true, failureThreshold: 1, resetTimeoutMs: 3_600_000 };
      if (whose === "a model") desk().model = guarded({ breaker });
      const policy = toolPolicy.parse({ resilience: whose === "a tool" ? { breaker } : {} });
      desk().tools.set(
        "look",
        aTool("look", async () => "seen", { policy }),
      );
      const way = await startPostgresProxy(desk().database.url);
      await desk().shut();
      try {
        await desk().open(way.url);
        way.decide = (sql) => (way.cuts === 0 && sql.includes("read_gate") ? "before" : null);
        const script = turns({ calls: [call("look")] }, { text: "Seen." });
        const runId = await desk().play(await solo({ tools: ["look"] }), `loses the database for ${whose}`, script);
        expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Seen." });
        expect(way.cuts).toBe(1);
        const { steps, decisions } = await record(runId);
        expect(steps.map(({ status, error }) => [status, error])).toEqual(Array(3).fill(["completed", null]));
        expect(decisions.map((decision) => decision.kind).toSorted()).toEqual(["finish", "takeover", "tool_choice"]);
        const { rows } = await pool().query(
          "select breaker ->> 'is' as is from gates where breaker ->> 'is' <> 'closed'",
        );
        expect(rows).toEqual([]);
      } finally {
        await desk().shut();
        way.close();
        await desk().open();
      }
    },
  );

  test("while a breaker is open another model answers at once", async () => {
    const breaker = { enabled: true, failureThreshold: 1, resetTimeoutMs: 3_600_000 };
    desk().model = guarded({ retry: { maxAttempts: 0 }, breaker });
    standIn();
    const script: Script = (request) => (request.model === "other" ? { text: "Instead." } : DOWN);
    const team = await solo({ fallbackModel: OTHER });
    for (const code of ["unavailable", "breaker_open"]) {
      const runId = await desk().play(team, `is answered after ${code}`, script);
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Instead." });
      expect((await record(runId)).steps.map(({ error }) => error?.code)).toEqual([code, undefined]);
    }
    const { rows } = await pool().query("select count(*)::int as open from gates where breaker ->> 'is' = 'open'");
    expect(rows[0].open).toBe(1);
  });

  test("a refused request says nothing of the provider's health", async () => {
    desk().model = guarded({ breaker: { enabled: true, failureThreshold: 1 } });
    const team = await solo();
    for (const nth of [1, 2]) {
      const runId = await desk().play(team, `is refused ${nth}`, () => ({ fault: "status", status: 400 }));
      expect(await desk().ended(runId)).toMatchObject({ status: "failed", reason: /^bad_request/ });
    }
  });

  test("AGT-RES-05: calls above the rate wait for their turn, and one that must wait too long is refused", async () => {
    const rateLimit = { enabled: true, maxRequests: 2, windowMs: 600 };
    desk().model = guarded({ rateLimit });
    const team = await solo();
    // None was let in before.
    const begun = Date.now();
    const times: number[] = [];
    const runs = await Promise.all(
      [1, 2, 3, 4].map((nth) =>
        desk().play(team, `keeps the rate ${nth}`, () => {
          times.push(Date.now());
          return { text: "Done." };
        }),
      ),
    );
    for (const run of runs) {
      expect(await desk().ended(run)).toMatchObject({ status: "completed" });
      expect((await record(run)).steps).toHaveLength(1);
    }
    expect((times[2] ?? 0) - begun).toBeGreaterThanOrEqual(590);

    desk().model = guarded({
      retry: { maxAttempts: 0 },
      rateLimit: { ...rateLimit, maxRequests: 1, windowMs: 3_600_000, maxWaitMs: 1_000 },
    });
    const first = await desk().play(team, "takes the turn", () => ({ text: "Done." }));
    expect((await desk().ended(first)).status).toBe("completed");
    const late = await desk().play(team, "comes too late", () => ({ text: "Never." }));
    expect(await desk().ended(late)).toMatchObject({
      status: "failed",
      reason: /^rate_exceeded: The provider may take 1 calls/,
    });
    expect((await record(late)).steps).toMatchObject([{ status: "failed", error: { code: "rate_exceeded" } }]);
  });

  test("a worker that takes over goes on with the model that stands in", async () => {
    standIn();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const other = desk().models.get(OTHER) as Model;
    const completes: Model["complete"] = async (request) => {
      asked();
      await Promise.race([opened, new Promise((_, reject) => request.signal.addEventListener("abort", reject))]);
      return other.complete(request);
    };
    desk().models.set(OTHER, { ...other, complete: completes });
    const team = await solo({ fallbackModel: OTHER });
    const runId = await desk().play(team, "is taken over", (request) =>
      request.model === "other" ? { text: "Held out." } : { fault: "status", status: 401 },
    );
    await isAsked;
    const shut = desk().shut();
    await desk().open();
    open();
    await shut;
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Held out." });
    await eventually(async () =>
      expect((await record(runId)).steps.map(({ name }) => name)).toEqual(["scripted", "other"]),
    );
  });

  test("a budget is checked for the model that is really called", async () => {
    standIn();
    const team = await solo({ fallbackModel: OTHER, maxOutputTokens: 100 });
    const input = desk().words("cannot afford it", () => ({ fault: "status", status: 401 }));
    const { workspaceId, userId } = desk().scope;
    const runId = await storeRun({
      ...{ workspaceId, userId, teamId: team.teamId, teamVersionId: team.teamVersionId, input, model: "scripted" },
      root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
      limits: { ...DEFAULT_RUN_LIMITS, maxCostNanoUsd: 1_500_000 },
    });
    await eventually(async () => {
      const run = await desk().statusOf(runId);
      expect(run).toMatchObject({ status: "suspended", reason: /the next call may cost up to \$0\.00/ });
    });
  });
});
