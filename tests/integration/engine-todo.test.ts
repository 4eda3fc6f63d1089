import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { clearTodo, steerAgentRun } from "@/server/runs/service/control-agent";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { ChatRequest } from "@/tests/support/scripted-model";

const add = (task: string) => call("todo__add", { task });
const done = (id: unknown) => call("todo__done", { id });
const LIST = { calls: [call("todo__init", { goal: "Publish" }), add("Read"), add("Write"), add("Check")] };

/** What people, and the engine in their place, said last. */
const lastSaid = (request: ChatRequest) => String(request.messages.findLast(({ role }) => role === "user")?.content);

describe.each(DATABASE_KINDS)("checklists on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, autoContinue: true, ...config },
      agents: [],
    });
  const record = (runId: string) => soundRecord(scope(), runId);
  const continuesIn = async (runId: string) =>
    (await record(runId)).decisions.filter((decision) => decision.kind === "continue");
  /** Option and reason of each decision whether to send it on. */
  const sentOnIn = async (runId: string) =>
    (await continuesIn(runId)).map(({ chosen, reason }) => [chosen[0]?.option, reason]);

  test("a list is made, ticked and read, call by call, also within one turn", async () => {
    const runId = await desk().play(
      await solo(),
      "keep a list",
      turns(LIST, { calls: [done(1), done("2"), call("todo__list")] }, { calls: [done(3)] }, { text: "All done." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "All done." });
    const { root, events } = await record(runId);
    const items = ["Read", "Write", "Check"].map((text, i) => ({ id: i + 1, text, done: true }));
    expect(root.todo).toEqual({ goal: "Publish", items, continues: 0 });
    const results = await toolResults(scope(), root.id);
    expect(results.slice(1, 6)).toMatchObject([
      { status: "ok", id: 1, progress: "0/1" },
      { status: "ok", id: 2, progress: "0/2" },
      { status: "ok", id: 3, progress: "0/3" },
      { status: "ok", id: 1, progress: "1/3" },
      { status: "ok", id: 2, progress: "2/3" },
    ]);
    expect(results[6]).toEqual({
      status: "ok",
      goal: "Publish",
      progress: "2/3",
      items: items.map((item) => ({ ...item, done: item.id < 3 })),
    });
    const told = events.flatMap(({ body }) => (body.kind === "agent.todo" ? [body.todo?.items.length] : []));
    expect(told).toEqual([0, 1, 2, 3, 3, 3, 3]);
    expect(await continuesIn(runId)).toEqual([]);
  });

  test("a person clears the list of an agent at work: it is told so, sent on for nothing, and may begin another", async () => {
    const gate = desk().gate("while listed");
    const said: string[] = [];
    const input = desk().words("clear my list", (request, { step }) => {
      said.push(lastSaid(request));
      if (step === 0) return LIST;
      return step === 1 ? { calls: [call("while listed")] } : { text: "Done without it." };
    });
    const runId = await desk().start(await solo({ tools: ["while listed"] }), input);
    await eventually(() => expect(gate.calls).toBe(1));
    const { root } = await record(runId);
    expect(root.todo?.items).toHaveLength(3);
    await clearTodo({ scope: scope(), runId, agentRunId: root.id });
    // It goes when the agent reads it, not before: also over a restart.
    expect((await record(runId)).root.todo?.items).toHaveLength(3);
    await desk().shut();
    gate.open();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done without it." });
    expect(said.at(-1)).toBe(`${scope().userName} says while you work: Your todo list has been cleared.`);
    const after = await record(runId);
    expect(after.root.todo).toBeNull();
    expect(await continuesIn(runId)).toEqual([]);
    expect(after.decisions.find((decision) => decision.kind === "steer")).toMatchObject({
      source: "human",
      chosen: [{ option: "clear_todo" }],
      reason: `${scope().userName} cleared the todo list of ${root.name}.`,
    });
    await expect(clearTodo({ scope: scope(), runId, agentRunId: root.id })).rejects.toThrow("has ended");
  });

  test("what is wrong with a list comes back as data, and the list stays as it was", async () => {
    const wrong = [
      call("todo__list"),
      done(1),
      call("todo__init", { goal: " " }),
      add("x".repeat(501)),
      call("todo__add", {}),
      add("Only"),
      done("first"),
      done(2),
    ];
    const runId = await desk().play(
      await solo(),
      "keep it badly",
      turns({ calls: wrong }, { calls: [done(1)] }, { text: "Done." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { root, steps } = await record(runId);
    expect(root.todo).toMatchObject({ goal: "", items: [{ id: 1, text: "Only", done: true }] });
    expect(steps.filter(({ kind: what }) => what === "tool").map(({ error }) => error?.code)).toEqual([
      undefined,
      "unknown_item",
      "malformed_arguments",
      "malformed_arguments",
      "malformed_arguments",
      undefined,
      "malformed_arguments",
      "unknown_item",
      undefined,
    ]);
    const results = await toolResults(scope(), root.id);
    expect(results[0]).toMatchObject({ status: "ok", message: expect.stringContaining("todo__init") });
    expect(results[3]).toEqual({ status: "error", message: "The task has 501 characters; 500 are the most." });
  });

  test("the tools and the guidance are there for agents that are to keep a list, and for no others", async () => {
    const seen: { tools: string[]; system: string }[] = [];
    for (const config of [{}, { injectTodoInstructions: false }, { autoContinue: false }]) {
      const runId = await desk().play(await solo(config), "what is offered", (request) => {
        const tools = (request.tools ?? []).map((tool) => tool.function.name).filter((name) => name.startsWith("todo"));
        if (seen.length < 3) seen.push({ tools, system: String(request.messages[0]?.content) });
        return config.autoContinue === false && !lastResults(request).length
          ? { calls: [call("todo__list")] }
          : { text: "Seen." };
      });
      await desk().ended(runId);
      if (config.autoContinue === false)
        expect((await record(runId)).steps[1]).toMatchObject({ error: { code: "unknown_tool" } });
    }
    const all = ["todo__init", "todo__add", "todo__done", "todo__list", "todo__clear"];
    expect(seen.map(({ tools }) => tools)).toEqual([all, all, []]);
    expect(seen.map(({ system }) => system.includes("three or more steps"))).toEqual([true, false, false]);
  });

  test("an answer with open items is sent on with the list, counted and explained, until all are ticked", async () => {
    const told: string[] = [];
    const listen =
      (answer: ReturnType<typeof turns>) => (request: ChatRequest, place: Parameters<typeof answer>[1]) => {
        told.push(lastSaid(request));
        return answer(request, place);
      };
    const runId = await desk().play(
      await solo(),
      "send me on",
      turns(
        LIST,
        { calls: [done(1)] },
        { text: "I have read." },
        listen(turns({ calls: [done(2)] })),
        { text: "I have written." },
        listen(turns({ calls: [done(3)] })),
        { text: "Published." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Published." });
    const { root, steps } = await record(runId);
    expect(root.todo).toMatchObject({ continues: 2 });
    expect(told[0]).toMatch(/^You answered while items of your list are open\./);
    expect(told[0]).toMatch(/\n\nGoal: Publish\nProgress: 1\/3\n\[x\] 1\. Read\n\[ \] 2\. Write\n\[ \] 3\. Check$/);
    expect(told[1]).toContain("Progress: 2/3");
    const decisions = await continuesIn(runId);
    expect(decisions).toMatchObject([
      {
        source: "runtime-rule",
        chosen: [{ option: "send_on" }],
        reason: "Sent on, 1 of at most 10 times, with 2 items open.",
      },
      {
        source: "runtime-rule",
        chosen: [{ option: "send_on" }],
        reason: "Sent on, 2 of at most 10 times, with 1 item open.",
      },
    ]);
    // Beside the answers they are about.
    const { decisions: all } = await record(runId);
    const answers = all.filter((decision) => decision.kind === "finish").map(({ position }) => position);
    expect(decisions.map(({ position }) => position)).toEqual(answers.slice(0, 2));
    expect(steps.map(({ position }) => position)).toEqual(steps.map((_, i) => i));
  });

  test("its own words are used where the agent has some", async () => {
    let told = "";
    const runId = await desk().play(
      await solo({ continuationPrompt: "On with it!" }),
      "in other words",
      turns(
        { calls: [add("Alone")] },
        { text: "So far." },
        (request) => {
          told = lastSaid(request);
          return { calls: [done(1)] };
        },
        { text: "Done." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ answer: "Done." });
    expect(told).toBe("On with it!\n\nProgress: 0/1\n[ ] 1. Alone");
    await record(runId);
  });

  test("an answer that equals the one before it is not sent on again", async () => {
    const input = desk().words(
      "say it again",
      turns(LIST, { text: "I am at it." }, { calls: [done(1)] }, { text: " I am at it.\n" }),
    );
    const runId = await desk().start(await solo(), input);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: " I am at it.\n" });
    expect(desk().callsOf(input).requested).toBe(4);
    expect(await sentOnIn(runId)).toEqual([
      ["send_on", "Sent on, 1 of at most 10 times, with 3 items open."],
      ["end", "It answered the same as before: sent on 1 of at most 10 times, 2 items open."],
    ]);
    expect((await record(runId)).root.todo).toMatchObject({ continues: 1 });
  });

  test("at the maximum it ends with what it said last, and the record says how many items were open", async () => {
    const input = desk().words("never finish", (_, { step }) => (step === 0 ? LIST : { text: `Answer ${step}.` }));
    const runId = await desk().start(await solo({ maxAutoContinues: 2 }), input);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Answer 3." });
    expect(desk().callsOf(input).requested).toBe(4);
    expect((await sentOnIn(runId)).map(([option]) => option)).toEqual(["send_on", "send_on", "end"]);
    expect((await sentOnIn(runId)).at(-1)).toEqual([
      "end",
      "It used up its continuations: sent on 2 of at most 2 times, 3 items open.",
    ]);
    expect((await record(runId)).root).toMatchObject({ status: "completed", todo: { continues: 2 } });
  });

  test("a list that is cleared sends nobody on, and a new one counts from none", async () => {
    const runId = await desk().play(
      await solo(),
      "change direction",
      turns(
        LIST,
        { text: "One." },
        { calls: [call("todo__clear"), call("todo__init", { goal: "Other" }), add("New")] },
        { text: "Two." },
        { calls: [call("todo__clear")] },
        { text: "Three." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Three." });
    expect((await sentOnIn(runId)).map(([, reason]) => reason)).toEqual([
      "Sent on, 1 of at most 10 times, with 3 items open.",
      "Sent on, 1 of at most 10 times, with 1 item open.",
    ]);
    expect((await record(runId)).root.todo).toBeNull();
  });

  test("an agent below another keeps its own list, is sent on, and hands over what it said last", async () => {
    const team = await aTeam(db(), scope().workspaceId, { agents: [{ autoContinue: true }] });
    const [child] = team.children;
    const task = desk().words(
      "keep a list below",
      turns({ calls: [add("Dig")] }, { text: "Not yet." }, { calls: [done(1)] }, { text: "Dug." }),
    );
    const runId = await desk().play(
      team,
      "lead the digger",
      turns({ calls: [spawn(child?.name ?? "", task)] }, collectAll, (request) => ({
        text: String(lastResults(request)[0]?.output),
      })),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Dug." });
    const { root, agent } = await record(runId);
    expect(root.todo).toBeNull();
    expect(agent(child?.name ?? "").todo).toMatchObject({ items: [{ id: 1, done: true }], continues: 1 });
    expect(await continuesIn(runId)).toMatchObject([{ agentRunId: agent(child?.name ?? "").id }]);
  });

  test("what a person says goes before being sent on, which then follows the next answer", async () => {
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { provider, name, price, complete } = desk().model;
    const answer = complete.bind(desk().model);
    let calls = 0;
    desk().model = {
      provider,
      name,
      ...(price ? { price } : {}),
      complete: async (request) => {
        if (++calls === 2) await held;
        return answer(request);
      },
    };
    const told: string[] = [];
    const input = desk().words("steered beside a list", (request, { step }) => {
      told.push(lastSaid(request).split("\n")[0] ?? "");
      if (step === 0) return { calls: [add("Alone")] };
      if (step < 3) return { text: `Answer ${step}.` };
      return step === 3 ? { calls: [done(1)] } : { text: "Done." };
    });
    const runId = await desk().start(await solo({ continuationPrompt: "On with it!" }), input);
    await eventually(() => expect(calls).toBe(2));
    const { root } = await record(runId);
    await steerAgentRun({ scope: scope(), runId, agentRunId: root.id, text: "Mind the step." });
    open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done." });
    desk().model = desk().scripted();
    const said = `${scope().userName} says while you work: Mind the step.`;
    expect(told.slice(1)).toEqual([input, said, "On with it!", "On with it!"]);
    expect((await record(runId)).root.todo).toMatchObject({ continues: 1 });
  });

  test("a worker that ends in the middle repeats no item, and sends nobody on twice", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    desk().tools.set(
      "beside the list",
      aTool("beside the list", () => gate.then(() => "passed")),
    );
    const input = desk().words("cut off with a list", (_, { step, attempt }) => {
      if (step === 0) return { calls: [...LIST.calls, call("beside the list")] };
      if (step === 1) return { text: "So far." };
      if (attempt === 0) return { fault: "hang" };
      return step === 2 ? { calls: [done(1), done(2), done(3)] } : { text: "Done." };
    });
    const runId = await desk().start(await solo({ tools: ["beside the list"] }), input);
    await eventually(async () => expect((await record(runId)).steps).toHaveLength(5));
    await desk().shut();
    open();
    await desk().open();
    // Sent on, and cut off while the model thinks about it.
    await eventually(() => expect(desk().callsOf(input).requested).toBe(3));
    await eventually(async () => expect(await continuesIn(runId)).toHaveLength(1));
    await desk().shut();
    await desk().open();
    await eventually(() => expect(desk().callsOf(input).requested).toBeGreaterThanOrEqual(5));
    await desk().shut();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done." });
    const { root } = await record(runId);
    expect(root.todo).toMatchObject({ continues: 1, items: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(root.todo?.items).toHaveLength(3);
    expect(await continuesIn(runId)).toHaveLength(1);
    const { rows } = await pool().query(
      "select count(*)::int as n from messages where agent_run_id = $1 and role = 'user'",
      [root.id],
    );
    expect(rows).toEqual([{ n: 2 }]);
  });
});
