import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { storeFork } from "@/server/runs/service/store-fork";
import { startTracing } from "@/server/tracing/jobs/export-traces";
import { settleSinks } from "@/server/tracing/jobs/sink-rows";
import { agentSpanId, condensingSpanId, stepSpanId, traceIdOf } from "@/server/tracing/rules/span-ids";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import {
  FINISH_REASONS,
  GEN_AI_ATTRIBUTES,
  OPERATION_NAMES,
  PART_TYPES,
  ROLES,
  TOOL_TYPES,
} from "@/tests/support/gen-ai-conventions";
import { aBase, aLiveDocument } from "@/tests/support/knowledge";
import { storeSecrets } from "@/tests/support/stored-secrets";
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from "@/tests/support/trace-receiver";

const SECRET = "Bearer receivers-own-key-0123456789";
const PLANTED = "the vault opens with 4711";

type SaidMessage = { role: string; parts: { type: string }[]; finish_reason?: string };

/** Every attribute under `gen_ai` is one of the conventions, and has one of their values where they enumerate them. */
function expectConventions({ attributes }: ReceivedSpan): void {
  const names = Object.keys(attributes).filter((name) => name.startsWith("gen_ai."));
  expect(names.filter((name) => !GEN_AI_ATTRIBUTES.has(name))).toEqual([]);
  expect(OPERATION_NAMES).toContain(attributes["gen_ai.operation.name"]);
  const type = attributes["gen_ai.tool.type"];
  if (type !== undefined) expect(TOOL_TYPES).toContain(type);
  for (const name of ["gen_ai.input.messages", "gen_ai.output.messages"]) {
    for (const { role, parts, finish_reason: reason } of JSON.parse(
      String(attributes[name] ?? "[]"),
    ) as SaidMessage[]) {
      expect(ROLES).toContain(role);
      for (const part of parts) expect(PART_TYPES).toContain(part.type);
      if (name === "gen_ai.output.messages") expect(FINISH_REASONS).toContain(reason);
    }
  }
  JSON.parse(String(attributes["gen_ai.tool.definitions"] ?? "[]"));
}

describe.each(DATABASE_KINDS)("traces on the %s database", (kind) => {
  const desk = useDesk(kind);
  let receiver: TraceReceiver;
  let tracing: { close(): Promise<void> } | undefined;
  beforeAll(async () => {
    receiver = await startTraceReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.spans = [];
    receiver.requests = [];
    receiver.answer = null;
  });
  afterEach(async () => {
    await tracing?.close();
    tracing = undefined;
    await callerOf(desk().scope).tracing.remove();
  });

  const save = (also: object = {}, scope: Scope = desk().scope) =>
    callerOf(scope).tracing.save({
      ...{
        endpoint: receiver.url,
        headers: [{ name: "Authorization", value: SECRET }],
        enabled: true,
        withContent: false,
      },
      ...{ allowPrivateHost: true, ...also },
    });
  const begin = () => {
    tracing = startTracing({ workerId: desk().executor?.workerId ?? "", lookEveryMs: 25 });
  };
  const sink = async () => (await callerOf(desk().scope).tracing.get()).sink;
  /** The spans of a run, once its root's has come. */
  const traceOf = (runId: string): Promise<ReceivedSpan[]> =>
    eventually(() => {
      const spans = receiver.spans.filter(({ traceId }) => traceId === traceIdOf(runId));
      if (!spans.some(({ parentSpanId }) => parentSpanId === "")) throw new Error(`${spans.length} spans so far`);
      return spans;
    });

  /** A supervisor, a child that uses a tool, and words that must not leave by accident. */
  const play = async () => {
    desk().tools.set(
      "look_up",
      aTool("look_up", async () => ({ found: PLANTED })),
    );
    const team = await aTeam(db(), desk().scope.workspaceId, { agents: [{ tools: ["look_up"] }] });
    const child = team.children[0]?.name ?? "";
    const words = desk().words(
      `look for: ${PLANTED}`,
      turns({ calls: [call("look_up", { reason: `Because ${PLANTED}.` })] }, { text: `Found: ${PLANTED}` }),
    );
    const runId = await desk().play(
      team,
      `ask about: ${PLANTED}`,
      turns({ calls: [spawn(child, words, `It knows that ${PLANTED}.`)] }, collectAll, { text: `So ${PLANTED}.` }),
    );
    await desk().ended(runId);
    return { runId, record: await soundRecord(desk().scope, runId) };
  };

  test("a run is one trace: a span for each agent run, model call and tool call, named by the conventions", async () => {
    await save();
    begin();
    const { runId, record } = await play();
    const spans = await traceOf(runId);
    const child = record.agents.find(({ parentId }) => parentId !== null);
    const spawning = record.steps.find(({ name }) => name === "agent__spawn");

    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(spans.length);
    expect([...ids].sort()).toEqual(
      [
        ...record.agents.map(({ id }) => agentSpanId(id)),
        ...record.steps.map(({ agentRunId, position }) => stepSpanId(agentRunId, position)),
      ].sort(),
    );
    const one = (spanId: string) => spans.find((span) => span.spanId === spanId);
    const root = one(agentSpanId(record.root.id));
    expect(root).toMatchObject({
      name: `invoke_agent ${record.root.name}`,
      kind: "SPAN_KIND_INTERNAL",
      parentSpanId: "",
    });
    expect(one(agentSpanId(child?.id ?? ""))).toMatchObject({
      name: `invoke_agent ${child?.name}`,
      parentSpanId: stepSpanId(record.root.id, spawning?.position ?? -1),
      attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": child?.name, "troupe.run.id": runId },
    });
    for (const { agentRunId, position, startedAt, finishedAt } of record.steps) {
      const span = one(stepSpanId(agentRunId, position));
      expect(span?.parentSpanId).toBe(agentSpanId(agentRunId));
      expect(span?.startNano).toBe(BigInt(Date.parse(startedAt)) * 1_000_000n);
      expect(span?.endNano).toBe(BigInt(Date.parse(finishedAt)) * 1_000_000n);
    }

    const chats = spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] === "chat");
    expect(chats).toHaveLength(5);
    const usages = await db().usage.findMany({ where: { runId } });
    for (const chat of chats) {
      expect(chat).toMatchObject({ name: "chat scripted", kind: "SPAN_KIND_CLIENT" });
      const at = { spanId: chat.spanId, position: chat.attributes["troupe.step.position"] };
      const usage = usages.find((row) => stepSpanId(row.agentRunId, row.position) === at.spanId);
      expect(chat.attributes).toMatchObject({
        "gen_ai.request.model": "scripted",
        "gen_ai.response.model": "scripted",
        "gen_ai.provider.name": usage?.provider,
        "gen_ai.conversation.id": runId,
        "gen_ai.usage.input_tokens": usage?.inputTokens,
        "gen_ai.usage.output_tokens": usage?.outputTokens,
        "troupe.cost.nano_usd": Number(usage?.costNanoUsd),
      });
    }
    const used = spans.find(({ name }) => name === "execute_tool look_up");
    expect(used?.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look_up",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": expect.stringMatching(/.+/),
    });
    const decided = spans.flatMap(({ events }) => events);
    expect(decided).toHaveLength(record.decisions.length);
    expect(decided.map(({ attributes }) => attributes["troupe.decision.id"]).sort()).toEqual(
      record.decisions.map(({ id }) => id).sort(),
    );
    const delegated = decided.find(({ attributes }) => attributes["troupe.decision.kind"] === "delegate");
    expect(delegated).toMatchObject({
      name: "troupe.decision",
      attributes: { "troupe.decision.source": "model-stated", "troupe.decision.chosen": [`agent:${child?.name}`] },
    });
    expect(new Set(spans.map(({ schemaUrl }) => schemaUrl))).toEqual(
      new Set(["https://opentelemetry.io/schemas/1.41.0"]),
    );
    expect(root?.resource).toMatchObject({ "service.name": "troupe", "troupe.workspace.id": desk().scope.workspaceId });
    expect(receiver.requests[0]).toMatchObject({
      path: "/v1/traces",
      headers: { "content-type": "application/x-protobuf", authorization: SECRET },
    });
  });

  test("nothing that was said leaves unless an owner turns it on; then it does, as the conventions have it", async () => {
    await save();
    begin();
    await traceOf((await play()).runId);
    const sent = () => Buffer.concat(receiver.requests.map(({ bytes }) => bytes)).toString("latin1");
    expect(sent()).not.toContain("4711");
    expect(sent()).not.toContain("vault");

    await save({ headers: [{ name: "Authorization", value: null }], withContent: true });
    const { runId, record } = await play();
    const spans = await traceOf(runId);
    const used = spans.find(({ name }) => name === "execute_tool look_up");
    expect(used?.attributes["gen_ai.tool.call.arguments"]).toContain(PLANTED);
    expect(used?.attributes["gen_ai.tool.call.result"]).toContain(PLANTED);
    const chat = spans.find(({ spanId }) => spanId === stepSpanId(record.root.id, 0));
    const parsed = (name: string) => JSON.parse(String(chat?.attributes[name]));
    expect(parsed("gen_ai.system_instructions")).toEqual([
      { type: "text", content: expect.stringMatching(new RegExp(`^You are ${record.root.name}\\.\n\n`)) },
    ]);
    expect(parsed("gen_ai.input.messages").at(-1)).toMatchObject({
      role: "user",
      parts: [{ type: "text", content: expect.stringContaining(PLANTED) }],
    });
    expect(parsed("gen_ai.output.messages")[0]).toMatchObject({
      role: "assistant",
      parts: [{ type: "tool_call", name: "agent__spawn", arguments: { reason: `It knows that ${PLANTED}.` } }],
    });
    expect(sent()).not.toContain("receivers-own-key");
  });

  test("with a call that condensed and a search, tokens of a trace add up to the run's, and every name and value is one of the conventions", async () => {
    await save({ withContent: true });
    begin();
    const { scope } = desk();
    const base = await aBase(db(), scope.workspaceId);
    await aLiveDocument(db(), { workspaceId: scope.workspaceId, baseId: base }, "Parcels are refunded.");
    const { name: baseName } = await db().knowledgeBase.findUniqueOrThrow({ where: { id: base } });
    desk().tools.set(
      "fails",
      aTool("fails", async () => {
        throw new Error("no");
      }),
    );
    const team = await aTeam(db(), scope.workspaceId, {
      supervisor: { summarizationThreshold: 1_000, temperature: 0.5, knowledge: [base], tools: ["fails"] },
      agents: [{}],
    });
    const story = desk().words("A long story. ");
    const condensed = { text: "It is long.", usage: { prompt_tokens: 500, completion_tokens: 50 } };
    const result = story.padEnd(1_200, "-");
    desk().scripts.set(result, () => condensed);
    const child = desk().words("tell it", () => ({ text: result }));
    const runId = await desk().play(
      team,
      "have it told",
      turns(
        { calls: [spawn(team.children[0]?.name ?? "", child), call("knowledge_search", { query: "parcels" })] },
        collectAll,
        { calls: [call("fails")] },
        { text: "Told." },
      ),
    );
    await desk().ended(runId);
    const { root, steps } = await soundRecord(scope, runId);
    const spans = await traceOf(runId);

    const chats = spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] === "chat");
    const sum = (name: string) => chats.reduce((all, { attributes }) => all + Number(attributes[name] ?? 0), 0);
    const run = await db().run.findUniqueOrThrow({ where: { id: runId } });
    expect(sum("gen_ai.usage.input_tokens")).toBe(Number(run.inputTokens));
    expect(sum("gen_ai.usage.output_tokens")).toBe(Number(run.outputTokens));
    const collecting = steps.find(({ name }) => name === "agent__collect")?.position ?? -1;
    const condensing = chats.find(({ spanId }) => spanId === condensingSpanId(root.id, collecting));
    expect(condensing).toMatchObject({ name: "chat scripted", parentSpanId: stepSpanId(root.id, collecting) });
    expect(condensing?.attributes["gen_ai.usage.input_tokens"]).toBe(500);
    // No temperature was named in it.
    expect(condensing?.attributes).not.toHaveProperty("gen_ai.request.temperature");
    const search = spans.find(({ attributes }) => attributes["gen_ai.operation.name"] === "retrieval");
    expect(search).toMatchObject({ name: `retrieval ${baseName}`, attributes: { "gen_ai.data_source.id": base } });
    for (const span of spans) expectConventions(span);
  });

  test("no secret is in a trace, whether it was one when it was said or became one later", async () => {
    await save({ withContent: true });
    const key = SECRET.replace("Bearer ", "");
    const later = `later"key\\${randomUUID()}`;
    const words = `use ${key}, else ${later}`;
    desk().tools.set(
      "open_vault",
      aTool("open_vault", async () => {
        throw new Error(`neither ${words}`);
      }),
    );
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { tools: ["open_vault"], instructions: `You may ${words}.` },
      agents: [{}],
    });
    const refused = { fault: "status", status: 400, message: `refused with ${words}` } as const;
    const opening = { text: `I ${words}.`, calls: [call("open_vault", { authorization: words, reason: words })] };
    // No script is found by words of which the model is not sent all.
    const { fallback } = desk();
    desk().fallback = turns(opening, () => refused);
    const runId = await desk().start(team, words);
    expect(await desk().ended(runId)).toMatchObject({ status: "failed" });
    desk().fallback = fallback;
    // What was stored before anybody called it a secret.
    const { rows } = await pool().query(
      "SELECT string_agg(m.content::text, '') AS said FROM messages m JOIN agent_runs a ON a.id = m.agent_run_id WHERE a.run_id = $1",
      [runId],
    );
    expect(rows[0].said).toContain(JSON.stringify(later).slice(1, -1));
    await storeSecrets(db(), desk().scope.workspaceId, { providerKey: later, header: "unused-0815" });

    begin();
    const spans = await traceOf(runId);
    const said = JSON.stringify(
      spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
    const called = spans.find(({ name }) => name === "execute_tool open_vault");
    expect(called?.attributes["gen_ai.tool.call.arguments"]).toContain("use [hidden], else [hidden]");
    expect(called?.status.message).toContain("neither use [hidden], else [hidden]");
    const sent = Buffer.concat(receiver.requests.map(({ bytes }) => bytes)).toString("latin1");
    for (const secret of [key, later, JSON.stringify(later).slice(1, -1), encodeURIComponent(later)]) {
      expect(said).not.toContain(secret);
      expect(sent).not.toContain(secret);
    }
  });

  test("F38: while the receiver is down runs go on; what they were is sent when it is up again, once", async () => {
    await save();
    receiver.answer = { status: 503 };
    begin();
    const { runId } = await play();
    expect(await desk().statusOf(runId)).toMatchObject({ status: "completed" });
    await eventually(async () => expect((await sink())?.failures).toBeGreaterThan(0));
    expect(await sink()).toMatchObject({ problem: expect.stringContaining("(503)"), waiting: 2, sent: 0 });
    expect(receiver.spans).toEqual([]);

    receiver.answer = null;
    await pool().query("UPDATE trace_sinks SET next_try_at = now()");
    const spans = await traceOf(runId);
    await eventually(async () =>
      expect(await sink()).toMatchObject({ waiting: 0, sent: 2, failures: 0, problem: null }),
    );
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  test("what could not be sent for a week is given up and counted, and the doctor says that it does not work", async () => {
    await save();
    receiver.answer = { status: 503 };
    begin();
    const { runId } = await play();
    await eventually(async () => expect((await sink())?.failures).toBeGreaterThan(0));
    await tracing?.close();
    await pool().query("UPDATE trace_sinks SET failing_since = now() - interval '1 hour'");
    const report = await callerOf(desk().scope).system.health();
    expect(report.checks.find(({ id }) => id === "tracing")).toMatchObject({ state: "warning" });

    await pool().query("UPDATE agent_runs SET finished_at = now() - interval '8 days' WHERE run_id = $1", [runId]);
    await pool().query("UPDATE trace_sinks SET settled_at = now() - interval '9 days'");
    const before = (await sink())?.waiting ?? 0;
    await settleSinks();
    expect(await sink()).toMatchObject({ waiting: before - 2, dropped: 2 });
  });

  test("the mark moves up to the oldest that waits, and what was sent before it is no longer remembered", async () => {
    await save();
    begin();
    const sent = await play();
    await traceOf(sent.runId);
    await eventually(async () => expect(await sink()).toMatchObject({ sent: 2 }));
    await tracing?.close();
    const waiting = await play();
    const ended = (runId: string, minutes: number) =>
      pool().query("UPDATE agent_runs SET finished_at = now() - make_interval(mins => $2) WHERE run_id = $1", [
        runId,
        minutes,
      ]);
    await ended(sent.runId, 35);
    await ended(waiting.runId, 30);
    await pool().query("UPDATE trace_exports SET at = now() - interval '35 minutes'");
    await pool().query("UPDATE trace_sinks SET settled_at = now() - interval '40 minutes'");
    await settleSinks();
    const { rows } = await pool().query(
      `SELECT (SELECT count(*)::int FROM trace_exports) AS remembered, round(extract(epoch FROM now() - settled_at) / 60)::int AS minutes
       FROM trace_sinks`,
    );
    expect(rows).toEqual([{ remembered: 0, minutes: 30 }]);
    begin();
    await traceOf(waiting.runId);
  });

  test("what a receiver will never take holds up nothing that comes after it", async () => {
    await save();
    receiver.answer = { status: 400 };
    begin();
    await play();
    await eventually(async () => expect(await sink()).toMatchObject({ dropped: 2, waiting: 0, failures: 0 }));
    receiver.answer = null;
    await traceOf((await play()).runId);
    await eventually(async () => expect(await sink()).toMatchObject({ dropped: 2, sent: 2 }));
  });

  test("what failed says so by its code; the words of the error stay here", async () => {
    await save();
    begin();
    const team = await aTeam(db(), desk().scope.workspaceId, {});
    const refused = { fault: "status", status: 400, message: `refused for ${PLANTED}` } as const;
    const runId = await desk().play(team, "ask what is refused", () => refused);
    expect(await desk().ended(runId)).toMatchObject({ status: "failed" });
    const spans = await traceOf(runId);
    const failed = spans.filter(({ status }) => status.code === "STATUS_CODE_ERROR");
    expect(failed.map(({ name }) => name.split(" ")[0]).sort()).toEqual(["chat", "invoke_agent"]);
    for (const { status, attributes } of failed) {
      expect(status.message).toBe("");
      expect(attributes["error.type"]).toBe("bad_request");
    }
    expect(Buffer.concat(receiver.requests.map(({ bytes }) => bytes)).toString("latin1")).not.toContain("4711");
  });

  test("a run that was retried from a step is a whole trace of its own, with what it took over marked", async () => {
    const { runId, record } = await play();
    await save();
    begin();
    const last = record.steps.findLast(({ agentRunId }) => agentRunId === record.root.id)?.position ?? -1;
    const place = { runId, agentRunId: record.root.id, position: last, askBeforeWrites: false };
    const forkId = await storeFork({ scope: desk().scope, input: place });
    await desk().ended(forkId);
    const fork = await soundRecord(desk().scope, forkId);
    const spans = await eventually(() => {
      const found = receiver.spans.filter(({ traceId }) => traceId === traceIdOf(forkId));
      expect(found).toHaveLength(fork.agents.length + fork.steps.length);
      return found;
    });
    const root = spans.find(({ parentSpanId }) => parentSpanId === "");
    expect(root?.attributes["troupe.run.forked_from"]).toBe(runId);
    const made = spans.filter(({ attributes }) => attributes["troupe.step.kind"] && !attributes["troupe.step.reused"]);
    expect(made.map(({ attributes }) => attributes["troupe.step.position"])).toEqual([last]);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(spans.filter(({ parentSpanId }) => parentSpanId !== "" && !ids.has(parentSpanId))).toEqual([]);
  });

  test("what a worker that is gone had taken on, another one sends", async () => {
    await save();
    const { runId } = await play();
    await pool().query("UPDATE trace_sinks SET worker_id = 'a worker that is gone'");
    begin();
    const spans = await traceOf(runId);
    // Sent again, as after a crash between sending and marking: the same spans.
    await eventually(async () => expect(await sink()).toMatchObject({ sent: 2 }));
    await pool().query("DELETE FROM trace_exports");
    await eventually(() => expect(receiver.spans.length).toBeGreaterThanOrEqual(2 * spans.length));
    expect(
      new Set(receiver.spans.filter(({ traceId }) => traceId === traceIdOf(runId)).map(({ spanId }) => spanId)).size,
    ).toBe(spans.length);
  });

  test("what was done before it was turned on is not sent", async () => {
    const { runId } = await play();
    await save();
    begin();
    const later = await play();
    await traceOf(later.runId);
    expect(receiver.spans.filter(({ traceId }) => traceId === traceIdOf(runId))).toEqual([]);
  });

  test("a workspace's traces go to its own receiver only, and no other workspace can set or see it (A44)", async () => {
    const other = await aMember(db(), await aWorkspace(db()));
    const theirs = await startTraceReceiver();
    try {
      await save();
      await save({ endpoint: theirs.url, headers: [{ name: "X-Theirs", value: "their-own" }] }, other);
      expect(await callerOf(other).tracing.get()).toMatchObject({
        sink: { url: theirs.url, headerNames: ["X-Theirs"] },
      });
      expect(await sink()).toMatchObject({ url: receiver.url, headerNames: ["Authorization"] });
      begin();
      const { runId } = await play();
      await traceOf(runId);
      expect(theirs.requests).toEqual([]);
      expect(new Set(receiver.spans.map(({ resource }) => resource["troupe.workspace.id"]))).toEqual(
        new Set([desk().scope.workspaceId]),
      );
    } finally {
      await theirs.close();
      await callerOf(other).tracing.remove();
    }
  });

  test("only an owner may change it, and nobody is shown a header's value", async () => {
    await save();
    const editor = await aMember(db(), desk().scope.workspaceId, "editor");
    await expect(save({}, editor)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(callerOf(editor).tracing.test()).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(JSON.stringify(await callerOf(editor).tracing.get())).not.toContain("receivers-own-key");
    const { rows } = await pool().query("SELECT to_jsonb(k)::text AS row FROM trace_sinks k");
    expect(rows[0].row).not.toContain("receivers-own-key");
  });

  test("a private address needs leave, redirects are not followed, and stored headers go nowhere else", async () => {
    await expect(save({ allowPrivateHost: false })).rejects.toThrow("private network");
    await expect(save({ endpoint: "ftp://example.com/x" })).rejects.toThrow();
    await expect(save({ endpoint: "http://user:word@example.com/x" })).rejects.toThrow();
    await expect(save({ endpoint: "http://169.254.169.254/v1/traces", allowPrivateHost: false })).rejects.toThrow();

    await save();
    const elsewhere = await startTraceReceiver();
    receiver.answer = { status: 307, headers: { location: elsewhere.url } };
    expect(await callerOf(desk().scope).tracing.test()).toMatchObject({
      ...{ ok: false, code: "refused", status: 307, says: expect.stringContaining("redirects") },
    });
    expect(elsewhere.requests).toEqual([]);
    await expect(save({ endpoint: elsewhere.url, headers: [{ name: "Authorization", value: null }] })).rejects.toThrow(
      "Enter Authorization again",
    );
    await elsewhere.close();

    // The allowance taken back, as an owner may do: the guard decides at the socket.
    await pool().query("DELETE FROM allowed_hosts WHERE workspace_id = $1", [desk().scope.workspaceId]);
    expect(await callerOf(desk().scope).tracing.test()).toMatchObject({
      ok: false,
      code: "private-host",
      status: null,
    });
  });

  test("a test span says what came back", async () => {
    const test = () => callerOf(desk().scope).tracing.test();
    await expect(test()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await save({ enabled: false });
    const taken = await test();
    expect(taken).toMatchObject({ ok: true, code: "ok", status: 200 });
    expect(receiver.spans).toMatchObject([{ name: "troupe test span", traceId: taken.traceId }]);
    receiver.answer = { status: 401 };
    expect(await test()).toMatchObject({ ok: false, code: "unauthorized", status: 401 });
    receiver.answer = { status: 200, body: receiver.partial(1, `no ${SECRET} here`) };
    const partly = await test();
    expect(partly).toMatchObject({ ok: false, code: "partial" });
    expect(partly.says).toContain("no [hidden] here");
    receiver.answer = { status: 404 };
    expect(await test()).toMatchObject({ code: "refused", says: expect.stringContaining("/v1/traces") });
  });
});
