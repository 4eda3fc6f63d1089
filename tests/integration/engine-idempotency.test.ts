import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { purgeCalls } from "@/server/engine/claim-call";
import { interrupt } from "@/server/engine/workers";
import { answerRequest } from "@/server/requests/service/answer";
import { effectsAfter } from "@/server/runs/queries/effects-after";
import { getStep } from "@/server/runs/queries/get-step";
import { pauseRun, resumeRun, stopRun } from "@/server/runs/service/control-run";
import { storeFork } from "@/server/runs/service/store-fork";
import { type Tool, type ToolContext, ToolError } from "@/server/tools/tool";
import { type ToolPolicy, toolPolicy } from "@/server/tools/tool-policy";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, lastResults } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

type Idempotency = Partial<ToolPolicy["idempotency"]>;

describe.each(DATABASE_KINDS)("calls that are the same call on the %s database", (kind) => {
  const desk = useDesk(kind);
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const record = (runId: string) => soundRecord(desk().scope, runId);

  let tools = 0;
  /** A tool that writes and is called as its owner says. Keeps the keys it was sent, by call. */
  const aKeyedTool = (
    idempotency: Idempotency,
    run: (args: unknown, context: ToolContext) => Promise<unknown> = async () => "sent",
    also: Partial<Tool> = {},
  ) => {
    const name = `send_${++tools}`;
    const keys: string[] = [];
    const policy = toolPolicy.parse({ idempotency });
    const kept = (args: unknown, context: ToolContext) => {
      keys.push(context.key);
      return run(args, context);
    };
    const { hint } = policy.idempotency;
    const tool = aTool(name, kept, { sideEffect: "external", idempotency: hint, policy, ...also });
    desk().tools.set(name, tool);
    return { name, keys };
  };
  /** A tool whose calls end when the gate is opened. */
  const aGatedTool = (idempotency: Idempotency, also: Partial<Tool> = {}) => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const gated = async () => {
      await opened;
      return "sent";
    };
    return { ...aKeyedTool(idempotency, gated, also), open };
  };
  const start = async (name: string, ...args: { [key: string]: unknown }[]) =>
    desk().play(
      await solo({ tools: [name] }),
      `call ${name}`,
      turns({ calls: args.map((one) => call(name, one)) }, (request) => ({
        text: JSON.stringify(lastResults(request)),
      })),
    );
  const answered = async (runId: string): Promise<{ [key: string]: unknown }[]> => {
    const { status, answer } = await desk().ended(runId);
    expect(status).toBe("completed");
    await record(runId);
    return JSON.parse(answer ?? "null");
  };
  const play = async (name: string, ...args: { [key: string]: unknown }[]) => answered(await start(name, ...args));
  const decided = async (runId: string, what: string) =>
    (await record(runId)).decisions.filter((decision) => decision.kind === what);
  const effectsOf = async (runId: string) =>
    (await pool().query("select * from effects where run_id = $1 order by position, key", [runId])).rows;
  const entriesOf = async (tool: string) =>
    (await pool().query("select * from idempotency_entries where tool = $1", [tool])).rows;
  const reply = async (runId: string, answer: string) =>
    answerRequest({ scope: desk().scope, input: { requestId: (await desk().openRequest(runId)).id, answer } });
  const refused = (words: RegExp) => [{ tool_call_error: expect.stringMatching(words) }];
  const whole = { strategy: "hash_input" } as const;

  test("a call with the same input is made once, also in another run, and says which step it repeats", async () => {
    const { name, keys } = aKeyedTool(whole, async () => ({ receipt: keys.length }));
    const first = await start(name, { to: "Ada", text: "Hello" });
    expect(await answered(first)).toEqual([{ receipt: 1 }]);
    const second = await start(name, { text: "Hello", to: "Ada" });
    expect(await answered(second)).toEqual([{ receipt: 1 }]);
    expect(keys).toHaveLength(1);
    expect(await play(name, { to: "Ada", text: "Hello!" })).toEqual([{ receipt: 2 }]);

    const { root } = await record(first);
    const { root: other } = await record(second);
    expect(await decided(second, "cache_hit")).toMatchObject([
      { position: 1, source: "policy", reason: expect.stringContaining(`in the run ${first}, and succeeded.`) },
    ]);
    const place = { runId: second, agentRunId: other.id, position: 1 };
    expect((await getStep(desk().scope.workspaceId, place)).effect).toMatchObject({
      status: "repeated",
      strategy: "hash_input",
      callKey: expect.stringMatching(new RegExp(`^${name}:[0-9a-f]{64}$`)),
      repeats: { runId: first, agentRunId: root.id, position: 1 },
    });
  });

  test("retried from a later step, a run keeps what its call repeats; from before the call, it repeats it too", async () => {
    const { name, keys } = aKeyedTool(whole, async () => ({ receipt: keys.length }));
    const first = await start(name, { n: 1 });
    await answered(first);
    const second = await start(name, { n: 1 });
    await answered(second);
    const { root } = await record(first);
    const { root: other } = await record(second);
    const retry = (position: number) =>
      storeFork({
        scope: desk().scope,
        input: { runId: second, agentRunId: other.id, position, askBeforeWrites: false },
      });
    const { workspaceId } = desk().scope;
    // Nothing of it was done outside.
    expect((await effectsAfter(pool(), workspaceId, { runId: second, seq: 0 })).total).toBe(0);
    expect((await effectsAfter(pool(), workspaceId, { runId: first, seq: 0 })).total).toBe(1);
    for (const position of [2, 0]) {
      const forkId = await retry(position);
      await desk().ended(forkId);
      const { root: again } = await record(forkId);
      const { effect } = await getStep(workspaceId, { runId: forkId, agentRunId: again.id, position: 1 });
      const repeats = { runId: first, agentRunId: root.id, position: 1 };
      expect(effect).toMatchObject({ status: "repeated", strategy: "hash_input", repeats });
    }
    expect(keys).toHaveLength(1);
  });

  test("of two equal calls of one turn the second waits for the first", async () => {
    const { name, keys } = aKeyedTool(whole, async () => ({ receipt: keys.length }));
    expect(await play(name, { n: 1 }, { n: 1 })).toEqual([{ receipt: 1 }, { receipt: 1 }]);
    expect(keys).toHaveLength(1);
  });

  test("named fields decide; in a run or a turn the same input elsewhere is another call", async () => {
    const byId = aKeyedTool({ strategy: "explicit", fields: ["issue.id"] });
    await play(byId.name, { issue: { id: 7 }, at: "9:00" }, { issue: { id: 7 }, at: "9:01" }, { issue: { id: 8 } });
    expect(byId.keys).toHaveLength(2);
    const byRun = aKeyedTool({ ...whole, scope: "run" });
    await play(byRun.name, { a: 1 }, { a: 1 });
    await play(byRun.name, { a: 1 });
    expect(byRun.keys).toHaveLength(2);
  });

  test("a large result is the same when it is given again", async () => {
    const large = "Größe 🧩 \n".repeat(3_000);
    const { name, keys } = aKeyedTool(whole, async () => ({ large }));
    expect(await play(name, {})).toEqual([{ large }]);
    expect(await play(name, {})).toEqual([{ large }]);
    expect(keys).toHaveLength(1);
  });

  test("what another run came to is checked before it is given: what cannot be read is not made again", async () => {
    const { name, keys } = aKeyedTool(whole);
    const first = await start(name, {});
    await answered(first);
    const { root } = await record(first);
    await pool().query('update messages set content = \'{"role":"tool"}\' where agent_run_id = $1 and index = 3', [
      root.id,
    ]);
    expect(await play(name, {})).toEqual(refused(/What it came to cannot be read. It was not made again\.$/));
    expect(keys).toHaveLength(1);
  });

  test("fail fast: the same call is refused, nothing is sent, and the refusal is a decision", async () => {
    const { name, keys } = aKeyedTool({ ...whole, onHit: "fail_fast" });
    await play(name, { n: 1 });
    const second = await start(name, { n: 1 });
    expect(await answered(second)).toEqual(
      refused(/^The same call was made at .*, and succeeded\. It was not made again\.$/),
    );
    expect(keys).toHaveLength(1);
    expect(await decided(second, "refusal")).toMatchObject([{ source: "policy", chosen: [{ option: "refuse" }] }]);
    expect(await effectsOf(second)).toMatchObject([{ status: "refused", repeats_position: 1 }]);
    expect((await record(second)).steps[1]).toMatchObject({ error: { code: "duplicate_call" } });
  });

  describe("a failure", () => {
    const failing = (idempotency: Idempotency) =>
      aKeyedTool({ ...whole, ...idempotency }, async () => {
        throw new ToolError("no such customer");
      });

    test("is made again unless failures are kept", async () => {
      const { name, keys } = failing({});
      expect(await play(name, {})).toEqual([{ tool_call_error: "no such customer" }]);
      expect(await entriesOf(name)).toEqual([]);
      expect(await play(name, {})).toEqual([{ tool_call_error: "no such customer" }]);
      expect(new Set(keys).size).toBe(2);
    });

    test("that is kept is answered from before, as the failure it was", async () => {
      const { name, keys } = failing({ cacheFailures: true });
      await play(name, {});
      const second = await start(name, {});
      expect(await answered(second)).toEqual([{ tool_call_error: "no such customer" }]);
      expect((await record(second)).steps[1]).toMatchObject({ status: "failed", error: { code: "refused" } });
      expect(keys).toHaveLength(1);
    });

    test("that is kept is refused by fail fast, and made again where only successes are answered", async () => {
      const fast = failing({ cacheFailures: true, onHit: "fail_fast" });
      await play(fast.name, {});
      expect(await play(fast.name, {})).toEqual(refused(/and failed\. It was not made again\.$/));
      expect(fast.keys).toHaveLength(1);
      const again = failing({ cacheFailures: true, onHit: "return_cached_if_success" });
      await play(again.name, {});
      await play(again.name, {});
      expect(new Set(again.keys).size).toBe(2);
    });
  });

  test("without a key that is required nothing is sent; where it is not, the call is made", async () => {
    const required = aKeyedTool({ hint: "required", strategy: "explicit", fields: ["order.id", "to"] });
    const runId = await start(required.name, { order: {}, to: "Ada" });
    expect(await answered(runId)).toEqual(refused(/arguments that are missing: order\.id\. Nothing was sent\.$/));
    expect(required.keys).toEqual([]);
    expect(await effectsOf(runId)).toEqual([]);
    expect((await record(runId)).steps[1]).toMatchObject({ error: { code: "key_missing" } });
    expect(await decided(runId, "refusal")).toMatchObject([
      { source: "policy", reason: expect.stringMatching(/order\.id/) },
    ]);

    const optional = aKeyedTool({ hint: "optional", strategy: "explicit", fields: ["order.id"] });
    await play(optional.name, {}, {});
    expect(new Set(optional.keys).size).toBe(2);
  });

  test("a random key is sent with each call, and no call is known by it", async () => {
    const { name, keys } = aKeyedTool({ hint: "optional", strategy: "uuid" });
    const runId = await start(name, {}, {});
    await answered(runId);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    // The two calls of one step go out side by side: which arrives first is theirs.
    expect((await effectsOf(runId)).map(({ sent_key }) => sent_key).toSorted()).toEqual(keys.toSorted());
    expect(await entriesOf(name)).toEqual([]);
  });

  test("when its time is over the call is made again under a new key, and what is over is removed", async () => {
    const { name, keys } = aKeyedTool({ ...whole, ttlSeconds: 60 });
    await play(name, {});
    const [entry] = await entriesOf(name);
    expect(entry).toMatchObject({ state: "succeeded", position: 1 });
    await pool().query("update idempotency_entries set expires_at = now() - interval '1 second' where tool = $1", [
      name,
    ]);
    await play(name, {});
    expect(new Set(keys).size).toBe(2);
    await pool().query("update idempotency_entries set expires_at = now() - interval '1 second' where tool = $1", [
      name,
    ]);
    await purgeCalls(pool());
    expect(await entriesOf(name)).toEqual([]);
  });

  test("a call waits while the same call is under way, and gets what that one comes to", async () => {
    const gated = aGatedTool(whole);
    const first = await start(gated.name, {});
    await eventually(() => expect(gated.keys).toHaveLength(1));
    const second = await start(gated.name, {});
    await eventually(async () => expect((await record(second)).root.openSteps).toMatchObject([{ name: gated.name }]));
    expect(await effectsOf(second)).toEqual([]);
    gated.open();
    expect(await answered(second)).toEqual([{ output: "sent" }]);
    await answered(first);
    expect(gated.keys).toHaveLength(1);
    expect(await decided(second, "cache_hit")).toHaveLength(1);
  });

  test("a call that waited for as long as it may itself take is refused, and not made", async () => {
    const gated = aGatedTool(whole);
    const first = await start(gated.name, {});
    await eventually(() => expect(gated.keys).toHaveLength(1));
    const tool = desk().tools.get(gated.name);
    if (tool) desk().tools.set(gated.name, { ...tool, timeoutMs: 100 });
    const second = await start(gated.name, {});
    expect(await answered(second)).toEqual(refused(/^The same call is under way in the run/));
    expect((await record(second)).steps[1]).toMatchObject({ error: { code: "call_under_way" } });
    gated.open();
    await answered(first);
    expect(gated.keys).toHaveLength(1);
  });

  test("of runs that make the same call at once one makes it, and all get what it came to", async () => {
    const { name, keys } = aKeyedTool(whole, async () => ({ receipt: keys.length }));
    const runs = await Promise.all(Array.from({ length: 6 }, () => start(name, { n: 1 })));
    expect(await Promise.all(runs.map(answered))).toEqual(runs.map(() => [{ receipt: 1 }]));
    expect(keys).toHaveLength(1);
  });

  test("a claim whose owner ended before it wrote down the intent holds nobody up: nothing was sent", async () => {
    const { name, keys } = aKeyedTool({ ...whole, hint: "optional" });
    const first = await start(name, { n: 1 });
    await answered(first);
    // As the end of a worker between the two leaves it.
    await pool().query(
      "update idempotency_entries set state = 'in_flight', position = 50, sent_key = 'old' where tool = $1",
      [name],
    );
    expect(await play(name, { n: 1 })).toEqual([{ output: "sent" }]);
    expect(keys).toHaveLength(2);
    expect(keys).not.toContain("old");
  });

  test("a call that waits for another ends with its run, and the other goes on", async () => {
    const gated = aGatedTool(whole);
    const first = await start(gated.name, {});
    await eventually(() => expect(gated.keys).toHaveLength(1));
    const second = await start(gated.name, {});
    await eventually(async () => expect((await record(second)).root.openSteps).toHaveLength(1));
    await stopRun({ scope: desk().scope, runId: second });
    await desk().ended(second);
    gated.open();
    expect(await answered(first)).toEqual([{ output: "sent" }]);
    expect(await entriesOf(gated.name)).toMatchObject([{ state: "succeeded", run_id: first }]);
  });

  describe("when the agent run that made it was stopped before anybody learned what became of it", () => {
    const stopped = async (idempotency: Idempotency) => {
      const gated = aGatedTool({ ...whole, ...idempotency });
      const first = await start(gated.name, {});
      await eventually(() => expect(gated.keys).toHaveLength(1));
      const second = await start(gated.name, {});
      await eventually(async () => expect((await record(second)).root.openSteps).toHaveLength(1));
      await stopRun({ scope: desk().scope, runId: first });
      return { ...gated, first, second };
    };

    test("the same call is sent under the same key where the far side honours it", async () => {
      const { keys, open, second, name, first } = await stopped({ hint: "optional" });
      await eventually(() => expect(keys).toHaveLength(2));
      open();
      expect(await answered(second)).toEqual([{ output: "sent" }]);
      expect(keys[1]).toBe(keys[0]);
      const [effect] = await effectsOf(second);
      expect(effect).toMatchObject({ status: "applied", sent_key: keys[0] });
      expect(await decided(second, "retry")).toMatchObject([{ source: "runtime-rule" }]);
      expect((await effectsOf(first))[0]).toMatchObject({ status: "intended" });
      expect(await entriesOf(name)).toMatchObject([{ state: "succeeded", run_id: second, sent_key: keys[0] }]);
    });

    test("a person is asked where it does not, and the answer counts for later calls", async () => {
      const { keys, second, name } = await stopped({});
      const request = await desk().openRequest(second);
      expect(request.prompt).toBe(`Did this call of ${name} take effect?`);
      expect(await decided(second, "uncertain_effect")).toMatchObject([
        { reason: expect.stringMatching(/^The same call was under way when the agent run that made it ended/) },
      ]);
      // Also after a restart of the worker: it does not forget that somebody may have made it.
      await desk().shut();
      await desk().open();
      await reply(second, "happened");
      expect(await answered(second)).toEqual([{ output: "done; a person confirmed it" }]);
      expect(await play(name, {})).toEqual([{ output: "done; a person confirmed it" }]);
      expect(keys).toHaveLength(1);
    });

    test("whoever leaves it leaves the question to the next; sent again, it is made once more", async () => {
      const { keys, open, second, name } = await stopped({});
      await reply(second, "give_up");
      expect(await answered(second)).toEqual(refused(/A person decided to leave it/));
      const third = await start(name, {});
      open();
      await reply(third, "retry");
      expect(await answered(third)).toEqual([{ output: "sent" }]);
      expect(new Set(keys).size).toBe(2);
      expect(await play(name, {})).toEqual([{ output: "sent" }]);
      expect(keys).toHaveLength(2);
    });
  });

  test("an owner that was interrupted keeps nobody waiting; resumed, it sends under the key that was sent", async () => {
    const gated = aGatedTool({ ...whole, hint: "optional" });
    const first = await start(gated.name, {});
    await eventually(() => expect(gated.keys).toHaveLength(1));
    const second = await start(gated.name, {});
    await eventually(async () => expect((await record(second)).root.openSteps).toHaveLength(1));
    expect(gated.keys).toHaveLength(1);
    await interrupt(pool(), (await record(first)).root.id, "too often cut off");
    await eventually(() => expect(gated.keys).toHaveLength(2));
    gated.open();
    expect(await answered(second)).toEqual([{ output: "sent" }]);
    expect(await decided(second, "retry")).toMatchObject([{ source: "runtime-rule", chosen: [{ option: "retry" }] }]);
    await resumeRun({ scope: desk().scope, runId: first });
    expect(await answered(first)).toEqual([{ output: "sent" }]);
    expect(new Set(gated.keys).size).toBe(1);
    expect(await entriesOf(gated.name)).toMatchObject([{ state: "succeeded", run_id: second }]);
  });

  test("an owner that is paused keeps its call: whoever waits does not make it", async () => {
    const gated = aGatedTool(whole);
    const first = await start(gated.name, {});
    await eventually(() => expect(gated.keys).toHaveLength(1));
    await pauseRun({ scope: desk().scope, runId: first });
    const tool = desk().tools.get(gated.name);
    if (tool) desk().tools.set(gated.name, { ...tool, timeoutMs: 100 });
    expect(await play(gated.name, {})).toEqual(refused(/^The same call is under way in the run/));
    gated.open();
    await eventually(async () => expect(await entriesOf(gated.name)).toMatchObject([{ state: "succeeded" }]));
    expect(await play(gated.name, {})).toEqual([{ output: "sent" }]);
    expect(gated.keys).toHaveLength(1);
    await stopRun({ scope: desk().scope, runId: first });
  });

  describe("when the worker ends while it is under way", () => {
    test("it is sent again under the same key where the far side honours it, and settled once", async () => {
      const gated = aGatedTool({ ...whole, hint: "required" });
      const runId = await start(gated.name, {});
      await eventually(() => expect(gated.keys).toHaveLength(1));
      await desk().shut();
      expect(await entriesOf(gated.name)).toMatchObject([{ state: "in_flight", run_id: runId }]);
      await desk().open();
      await eventually(() => expect(gated.keys).toHaveLength(2));
      gated.open();
      expect(await answered(runId)).toEqual([{ output: "sent" }]);
      expect(new Set(gated.keys).size).toBe(1);
      expect(await play(gated.name, {})).toEqual([{ output: "sent" }]);
      expect(gated.keys).toHaveLength(2);
    });

    test("no gate says that it was not made: it is settled, whatever is used up", async () => {
      const policy = toolPolicy.parse({
        idempotency: { ...whole, hint: "optional" },
        resilience: { rateLimit: { enabled: true, maxRequests: 1, windowMs: 3_600_000, maxWaitMs: 0 } },
      });
      const gated = aGatedTool({ ...whole, hint: "optional" }, { policy });
      const runId = await start(gated.name, {});
      await eventually(() => expect(gated.keys).toHaveLength(1));
      await desk().shut();
      await desk().open();
      await eventually(() => expect(gated.keys).toHaveLength(2));
      gated.open();
      expect(await answered(runId)).toEqual([{ output: "sent" }]);
      expect(new Set(gated.keys).size).toBe(1);
      expect(await play(gated.name, { other: true })).toEqual(refused(/^The call was not made\./));
    });

    test("a person is asked where it does not, and a call that waits is not made before the answer", async () => {
      const gated = aGatedTool(whole);
      const runId = await start(gated.name, {});
      await eventually(() => expect(gated.keys).toHaveLength(1));
      await desk().shut();
      await desk().open();
      await desk().openRequest(runId);
      const second = await start(gated.name, {});
      await eventually(async () => expect((await record(second)).root.openSteps).toHaveLength(1));
      await reply(runId, "happened");
      expect(await answered(runId)).toEqual([{ output: "done; a person confirmed it" }]);
      expect(await answered(second)).toEqual([{ output: "done; a person confirmed it" }]);
      expect(gated.keys).toHaveLength(1);
    });
  });

  test("a call that was begun stays as it was begun when its owner says otherwise meanwhile", async () => {
    const gated = aGatedTool({ ...whole, hint: "optional" });
    const runId = await start(gated.name, {});
    await eventually(() => expect(gated.keys).toHaveLength(1));
    await desk().shut();
    const tool = desk().tools.get(gated.name);
    if (tool) desk().tools.set(gated.name, { ...tool, policy: toolPolicy.parse({}), idempotency: "optional" });
    await desk().open();
    await eventually(() => expect(gated.keys).toHaveLength(2));
    gated.open();
    await answered(runId);
    expect(new Set(gated.keys).size).toBe(1);
    expect(await entriesOf(gated.name)).toMatchObject([{ state: "succeeded", run_id: runId }]);
  });
});
