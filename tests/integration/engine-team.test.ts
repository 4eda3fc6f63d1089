import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { createPublishedTeam } from "@/server/teams/service";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import {
  aTool,
  call,
  collect,
  collectAll,
  lastResults,
  meetingOf,
  spawn,
  spawned,
} from "@/tests/support/engine-scripts";
import { anAgent, aTeam } from "@/tests/support/factories";

const HANG = { fault: "hang" } as const;

describe.each(DATABASE_KINDS)("a supervisor and its agents on the %s database", (kind) => {
  const desk = useDesk(kind);
  const teamOf = async (child: Partial<AgentConfig> = {}, supervisor: Partial<AgentConfig> = {}) => {
    const team = await aTeam(db(), desk().scope.workspaceId, { supervisor, agents: [child, child] });
    const [first, second] = team.children.map(({ name }) => name);
    return { team, first: first ?? "", second: second ?? "" };
  };
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const resultsOf = (agentRunId: string) => toolResults(desk().scope, agentRunId);

  /** Lead over middle over leaf, where only the middle's own limits differ. */
  const aDeepTeam = async (middle: Partial<AgentConfig>) => {
    const { workspaceId } = desk().scope;
    const agents = {
      lead: await anAgent(db(), workspaceId, { canSpawnAgents: true }),
      middle: await anAgent(db(), workspaceId, { canSpawnAgents: true, ...middle }),
      leaf: await anAgent(db(), workspaceId),
    };
    const version = await db().$transaction((tx) =>
      createPublishedTeam(tx, {
        workspaceId,
        name: `Deep team of ${agents.lead.name}`,
        description: "",
        limits: {},
        root: { ...agents.lead, children: [{ ...agents.middle, children: [agents.leaf] }] } as never,
      }),
    );
    const root = await db().teamNode.findFirstOrThrow({
      where: { teamVersionId: version.teamVersionId, parentId: null },
      select: { id: true, agentVersionId: true },
    });
    return { ...agents, team: { ...version, root: { ...root, teamNodeId: root.id, name: agents.lead.name } } };
  };

  test("two children spawned in one turn work at the same time, and each hangs on the decision that spawned it", async () => {
    desk().tools.set("meet", aTool("meet", meetingOf(2)));
    const { team, first, second } = await teamOf({ tools: ["meet"] });
    const meets = turns({ calls: [call("meet", { reason: "The other is there too." })] }, { text: "We met." });
    const words = [desk().words("meet one", meets), desk().words("meet two", meets)];
    const runId = await desk().play(
      team,
      "let two meet",
      turns(
        { calls: [spawn(first, words[0] ?? "", "It is first."), spawn(second, words[1] ?? "", "It is second.")] },
        collectAll,
        { text: "They met." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "They met." });

    const { agents, decisions, steps, offered, root, agent } = await record(runId);
    const met = steps.filter(({ name }) => name === "meet");
    expect(new Set(met.map(({ agentRunId }) => agentRunId)).size).toBe(2);
    expect(Math.max(...met.map(({ startedAt }) => Date.parse(startedAt)))).toBeLessThanOrEqual(
      Math.min(...met.map(({ finishedAt }) => Date.parse(finishedAt))),
    );
    expect(agents).toHaveLength(3);
    const delegate = decisions.find(({ kind }) => kind === "delegate");
    expect(delegate).toMatchObject({
      agentRunId: root.id,
      source: "model-stated",
      reason: `${first}: It is first.\n${second}: It is second.`,
      chosen: [
        { option: `agent:${first}`, position: 1, reason: "It is first." },
        { option: `agent:${second}`, position: 2, reason: "It is second." },
      ],
    });
    expect([agent(first), agent(second)].map(({ spawnedById }) => spawnedById)).toEqual([delegate?.id, delegate?.id]);
    expect(offered.get(delegate?.id ?? "")?.map(({ key }) => key)).toEqual(
      expect.arrayContaining([`agent:${first}`, `agent:${second}`, "agent__collect", "answer"]),
    );
    // Collecting was chosen without a word about why, and nobody makes one up.
    const collecting = decisions.find(({ chosen }) => chosen[0]?.option === "agent__collect");
    expect(collecting).toMatchObject({ kind: "tool_choice", source: "not-stated", reason: null });
    expect(decisions.find(({ kind, agentRunId }) => kind === "tool_choice" && agentRunId !== root.id)).toMatchObject({
      source: "model-stated",
      reason: "The other is there too.",
    });
    expect(await resultsOf(root.id)).toMatchObject([
      { status: "ok", agent: first },
      { status: "ok", agent: second },
      { status: "completed", exit_status: "completed", output: "We met." },
      { status: "completed", exit_status: "completed", output: "We met." },
    ]);
  });

  test("a fifth running child is refused with the limit in words, and the four go on", async () => {
    const { team, first } = await teamOf();
    const prompts = [1, 2, 3, 4, 5].map((n) => desk().words(`one of five: ${n}`, turns({ text: `I am ${n}.` })));
    const runId = await desk().play(
      team,
      "spawn five",
      turns({ calls: prompts.map((prompt) => spawn(first, prompt)) }, collectAll, { text: "Four came." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { agents, root, steps } = await record(runId);
    expect(agents).toHaveLength(5);
    const results = await resultsOf(root.id);
    expect(results[4]).toEqual({
      tool_call_error: "4 agents are running, and 4 may. Collect or cancel one first.",
    });
    expect(steps.find(({ error }) => error)).toMatchObject({ position: 5, error: { code: "concurrency_limit" } });
    expect(results.slice(5).map(({ output }) => output)).toEqual(["I am 1.", "I am 2.", "I am 3.", "I am 4."]);
  });

  test("an id of a child that no text column could hold is unknown, not the end of its parent", async () => {
    const { team } = await teamOf();
    const ids = ["agent_\0", "\ud83e", { not: "a text" }, undefined];
    const names = ["agent__collect", "agent__check", "agent__cancel"];
    const runId = await desk().play(
      team,
      "ask for what cannot be",
      turns({ calls: names.flatMap((name) => ids.map((id) => call(name, { id }))) }, { text: "None of them." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "None of them." });
    const { root, steps } = await record(runId);
    expect(steps.filter(({ error }) => error?.code === "unknown_agent_run")).toHaveLength(12);
    expect((await resultsOf(root.id)).map(({ status }) => status)).toEqual(Array(12).fill("error"));
  });

  test("a supervisor's decision says what the whole run had cost by then, its children's calls included", async () => {
    const { team, first, second } = await teamOf();
    const words = [
      desk().words("cost one", turns({ text: "One." })),
      desk().words("cost two", turns({ text: "Two." })),
    ];
    const runId = await desk().play(
      team,
      "count the cost",
      turns({ calls: [spawn(first, words[0] ?? ""), spawn(second, words[1] ?? "")] }, collectAll, { text: "Both." }),
    );
    await desk().ended(runId);
    const { run, root, agents, decisions } = await record(runId);
    const own = decisions.filter(({ agentRunId }) => agentRunId === root.id);
    const last = own.find(({ kind }) => kind === "finish");
    const children = agents.filter(({ id }) => id !== root.id).reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
    expect(children).toBeGreaterThan(0);
    expect(last?.costSoFarNanoUsd).toBe(run.costNanoUsd);
    expect(last?.costSoFarNanoUsd).toBe(root.costNanoUsd + children);
    const costs = own.map(({ costSoFarNanoUsd }) => costSoFarNanoUsd);
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
    expect(costs[0]).toBeGreaterThan(0);
  });

  test("finished children that nobody collected hold no place", async () => {
    const { team, first } = await teamOf({}, { maxConcurrentAgents: 1, maxToolRounds: 500 });
    const runId = await desk().play(team, "one after the other", (request, { step }) => {
      const [last] = lastResults(request);
      if (step === 0) return { calls: [spawn(first, desk().words("the first of one place"))] };
      if (spawned(request).length === 2) return { text: "Both ran." };
      const finished = JSON.stringify(last).includes('"finished"');
      return {
        calls: [finished ? spawn(first, desk().words("the second of one place")) : call("agent__list", { look: step })],
      };
    });
    expect(await desk().ended(runId)).toMatchObject({ answer: "Both ran." });
    await record(runId);
  });

  test("agents are nested as deep as the limit says and no deeper", async () => {
    const { team, middle, leaf } = await aDeepTeam({ maxAgentDepth: 1 });
    const deep = desk().words("go deeper", turns({ calls: [spawn(leaf.name, "deepest")] }, { text: "Did it myself." }));
    const runId = await desk().play(
      team,
      "go deep",
      turns({ calls: [spawn(middle.name, deep)] }, collectAll, { text: "." }),
    );
    await desk().ended(runId);
    const { agents, agent } = await record(runId);
    expect(agents).toHaveLength(2);
    expect(await resultsOf(agent(middle.name).id)).toEqual([
      { tool_call_error: "Agents may be nested 1 deep; do this yourself." },
    ]);
  });

  test("an unknown agent, arguments that are not JSON and an unknown tool come back as errors the model can read", async () => {
    desk().tools.set(
      "plain",
      aTool("plain", async () => "fine"),
    );
    desk().tools.set(
      "not_mine",
      aTool("not_mine", async () => "never"),
    );
    const { team, first } = await teamOf({}, { tools: ["plain"] });
    const runId = await desk().play(
      team,
      "do everything wrong",
      turns(
        {
          calls: [
            spawn("Nobody", "Go"),
            call("agent__spawn", "{not json"),
            call("agent__spawn", { agent: first, prompt: "Go" }),
            call("plain", '{"i": '),
            call("no_such_tool"),
            call("not_mine"),
            call("agent__collect", { id: "agent_nobody_00000000" }),
            call("plain", ""),
          ],
        },
        { text: "Seven errors." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { steps, root, agents } = await record(runId);
    expect(agents).toHaveLength(1);
    expect(steps.filter(({ kind }) => kind === "tool").map(({ error }) => error?.code)).toEqual([
      "unknown_agent",
      "malformed_arguments",
      "malformed_arguments",
      "malformed_arguments",
      "unknown_tool",
      "unknown_tool",
      "unknown_agent_run",
      undefined,
    ]);
    const results = await resultsOf(root.id);
    expect(results[0]?.tool_call_error).toContain(`There is no agent named "Nobody". Your agents: ${first}`);
    expect(results[2]?.tool_call_error).toContain("reason");
    expect(results[3]?.tool_call_error).toContain("not JSON");
    expect(results[5]?.tool_call_error).toContain('no tool named "not_mine"');
    expect(results[7]).toEqual({ output: "fine" });
  });

  test("a result is handed over once, whether asked for again later or twice in one turn", async () => {
    const { team, first } = await teamOf();
    const runId = await desk().play(
      team,
      "collect twice",
      turns(
        { calls: [spawn(first, desk().words("collected twice", turns({ text: "Mine." })))] },
        (request) => ({ calls: spawned(request).flatMap((id) => [collect(id), collect(id)]) }),
        (request) => ({
          calls: spawned(request).flatMap((id) => [
            call("agent__collect", { id, again: true }),
            call("agent__check", { id }),
          ]),
        }),
        { text: "Enough." },
      ),
    );
    await desk().ended(runId);
    const { root } = await record(runId);
    const [, ...results] = await resultsOf(root.id);
    expect(results.filter(({ output }) => output === "Mine.")).toHaveLength(1);
    const refused = results.filter(({ tool_call_error }) => tool_call_error);
    expect(refused).toHaveLength(3);
    for (const { tool_call_error } of refused) expect(tool_call_error).toContain("already have been collected");
  });

  test("a check looks without waiting, a list counts, and a check of a finished child takes its result", async () => {
    let open = () => {};
    const gate = new Promise<string>((resolve) => {
      open = () => resolve("opened");
    });
    desk().tools.set(
      "gate",
      aTool("gate", () => gate),
    );
    const { team, first } = await teamOf({ tools: ["gate"] }, { maxToolRounds: 500 });
    const prompt = desk().words("behind a gate", turns({ calls: [call("gate")] }, { text: "Through." }));
    const runId = await desk().play(team, "look at it", (request, { step }) => {
      const [id] = spawned(request);
      if (step === 0) return { calls: [spawn(first, prompt)] };
      if (step === 1) return { calls: [call("agent__check", { id }), call("agent__list")] };
      if (step === 2) open();
      const [last] = lastResults(request);
      if (last?.status === "completed") return { calls: [call("agent__list")] };
      if (last?.agents) return { text: "Seen." };
      return { calls: [call("agent__check", { id, look: step })] };
    });
    expect(await desk().ended(runId)).toMatchObject({ answer: "Seen." });
    const { root, agent } = await record(runId);
    const results = await resultsOf(root.id);
    const { handle } = agent(first);
    expect(results[1]).toEqual({ status: "pending", id: handle, message: "Still working." });
    expect(results[2]).toEqual({
      active_count: 1,
      max_concurrent: 4,
      agents: [{ id: handle, agent: first, status: "running" }],
    });
    expect(results.at(-2)).toMatchObject({
      status: "completed",
      id: handle,
      exit_status: "completed",
      output: "Through.",
    });
    expect(results.at(-1)).toMatchObject({ active_count: 0, agents: [] });
  });

  /** A tool for the lead that waits until the model has been asked these words. */
  const untilAsked = (name: string, words: () => string) =>
    desk().tools.set(
      name,
      aTool(name, () =>
        eventually(() => void expect(desk().callsOf(words()).requested).toBeGreaterThan(0)).then(() => "asked"),
      ),
    );

  test("a cancelled child ends with all below it: its open HTTP call is closed and its open step recorded as aborted", async () => {
    const { team, middle, leaf } = await aDeepTeam({});
    const bottom = desk().words("hang at the bottom", turns(HANG));
    untilAsked("wait_for_leaf", () => bottom);
    await db()
      .$executeRaw`update agent_versions set config = jsonb_set(config, '{tools}', '["wait_for_leaf"]') where id = ${team.root.agentVersionId}::uuid`;
    const between = desk().words("between", turns({ calls: [spawn(leaf.name, bottom)] }, collectAll));
    const runId = await desk().play(
      team,
      "cancel it",
      turns(
        { calls: [spawn(middle.name, between), call("wait_for_leaf")] },
        (request) => ({ calls: [call("agent__cancel", { id: spawned(request)[0] })] }),
        (request) => ({ calls: [call("agent__cancel", { id: spawned(request)[0] }), collect(spawned(request)[0])] }),
        { text: "Cancelled." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Cancelled." });
    await eventually(() => expect(desk().callsOf(bottom).ended).toBe(1));
    const { agent, steps, root } = await record(runId);
    for (const { name } of [middle, leaf]) {
      expect(agent(name)).toMatchObject({ status: "aborted", statusReason: "cancelled_by_parent" });
    }
    expect(steps.filter(({ agentRunId }) => agentRunId === agent(leaf.name).id)).toMatchObject([
      { position: 0, kind: "model", status: "aborted" },
    ]);
    expect(steps.find(({ name, agentRunId }) => name === "agent__collect" && agentRunId !== root.id)).toMatchObject({
      status: "aborted",
    });
    const results = await resultsOf(root.id);
    expect(results[2]).toMatchObject({ status: "ok", message: "Stopped." });
    expect(results[3]).toMatchObject({ status: "ok", message: "It had already finished." });
    expect(desk().callsOf(bottom).requested).toBe(1);
  });

  test("a parent that answers while a child works ends the child", async () => {
    const left = desk().words("left behind", turns(HANG));
    untilAsked("wait_for_left", () => left);
    const { team, first } = await teamOf({}, { tools: ["wait_for_left"] });
    const runId = await desk().play(
      team,
      "leave it",
      turns({ calls: [spawn(first, left), call("wait_for_left")] }, { text: "I go." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "I go." });
    await eventually(() => expect(desk().callsOf(left).ended).toBe(1));
    const { agent, steps } = await record(runId);
    expect(agent(first)).toMatchObject({ status: "aborted", statusReason: "parent_ended" });
    expect(steps.find(({ agentRunId }) => agentRunId === agent(first).id)).toMatchObject({ status: "aborted" });
  });

  test("a failed child is data for its parent, which completes", async () => {
    const { team, first } = await teamOf();
    const fails = desk().words("fail", turns({ fault: "status", status: 401 }));
    const runId = await desk().play(
      team,
      "go on without",
      turns({ calls: [spawn(first, fails)] }, collectAll, { text: "Still here." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Still here." });
    const { agent, root } = await record(runId);
    expect(agent(first)).toMatchObject({ status: "failed", statusReason: expect.stringMatching(/^unauthorized: /) });
    expect((await resultsOf(root.id))[1]).toMatchObject({
      status: "completed",
      exit_status: "failed",
      message: expect.stringContaining("refused the key"),
    });
  });

  test("a child that asked a person and is cancelled takes its question back, and the run is no longer waiting", async () => {
    const words = desk().words(
      "ask and be cancelled",
      turns({ calls: [call("user__ask", { question: "Sure?", options: [] })] }),
    );
    const asked = async () => {
      const { rows } = await pool().query(
        "select 1 from human_requests q join agent_runs a on a.id = q.agent_run_id where a.task = $1",
        [words],
      );
      expect(rows).toHaveLength(1);
    };
    let runId = "";
    let after = "";
    desk().tools.set(
      "wait_for_question",
      aTool("wait_for_question", () => eventually(asked).then(() => "asked")),
    );
    desk().tools.set(
      "look",
      aTool("look", async () => {
        after = (await desk().statusOf(runId)).status;
        return after;
      }),
    );
    const { team, first } = await teamOf(
      { tools: ["user__ask"], escalationTimeoutMs: 0 },
      { tools: ["wait_for_question", "look"] },
    );
    runId = await desk().play(
      team,
      "never mind",
      turns(
        { calls: [spawn(first, words), call("wait_for_question")] },
        (request) => ({ calls: [call("agent__cancel", { id: spawned(request)[0] })] }),
        { calls: [call("look")] },
        { text: "Never mind." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { requests } = await record(runId);
    expect(requests).toMatchObject([{ status: "withdrawn", answer: null }]);
    expect(after).toBe("running");
  });
});
