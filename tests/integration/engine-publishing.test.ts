import { afterEach, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { MOST_DATA_CHARACTERS, MOST_PUBLISHED } from "@/server/engine/published-event";
import { sealEndedRuns } from "@/server/ledger/jobs/seal-runs";
import { getRunSeal } from "@/server/ledger/queries/get-run-seal";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import { storeFork } from "@/server/runs/service/store-fork";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { everythingStored } from "@/tests/support/everything-stored";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import { carryRun } from "@/tests/support/run-files";
import { storeSecrets } from "@/tests/support/stored-secrets";

const publish = (name: unknown, data?: unknown) =>
  call("event__publish", { name, ...(data === undefined ? {} : { data }) } as never);
const rootOf = (runId: string) => deriveId(runId, "root");

describe.each(DATABASE_KINDS)("events that agents publish, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, publishesEvents: true, ...config },
      agents: [],
    });
  const record = (runId: string) => soundRecord(scope(), runId);
  /** What was published in a run: by whom, by what name and with what. */
  const publishedIn = (events: Awaited<ReturnType<typeof soundRecord>>["events"]) =>
    events.flatMap(({ agentRunId, body }) =>
      body.kind === "agent.published" ? [{ by: agentRunId, name: body.name, data: body.data }] : [],
    );
  const published = async (runId: string) => publishedIn((await record(runId)).events);
  const namesIn = async (runId: string) => (await published(runId)).map(({ name }) => name);
  /** What the Events tab of an agent run, or of a step of it, has of what was published. */
  const shown = async (runId: string, agentRunId: string, position?: number, who: Scope = scope()) => {
    const { items } = await callerOf(who).runs.events({ runId, agentRunId, position });
    return publishedIn(items).map(({ name }) => name);
  };
  afterEach(() => {
    desk().atFaultPoint = async () => {};
  });

  test("are events of its run, in the order they were written, right before the end of their steps", async () => {
    const runId = await desk().play(
      await solo(),
      "tell of it",
      turns(
        { calls: [publish("order.shipped", { id: "4711", items: [1, { two: null }] }), publish("desk.idle")] },
        { calls: [publish("desk.idle", null)] },
        { text: "Told." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Told." });
    const { root, events } = await record(runId);
    expect(publishedIn(events)).toEqual([
      { by: root.id, name: "order.shipped", data: { id: "4711", items: [1, { two: null }] } },
      { by: root.id, name: "desk.idle", data: null },
      { by: root.id, name: "desk.idle", data: null },
    ]);
    expect(await toolResults(scope(), root.id)).toEqual(Array(3).fill({ status: "ok" }));
    const followers = events.flatMap(({ body }, at) => (body.kind === "agent.published" ? [events[at + 1]?.body] : []));
    expect(followers.map((body) => (body?.kind === "step.finished" ? body.step.position : body?.kind))).toEqual([
      1, 2, 4,
    ]);
    // Each step shows what was published by it, and no other.
    expect(await shown(runId, root.id)).toEqual(["order.shipped", "desk.idle", "desk.idle"]);
    const steps = [0, 1, 2, 3, 4, 5].map((position) => shown(runId, root.id, position));
    expect(await Promise.all(steps)).toEqual([[], ["order.shipped"], ["desk.idle"], [], ["desk.idle"], []]);
  });

  test("each are of the agent run that published them, beside others at work", async () => {
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { publishesEvents: true },
      agents: [{ publishesEvents: true }],
    });
    const name = team.children[0]?.name ?? "";
    const task = desk().words("tell from below", turns({ calls: [publish("from.below", { n: 1 })] }, { text: "B." }));
    const runId = await desk().play(
      team,
      "tell from above",
      turns({ calls: [publish("from.above"), spawn(name, task)] }, collectAll, { text: "Done." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { root, agent, events } = await record(runId);
    expect(publishedIn(events).sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { by: root.id, name: "from.above", data: null },
      { by: agent(name).id, name: "from.below", data: { n: 1 } },
    ]);
    expect(await shown(runId, agent(name).id, 1)).toEqual(["from.below"]);
    expect(await shown(runId, root.id, 1)).toEqual(["from.above"]);
  });

  test("are published by agents alone whose configuration says so", async () => {
    const offered: boolean[] = [];
    for (const publishesEvents of [true, false]) {
      const runId = await desk().play(await solo({ publishesEvents }), "look for the tool", (request, { step }) => {
        const { tools = [] } = request as { tools?: { function: { name: string } }[] };
        if (step === 0) offered.push(tools.some((tool) => tool.function.name === "event__publish"));
        return step === 0 ? { calls: [publish("tried")] } : { text: "Tried." };
      });
      await desk().ended(runId);
      expect(await namesIn(runId)).toEqual(publishesEvents ? ["tried"] : []);
    }
    expect(offered).toEqual([true, false]);
  });

  test("what cannot be published comes back as data, and nothing is told", async () => {
    const names = ["1st", "", "an order", "x".repeat(65), 5, null];
    const data: unknown[] = [
      "text",
      5,
      ["list"],
      { constructor: 1 },
      { deep: { "a\0": 1 } },
      { note: "x".repeat(MOST_DATA_CHARACTERS) },
    ];
    const runId = await desk().play(
      await solo(),
      "tell badly",
      turns(
        { calls: names.map((name) => publish(name)) },
        { calls: [...data.map((each) => publish("data", each)), { name: "event__publish", arguments: "no JSON" }] },
        { calls: [publish("odd", { text: "a\0b\ud800", list: ["\udc00"] })] },
        { text: "Done." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { root, steps, events } = await record(runId);
    expect(publishedIn(events)).toEqual([
      { by: root.id, name: "odd", data: { text: "a\ufffdb\ufffd", list: ["\ufffd"] } },
    ]);
    const codes = steps.filter(({ kind: what }) => what === "tool").map(({ error }) => error?.code);
    expect(codes).toEqual([...Array(13).fill("malformed_arguments"), undefined]);
    const told = (await toolResults(scope(), root.id)).map(({ message }) => message);
    expect(told[0]).toBe("name: A letter first, then letters, digits, “_”, “.” or “-”.");
    expect(told[6]).toBe("data: A JSON object, or leave it out.");
    expect(told[11]).toBe("data: At most 4,000 characters as JSON.");
  });

  test("are at most 100 of one agent run, also over executions and in a fork", async () => {
    const gate = desk().gate("between");
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => publish(`event-${from + n}`, { n: from + n }));
    const runId = await desk().play(
      await solo({ tools: ["between"] }),
      "tell too much",
      turns(
        { calls: many(0, 90) },
        { calls: [call("between")] },
        { calls: many(90, MOST_PUBLISHED + 2) },
        { text: "Done." },
      ),
    );
    await eventually(() => expect(gate.calls).toBe(1), 60_000);
    await desk().shut();
    gate.open();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done." });
    const { root, steps } = await record(runId);
    const all = Array.from({ length: MOST_PUBLISHED }, (_, n) => `event-${n}`);
    expect(await namesIn(runId)).toEqual(all);
    const results = await toolResults(scope(), root.id);
    expect(results.slice(-2)).toEqual(
      Array(2).fill({ status: "error", message: "You published 100 events, which is the most." }),
    );
    expect(steps.flatMap(({ error }) => (error ? [error.code] : []))).toEqual(Array(2).fill("too_many_events"));

    // Retried from the call between: the first 90 count.
    const between = steps.find(({ name }) => name === "between")?.position ?? 0;
    const place = { runId, agentRunId: root.id, position: between };
    const forkId = await storeFork({ scope: scope(), input: { ...place, askBeforeWrites: false } });
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed" });
    expect(await namesIn(forkId)).toEqual(all);
  }, 120_000);

  test("by a call that was cut off before it was recorded is published once, by whoever takes over", async () => {
    const cut = { times: 0 };
    const resources = desk().executor?.resources;
    if (!resources) throw new Error("nobody executes");
    // The call has come to its result, and nothing of it is committed.
    resources.atFaultPoint = async (point, agentRunId, position) => {
      if (point !== "after-effect" || agentRunId !== rootOf(runId) || position !== 4) return;
      cut.times += 1;
      await new Promise(() => {});
    };
    const runId = await desk().play(
      await solo(),
      "cut off while telling",
      turns(
        { calls: [publish("before"), publish("before.too")] },
        { calls: [publish("cut.off", { n: 1 })] },
        { text: "Done." },
      ),
    );
    await eventually(() => expect(cut.times).toBe(1));
    expect(await namesIn(runId)).toEqual(["before", "before.too"]);
    await desk().shut();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done." });
    expect(await published(runId)).toEqual([
      { by: rootOf(runId), name: "before", data: null },
      { by: rootOf(runId), name: "before.too", data: null },
      { by: rootOf(runId), name: "cut.off", data: { n: 1 } },
    ]);
  });

  test("by a call that was recorded are not published again: not by whoever takes over, nor after a pause", async () => {
    const gate = desk().gate("beside it");
    const runId = await desk().play(
      await solo({ tools: ["beside it"] }),
      "cut off beside it",
      turns(
        { calls: [publish("told", { n: 1 }), call("beside it")] },
        { calls: [publish("after")] },
        { text: "Done." },
      ),
    );
    await eventually(() => expect(gate.calls).toBe(1));
    await eventually(async () => expect(await namesIn(runId)).toEqual(["told"]));
    await desk().shut();
    await desk().open();
    await eventually(() => expect(gate.calls).toBe(2));
    await pauseRun({ scope: scope(), runId });
    gate.open();
    await eventually(async () => expect((await desk().statusOf(runId)).status).toBe("paused"));
    await resumeRun({ scope: scope(), runId });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done." });
    expect(await namesIn(runId)).toEqual(["told", "after"]);
  });

  test("stay what they were in forks and in run files, also where they name something of the run", async () => {
    const gate = desk().gate("until known");
    const team = await solo({ tools: ["until known"] });
    const known = { run: "", agent: "", version: team.root.agentVersionId };
    const runId = await desk().play(team, "tell of ids", (_, { step }) => {
      if (step === 0) return { calls: [call("until known")] };
      if (step === 1) return { calls: [publish("first", known)] };
      return step === 2 ? { calls: [publish("second", known), publish("third")] } : { text: "Told." };
    });
    Object.assign(known, { run: runId, agent: rootOf(runId) });
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { steps } = await record(runId);
    const all = ["first", "second", "third"].map((name) => ({ name, data: name === "third" ? null : known }));
    const toldIn = async (id: string, who = scope()) =>
      publishedIn((await soundRecord(who, id)).events).map(({ name, data }) => ({ name, data }));
    expect(await toldIn(runId)).toEqual(all);

    // Cut at each step: what was published before is kept, what comes after is published by the fork, and nothing twice.
    for (const { position } of steps) {
      const place = { runId, agentRunId: rootOf(runId), position };
      const forkId = await storeFork({ scope: scope(), input: { ...place, askBeforeWrites: false } });
      expect(await desk().ended(forkId)).toMatchObject({ status: "completed" });
      expect({ position, told: await toldIn(forkId) }).toEqual({ position, told: all });
    }

    const elsewhere = await aMember(db(), await aWorkspace(db()));
    const copyId = await carryRun(scope(), runId, elsewhere);
    expect(await toldIn(copyId, elsewhere)).toEqual(all);
    const copy = await soundRecord(elsewhere, copyId);
    expect(await shown(copyId, copy.root.id, 3, elsewhere)).toEqual(["first"]);
    await sealEndedRuns(null, new AbortController().signal);
    for (const [who, id] of [[scope(), runId] as const, [elsewhere, copyId] as const]) {
      expect((await getRunSeal(who.workspaceId, id)).state).toBe("unchanged");
    }
  }, 120_000);

  test("hold nothing that is kept secret, nor what is personal where that is taken out, and no run file holds what looks like a key", async () => {
    const key = "publisher-key-Zq81-mNbVcXz";
    const email = "jane.published@example.com";
    const alike = "sk-live-Wv63tRfDeS41pLmNbQ";
    const caller = callerOf(scope());
    await storeSecrets(db(), scope().workspaceId, { providerKey: key, header: "Bearer something-else-Yx72" });
    await caller.workspace.savePrivacy({ redactsPii: true });
    const tell = turns(
      {
        calls: [publish("key.found", { at: [key], [key]: { from: email } }), publish(key), publish("alike", { alike })],
      },
      { text: "Told." },
    );
    const runId = await desk().play(await solo(), "tell secrets", tell);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    await caller.workspace.savePrivacy({ redactsPii: false });
    const [found, other, ...more] = await published(runId);
    expect(found).toEqual({
      ...{ by: rootOf(runId), name: "key.found" },
      data: { at: ["[hidden]"], "[hidden]": { from: expect.not.stringContaining("@") } },
    });
    expect(other).toMatchObject({ name: "alike" });
    expect(more).toEqual([]);
    const stored = await everythingStored([]);
    for (const text of [key, email]) expect(stored).not.toContain(text);

    const elsewhere = await aMember(db(), await aWorkspace(db()));
    const { events } = await soundRecord(elsewhere, await carryRun(scope(), runId, elsewhere));
    expect(publishedIn(events).map(({ name }) => name)).toEqual(["key.found", "alike"]);
    expect(JSON.stringify(events)).not.toContain(alike);
  });
});
