import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "@/server/engine/run-limits";
import { answerRequest } from "@/server/requests/service/answer";
import { stopAgentRun } from "@/server/runs/service/control-agent";
import { resumeRun } from "@/server/runs/service/control-run";
import { storeRun } from "@/server/runs/store-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam, type TeamFixture } from "@/tests/support/factories";
import type { Script } from "@/tests/support/scripted-model";

/** What most calls use. */
const USED = { prompt_tokens: 1_200, completion_tokens: 10 };
/** 10 % of it is 10,000 tokens, which no call reserves here. */
const LIMITS: Partial<RunLimits> = { maxTokens: 100_000, askAtRatio: 0.1 };
const MUCH = { prompt_tokens: 10_001, completion_tokens: 10 };

describe.each(DATABASE_KINDS)("a person is asked at a share of a budget, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const record = (runId: string) => eventually(() => soundRecord(scope(), runId));
  const answer = (requestId: string, given: string) =>
    answerRequest({ scope: scope(), input: { requestId, answer: given } });
  const start = (team: TeamFixture, input: string, limits: Partial<RunLimits> = LIMITS) =>
    storeRun({
      workspaceId: scope().workspaceId,
      userId: scope().userId,
      teamId: team.teamId,
      teamVersionId: team.teamVersionId,
      root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
      input,
      model: "scripted",
      limits: { ...DEFAULT_RUN_LIMITS, ...limits },
    });
  const statusBecomes = (runId: string, status: string) =>
    eventually(async () => {
      const run = await desk().statusOf(runId);
      expect(run.status).toBe(status);
      return run;
    });

  /** A run whose one agent makes three calls; the first uses more than the share. */
  const spend = async (limits?: Partial<RunLimits>, config: Partial<AgentConfig> = {}) => {
    desk().tools.set(
      "noop",
      aTool("noop", async () => ({ ok: true })),
    );
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["noop"], maxOutputTokens: 50, ...config },
      agents: [],
    });
    const script = turns(
      { calls: [call("noop", { step: 1 })], usage: MUCH },
      { calls: [call("noop", { step: 2 })], usage: USED },
      { text: "Spent.", usage: USED },
    );
    return start(team, desk().words("spend beyond a share", script), limits);
  };

  test("asked once, before the call that would pass it; told to go on, it spends up to its limit", async () => {
    const runId = await spend();
    const { id, prompt, options } = await desk().openRequest(runId);
    expect(prompt).toMatch(
      /^This run may use 100,000 tokens: 10,011 are used or reserved, and the next call may use up to [\d,]+\. Go on\?$/,
    );
    expect(options.map(({ value }) => value)).toEqual(["go_on", "suspend", "stop"]);
    const asked = await record(runId);
    expect(asked.run).toMatchObject({ status: "waiting", openRequests: 1 });
    expect(asked.root).toMatchObject({ status: "waiting", openSteps: [{ kind: "human", position: 2 }] });
    expect(asked.steps.filter(({ kind: step }) => step === "model")).toHaveLength(1);
    expect(asked.requests).toMatchObject([{ kind: "budget", position: 2, deadlineAt: null }]);
    expect(asked.decisions.at(-1)).toMatchObject({ kind: "budget", source: "policy", chosen: [{ option: "ask" }] });
    await expect(answer(id, "Perhaps.")).rejects.toThrow("Choose one of: Go on, Suspend the run, Stop the run.");

    expect(await answer(id, "go_on")).toMatchObject({ counted: true });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Spent." });
    const { requests, decisions, steps } = await record(runId);
    expect(requests).toHaveLength(1);
    expect(steps.map(({ position, kind: step }) => [position, step])).toEqual([
      [0, "model"],
      [1, "tool"],
      [2, "model"],
      [3, "tool"],
      [4, "model"],
    ]);
    expect(decisions.filter(({ kind: what }) => what === "answer")).toMatchObject([
      { source: "human", chosen: [{ option: "go_on", label: "Go on" }] },
    ]);
  });

  test.each([
    ["without a share", { maxTokens: 100_000, askAtRatio: null }],
    ["without a limit", { askAtRatio: 0.1 }],
    ["below the share", { maxTokens: 1_000_000, askAtRatio: 0.1 }],
  ])("nobody is asked %s", async (_what, limits) => {
    const runId = await spend(limits);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect((await record(runId)).requests).toEqual([]);
  });

  test("a limit in dollars has a share of its own", async () => {
    // $1 and $3 for a million tokens: the first call costs $0.010031.
    const runId = await spend({ maxCostNanoUsd: 100_000_000, askAtRatio: 0.1 });
    const { id, prompt } = await desk().openRequest(runId);
    expect(prompt).toMatch(/^This run may cost \$0\.10: \$0\.01 are spent or reserved, .* Go on\?$/);
    await answer(id, "go_on");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect((await record(runId)).requests).toHaveLength(1);
  });

  test("suspended, it passes the share once somebody resumes it", async () => {
    const runId = await spend();
    await answer((await desk().openRequest(runId)).id, "suspend");
    const { reason } = await statusBecomes(runId, "suspended");
    expect(reason).toMatch(/A person was asked, and had it suspended\.$/);
    expect((await record(runId)).decisions.at(-1)).toMatchObject({ kind: "budget", chosen: [{ option: "suspend" }] });
    await resumeRun({ scope: scope(), runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Spent." });
    expect((await record(runId)).requests).toHaveLength(1);
  });

  test("resumed with another limit, it is asked about at the share of that", async () => {
    const runId = await spend();
    const { id } = await desk().openRequest(runId);
    await answer(id, "suspend");
    await statusBecomes(runId, "suspended");
    await resumeRun({ scope: scope(), runId, limits: { maxCostNanoUsd: null, maxTokens: 100_001 } });
    const again = await desk().openRequest(runId);
    expect(again.id).not.toBe(id);
    expect(again.prompt).toContain("100,001 tokens");
    await answer(again.id, "go_on");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    await record(runId);
  });

  test("stopped, it ends with what was done", async () => {
    const runId = await spend();
    await answer((await desk().openRequest(runId)).id, "stop");
    expect(await desk().ended(runId)).toMatchObject({ status: "aborted", reason: "budget_stopped" });
    const { decisions, steps } = await record(runId);
    expect(steps.filter(({ kind: step, status }) => step === "model" && status === "completed")).toHaveLength(1);
    expect(decisions.at(-1)).toMatchObject({ kind: "budget", chosen: [{ option: "stop" }] });
  });

  test.each([
    ["go_on", "completed"],
    ["suspend", "suspended"],
    ["stop", "aborted"],
  ])("“%s” while no worker lives is carried out by the next", async (given, status) => {
    const runId = await spend();
    const { id } = await desk().openRequest(runId);
    await desk().shut();
    await answer(id, given);
    await desk().open();
    await statusBecomes(runId, status);
    const { requests } = await record(runId);
    expect(requests).toHaveLength(1);
    if (status !== "suspended") return;
    await resumeRun({ scope: scope(), runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect((await record(runId)).requests).toHaveLength(1);
  });

  test("a worker that takes it up waits for the same answer", async () => {
    const runId = await spend();
    const { id } = await desk().openRequest(runId);
    await desk().shut();
    await desk().open();
    await eventually(async () =>
      expect((await record(runId)).root).toMatchObject({ status: "waiting", openSteps: [{ kind: "human" }] }),
    );
    expect((await desk().openRequest(runId)).id).toBe(id);
    await answer(id, "go_on");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect((await record(runId)).requests).toHaveLength(1);
  });

  /** A root that starts these agents with one call, which passes the share, and is busy until the gate opens. */
  const aCrowd = async (count: number, given: string) => {
    const gate = { open: () => {} };
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    desk().tools.set(
      "gate",
      aTool("gate", async () => opened),
    );
    const agents = Array.from({ length: count }, () => ({ maxOutputTokens: 50 }));
    const supervisor = { tools: ["gate"], maxOutputTokens: 50, maxConcurrentAgents: count };
    const team = await aTeam(db(), scope().workspaceId, { supervisor, agents });
    const tasks = team.children.map(({ name }) => ({
      name,
      task: desk().words("one of a crowd", turns({ text: "Done.", usage: USED })),
    }));
    const outputs: Script = (request) => ({
      text: lastResults(request)
        .map(({ output }) => output)
        .join(" "),
    });
    const script = turns(
      { calls: [...tasks.map(({ name, task }) => spawn(name, task)), call("gate")], usage: MUCH },
      collectAll,
      outputs,
    );
    const runId = await start(team, desk().words(`lead a crowd, ${given}`, script));
    // All of them have come to the share.
    await eventually(async () => {
      const { agents: now } = await record(runId);
      expect(now.filter(({ status }) => status === "waiting")).toHaveLength(count);
    });
    return { runId, gate };
  };

  test("several agents at once ask one question, and go on with one answer", async () => {
    const { runId, gate } = await aCrowd(4, "go on");
    const { id } = await desk().openRequest(runId);
    expect((await record(runId)).run).toMatchObject({ status: "waiting", openRequests: 1 });
    await answer(id, "go_on");
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done. Done. Done. Done." });
    const { requests, decisions } = await record(runId);
    expect(requests).toHaveLength(1);
    expect(decisions.filter(({ kind: what }) => what === "budget")).toHaveLength(1);
  });

  test("several agents at once are stopped with their run by one answer", async () => {
    const { runId } = await aCrowd(4, "stop");
    await answer((await desk().openRequest(runId)).id, "stop");
    expect(await desk().ended(runId)).toMatchObject({ status: "aborted", reason: "budget_stopped" });
    const { decisions, requests } = await record(runId);
    expect(requests).toHaveLength(1);
    const budget = decisions.filter(({ kind: what }) => what === "budget");
    expect(budget.map(({ chosen }) => chosen[0]?.option).sort()).toEqual(["ask", "stop"]);
  });

  test("when the agent that asked is stopped, another asks", async () => {
    const { runId, gate } = await aCrowd(3, "ask again");
    const first = await desk().openRequest(runId);
    await stopAgentRun({ scope: scope(), runId, agentRunId: first.agent });
    const second = await desk().openRequest(runId);
    expect(second.agent).not.toBe(first.agent);
    await answer(second.id, "go_on");
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { requests } = await record(runId);
    expect(requests.map(({ status }) => status).sort()).toEqual(["answered", "withdrawn"]);
    const { rows } = await pool().query("select passed_shares as shares from runs where id = $1", [runId]);
    expect(rows).toEqual([{ shares: ["tokens:100000"] }]);
  });
});
