import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { stopOverdueRuns } from "@/server/engine/overdue-runs";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "@/server/engine/run-limits";
import { storeRun } from "@/server/runs/store-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { Script } from "@/tests/support/scripted-model";

describe.each(DATABASE_KINDS)("agents that do not end by themselves, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const record = (runId: string) => soundRecord(scope(), runId);

  /** Calls a tool for ever, never twice the same way. */
  const endless: Script = (_, { step }) => ({ calls: [call("look", { at: step })] });
  const start = async (config: Partial<AgentConfig>, limits: Partial<RunLimits>) => {
    desk().tools.set(
      "look",
      aTool("look", async () => "nothing yet"),
    );
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["look"], maxToolRounds: 1_000, maxOutputTokens: 50, ...config },
      agents: [],
    });
    return storeRun({
      workspaceId: scope().workspaceId,
      userId: scope().userId,
      teamId: team.teamId,
      teamVersionId: team.teamVersionId,
      root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
      input: desk().words("for ever", endless),
      model: "scripted",
      limits: { ...DEFAULT_RUN_LIMITS, ...limits },
    });
  };
  const stands = (runId: string, status: string) =>
    eventually(async () => {
      const run = await desk().statusOf(runId);
      expect(run.status).toBe(status);
      return run;
    });

  test.each([
    ["tool rounds", { maxToolRounds: 3 }, {}, "aborted", /^tool_loop_limit$/, "limit"],
    ["its own tokens", { maxTokens: 2_000 }, {}, "aborted", /^budget_exhausted: .* may use 2,000 tokens/, "budget"],
    ["its own money", { maxCostNanoUsd: 2e6 }, {}, "aborted", /^budget_exhausted: .* may cost \$0\.002/, "budget"],
    ["the run's tokens", {}, { maxTokens: 2_000 }, "suspended", /^This run may use 2,000 tokens/, "budget"],
    ["the run's money", {}, { maxCostNanoUsd: 2e6 }, "suspended", /^This run may cost \$0\.002/, "budget"],
  ] as const)(
    "a model that calls tools for ever is ended by %s",
    async (_, config, limits, status, reason, decided) => {
      const runId = await start(config, limits);
      const run = await stands(runId, status);
      expect(run.reason).toMatch(reason);
      const { decisions, run: head, steps } = await record(runId);
      expect(decisions.at(-1)?.kind).toBe(decided);
      // It got somewhere first, and no further than it may.
      expect(steps.filter(({ kind: what }) => what === "tool").length).toBeGreaterThanOrEqual(2);
      expect(head.inputTokens + head.outputTokens).toBeLessThanOrEqual(2_000);
      expect(head.costNanoUsd).toBeLessThanOrEqual(2e6);
    },
  );

  test("a model that calls tools for ever is ended by the time its run may take", async () => {
    const runId = await start({}, {});
    // It records faster than all of it can be read.
    await eventually(async () => {
      const { rows } = await pool().query("select 1 from steps where run_id = $1 limit 5", [runId]);
      expect(rows).toHaveLength(5);
    });
    await pool().query("update runs set active_ms = $2 where id = $1", [runId, DEFAULT_RUN_LIMITS.maxActiveMs]);
    // At the first look, though something is recorded all the time.
    await stopOverdueRuns(pool());
    const run = await desk().statusOf(runId);
    expect(run.status).toBe("aborted");
    expect(run.reason).toBe("max_duration_exceeded");
    expect((await record(runId)).decisions.at(-1)).toMatchObject({ kind: "limit", source: "policy" });
  });

  test("of eight children one fails, one hangs, and the others finish: their supervisor is told each", async () => {
    let seen: AbortSignal | undefined;
    const never = aTool(
      "never",
      (_, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
      { timeoutMs: 300 },
    );
    desk()
      .tools.set("never", never)
      .set(
        "look",
        aTool("look", async () => "seen"),
      );
    desk().tools.set(
      "throw",
      aTool("throw", () => Promise.reject(new TypeError("no such thing"))),
    );
    const quick = turns({ calls: [call("look")] }, { text: "Finished." });
    const told: Script = (request) => ({ text: String(request.messages.at(-1)?.content) });
    const scripts: Script[] = [
      turns({ fault: "status", status: 401 }),
      turns({ calls: [call("never")] }, told),
      turns({ calls: [call("throw")] }, told),
      ...Array.from({ length: 5 }, () => quick),
    ];
    const tools = [...desk().tools.keys()];
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { maxConcurrentAgents: 8 },
      agents: scripts.map(() => ({ tools })),
    });
    const spawns = team.children.map(({ name }, nth) => spawn(name, desk().words(`child ${nth}`, scripts[nth])));
    const runId = await desk().play(team, "lead eight", turns({ calls: spawns }, collectAll, { text: "All told." }));
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "All told." });

    const { agents, root } = await record(runId);
    const results = (await toolResults(scope(), root.id)).slice(8);
    expect(results.map(({ exit_status }) => exit_status)).toEqual(["failed", ...Array(7).fill("completed")]);
    expect(JSON.stringify(results[0])).toContain("unauthorized");
    expect(results[1]?.output).toBe('{"tool_call_error":"no result after 0.3 s"}');
    expect(seen?.aborted).toBe(true);
    expect(results[2]?.output).toBe('{"tool_call_error":"no such thing"}');
    expect(results.slice(3).map(({ output }) => output)).toEqual(Array(5).fill("Finished."));
    expect(agents.map(({ status }) => status).toSorted()).toEqual([...Array(8).fill("completed"), "failed"]);
  });
});
