import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { patternSettings } from "@/server/engine/pattern-settings";
import { answerRequest } from "@/server/requests/service/answer";
import { assignRequest } from "@/server/requests/service/assign";
import { clearTodo, steerAgentRun } from "@/server/runs/service/control-agent";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import { storeFork } from "@/server/runs/service/store-fork";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aMember, aTeam } from "@/tests/support/factories";
import { ledTeams, says } from "@/tests/support/led-teams";

describe.each(DATABASE_KINDS)("retrying from a step on the %s database", (kind) => {
  const desk = useDesk(kind);
  const { aLedTeam, start } = ledTeams(desk);
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const resultsOf = (agentRunId: string) => toolResults(desk().scope, agentRunId);
  const fork = (runId: string, agentRunId: string, position: number, askBeforeWrites = true) =>
    storeFork({ scope: desk().scope, input: { runId, agentRunId, position, askBeforeWrites } });
  const answer = (requestId: string, words: string) =>
    answerRequest({ scope: desk().scope, input: { requestId, answer: words } });

  /** A tool that only reads, and counts how often it was called. */
  const reader = (name: string) => {
    const tool = { calls: 0 };
    desk().tools.set(
      name,
      aTool(name, async (args) => {
        tool.calls += 1;
        return { read: args, nth: tool.calls };
      }),
    );
    return tool;
  };
  /** One that writes. */
  const writer = (name: string) => {
    const written: unknown[] = [];
    desk().tools.set(
      name,
      aTool(
        name,
        async (args) => {
          written.push(args);
          return { written: written.length };
        },
        { sideEffect: "write", idempotency: "none" },
      ),
    );
    return written;
  };

  test("a model call: what was before is kept and not counted again, and the rest is done anew", async () => {
    const reads = reader("read_one");
    const { scope } = desk();
    const team = await aTeam(db(), scope.workspaceId, { supervisor: { tools: ["read_one"] }, agents: [{}] });
    let says = "The first answer.";
    const runId = await desk().play(
      team,
      "retry a model call",
      turns({ calls: [call("read_one", { n: 1 })] }, { calls: [call("read_one", { n: 2 })] }, () => ({ text: says })),
    );
    await desk().ended(runId);
    const before = await record(runId);
    says = "Another answer.";
    const forkId = await fork(runId, before.root.id, 4);
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Another answer." });
    const after = await record(forkId);
    expect(reads.calls).toBe(2);
    expect(after.steps.map(({ position, kind, reused }) => [position, kind, reused !== undefined])).toEqual([
      ...[
        [0, "model", true],
        [1, "tool", true],
        [2, "model", true],
        [3, "tool", true],
      ],
      [4, "model", false],
    ]);
    expect(after.steps[0]?.reused).toEqual({
      ...{ inputTokens: before.steps[0]?.inputTokens, outputTokens: before.steps[0]?.outputTokens },
      costNanoUsd: before.steps[0]?.costNanoUsd,
    });
    expect(after.run.costNanoUsd).toBe(after.steps[4]?.costNanoUsd);
    expect(after.run.forkOf).toMatchObject({ id: runId, agentRunId: before.root.id, position: 4 });
    expect(after.run.isFork).toBe(true);
    expect((await record(runId)).run.forks).toMatchObject([{ id: forkId, position: 4 }]);
    expect(after.decisions.find(({ kind }) => kind === "fork")).toMatchObject({
      ...{ source: "human", agentRunId: after.root.id },
      reason: expect.stringContaining("from step 4"),
    });
    expect(await resultsOf(after.root.id)).toEqual(await resultsOf(before.root.id));
  });

  test("a call of a turn with several: the whole turn's calls are made anew, the model is not asked again", async () => {
    const one = reader("read_a");
    const two = reader("read_b");
    const { scope } = desk();
    const team = await aTeam(db(), scope.workspaceId, { supervisor: { tools: ["read_a", "read_b"] }, agents: [{}] });
    const runId = await desk().play(
      team,
      "retry one of two calls",
      turns({ calls: [call("read_a"), call("read_b")] }, (request) => ({ text: JSON.stringify(lastResults(request)) })),
    );
    await desk().ended(runId);
    const { root } = await record(runId);
    const forkId = await fork(runId, root.id, 2);
    await desk().ended(forkId);
    const after = await record(forkId);
    expect([one.calls, two.calls]).toEqual([2, 2]);
    expect(after.steps.map(({ reused }) => reused !== undefined)).toEqual([true, false, false, false]);
    expect(after.run.answer).toBe(
      JSON.stringify([
        { read: {}, nth: 2 },
        { read: {}, nth: 2 },
      ]),
    );
  });

  test("the very first step: nothing but the task is kept", async () => {
    const team = await aTeam(db(), desk().scope.workspaceId, { agents: [{}] });
    const runId = await desk().play(team, "retry all", turns({ text: "All of it." }));
    await desk().ended(runId);
    const { root } = await record(runId);
    const forkId = await fork(runId, root.id, 0);
    expect(await desk().ended(forkId)).toMatchObject({ answer: "All of it." });
    expect((await record(forkId)).steps.map(({ reused }) => reused)).toEqual([undefined]);
  });

  test("in a child: its parent waits for it as before, and a sibling that had finished is kept", async () => {
    const reads = reader("read_below");
    const { scope } = desk();
    const team = await aTeam(db(), scope.workspaceId, { agents: [{ tools: ["read_below"] }, {}] });
    const [first = "", second = ""] = team.children.map(({ name }) => name);
    let found = "old";
    const slow = desk().words(
      "the child that is retried",
      turns({ calls: [call("read_below")] }, () => ({ text: found })),
    );
    const quick = desk().words("the child that had finished", turns({ text: "quick" }));
    const runId = await desk().play(
      team,
      "retry in a child",
      turns(
        { calls: [spawn(second, quick)] },
        collectAll,
        { calls: [spawn(first, slow)] },
        (request) => ({ calls: [collectAll(request).calls[1] ?? call("agent__list")] }),
        (request) => ({ text: JSON.stringify(lastResults(request)[0]?.output) }),
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ answer: '"old"' });
    const before = await record(runId);
    const child = before.agents.find(({ task }) => task.startsWith("the child that is retried"));
    found = "new";
    const forkId = await fork(runId, child?.id ?? "", 2);
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: '"new"' });
    const after = await record(forkId);
    expect(reads.calls).toBe(1);
    expect(after.agents.map(({ handle, status }) => [handle, status])).toEqual(
      before.agents.map(({ handle, status }) => [handle, status]),
    );
    expect(after.agents.map(({ id }) => id)).not.toEqual(before.agents.map(({ id }) => id));
    const kept = after.agents.find(({ task }) => task.startsWith("the child that had finished"));
    expect(after.steps.filter(({ agentRunId }) => agentRunId === kept?.id).every(({ reused }) => reused)).toBe(true);
  });

  test("an agent that was started after the step does not exist in the fork", async () => {
    const { scope } = desk();
    const team = await aTeam(db(), scope.workspaceId, { agents: [{}] });
    const [child = ""] = team.children.map(({ name }) => name);
    const task = desk().words("started later", turns({ text: "Here." }));
    let delegates = true;
    const runId = await desk().play(
      team,
      "start nobody this time",
      turns(() => (delegates ? { calls: [spawn(child, task)] } : { text: "Alone." }), collectAll, {
        text: "Not alone.",
      }),
    );
    await desk().ended(runId);
    const { root } = await record(runId);
    delegates = false;
    const forkId = await fork(runId, root.id, 0);
    expect(await desk().ended(forkId)).toMatchObject({ answer: "Alone." });
    expect((await record(forkId)).agents).toHaveLength(1);
  });

  test("effects before the step are not repeated, and a person is asked before those after it happen again", async () => {
    const early = writer("write_early");
    const late = writer("write_late");
    const { scope } = desk();
    const team = await aTeam(db(), scope.workspaceId, {
      supervisor: { tools: ["write_early", "write_late"] },
      agents: [{}],
    });
    const runId = await desk().play(
      team,
      "write twice",
      turns(
        { calls: [call("write_early", { n: 1 })] },
        { calls: [call("write_late", { n: 2 })] },
        { text: "Written." },
      ),
    );
    await desk().ended(runId);
    const { root } = await record(runId);
    // Not even with the switch off is what had acted after the step done again unasked.
    const forkId = await fork(runId, root.id, 2, false);
    const asked = await desk().openRequest(forkId);
    expect(asked.prompt).toMatch(/retried from a step, and write_late had acted after that step/);
    // What was sent before went under the key it was sent under.
    const { rows } = await pool().query("select sent_key from effects where run_id = $1", [forkId]);
    expect(rows).toEqual([{ sent_key: `${root.id}:1` }]);
    expect([early, late]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    await answer(asked.id, "allow");
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Written." });
    expect([early.length, late.length]).toEqual([1, 2]);
    await record(forkId);

    const again = await fork(forkId, (await record(forkId)).root.id, 3);
    const second = await desk().openRequest(again);
    await answer(second.id, "refuse");
    expect(await desk().ended(again)).toMatchObject({ status: "completed" });
    expect(late).toHaveLength(2);
    const after = await record(again);
    expect(after.requests.map(({ status, answer }) => [status, answer])).toEqual([["answered", "refuse"]]);
  });

  test("a question that was open is asked again of people, and its answer counts in the fork alone", async () => {
    const { scope } = desk();
    const gate = desk().gate("read_while_asking");
    const team = await aTeam(db(), scope.workspaceId, {
      supervisor: { tools: ["user__ask"] },
      agents: [{ tools: ["read_while_asking"] }],
    });
    const [child = ""] = team.children.map(({ name }) => name);
    const task = desk().words("read while asking", turns({ calls: [call("read_while_asking")] }, { text: "Read." }));
    const ask = call("user__ask", { question: "Which?", options: ["red", "blue"] });
    const runId = await desk().play(
      team,
      "ask while a child reads",
      turns({ calls: [spawn(child, task), ask] }, collectAll, (request) => ({
        text: String(
          request.messages.find(({ role, content }) => role === "tool" && !content?.includes("Started"))?.content,
        ),
      })),
    );
    const first = await desk().openRequest(runId);
    const colleague = await aMember(db(), scope.workspaceId, "operator");
    await assignRequest({ scope, input: { requestId: first.id, assigneeId: colleague.userId } });
    gate.open();
    await eventually(async () => expect((await record(runId)).agents[1]?.status).toBe("completed"));
    await answer(first.id, "red");
    expect((await desk().ended(runId)).answer).toContain("red");

    const forkId = await fork(runId, (await record(runId)).agents[1]?.id ?? "", 2);
    const copied = await desk().openRequest(forkId);
    expect(copied.id).not.toBe(first.id);
    await answer(copied.id, "blue");
    expect((await desk().ended(forkId)).answer).toContain("blue");
    const assignee = { id: colleague.userId };
    expect((await record(forkId)).requests).toMatchObject([{ answer: "blue", assignee }]);
    expect((await record(runId)).requests).toMatchObject([{ answer: "red", assignee }]);

    // Whoever may no longer answer is asked nothing.
    await db().member.update({
      where: { workspaceId_userId: { workspaceId: scope.workspaceId, userId: colleague.userId } },
      data: { role: "viewer" },
    });
    const later = await fork(runId, (await record(runId)).agents[1]?.id ?? "", 2);
    await answer((await desk().openRequest(later)).id, "blue");
    await desk().ended(later);
    expect((await record(later)).requests).toMatchObject([{ answer: "blue", assignee: null }]);
  });

  test("leave that was given for a call in flight does not count in the fork: a person is asked again", async () => {
    const { scope } = desk();
    const writing = desk().gate("write_slowly", { sideEffect: "write" });
    const reading = desk().gate("read_slowly");
    const team = await aTeam(db(), scope.workspaceId, {
      supervisor: { tools: ["write_slowly"], askBefore: ["write_slowly"] },
      agents: [{ tools: ["read_slowly"] }],
    });
    const [child = ""] = team.children.map(({ name }) => name);
    const task = desk().words("read slowly", turns({ calls: [call("read_slowly")] }, { text: "Read." }));
    const runId = await desk().play(
      team,
      "write while a child reads",
      turns({ calls: [spawn(child, task), call("write_slowly")] }, collectAll, { text: "Both done." }),
    );
    await answer((await desk().openRequest(runId)).id, "allow");
    await eventually(() => expect(writing.calls).toBe(1));
    reading.open();
    await eventually(async () => expect((await record(runId)).agents[1]?.status).toBe("completed"));
    writing.open();
    await desk().ended(runId);

    // By the child's second call the writing one had been allowed, and was under way.
    const forkId = await fork(runId, (await record(runId)).agents[1]?.id ?? "", 2, false);
    const asked = await desk().openRequest(forkId);
    expect(asked.prompt).toContain("write_slowly had acted after that step");
    expect(writing.calls).toBe(1);
    await answer(asked.id, "allow");
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Both done." });
    expect(writing.calls).toBe(2);
    const after = await record(forkId);
    expect(after.requests.map(({ status }) => status)).toEqual(["answered", "answered"]);
    const { rows } = await pool().query("select status from effects where run_id = $1", [forkId]);
    expect(rows).toEqual([{ status: "applied" }]);
  });

  test("a run that is paused can be retried; both go on by themselves", async () => {
    const gate = desk().gate("pass_once");
    const team = await aTeam(db(), desk().scope.workspaceId, { supervisor: { tools: ["pass_once"] }, agents: [{}] });
    const runId = await desk().play(
      team,
      "pause, then retry",
      turns({ calls: [call("pass_once")] }, { text: "Passed." }),
    );
    await eventually(() => expect(gate.calls).toBe(1));
    await pauseRun({ scope: desk().scope, runId });
    const { root } = await record(runId);
    const forkId = await fork(runId, root.id, 1);
    await eventually(() => expect(gate.calls).toBe(2));
    gate.open();
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Passed." });
    expect((await desk().statusOf(runId)).status).toBe("paused");
    await resumeRun({ scope: desk().scope, runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    await record(forkId);
    await record(runId);
  });

  test("a fork that is cut off is taken over like any run, and what was kept stays kept", async () => {
    const reads = reader("read_then_stop");
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { tools: ["read_then_stop"] },
      agents: [{}],
    });
    const script = turns(
      { calls: [call("read_then_stop", { n: 1 })] },
      { calls: [call("read_then_stop", { n: 2 })] },
      { text: "Read." },
    );
    const runId = await desk().play(team, "retry, then stop the worker", script);
    await desk().ended(runId);
    const { resources } = desk().executor ?? {};
    if (!resources) throw new Error("nobody executes");
    let cut = false;
    resources.atFaultPoint = async (point, agentRunId) => {
      if (point !== "after-model" || cut || agentRunId === deriveId(runId, "root")) return;
      cut = true;
      await new Promise(() => {});
    };
    const forkId = await fork(runId, deriveId(runId, "root"), 2);
    await eventually(() => expect(cut).toBe(true));
    await desk().shut();
    await desk().open();
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Read." });
    const after = await record(forkId);
    expect(after.decisions.map(({ kind: what }) => what)).toContain("takeover");
    expect(after.steps.filter(({ reused }) => reused)).toHaveLength(2);
    expect(reads.calls).toBe(3);
  });

  test("what was spent before the cut counts against no limit of the fork", async () => {
    const { scope } = desk();
    reader("read_dearly");
    const team = await aTeam(db(), scope.workspaceId, { supervisor: { tools: ["read_dearly"] }, agents: [{}] });
    const spent = { prompt_tokens: 900_000, completion_tokens: 10 };
    const runId = await desk().play(
      team,
      "spend much first",
      turns({ calls: [call("read_dearly")], usage: spent }, { text: "Dear." }),
    );
    await desk().ended(runId);
    const limits = { maxTokens: 500_000 };
    await pool().query("update runs set limits = limits || $2 where id = $1", [runId, JSON.stringify(limits)]);
    const { root, run } = await record(runId);
    expect(run.inputTokens).toBeGreaterThan(limits.maxTokens);
    const forkId = await fork(runId, root.id, 2);
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Dear." });
    const after = await record(forkId);
    expect(after.run.limits).toMatchObject(limits);
    expect(after.run.inputTokens).toBeLessThan(1_000);
  });

  test("a list that a person had cleared before the step, and the agent read of after it, is cleared in the fork", async () => {
    const gate = desk().gate("read_while_listed");
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { canSpawnAgents: false, autoContinue: true, tools: ["read_while_listed"] },
      agents: [],
    });
    const runId = await desk().play(
      team,
      "clear the list, then retry",
      turns(
        { calls: [call("todo__init", { goal: "All" }), call("todo__add", { task: "One" })] },
        { calls: [call("read_while_listed")] },
        { text: "Done without it." },
      ),
    );
    await eventually(() => expect(gate.calls).toBe(1));
    const { root } = await record(runId);
    await clearTodo({ scope: desk().scope, runId, agentRunId: root.id });
    gate.open();
    await desk().ended(runId);
    const last = (await record(runId)).steps.at(-1)?.position ?? 0;
    const forkId = await fork(runId, root.id, last);
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Done without it." });
    const after = await record(forkId);
    expect(after.root.todo).toBeNull();
    expect(after.decisions.map(({ kind: what }) => what)).not.toContain("continue");
  });

  test("handoffs before the step count: who may not hand over any more still may not", async () => {
    const over = (agent?: string) => ({
      calls: [call("agent__handoff", { agent, reason: "It knows more.", tell: "All I found." })],
    });
    const { team, names } = await aLedTeam("handoff", {
      patternSettings: patternSettings.parse({ handoff: { maxHandoffs: 1 } }),
      scripts: [() => over(names[1]), turns(() => over(names[2]), { text: "Mine." }), says("Not mine.")],
    });
    const runId = await start(team);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Mine." });
    const before = await record(runId);
    expect(before.agents).toHaveLength(3);
    const forkId = await fork(runId, before.agent(names[1] ?? "").id, 0);
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Mine." });
    const after = await record(forkId);
    expect(after.agents.map(({ name }) => name)).toEqual(before.agents.map(({ name }) => name));
    expect(after.decisions.filter(({ kind: what }) => what === "limit")).toHaveLength(1);
  });

  test("where the first result counts, agents have all of their time again", async () => {
    const never = desk().gate("read_for_ever");
    reader("read_at_once");
    const { team, names } = await aLedTeam("broadcast", {
      patternSettings: patternSettings.parse({ broadcast: { combine: "first" } }),
      tools: ["read_for_ever", "read_at_once"],
      scripts: [
        turns({ calls: [call("read_at_once")] }, { text: "Quick." }),
        turns({ calls: [call("read_for_ever")] }, { text: "Slow." }),
      ],
    });
    const runId = await start(team);
    expect(await desk().ended(runId)).toMatchObject({ answer: "Quick." });
    const quick = (await record(runId)).agent(names[0] ?? "");
    await pool().query("update agent_runs set created_at = created_at - interval '30 days' where run_id = $1", [runId]);
    expect(await desk().ended(await fork(runId, quick.id, 2))).toMatchObject({ status: "completed", answer: "Quick." });
    never.open();
  });

  test("what a person said to a root that the engine leads is said to it once", async () => {
    const gate = desk().gate("read_in_phase");
    const { team, names } = await aLedTeam("pipeline", {
      tools: ["read_in_phase"],
      scripts: [turns({ calls: [call("read_in_phase")] }, { text: "A draft." }), says("Ended.")],
      lead: says("Said twice."),
    });
    const runId = await start(team);
    await eventually(() => expect(gate.calls).toBe(1));
    const { root } = await record(runId);
    await steerAgentRun({ scope: desk().scope, runId, agentRunId: root.id, text: "Mind the gap." });
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: "Ended." });
    const second = (await record(runId)).agent(names[1] ?? "");
    const forkId = await fork(runId, second.id, 0);
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Ended." });
    const { rows } = await pool().query(
      "select m.index from messages m join agent_runs a on a.id = m.agent_run_id where a.run_id = $1 and a.parent_id is null and content ->> 'content' like '%Mind the gap.'",
      [forkId],
    );
    expect(rows).toHaveLength(1);
    await record(forkId);
  });
});
