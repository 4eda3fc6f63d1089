import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import type { RunContext } from "@/server/engine/run-context";
import { getSnapshot, listMoments } from "@/server/runs/queries/inside/get-snapshot";
import { listMessages } from "@/server/runs/queries/messages";
import { storeFork } from "@/server/runs/service/store-fork";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

const set = (name: unknown, value: unknown) => call("context__set", { name, value } as never);
const get = (name: string, type?: string) => call("context__get", { name, ...(type ? { type } : {}) });
const track = (type: string, id: unknown, label?: string) =>
  call("context__track", { type, id, ...(label ? { label } : {}) } as never);
const untrack = (type: string, id: string) => call("context__untrack", { type, id });

describe.each(DATABASE_KINDS)("what agent runs are about, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, notesContext: true, ...config },
      agents: [],
    });
  const record = (runId: string) => soundRecord(scope(), runId);
  /** A run that begins with this. */
  const startAbout = (team: Awaited<ReturnType<typeof solo>>, input: string, context: RunContext) =>
    desk().start(team, input, { context });
  const instructionsOf = async (agentRunId: string) =>
    (await listMessages(scope().workspaceId, { agentRunId, from: 0, to: 1 }))[0]?.content ?? "";

  test("variables and entities are noted, read and taken away, call by call, also within one turn", async () => {
    const runId = await desk().play(
      await solo(),
      "note things",
      turns(
        { calls: [set("priority", 5), set("desk", "support"), set("urgent", true), track("order", 4711, "Kettle")] },
        { calls: [get("priority"), get("priority", "string"), get("absent"), get("urgent", "boolean")] },
        { calls: [set("desk", null), set("priority", "high"), track("customer", "c-1"), untrack("order", "4711")] },
        { text: "Noted." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Noted." });
    const { root, events } = await record(runId);
    expect(root.context).toEqual({
      variables: [
        { name: "priority", value: "high" },
        { name: "urgent", value: true },
      ],
      entities: [{ type: "customer", id: "c-1" }],
    });
    expect((await toolResults(scope(), root.id)).slice(4, 8)).toEqual([
      { status: "ok", name: "priority", found: true, value: 5 },
      { status: "ok", name: "priority", found: false },
      { status: "ok", name: "absent", found: false },
      { status: "ok", name: "urgent", found: true, value: true },
    ]);
    const told = events.flatMap(({ body }) => (body.kind === "agent.context" ? [body.context] : []));
    expect(told.map((context) => [context?.variables.length, context?.entities.length])).toEqual([
      ...[
        [1, 0],
        [2, 0],
        [3, 0],
        [3, 1],
      ],
      ...[
        [2, 1],
        [2, 1],
        [2, 2],
        [2, 1],
      ],
    ]);
  });

  test("what cannot be noted comes back as data, and nothing changes by it", async () => {
    const wrong = [set("1st", 1), set("", 1), set("a", ""), set("a", ["list"]), set("a", "x".repeat(2_001))];
    const odd = [
      track("an order", "1"),
      track("order", " "),
      track("order", "x".repeat(201)),
      call("context__get", {}),
    ];
    const runId = await desk().play(
      await solo(),
      "note badly",
      turns({ calls: wrong }, { calls: [...odd, set("nul", "a\u0000b\ud800")] }, { text: "Done." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { root, steps } = await record(runId);
    expect(root.context).toEqual({ variables: [{ name: "nul", value: "a\ufffdb\ufffd" }], entities: [] });
    const codes = steps.filter(({ kind: what }) => what === "tool").map(({ error }) => error?.code);
    expect(codes).toEqual([...Array(9).fill("malformed_arguments"), undefined]);
  });

  test("where the last of it is taken away, nothing is noted, in the row as in the events", async () => {
    const runId = await desk().play(
      await solo(),
      "note and forget",
      turns(
        { calls: [set("a", 1), track("order", "1")] },
        { calls: [set("a", null), untrack("order", "1")] },
        { text: "." },
      ),
    );
    await desk().ended(runId);
    expect((await record(runId)).root.context).toBeNull();
    const { rows } = await pool().query("SELECT FROM agent_runs WHERE run_id = $1 AND context IS NULL", [runId]);
    expect(rows).toHaveLength(1);
  });

  test("the tools are there only for an agent that notes; what a run is about it is told in either case", async () => {
    const offered: string[][] = [];
    const context = { variables: [{ name: "desk", value: "support" }], entities: [{ type: "order", id: "4711" }] };
    for (const notesContext of [true, false]) {
      const input = desk().words("look at the tools", (request) => {
        const { tools = [] } = request as { tools?: { function: { name: string } }[] };
        offered.push(tools.map((tool) => tool.function.name).filter((name) => name.startsWith("context__")));
        return { text: "Seen." };
      });
      const runId = await startAbout(await solo({ notesContext }), input, context);
      await desk().ended(runId);
      const { root, events } = await record(runId);
      expect(root.context).toEqual(context);
      expect(await instructionsOf(root.id)).toMatch(/What this run is about:\n- desk = "support"\n- order "4711"$/);
      expect(events.slice(0, 3).map(({ body }) => body.kind)).toEqual(["run.status", "agent.created", "agent.context"]);
    }
    expect(offered).toEqual([["context__set", "context__get", "context__track", "context__untrack"], []]);
    const plain = await desk().play(await solo({ notesContext: false }), "about nothing", turns({ text: "Seen." }));
    await desk().ended(plain);
    const { root, events } = await record(plain);
    expect(root.context).toBeNull();
    expect(await instructionsOf(root.id)).not.toContain("about:");
    expect(events.map(({ body }) => body.kind)).not.toContain("agent.context");
  });

  test("a child begins with what its parent knew when it was started, and each goes its own way from there", async () => {
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { notesContext: true },
      agents: [{ notesContext: true }],
    });
    const name = team.children[0]?.name ?? "";
    const task = desk().words(
      "look into it",
      turns({ calls: [track("parcel", "p-9"), set("priority", 1)] }, { text: "P." }),
    );
    const runId = await desk().play(
      team,
      "lead, about an order",
      turns(
        { calls: [track("order", "4711"), set("priority", 3)] },
        { calls: [spawn(name, task)] },
        { calls: [track("customer", "c-1")] },
        collectAll,
        { text: "Done." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { root, agent, events } = await record(runId);
    expect(root.context).toEqual({
      variables: [{ name: "priority", value: 3 }],
      entities: [
        { type: "order", id: "4711" },
        { type: "customer", id: "c-1" },
      ],
    });
    const child = agent(name);
    expect(child.context).toEqual({
      variables: [{ name: "priority", value: 1 }],
      entities: [
        { type: "order", id: "4711" },
        { type: "parcel", id: "p-9" },
      ],
    });
    const created = events.findIndex(
      ({ agentRunId, body }) => agentRunId === child.id && body.kind === "agent.created",
    );
    expect(events[created + 1]).toMatchObject({
      agentRunId: child.id,
      body: { kind: "agent.context", context: { entities: [{ type: "order", id: "4711" }] } },
    });
    expect(await instructionsOf(child.id)).toContain('What this run is about:\n- priority = 3\n- order "4711"');
  });

  test("each moment of a run says what it was about then, and a fork is about what was so at its cut", async () => {
    const runId = await desk().play(
      await solo(),
      "note, then retry",
      turns(
        { calls: [track("order", "4711"), set("tries", 1)] },
        { calls: [set("tries", 2), untrack("order", "4711")] },
        { text: "Done." },
      ),
    );
    await desk().ended(runId);
    const { root, steps, lastSeq } = await record(runId);
    const { workspaceId } = scope();
    const at = async (seq: number) => {
      const { variables, entities } = await getSnapshot(workspaceId, { runId, agentRunId: root.id, seq });
      return { variables, entities };
    };
    const { items } = await listMoments(workspaceId, { runId, agentRunId: root.id });
    const [first, second] = items;
    expect(await at((first?.seq ?? 0) - 1)).toEqual({ variables: [], entities: [] });
    const between = { variables: [{ name: "tries", value: 1 }], entities: [{ type: "order", id: "4711" }] };
    expect(await at((second?.seq ?? 0) - 1)).toEqual(between);
    const end = { variables: [{ name: "tries", value: 2 }], entities: [] };
    expect(await at(lastSeq)).toEqual(end);

    const models = steps.filter(({ kind: what }) => what === "model");
    const place = { runId, agentRunId: root.id, position: models[1]?.position ?? 0 };
    const forkId = await storeFork({ scope: scope(), input: { ...place, askBeforeWrites: false } });
    const { rows } = await pool().query("SELECT context FROM agent_runs WHERE run_id = $1", [forkId]);
    expect(rows).toEqual([{ context: between }]);
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "Done." });
    expect((await record(forkId)).root.context).toEqual(end);
  });

  test("a worker that is gone in the middle leaves what was noted to the next one, which notes nothing twice", async () => {
    const gate = desk().gate("beside the notes");
    const seen: unknown[] = [];
    const input = desk().words("cut off with notes", (_, { step }) => {
      if (step === 0) return { calls: [set("desk", "support"), track("order", "4711"), call("beside the notes")] };
      return step === 1 ? { calls: [get("desk")] } : { text: "Done." };
    });
    const runId = await startAbout(await solo({ tools: ["beside the notes"] }), input, {
      variables: [{ name: "priority", value: 2 }],
      entities: [],
    });
    await eventually(() => expect(gate.calls).toBe(1));
    await eventually(async () => expect((await record(runId)).root.context?.entities).toHaveLength(1));
    await desk().shut();
    gate.open();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done." });
    const { root, events } = await record(runId);
    expect(root.context).toEqual({
      variables: [
        { name: "priority", value: 2 },
        { name: "desk", value: "support" },
      ],
      entities: [{ type: "order", id: "4711" }],
    });
    expect(events.filter(({ body }) => body.kind === "agent.context")).toHaveLength(3);
    seen.push((await toolResults(scope(), root.id)).at(-1));
    expect(seen).toEqual([{ status: "ok", name: "desk", found: true, value: "support" }]);
  });
});
