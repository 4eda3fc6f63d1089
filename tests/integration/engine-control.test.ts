import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { stopOverdueRuns } from "@/server/engine/overdue-runs";
import { interrupt } from "@/server/engine/workers";
import { answerRequest } from "@/server/requests/service/answer";
import { steerAgentRun, stopAgentRun } from "@/server/runs/service/control-agent";
import { pauseRun, resumeRun, stopRun } from "@/server/runs/service/control-run";
import { pauseWorkspace, resumeWorkspace, stopWorkspace } from "@/server/runs/service/control-workspace";
import { startRun } from "@/server/runs/service/start-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, hangs, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("control of runs on the %s database", (kind) => {
  const desk = useDesk(kind);
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const scope = () => desk().scope;
  const kindsOf = async (runId: string) => (await record(runId)).decisions.map((decision) => decision.kind);

  const aGate = (name: string, also = {}) => desk().gate(name, also);

  test("a paused run records what was under way, begins nothing more, and goes on where it was", async () => {
    const gate = aGate("slow");
    const input = desk().words("pause me", turns({ calls: [call("slow")] }, { text: "Went on." }));
    const runId = await desk().start(await solo({ tools: ["slow"] }), input);
    await eventually(() => expect(gate.calls).toBe(1));
    expect(await pauseRun({ scope: scope(), runId })).toEqual({ status: "paused" });
    expect(await pauseRun({ scope: scope(), runId })).toEqual({ status: "paused" });
    gate.open();
    await eventually(async () => expect((await record(runId)).steps).toHaveLength(2));
    const { root, run } = await record(runId);
    expect(root).toMatchObject({ status: "paused", statusReason: `paused by ${scope().userName}` });
    expect(run.status).toBe("paused");
    expect(desk().callsOf(input).requested).toBe(1);

    expect(await resumeRun({ scope: scope(), runId })).toEqual({ status: "running" });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Went on." });
    expect(gate.calls).toBe(1);
    expect(desk().callsOf(input).requested).toBe(2);
    const kinds = await kindsOf(runId);
    expect(kinds.filter((one) => one === "pause" || one === "resume")).toEqual(["pause", "resume"]);
    // Nobody took it over: it was held.
    expect(kinds).not.toContain("takeover");
  });

  test("paused before a worker had it, and over a restart, a run goes on when it is resumed", async () => {
    await desk().shut();
    const runId = await desk().play(await solo(), "not begun", () => ({ text: "Begun." }));
    expect(await pauseRun({ scope: scope(), runId })).toEqual({ status: "paused" });
    await desk().open();
    const passing = await desk().play(await solo(), "beside it", () => ({ text: "Done." }));
    await desk().ended(passing);
    expect(await desk().statusOf(runId)).toMatchObject({ status: "paused" });
    await desk().shut();
    await resumeRun({ scope: scope(), runId });
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Begun." });
    await record(runId);
  });

  test("a question stays open while its run is paused; answered meanwhile, the answer waits for the resume", async () => {
    const script = turns({ calls: [call("user__ask", { question: "Well?", options: [] })] }, (request) => ({
      text: String(lastResults(request)[0]?.answer),
    }));
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "answered while paused", script);
    const { id } = await desk().openRequest(runId);
    await pauseRun({ scope: scope(), runId });
    expect((await record(runId)).run).toMatchObject({ status: "paused", openRequests: 1 });
    await answerRequest({ scope: scope(), input: { requestId: id, answer: "Well." } });
    expect((await record(runId)).run).toMatchObject({ status: "paused", openRequests: 0 });
    await resumeRun({ scope: scope(), runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Well." });
    expect((await record(runId)).requests).toHaveLength(1);
  });

  test("resumed with its question still open it waits again, and the same question counts", async () => {
    const script = turns({ calls: [call("user__ask", { question: "And now?", options: [] })] }, (request) => ({
      text: String(lastResults(request)[0]?.answer),
    }));
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "waits again", script);
    const { id } = await desk().openRequest(runId);
    await pauseRun({ scope: scope(), runId });
    expect(await resumeRun({ scope: scope(), runId })).toEqual({ status: "waiting" });
    await eventually(async () => expect((await record(runId)).root).toMatchObject({ status: "waiting" }));
    await answerRequest({ scope: scope(), input: { requestId: id, answer: "Now." } });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Now." });
    await record(runId);
  });

  test("a paused tree stands still as a whole and every agent of it goes on", async () => {
    const gates = [aGate("left"), aGate("right")];
    const team = await aTeam(db(), scope().workspaceId, { agents: [{ tools: ["left"] }, { tools: ["right"] }] });
    const tasks = ["left", "right"].map((tool) =>
      desk().words(`go ${tool}`, turns({ calls: [call(tool)] }, { text: `${tool} done` })),
    );
    const script = turns(
      { calls: team.children.map(({ name }, i) => spawn(name, tasks[i] ?? "")) },
      collectAll,
      (request) => ({
        text: lastResults(request)
          .map(({ output }) => output)
          .join(", "),
      }),
    );
    const runId = await desk().play(team, "pause the tree", script);
    await eventually(() => expect(gates.map(({ calls }) => calls)).toEqual([1, 1]));
    await pauseRun({ scope: scope(), runId });
    for (const gate of gates) gate.open();
    await eventually(async () => {
      const { agents, steps } = await record(runId);
      expect(agents.map(({ status }) => status)).toEqual(["paused", "paused", "paused"]);
      expect(steps.filter(({ name }) => name === "left" || name === "right")).toHaveLength(2);
    });
    await resumeRun({ scope: scope(), runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "left done, right done" });
    expect(gates.map(({ calls }) => calls)).toEqual([1, 1]);
    await record(runId);
  });

  test("an effect is not sent while its run is paused, and once after", async () => {
    const gate = aGate("before");
    let sent = 0;
    desk().tools.set(
      "send",
      aTool("send", async () => ({ sent: ++sent }), { sideEffect: "external" }),
    );
    const runId = await desk().play(
      await solo({ tools: ["before", "send"] }),
      "send after the pause",
      turns({ calls: [call("before")] }, { calls: [call("send")] }, { text: "Sent." }),
    );
    await eventually(() => expect(gate.calls).toBe(1));
    await pauseRun({ scope: scope(), runId });
    gate.open();
    await eventually(async () => expect((await record(runId)).steps).toHaveLength(2));
    expect(sent).toBe(0);
    await resumeRun({ scope: scope(), runId });
    await desk().ended(runId);
    expect(sent).toBe(1);
    await record(runId);
  });

  test("paused and resumed in one breath, again and again, it is executed once", async () => {
    let calls = 0;
    desk().tools.set(
      "count",
      aTool("count", async () => ({ calls: ++calls }), { sideEffect: "write" }),
    );
    const steps = Array.from({ length: 12 }, (_, i) => ({ calls: [call("count", { i })] }));
    const runId = await desk().play(
      await solo({ tools: ["count"] }),
      "in one breath",
      turns(...steps, { text: "Twelve." }),
    );
    for (let i = 0; i < 8; i++) {
      await pauseRun({ scope: scope(), runId });
      await resumeRun({ scope: scope(), runId }).catch(() => {});
    }
    // An effect cut off between its act and its record is asked about, not sent again.
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Twelve." });
    expect(calls).toBe(12);
    await record(runId);
  });

  test("a paused run can be stopped; one that ended is not resumed, and an unknown one is never started", async () => {
    const gate = aGate("stopped while paused");
    const runId = await desk().play(
      await solo({ tools: ["stopped while paused"] }),
      "stop while paused",
      turns({ calls: [call("stopped while paused")] }, { text: "Never." }),
    );
    await eventually(() => expect(gate.calls).toBe(1));
    await pauseRun({ scope: scope(), runId });
    expect(await stopRun({ scope: scope(), runId })).toEqual({ status: "aborted" });
    gate.open();
    await expect(resumeRun({ scope: scope(), runId })).rejects.toThrow("The run has ended");
    expect(await pauseRun({ scope: scope(), runId })).toEqual({ status: "aborted" });
    const unknown = "019aa6f0-0000-7000-8000-000000000001";
    await expect(resumeRun({ scope: scope(), runId: unknown })).rejects.toThrow("There is no such run");
    expect((await pool().query("select 1 from runs where id = $1", [unknown])).rows).toEqual([]);
    await record(runId);
  });

  test("an interrupted run is resumed after its last step, under a workflow of its own", async () => {
    const input = desk().words("cut off", (_, { step, attempt }) => {
      if (step === 0) return { calls: [call("quick")] };
      return attempt === 0 ? { fault: "hang" } : { text: "Resumed." };
    });
    let quick = 0;
    desk().tools.set(
      "quick",
      aTool("quick", async () => ({ quick: ++quick })),
    );
    const runId = await desk().start(await solo({ tools: ["quick"] }), input);
    await eventually(() => expect(desk().callsOf(input).requested).toBe(2));
    await interrupt(pool(), (await record(runId)).root.id, "ERROR");
    expect((await record(runId)).run).toMatchObject({ status: "interrupted" });
    await resumeRun({ scope: scope(), runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Resumed." });
    expect(quick).toBe(1);
    await record(runId);
  });

  test("a child that a person stops is a result for its parent, and what is below it ends too", async () => {
    aGate("endless");
    const team = await aTeam(db(), scope().workspaceId, { agents: [{ tools: ["endless"] }] });
    const [child] = team.children;
    const task = desk().words("work for ever", turns({ calls: [call("endless")] }, { text: "Never." }));
    const script = turns({ calls: [spawn(child?.name ?? "", task)] }, collectAll, (request) => ({
      text: String(lastResults(request)[0]?.exit_status),
    }));
    const runId = await desk().play(team, "stop my child", script);
    await eventually(async () => expect((await record(runId)).agent(child?.name ?? "").openSteps).toHaveLength(1));
    const { root, agent } = await record(runId);
    await expect(stopAgentRun({ scope: scope(), runId, agentRunId: root.id })).rejects.toThrow("Stop the run instead");
    const agentRunId = agent(child?.name ?? "").id;
    expect(await stopAgentRun({ scope: scope(), runId, agentRunId })).toEqual({ status: "aborted" });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "aborted" });
    const after = await record(runId);
    expect(after.decisions.find((decision) => decision.kind === "stop")).toMatchObject({
      agentRunId,
      source: "human",
      reason: `${scope().userName} stopped ${child?.name}.`,
    });
    expect(await stopAgentRun({ scope: scope(), runId, agentRunId })).toEqual({ status: "aborted" });
  });

  test("what a person says is read before the next model call, once, also over a restart", async () => {
    const gate = aGate("while steered");
    const said: string[][] = [];
    const input = desk().words("steer me", (request, { step }) => {
      said.push(request.messages.filter(({ role }) => role === "user").map(({ content }) => String(content)));
      return step === 0 ? { calls: [call("while steered")] } : { text: `Heard ${said.at(-1)?.length}.` };
    });
    const runId = await desk().start(await solo({ tools: ["while steered"] }), input);
    await eventually(() => expect(gate.calls).toBe(1));
    const { root } = await record(runId);
    await steerAgentRun({ scope: scope(), runId, agentRunId: root.id, text: "Look at the second page, too." });
    await desk().shut();
    await steerAgentRun({ scope: scope(), runId, agentRunId: root.id, text: "And hurry." });
    gate.open();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Heard 3." });
    expect(said.at(-1)).toEqual([
      input,
      `${scope().userName} says while you work: Look at the second page, too.`,
      `${scope().userName} says while you work: And hurry.`,
    ]);
    expect((await kindsOf(runId)).filter((one) => one === "steer")).toHaveLength(2);
    await expect(steerAgentRun({ scope: scope(), runId, agentRunId: root.id, text: "Too late." })).rejects.toThrow(
      "reads nothing any more",
    );
  });

  test("an agent that was about to answer thinks again when somebody said something", async () => {
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { provider, name, price, complete } = desk().model;
    const answer = complete.bind(desk().model);
    desk().model = { provider, name, price, complete: (request) => held.then(() => answer(request)) };
    const input = desk().words("about to answer", (request, { step }) => ({
      text: step > 0 ? String(request.messages.at(-1)?.content) : "First thoughts.",
    }));
    const runId = await desk().start(await solo(), input);
    await eventually(async () => expect((await record(runId)).root.openSteps).toMatchObject([{ kind: "model" }]));
    const { root } = await record(runId);
    await steerAgentRun({ scope: scope(), runId, agentRunId: root.id, text: "Think again." });
    open();
    expect(await desk().ended(runId)).toMatchObject({
      status: "completed",
      answer: `${scope().userName} says while you work: Think again.`,
    });
    desk().model = desk().scripted();
    await record(runId);
  });

  test("what was said without a hint is read before the end, too", async () => {
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { provider, name, price, complete } = desk().model;
    const answer = complete.bind(desk().model);
    desk().model = {
      provider,
      name,
      ...(price ? { price } : {}),
      complete: (request) => held.then(() => answer(request)),
    };
    const input = desk().words("hear no hint", (request, { step }) => ({
      text: step > 0 ? String(request.messages.at(-1)?.content) : "First thoughts.",
    }));
    const runId = await desk().start(await solo(), input);
    await eventually(async () => expect((await record(runId)).root.openSteps).toMatchObject([{ kind: "model" }]));
    const { root } = await record(runId);
    await pool().query(
      "insert into steers (id, workspace_id, run_id, agent_run_id, author, text) values ($1, $2, $3, $4, 'Ida', 'Wait.')",
      [crypto.randomUUID(), scope().workspaceId, runId, root.id],
    );
    open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Ida says while you work: Wait." });
    desk().model = desk().scripted();
  });

  test("an effect under way beside a question is recorded though the answer comes while the run is paused", async () => {
    const gate = aGate("slow effect", { sideEffect: "external" });
    const script = turns(
      { calls: [call("slow effect"), call("user__ask", { question: "Meanwhile?", options: [] })] },
      { text: "Both." },
    );
    const runId = await desk().play(await solo({ tools: ["slow effect", "user__ask"] }), "beside a question", script);
    const { id } = await desk().openRequest(runId);
    await eventually(() => expect(gate.calls).toBe(1));
    await pauseRun({ scope: scope(), runId });
    await answerRequest({ scope: scope(), input: { requestId: id, answer: "Yes." } });
    gate.open();
    await eventually(async () => expect((await record(runId)).steps.map(({ name }) => name)).toContain("slow effect"));
    await resumeRun({ scope: scope(), runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Both." });
    expect(gate.calls).toBe(1);
    expect((await record(runId)).requests).toHaveLength(1);
  });

  test("what follows an answer that may not be recorded yet is not shown as begun", async () => {
    const gate = aGate("beside an answer", { sideEffect: "external" });
    const script = turns(
      { calls: [call("beside an answer"), call("user__ask", { question: "Meanwhile?", options: [] })] },
      { text: "Both." },
    );
    const team = await solo({ tools: ["beside an answer", "user__ask"] });
    const runId = await desk().play(team, "an answer too soon", script);
    const { id } = await desk().openRequest(runId);
    await eventually(() => expect(gate.calls).toBe(1));
    await pauseRun({ scope: scope(), runId });

    // The answer is heard, and the effect ends before the database says that the answer has to wait.
    let isHeard = false;
    let end = () => {};
    const effectEnded = new Promise<void>((resolve) => {
      end = resolve;
    });
    desk().atFaultPoint = async (point, _, position) => {
      if (point !== "after-effect") return;
      if (position === 2) {
        isHeard = true;
        return effectEnded;
      }
      end();
      await new Promise(setImmediate);
    };
    await answerRequest({ scope: scope(), input: { requestId: id, answer: "Yes." } });
    await eventually(() => expect(isHeard).toBe(true));
    gate.open();
    await effectEnded;
    desk().atFaultPoint = async () => {};

    await eventually(async () => {
      const { root, steps } = await record(runId);
      expect(steps.map(({ position }) => position)).toEqual([0, 1]);
      expect(root).toMatchObject({ status: "paused", openSteps: [{ position: 2, kind: "human" }] });
    });
    await resumeRun({ scope: scope(), runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Both." });
    expect(gate.calls).toBe(1);
    expect((await record(runId)).requests).toHaveLength(1);
  });

  test("resumed while an effect is still under way it waits for it rather than asking about it", async () => {
    const gate = aGate("slower", { sideEffect: "external" });
    const script = turns({ calls: [call("slower")] }, { text: "Once." });
    const runId = await desk().play(await solo({ tools: ["slower"] }), "resumed early", script);
    await eventually(() => expect(gate.calls).toBe(1));
    await pauseRun({ scope: scope(), runId });
    await resumeRun({ scope: scope(), runId });
    await eventually(async () => {
      const { rows } = await pool().query(
        "select 1 from dbos.workflow_status where workflow_uuid like '%.1' and status = 'PENDING'",
      );
      expect(rows).toHaveLength(1);
    });
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Once." });
    expect(gate.calls).toBe(1);
    expect((await record(runId)).requests).toEqual([]);
  });

  test("only the workflow of the newest generation opens it", async () => {
    const script = turns({ calls: [call("user__ask", { question: "Which?", options: [] })] }, { text: "Newest." });
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "generations", script);
    const { id } = await desk().openRequest(runId);
    await pauseRun({ scope: scope(), runId });
    await resumeRun({ scope: scope(), runId });
    await eventually(async () => expect((await record(runId)).root.status).toBe("waiting"));
    const { root } = await record(runId);
    const { rows } = await pool().query("select journal_open($1, 'an old workflow', 0) as opened", [root.id]);
    expect(rows).toEqual([{ opened: null }]);
    await answerRequest({ scope: scope(), input: { requestId: id, answer: "This." } });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Newest." });
  });

  test("time in which no worker lived counts against no run", async () => {
    const gate = aGate("over a night");
    const script = turns({ calls: [call("over a night")] }, { text: "Good morning." });
    const runId = await desk().play(await solo({ tools: ["over a night"] }), "sleep", script);
    await eventually(() => expect(gate.calls).toBe(1));
    await desk().shut();
    await pool().query(
      "update runs set active_since = now() - interval '20 hours', progress_at = now() - interval '19 hours' where id = $1",
      [runId],
    );
    await desk().open();
    await stopOverdueRuns(pool());
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Good morning." });
    const { rows } = await pool().query("select active_ms::int as ms from runs where id = $1", [runId]);
    expect(rows[0].ms).toBeGreaterThanOrEqual(3_600_000);
    expect(rows[0].ms).toBeLessThan(3_700_000);
  });

  test("a workspace is paused as a whole: nothing starts or is resumed until it is", async () => {
    const gate = aGate("paused with all");
    const team = await solo({ tools: ["paused with all"] });
    const script = turns({ calls: [call("paused with all")] }, { text: "Went on." });
    const runIds = await Promise.all([1, 2, 3].map((i) => desk().play(team, `all ${i}`, script)));
    await eventually(() => expect(gate.calls).toBe(3));
    const own = await desk().play(team, "paused by hand", script);
    await eventually(() => expect(gate.calls).toBe(4));
    await pauseRun({ scope: scope(), runId: own });

    expect(await pauseWorkspace({ scope: scope() })).toEqual({ runs: 3 });
    expect(await pauseWorkspace({ scope: scope() })).toEqual({ runs: 0 });
    const sentence = `${scope().userName} paused everything in this workspace. Resume it first.`;
    await expect(
      startRun({ scope: scope(), input: { teamId: (await solo()).teamId, input: "Start." } }),
    ).rejects.toThrow(sentence);
    await expect(resumeRun({ scope: scope(), runId: own })).rejects.toThrow(sentence);
    gate.open();
    expect(await resumeWorkspace({ scope: scope() })).toEqual({ runs: 4 });
    for (const runId of [...runIds, own]) {
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Went on." });
      await record(runId);
    }
  });

  test("everything in a workspace can be stopped", async () => {
    aGate("stopped with all");
    const team = await solo({ tools: ["stopped with all"] });
    const script = turns({ calls: [call("stopped with all")] }, { text: "Never." });
    const runIds = await Promise.all([1, 2].map((i) => desk().play(team, `stop all ${i}`, script)));
    await pauseRun({ scope: scope(), runId: runIds[0] ?? "" });
    const { runs } = await stopWorkspace({ scope: scope() });
    expect(runs).toBeGreaterThanOrEqual(2);
    for (const runId of runIds) {
      expect(await desk().ended(runId)).toMatchObject({ status: "aborted", reason: `stopped by ${scope().userName}` });
      await record(runId);
    }
  });

  test.each([
    [
      "its active time is used up",
      "active_since = now() - interval '9 hours', progress_at = now()",
      "max_duration_exceeded",
      /480 minutes/,
    ],
    [
      "nothing was recorded for ten minutes",
      "progress_at = now() - interval '11 minutes'",
      "progress_timeout",
      /10 minutes/,
    ],
  ])("a run ends when %s", async (_, change, reason, words) => {
    desk().engineTools.set("never ends", hangs("never ends"));
    const runId = await desk().play(
      await solo({ tools: ["never ends"] }),
      "over time",
      turns({ calls: [call("never ends")] }, { text: "Never." }),
    );
    await eventually(async () => expect((await record(runId)).root.openSteps).toMatchObject([{ name: "never ends" }]));
    await stopOverdueRuns(pool());
    expect(await desk().statusOf(runId)).toMatchObject({ status: "running" });
    await pool().query(`update runs set ${change} where id = $1`, [runId]);
    await stopOverdueRuns(pool());
    expect(await desk().statusOf(runId)).toMatchObject({ status: "aborted", reason });
    const { decisions } = await record(runId);
    expect(decisions.find((decision) => decision.kind === "limit")).toMatchObject({
      source: "policy",
      reason: expect.stringMatching(words),
    });
  });

  test("waiting for a person and being paused use up no time", async () => {
    const script = turns({ calls: [call("user__ask", { question: "Slow?", options: [] })] }, { text: "Done." });
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "waits for days", script);
    const { id } = await desk().openRequest(runId);
    const times = async () =>
      (await pool().query("select active_ms::int as ms, active_since as since from runs where id = $1", [runId]))
        .rows[0];
    expect(await times()).toMatchObject({ since: null });
    await pool().query("update runs set progress_at = now() - interval '3 days' where id = $1", [runId]);
    await stopOverdueRuns(pool());
    expect(await desk().statusOf(runId)).toMatchObject({ status: "waiting" });
    const before = (await times()).ms;
    await answerRequest({ scope: scope(), input: { requestId: id, answer: "Yes." } });
    await desk().ended(runId);
    const after = await times();
    expect(after.since).toBeNull();
    expect(after.ms).toBeGreaterThanOrEqual(before);
    expect(after.ms).toBeLessThan(60_000);
  });
});
