import { v7 as uuid } from "uuid";
import { afterEach, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { isTerminal } from "@/server/engine/state";
import { pauseRun, resumeRun, stopRun } from "@/server/runs/service/control-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call, collect, collectAll, lastResults, spawn, spawned } from "@/tests/support/engine-scripts";
import { anAgent, aTeam } from "@/tests/support/factories";
import type { ChatRequest } from "@/tests/support/scripted-model";

type Dispatched = { id?: string; status: string };

describe.each(DATABASE_KINDS)("a supervisor's queue of tasks on the %s database", (kind) => {
  const desk = useDesk(kind);
  const teamOf = async (child: Partial<AgentConfig> = {}, supervisor: Partial<AgentConfig> = {}) => {
    const team = await aTeam(db(), desk().scope.workspaceId, { supervisor, agents: [child, child] });
    const [first, second] = team.children.map(({ name }) => name);
    return { team, first: first ?? "", second: second ?? "" };
  };
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const resultsOf = (agentRunId: string) => toolResults(desk().scope, agentRunId);
  afterEach(() => {
    desk().model = desk().scripted();
  });

  const task = (args: Record<string, unknown>) => call("agent__task_create", { subject: "A part", ...args });
  /** Prompts of agents that answer at once. */
  const prompts = (...texts: string[]) => texts.map((text) => desk().words(text, turns({ text: `${text}: done` })));
  /** Ids of the agents the queue started in the calls of the last turn. */
  const startedIn = (request: ChatRequest) =>
    lastResults(request).flatMap(({ auto_dispatch }) => (auto_dispatch as Dispatched | undefined)?.id ?? []);

  const collectStarted = (request: ChatRequest) => ({ calls: startedIn(request).map(collect) });
  /** Rows of a list that the last turn was given. */
  const listed = (request: ChatRequest, list: string) =>
    lastResults(request).flatMap((result) => (result[list] as Record<string, unknown>[] | undefined) ?? []);
  const collectOwners = (request: ChatRequest) => ({
    calls: listed(request, "tasks").map(({ owner }) => collect(owner)),
  });

  const aGate = (name: string) => desk().gate(name);
  /** An agent that ends once the gate is open. */
  const behind = (gate: string, words: string) =>
    desk().words(words, turns({ calls: [call(gate)] }, { text: `${words}: through` }));

  const statusesOf = async (agentRunId: string): Promise<string[]> => {
    const { rows } = await pool().query("select status from tasks where agent_run_id = $1 order by number", [
      agentRunId,
    ]);
    return rows.map(({ status }) => status);
  };
  const rootOf = (runId: string) => deriveId(runId, "root");
  /** A tool that waits until the tasks of the one who called, or of its parent, are so. */
  const untilTasksAre = (name: string, ...statuses: string[]) =>
    desk().tools.set(
      name,
      aTool(name, (_, { runId }) =>
        eventually(async () => expect(await statusesOf(rootOf(runId))).toEqual(statuses)).then(() => "so"),
      ),
    );

  /** How many agents below the root were at work at the same time. */
  function mostAtWork({ root, events }: Awaited<ReturnType<typeof record>>): number {
    const working = new Set<string | null>();
    let most = 0;
    for (const { agentRunId, body } of events) {
      if (body.kind === "agent.created" && body.agent.parentId === root.id) working.add(body.agent.id);
      if (body.kind === "agent.status" && isTerminal(body.status)) working.delete(agentRunId);
      most = Math.max(most, working.size);
    }
    return most;
  }

  test("a chain of three is started one after the other while the supervisor waits for another agent", async () => {
    untilTasksAre("until_all_done", "completed", "completed", "completed");
    const { team, first, second } = await teamOf({ tools: ["until_all_done"] });
    const [one, two, three] = prompts("chain one", "chain two", "chain three");
    const witness = behind("until_all_done", "watch the chain");
    const runId = await desk().play(
      team,
      "a chain",
      turns(
        {
          calls: [
            task({ subject: "One", agent: first, prompt: one }),
            task({ subject: "Two", agent: second, prompt: two, blocked_by: ["task_1"] }),
            task({ subject: "Three", agent: first, prompt: three, blocked_by: [2, "1"] }),
            spawn(second, witness),
          ],
        },
        collectAll,
        { calls: [call("agent__task_list")] },
        collectOwners,
        (request) => ({
          text: lastResults(request)
            .map(({ output }) => output)
            .join(", "),
        }),
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({
      status: "completed",
      answer: [one, two, three].map((text) => `${text?.replace(/ \(\d+\)$/, "")}: done`).join(", "),
    });
    const { root, agents, decisions, tasks, mails, steps, offered } = await record(runId);
    expect(tasks.map(({ status, isAutomatic, childId }) => ({ status, isAutomatic, childId }))).toEqual(
      [1, 2, 3].map((number) => ({
        ...{ status: "completed", isAutomatic: true },
        childId: deriveId(root.id, `task ${number}`),
      })),
    );
    const dispatches = decisions.filter((decision) => decision.kind === "dispatch");
    expect(dispatches).toMatchObject([
      { position: 1, reason: "Task 1 has no dependencies." },
      { position: 2, reason: "Task 2 was released when task 1 was completed." },
      { position: 3, reason: "Task 3 was released when task 2 was completed." },
    ]);
    for (const [i, { id, chosen, source, agentRunId }] of dispatches.entries()) {
      const child = agents.find((agent) => agent.id === tasks[i]?.childId);
      expect({ source, agentRunId }).toEqual({ source: "runtime-rule", agentRunId: root.id });
      expect(chosen).toEqual([{ option: `agent:${child?.name}`, label: child?.name, position: null, reason: null }]);
      expect(offered.get(id)?.map(({ key }) => key)).toEqual([`agent:${child?.name}`, "wait"]);
      expect(child).toMatchObject({ spawnedById: id, task: [one, two, three][i], depth: 1 });
    }
    // In the time of one call of the supervisor, which waited.
    const waited = steps.find(({ name, agentRunId }) => name === "agent__collect" && agentRunId === root.id);
    for (const { at } of dispatches.slice(1)) expect(at < (waited?.finishedAt ?? "")).toBe(true);
    const [list] = (await resultsOf(root.id)).flatMap((result) => (result.tasks ? [result.tasks] : []));
    const handleOfTask = (number: number) => agents.find(({ id }) => id === tasks[number - 1]?.childId)?.handle;
    expect(list).toEqual([
      listedTask(1, { subject: "One", agent: first, prompt: one, owner: handleOfTask(1), blocks: [2, 3] }),
      listedTask(2, {
        subject: "Two",
        agent: second,
        prompt: two,
        owner: handleOfTask(2),
        blocked_by: [1],
        blocks: [3],
      }),
      listedTask(3, { subject: "Three", agent: first, prompt: three, owner: handleOfTask(3), blocked_by: [2, 1] }),
    ]);
    expect(mails.map(({ fromId, toId, kind: what, readAt }) => ({ fromId, toId, what, readAt }))).toEqual(
      tasks.map(({ childId }) => ({ fromId: childId, toId: root.id, what: "task_completed", readAt: null })),
    );
    expect(mails[0]?.text).toBe(
      `Task 1 (One) was completed by ${handleOfTask(1)}. agent__collect gives its result, once.`,
    );
  });

  const listedTask = (id: number, also: Record<string, unknown>) => ({
    ...{ id, description: "", status: "completed", blocked_by: [], blocks: [] },
    ...also,
  });

  test("a task is released while its supervisor is inside a model call", async () => {
    const { team, first } = await teamOf();
    const [one, two] = prompts("think one", "think two");
    const words = desk().words("think for long");
    const scripted = desk().scripted();
    desk().model = {
      ...scripted,
      complete: async (request) => {
        const isThinking =
          request.messages.some(({ content }) => content === words) && request.messages.at(-1)?.role === "tool";
        // Its second call is answered when the second agent, which nobody but the queue starts, was asked.
        if (isThinking) await eventually(() => expect(desk().callsOf(two ?? "").requested).toBe(1));
        return scripted.complete(request);
      },
    };
    desk().scripts.set(
      words,
      turns(
        {
          calls: [
            task({ agent: first, prompt: one }),
            task({ agent: first, prompt: two, blocked_by: ["1"], description: "After the first" }),
          ],
        },
        { calls: [call("agent__list")] },
        (request) => ({ calls: listed(request, "agents").map(({ id }) => collect(id)) }),
        { text: "Thought." },
      ),
    );
    const runId = await desk().start(team, words);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Thought." });
    const { root } = await record(runId);
    const results = await resultsOf(root.id);
    expect(results[1]).toEqual({
      ...{ status: "ok", task_id: 2 },
      auto_dispatch: { status: "waiting", message: "It starts once task 1 is completed." },
    });
    expect(results.filter(({ exit_status }) => exit_status === "completed")).toHaveLength(2);
    expect(await statusesOf(root.id)).toEqual(["completed", "completed"]);
  });

  test("where no room is, a task waits, and starts when any agent ends", async () => {
    const gate = aGate("room");
    untilTasksAre("until_first_done", "completed", "completed");
    const { team, first, second } = await teamOf(
      { tools: ["room"] },
      { maxConcurrentAgents: 1, tools: ["until_first_done"] },
    );
    const [one, two] = prompts("roomy one", "roomy two");
    const runId = await desk().play(
      team,
      "little room",
      turns(
        { calls: [spawn(first, behind("room", "in the way"))] },
        {
          calls: [task({ agent: second, prompt: one }), task({ agent: first, prompt: two }), call("until_first_done")],
        },
        { text: "Both ran." },
      ),
    );
    await eventually(async () => expect(await statusesOf(rootOf(runId))).toEqual(["pending", "pending"]));
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Both ran." });
    const ended = await record(runId);
    const { root, decisions } = ended;
    expect((await resultsOf(root.id))[1]).toMatchObject({
      auto_dispatch: { status: "waiting", message: "It starts once there is room: one agent may run at a time." },
    });
    expect(decisions.filter((decision) => decision.kind === "dispatch").map(({ reason }) => reason)).toEqual([
      "Task 1 has no dependencies. It waited for room: one agent may run at a time.",
      "Task 2 has no dependencies. It waited for room: one agent may run at a time.",
    ]);
    expect(ended.agents).toHaveLength(4);
    expect(mostAtWork(ended)).toBe(1);
  });

  test("spawns and tasks of one turn share the places there are", async () => {
    const gate = aGate("shared");
    const { team, first } = await teamOf({ tools: ["shared"] }, { maxConcurrentAgents: 2 });
    const waiting = ["a", "b", "c"].map((name) => behind("shared", `share ${name}`));
    const runId = await desk().play(
      team,
      "share the places",
      turns(
        {
          calls: [
            task({ agent: first, prompt: waiting[0] }),
            spawn(first, waiting[1] ?? ""),
            task({ agent: first, prompt: waiting[2] }),
          ],
        },
        (request) => ({ calls: [...spawned(request), ...startedIn(request)].map(collect) }),
        { text: "Shared." },
      ),
    );
    await eventually(async () => expect(await statusesOf(rootOf(runId))).toEqual(["in_progress", "pending"]));
    await eventually(() => expect(gate.calls).toBe(2));
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(mostAtWork(await record(runId))).toBe(2);
  });

  test.each([1, 2])("a web of tasks is worked off in its order and within the places there are (%i)", async (seed) => {
    untilTasksAre("until_web_done", ...Array<string>(12).fill("completed"));
    const { team, first, second } = await teamOf({}, { maxConcurrentAgents: 3, tools: ["until_web_done"] });
    const agentsInTurn = [first, second];
    // Each waits for up to three before it.
    const web = Array.from({ length: 12 }, (_, i) =>
      [1, 2, 3].map((nth) => (seed * 31 + (i + 1) * nth * 7) % (i + 4)).filter((number) => number >= 1 && number <= i),
    );
    const runId = await desk().play(
      team,
      `a web ${seed}`,
      turns(
        {
          calls: [
            ...web.map((blockedBy, i) =>
              task({ agent: agentsInTurn[i % 2], prompt: prompts(`knot ${i + 1}`)[0], blocked_by: blockedBy }),
            ),
            call("until_web_done"),
          ],
        },
        { text: "Worked off." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Worked off." });
    const ended = await record(runId);
    const { agents, events, tasks, decisions } = ended;
    expect(web.flat().length).toBeGreaterThan(10);
    expect(tasks.map(({ blockedBy }) => blockedBy)).toEqual(web.map((blockedBy) => [...new Set(blockedBy)]));
    expect(agents).toHaveLength(13);
    expect(decisions.filter((decision) => decision.kind === "dispatch")).toHaveLength(12);

    const done = new Set<number>();
    for (const { body } of events) {
      if (body.kind !== "task.changed") continue;
      if (body.task.status === "completed") done.add(body.task.number);
      if (body.task.status === "in_progress") for (const other of body.task.blockedBy) expect(done).toContain(other);
    }
    expect(done.size).toBe(12);
    expect(mostAtWork(ended)).toBeLessThanOrEqual(3);
  });

  test("a task whose agent fails has failed, and what waits for it never begins", async () => {
    untilTasksAre("until_failed", "failed", "blocked", "blocked");
    const { team, first } = await teamOf({}, { tools: ["until_failed"] });
    const fails = desk().words("fail the task", turns({ fault: "status", status: 401 }));
    const runId = await desk().play(
      team,
      "fail in a chain",
      turns(
        {
          calls: [
            task({ agent: first, prompt: fails }),
            task({ agent: first, prompt: desk().words("never"), blocked_by: [1] }),
            task({ blocked_by: [2] }),
            call("until_failed"),
          ],
        },
        {
          calls: [task({ blocked_by: ["1"] }), call("agent__task_fail", { task_id: "1" }), call("agent__check_inbox")],
        },
        { text: "It failed." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "It failed." });
    const { root, agents, tasks } = await record(runId);
    expect(agents).toHaveLength(2);
    expect(tasks.map(({ status }) => status)).toEqual(["failed", "blocked", "blocked", "blocked"]);
    const results = await resultsOf(root.id);
    expect(results[4]).toMatchObject({ warnings: ["Task 1 has failed: task 4 stays blocked for good."] });
    expect(results[5]).toEqual({
      ...{ status: "ok", task_id: 1, message: "Task 1 has failed already." },
      dependents: [2, 3, 4],
    });
    expect(results[6]).toMatchObject({
      count: 1,
      messages: [
        {
          from: agents.find(({ parentId }) => parentId)?.handle,
          payload: {
            type: "task_completed",
            text: expect.stringMatching(/^Task 1 \(A part\) failed: .* is failed \(unauthorized: /),
          },
        },
      ],
    });
  });

  test("what the supervisor does itself it completes or fails itself", async () => {
    const { team, first } = await teamOf();
    const [after] = prompts("after the supervisor");
    const complete = (id: unknown) => call("agent__task_complete", { task_id: id });
    const runId = await desk().play(
      team,
      "do some myself",
      turns(
        {
          calls: [
            task({ subject: "Mine" }),
            task({ agent: first, prompt: after, blocked_by: ["1"] }),
            task({ subject: "Mine too", description: "By hand", blocked_by: ["1"] }),
            complete(2),
            complete("task_1"),
            complete(1),
            complete("7"),
            call("agent__task_fail", { task_id: 3 }),
            call("agent__task_fail", { task_id: "1" }),
            complete(3),
          ],
        },
        (request) => ({
          calls: listed(request, "auto_dispatched").map(({ id }) => collect(id)),
        }),
        { text: "Done myself." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done myself." });
    const { root, agent, decisions, steps, tasks } = await record(runId);
    const results = await resultsOf(root.id);
    expect(results[3]).toEqual({ tool_call_error: "Task 2 is blocked: it waits for task 1." });
    expect(results[4]).toEqual({
      ...{ status: "ok", task_id: 1 },
      newly_runnable: [
        { id: 2, subject: "A part", description: "", agent: first },
        { id: 3, subject: "Mine too", description: "By hand", agent: null },
      ],
      auto_dispatched: [{ task_id: 2, id: agent(first).handle, agent: first }],
    });
    expect(results[5]).toEqual({
      ...{ status: "ok", task_id: 1, message: "Task 1 is completed already." },
      ...{ newly_runnable: [], auto_dispatched: [] },
    });
    expect(results[6]).toEqual({ tool_call_error: 'There is no task "7". Your tasks: 1, 2, 3.' });
    expect(results[7]).toEqual({ status: "ok", task_id: 3, dependents: [] });
    expect(results[8]).toEqual({ tool_call_error: "Task 1 is completed already." });
    expect(results[9]).toEqual({ tool_call_error: "Task 3 has failed already." });
    expect(steps.flatMap(({ error }) => error?.code ?? [])).toEqual([
      ...["task_blocked", "unknown_task", "task_completed", "task_failed"],
    ]);
    expect(tasks.map(({ status }) => status)).toEqual(["completed", "completed", "failed"]);
    expect(decisions.find((decision) => decision.kind === "dispatch")).toMatchObject({
      position: 2,
      reason: "Task 2 was released when task 1 was completed.",
    });
  });

  test("dependencies that cannot be are warnings, and a task that could never start is refused", async () => {
    const { team, first } = await teamOf({}, { maxAgentDepth: 1 });
    const runId = await desk().play(
      team,
      "wrong tasks",
      turns(
        {
          calls: [
            task({ blocked_by: ["1", 9, "soon"] }),
            task({ agent: first }),
            task({ agent: "Nobody", prompt: "Go" }),
            task({ subject: "  " }),
            call("agent__task_create", "{not json"),
            task({ agent: "", prompt: "", description: null, blocked_by: null }),
            call("agent__task_complete"),
          ],
        },
        { text: "Wrong." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { root, tasks, steps } = await record(runId);
    const results = await resultsOf(root.id);
    expect(results[0]).toEqual({
      ...{ status: "ok", task_id: 1 },
      warnings: [
        "Task 1 cannot wait for itself; that dependency was left out.",
        "There is no task 9; that dependency was left out.",
        'There is no task "soon"; that dependency was left out.',
      ],
    });
    expect(results[1]?.tool_call_error).toContain("needs the prompt");
    expect(results[2]?.tool_call_error).toContain(`There is no agent named "Nobody". Your agents: ${first}`);
    expect(results[3]?.tool_call_error).toContain("needs a subject");
    expect(results[5]).toEqual({ status: "ok", task_id: 2 });
    expect(steps.flatMap(({ error }) => error?.code ?? [])).toEqual([
      ...["malformed_arguments", "unknown_agent", "malformed_arguments", "malformed_arguments", "unknown_task"],
    ]);
    expect(tasks.map(({ number, status, blockedBy }) => ({ number, status, blockedBy }))).toEqual([
      { number: 1, status: "pending", blockedBy: [] },
      { number: 2, status: "pending", blockedBy: [] },
    ]);
  });

  test("a task is given away with agent__spawn, once, and ends with that agent", async () => {
    const { team, first, second } = await teamOf();
    const [one, two, next] = prompts("claimed", "claimed again", "after the claim");
    const give = (agent: string, prompt: string | undefined, id: unknown) =>
      call("agent__spawn", { agent, prompt, reason: "It fits.", task_id: id });
    const runId = await desk().play(
      team,
      "give it away",
      turns(
        { calls: [task({}), task({ agent: second, prompt: next, blocked_by: [1] })] },
        { calls: [give(first, one, "task_1"), give(first, two, 1), give(first, two, "2"), give(first, two, "3")] },
        collectAll,
        { calls: [call("agent__task_list")] },
        (request) => ({ calls: collectOwners(request).calls.slice(1) }),
        { text: "Given." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Given." });
    const { root, agent, agents, decisions, tasks } = await record(runId);
    expect(agents).toHaveLength(3);
    const results = await resultsOf(root.id);
    expect(results[2]).toMatchObject({ status: "ok", id: agent(first).handle, task_id: 1 });
    expect(results.slice(3, 6).map(({ tool_call_error }) => tool_call_error)).toEqual([
      "Task 1 is in progress: an agent works on it already.",
      "Task 2 is blocked: it waits for task 1.",
      'There is no task "3". Your tasks: 1, 2.',
    ]);
    expect(tasks).toMatchObject([
      { status: "completed", childId: agent(first).id, isAutomatic: false },
      { status: "completed", childId: agent(second).id, isAutomatic: true },
    ]);
    expect(decisions.find(({ id }) => id === agent(first).spawnedById)?.kind).toBe("delegate");
    expect(results.filter(({ exit_status }) => exit_status === "completed")).toHaveLength(2);
  });

  test("a task whose agent would be nested too deep is refused, and one without an agent is not", async () => {
    const { workspaceId } = desk().scope;
    const { team, first: middle } = await teamOf({ canSpawnAgents: true, maxAgentDepth: 1 });
    const leaf = await anAgent(db(), workspaceId);
    await db().teamNode.create({
      data: {
        ...{ id: uuid(), workspaceId, teamVersionId: team.teamVersionId, position: 0 },
        ...{ parentId: team.children[0]?.teamNodeId ?? "", agentVersionId: leaf.agentVersionId },
      },
    });
    const deep = desk().words(
      "deeper by a task",
      turns({ calls: [task({ agent: leaf.name, prompt: "deepest" }), task({})] }, { text: "Did it myself." }),
    );
    const runId = await desk().play(
      team,
      "deep by a task",
      turns({ calls: [task({ agent: middle, prompt: deep })] }, collectStarted, { text: "Deep enough." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ answer: "Deep enough." });
    const { agents, agent, tasks } = await record(runId);
    expect(agents).toHaveLength(2);
    expect(await resultsOf(agent(middle).id)).toEqual([
      { tool_call_error: "Agents may be nested 1 deep; do this yourself." },
      { status: "ok", task_id: 1 },
    ]);
    expect(tasks.filter(({ agentRunId }) => agentRunId === agent(middle).id)).toMatchObject([{ status: "pending" }]);
  });

  /** Keeps the queue from being looked at: it is in the way of everything that is carried out alone. */
  function holdTheQueue() {
    const hold = { times: 0 };
    desk().engineTools.set("hold", {
      kind: "tool",
      isSerial: true,
      offer: ({ config }) =>
        config.tools.includes("hold") ? { name: "hold", description: "Holds the queue", parameters: {} } : null,
      run: async ({ signal }) => {
        hold.times += 1;
        if (hold.times === 1)
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        return { value: { output: "let go" } };
      },
    });
    return hold;
  }

  test.each(["its worker ends", "it is paused"] as const)(
    "when %s between the end of an agent and what follows from it, that follows once",
    async (how) => {
      const hold = holdTheQueue();
      const gate = aGate("cut");
      untilTasksAre("until_cut_done", "completed", "completed");
      const { team, first, second } = await teamOf({ tools: ["cut"] }, { tools: ["hold", "until_cut_done"] });
      const [next] = prompts("after the cut");
      const runId = await desk().play(
        team,
        `cut off where ${how}`,
        turns(
          {
            calls: [
              task({ agent: first, prompt: behind("cut", "cut off") }),
              task({ agent: second, prompt: next, blocked_by: [1] }),
            ],
          },
          { calls: [call("hold")] },
          // No tool of the queue looks at it: what opened the agent run again did.
          { calls: [call("until_cut_done")] },
          { text: "Went on." },
        ),
      );
      await eventually(() => expect([hold.times, gate.calls]).toEqual([1, 1]));
      gate.open();
      await eventually(async () => expect((await record(runId)).agent(first).status).toBe("completed"));
      expect(await statusesOf(rootOf(runId))).toEqual(["in_progress", "blocked"]);
      if (how === "its worker ends") {
        await desk().shut();
        await desk().open();
      } else {
        await pauseRun({ scope: desk().scope, runId });
        expect(await statusesOf(rootOf(runId))).toEqual(["in_progress", "blocked"]);
        await resumeRun({ scope: desk().scope, runId });
      }
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Went on." });
      const { agents, decisions, tasks, mails } = await record(runId);
      expect(agents).toHaveLength(3);
      expect(tasks.map(({ status }) => status)).toEqual(["completed", "completed"]);
      expect(mails).toHaveLength(2);
      expect(decisions.filter((decision) => decision.kind === "dispatch").map(({ reason }) => reason)).toEqual([
        "Task 1 has no dependencies.",
        "Task 2 was released when task 1 was completed.",
      ]);
      expect(desk().callsOf(next ?? "").requested).toBe(1);
    },
  );

  test("an agent the queue stored and nobody started is started by whoever looks next, once", async () => {
    const { team, first } = await teamOf();
    const [lost] = prompts("lost in between");
    const { resources } = desk().executor ?? {};
    if (!resources) throw new Error("nobody executes");
    const launched: string[] = [];
    resources.launch = (ids) => void launched.push(...ids);
    const runId = await desk().play(
      team,
      "lose the start",
      turns({ calls: [task({ agent: first, prompt: lost })] }, collectStarted, { text: "Found." }),
    );
    await eventually(() => expect(launched).toHaveLength(1));
    await desk().shut();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Found." });
    const { agents, tasks } = await record(runId);
    expect(agents.map(({ id }) => id)).toEqual(expect.arrayContaining(launched));
    expect(agents).toHaveLength(2);
    expect(tasks).toMatchObject([{ status: "completed", childId: launched[0] }]);
  });

  test("an answer ends what still works: nothing more is started", async () => {
    const gate = aGate("left");
    const { team, first } = await teamOf({ tools: ["left"] }, { maxConcurrentAgents: 1 });
    const left = behind("left", "left working");
    const runId = await desk().play(
      team,
      "answer early",
      turns(
        { calls: [task({ agent: first, prompt: left }), task({ agent: first, prompt: desk().words("no room") })] },
        { text: "Early." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Early." });
    gate.open();
    const { agent, agents, tasks } = await record(runId);
    expect(agents).toHaveLength(2);
    expect(agent(first)).toMatchObject({ status: "aborted", statusReason: "parent_ended" });
    // What never began stays as it was.
    expect(tasks.map(({ status }) => status)).toEqual(["failed", "pending"]);
    expect(tasks[0]?.finishedAt).toEqual(expect.any(String));
  });

  test("a run that is stopped ends the tasks in progress with it, each as its agent is", async () => {
    const gate = aGate("stopped at work");
    const done = desk().words("be done", turns({ text: "Done." }));
    const { team, first } = await teamOf({ tools: ["stopped at work"] });
    const prompt = behind("stopped at work", "stop at work");
    const runId = await desk().play(
      team,
      "stop with tasks",
      turns(
        { calls: [task({ agent: first, prompt: done }), task({ agent: first, prompt }), task({ blocked_by: [2] })] },
        collectStarted,
        { text: "Never." },
      ),
    );
    await eventually(async () => {
      expect(gate.calls).toBe(1);
      expect((await statusesOf(rootOf(runId)))[0]).toBe("completed");
    });
    await stopRun({ scope: desk().scope, runId });
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "aborted" });
    expect((await record(runId)).tasks.map(({ status }) => status)).toEqual(["completed", "failed", "blocked"]);
  });
});
