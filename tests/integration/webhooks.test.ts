import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { REQUEST_STATUSES, runEventBody } from "@/server/engine/events";
import { RUN_STATUSES } from "@/server/engine/state";
import { storeFork } from "@/server/runs/service/store-fork";
import { startWebhooks } from "@/server/webhooks/jobs/deliver-webhooks";
import { claimDeliveries, markDelivered, markFailed, settleDeliveries } from "@/server/webhooks/jobs/delivery-rows";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@/server/webhooks/schema";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import { storeSecrets } from "@/tests/support/stored-secrets";
import { startWebhookReceiver, type WebhookReceiver } from "@/tests/support/webhook-receiver";

const SECRET_PATH = "T0SECRETPATH-4711-abcdef";

describe.each(DATABASE_KINDS)("webhooks on the %s database", (kind) => {
  const desk = useDesk(kind);
  let receiver: WebhookReceiver;
  let job: { close(): Promise<void> } | undefined;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.calls = [];
    receiver.answer = null;
  });
  afterEach(async () => {
    await job?.close();
    job = undefined;
    await db().webhook.deleteMany();
  });

  const me = () => callerOf(desk().scope).webhooks;
  const create = (also: object = {}, scope: Scope = desk().scope) =>
    callerOf(scope).webhooks.create({
      ...{
        name: "Ops",
        address: receiver.url,
        events: ["run.completed", "run.failed"],
        withContent: false,
        enabled: true,
      },
      ...{ linkOrigin: "https://troupe.example.test", allowPrivateHost: true, ...also },
    });
  const begin = () => {
    const hub = desk().executor?.resources.hub;
    if (!hub) throw new Error("the desk is not open");
    // Only hints wake it, and what the test lets time do.
    job = startWebhooks({ hub, lookEveryMs: 25 });
  };
  const listOf = async (webhookId: string) => (await me().deliveries({ webhookId })).items;
  const typesOf = (calls = receiver.calls) => calls.map(({ body }) => body.type);
  const dataOf = (type: WebhookEvent) => {
    const found = receiver.calls.find(({ body }) => body.type === type);
    return found?.body.data as Record<string, Record<string, unknown>>;
  };
  const aDesk = () => aTeam(db(), desk().scope.workspaceId);

  test("AGT-EVT-08: a run that ends calls the addresses that want to hear of it, signed as Standard Webhooks says", async () => {
    const { webhook, secret } = await create();
    await create({ name: "Others", events: ["request.opened"] });
    begin();
    const runId = await desk().play(await aDesk(), "tell of it", () => ({ text: "The answer is forty-two." }));
    await desk().ended(runId);
    await eventually(async () => expect(receiver.calls).toHaveLength(1));

    const [taken] = receiver.calls;
    if (!taken) throw new Error("nothing came");
    // The official library of receivers; it throws for a signature that is not right, and for one that is too old.
    const verified = new Webhook(secret).verify(taken.text, taken.headers as Record<string, string>);
    expect(verified).toEqual(taken.body);
    expect(() => new Webhook(secret).verify(`${taken.text} `, taken.headers as Record<string, string>)).toThrow();
    expect(taken.body).toMatchObject({
      type: "run.completed",
      data: { run: { id: runId, status: "completed", url: `https://troupe.example.test/runs/${runId}` } },
    });
    expect(new Date(String(taken.body.timestamp)).toISOString()).toBe(taken.body.timestamp);
    // Nothing that was said goes along unless an owner wants it.
    expect(taken.text).not.toContain("forty-two");
    expect(taken.text).not.toContain("tell of it");
    await eventually(async () =>
      expect(await listOf(webhook.id)).toMatchObject([
        { type: "run.completed", runId, status: "delivered", attempts: 1, answered: 200, says: "It was taken (200)." },
      ]),
    );
    expect(taken.headers["webhook-id"]).toBe((await listOf(webhook.id))[0]?.id);
    expect(await me().get({ webhookId: webhook.id })).toMatchObject({ failures: 0, problem: null, waiting: 0 });
  });

  test("with what was said, a run's start, its questions and its agents are told of in full, each once", async () => {
    await create({ withContent: true, events: [...WEBHOOK_EVENTS] });
    begin();
    const team = await aTeam(db(), desk().scope.workspaceId, {
      ...{ supervisor: { tools: ["user__ask"], publishesEvents: true }, agents: [{ name: "Researcher" }] },
    });
    const task = desk().words("look it up", () => ({ text: "Looked up." }));
    const runId = await desk().play(
      team,
      "ask somebody",
      turns(
        { calls: [spawn("Researcher", task)] },
        collectAll,
        { calls: [call("event__publish", { name: "colour.wanted", data: { shop: "A-7" } })] },
        { calls: [call("user__ask", { question: "Which colour?" })] },
        { text: "Blue it is." },
      ),
    );
    const request = await desk().openRequest(runId);
    await callerOf(desk().scope).requests.answer({ requestId: request.id, answer: "Blue" });
    await desk().ended(runId);
    await eventually(async () => expect(typesOf()).toContain("run.completed"));
    await eventually(async () => expect(typesOf()).toContain("agent.completed"));
    const { rows } = await pool().query("SELECT type FROM webhook_deliveries WHERE run_id = $1 ORDER BY seq", [runId]);
    expect(rows.map(({ type }) => type)).toEqual([
      ...["run.created", "agent.completed", "agent.published", "request.opened", "request.answered"],
      ...["agent.completed", "run.completed"],
    ]);
    await eventually(async () => expect(receiver.calls).toHaveLength(rows.length));
    expect(dataOf("agent.published")).toMatchObject({ published: { name: "colour.wanted", data: { shop: "A-7" } } });
    expect(dataOf("request.opened")).toMatchObject({ request: { kind: "question", prompt: "Which colour?" } });
    expect(dataOf("request.answered")).toMatchObject({
      request: { id: request.id, answer: "Blue", answeredBy: desk().scope.userName },
    });
    expect(dataOf("run.completed")).toMatchObject({
      run: { answer: "Blue it is.", task: expect.stringContaining("ask somebody") },
    });
    expect(dataOf("agent.completed")).toMatchObject({ agentRun: { name: "Researcher", status: "completed" } });
    expect(String(receiver.calls.find(({ body }) => body.type === "request.opened")?.body.text)).toMatch(
      /waits for a person: Which colour\? https:\/\/troupe\.example\.test\/runs\//,
    );
  });

  test("a call is queued if and only if its event is recorded, and a fork is told of as a run that was created", async () => {
    const { webhook } = await create({ events: ["run.created", "run.paused", "run.completed"] });
    const runId = await desk().play(await aDesk(), "fork me", () => ({ text: "Done." }));
    await desk().ended(runId);
    const { rows: recorded } = await pool().query(
      "SELECT webhook_type(kind, body) AS type, seq FROM events WHERE run_id = $1 AND webhook_type(kind, body) IS NOT NULL ORDER BY seq",
      [runId],
    );
    const { rows: queued } = await pool().query(
      "SELECT type, seq FROM webhook_deliveries WHERE run_id = $1 ORDER BY seq",
      [runId],
    );
    expect(queued).toEqual(recorded.filter(({ type }) => type.startsWith("run.")));
    expect(queued.map(({ type }) => type)).toEqual(["run.created", "run.completed"]);

    const { rows: roots } = await pool().query("SELECT id FROM agent_runs WHERE run_id = $1", [runId]);
    const input = { runId, agentRunId: roots[0].id, position: 0, askBeforeWrites: false };
    const forkId = await storeFork({ scope: desk().scope, input });
    await desk().ended(forkId);
    const { rows: told } = await pool().query("SELECT type FROM webhook_deliveries WHERE run_id = $1 ORDER BY seq", [
      forkId,
    ]);
    expect(told.map(({ type }) => type)).toEqual(["run.created", "run.completed"]);
    expect(await listOf(webhook.id)).toHaveLength(4);
  });

  test("the database names events for the outside as the form offers them, and no others", async () => {
    const { rows } = await pool().query<{ type: string }>(
      `SELECT DISTINCT webhook_type(k, b) AS type FROM unnest($1::text[]) k,
         (SELECT jsonb_build_object('status', s, 'request', jsonb_build_object('status', s), 'assignee', 'Jo') AS b FROM unnest($2::text[]) s) b
       WHERE webhook_type(k, b) IS NOT NULL`,
      [runEventBody.options.map(({ shape }) => shape.kind.value), [...RUN_STATUSES, ...REQUEST_STATUSES]],
    );
    // Helpers of the engine may not be able to publish yet: the name is there before the event is.
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(WEBHOOK_EVENTS));
  });

  test("while the receiver is down runs go on; calls wait, keep their id, and are taken when it is up", async () => {
    const { webhook } = await create();
    receiver.answer = { status: 503 };
    begin();
    const runId = await desk().play(await aDesk(), "nobody listens", () => ({ text: "Done." }));
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    await eventually(async () =>
      expect(await listOf(webhook.id)).toMatchObject([
        { status: "waiting", answered: 503, says: expect.stringContaining("The receiver failed (503)") },
      ]),
    );
    expect(await me().get({ webhookId: webhook.id })).toMatchObject({
      ...{ failures: 1, problem: expect.stringContaining("(503)"), waiting: 1, failingSince: expect.any(String) },
    });
    receiver.answer = null;
    await pool().query("UPDATE webhook_deliveries SET next_try_at = now()");
    await eventually(async () =>
      expect(await listOf(webhook.id)).toMatchObject([{ status: "delivered", attempts: 2 }]),
    );
    expect(await me().get({ webhookId: webhook.id })).toMatchObject({ failures: 0, problem: null, failingSince: null });
    expect(new Set(receiver.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test("an address that fails again and again is left alone with growing pauses, and asked with one call", async () => {
    const { webhook } = await create();
    receiver.answer = { status: 500 };
    const team = await aDesk();
    for (let i = 0; i < 6; i++) await desk().ended(await desk().play(team, `failing ${i}`, () => ({ text: "Done." })));
    begin();
    // Those that were under way when it became patient are over, too.
    await eventually(async () => {
      const { failures } = await me().get({ webhookId: webhook.id });
      expect(failures).toBeGreaterThanOrEqual(4);
      expect(await db().webhookDelivery.count({ where: { claimedUntil: { not: null } } })).toBe(0);
    });
    const { failures, nextTryAt } = await me().get({ webhookId: webhook.id });
    expect(Date.parse(String(nextTryAt))).toBeGreaterThan(Date.now());
    const before = receiver.calls.length;
    // What is due at once now is one call, although six wait.
    await pool().query("UPDATE webhook_deliveries SET next_try_at = now()");
    await pool().query("UPDATE webhooks SET next_try_at = now()");
    await eventually(async () => expect(receiver.calls.length).toBe(before + 1));
    await eventually(async () => expect((await me().get({ webhookId: webhook.id })).failures).toBe(failures + 1));
    expect(receiver.calls.length).toBe(before + 1);
  });

  test("a call whose worker was killed is made again under the same id", async () => {
    const { webhook } = await create();
    await desk().ended(await desk().play(await aDesk(), "claimed and lost", () => ({ text: "Done." })));
    // As a worker leaves it that was killed while it called.
    await pool().query(
      "UPDATE webhook_deliveries SET attempts = 1, tried_at = now(), claimed_until = now() + interval '1 minute'",
    );
    begin();
    await pool().query("UPDATE webhook_deliveries SET claimed_until = now()");
    await eventually(async () =>
      expect(await listOf(webhook.id)).toMatchObject([{ status: "delivered", attempts: 2 }]),
    );
  });

  test("an answer of 2xx is one, however much follows it or however long that takes", async () => {
    const { webhook } = await create();
    receiver.answer = {
      status: 200,
      headers: { "content-type": "application/json" },
      body: "x".repeat(150_000),
      holds: true,
    };
    begin();
    await desk().ended(await desk().play(await aDesk(), "a long answer", () => ({ text: "Done." })));
    await eventually(async () =>
      expect(await listOf(webhook.id)).toMatchObject([{ status: "delivered", attempts: 1 }]),
    );
    expect(receiver.calls).toHaveLength(1);
  });

  test("a receiver that is away for a moment has failed once, whatever was under way then", async () => {
    const { webhook } = await create();
    receiver.answer = { status: 503 };
    const team = await aDesk();
    for (let i = 0; i < 3; i++) await desk().ended(await desk().play(team, `at once ${i}`, () => ({ text: "Done." })));
    begin();
    await eventually(() => expect(receiver.calls).toHaveLength(3));
    await eventually(async () =>
      expect((await listOf(webhook.id)).map(({ answered }) => answered)).toEqual([503, 503, 503]),
    );
    expect(await me().get({ webhookId: webhook.id })).toMatchObject({ failures: 1 });
  });

  test("one whose receiver is slow keeps nobody else's calls waiting", async () => {
    const slow = await startWebhookReceiver();
    slow.answer = { status: 200, silent: true };
    await create({ name: "Slow", address: slow.url });
    const team = await aDesk();
    for (let i = 0; i < 12; i++) await desk().ended(await desk().play(team, `slow ${i}`, () => ({ text: "Done." })));
    const { webhook } = await create();
    begin();
    await eventually(() => expect(slow.calls).toHaveLength(4));
    await desk().ended(await desk().play(team, "quick", () => ({ text: "Done." })));
    await eventually(async () => expect(await listOf(webhook.id)).toMatchObject([{ status: "delivered" }]));
    expect(slow.calls).toHaveLength(4);
    await slow.close();
  });

  test("whoever was taken for gone while it called changes nothing any more", async () => {
    const { webhook } = await create();
    await desk().ended(await desk().play(await aDesk(), "two at it", () => ({ text: "Done." })));
    const [first] = await claimDeliveries(1);
    await pool().query("UPDATE webhook_deliveries SET claimed_until = now()");
    const [second] = await claimDeliveries(1);
    if (!first || !second) throw new Error("it could not be claimed");
    expect(second).toMatchObject({ id: first.id, attempts: 2 });
    const ended = { status: 200, says: "It was taken (200).", tookMs: 5 };
    await markFailed(first, { ...ended, status: 500, retryInMs: 0, quietMs: 0, turnOff: true });
    expect(await me().get({ webhookId: webhook.id })).toMatchObject({ failures: 0, enabled: true });
    await markDelivered(second, ended);
    await markFailed(second, { ...ended, status: 500, retryInMs: 0, quietMs: 0, turnOff: true });
    expect(await listOf(webhook.id)).toMatchObject([{ status: "delivered", answered: 200 }]);
  });

  test("what was just made due is due, although its column rounds to milliseconds", async () => {
    await create();
    await desk().ended(await desk().play(await aDesk(), "due now", () => ({ text: "Done." })));
    // Half of what is rounded lies ahead of the clock, for a moment that a quick answer falls into now and then.
    for (let tries = 1; tries <= 100; tries++) {
      await pool().query("UPDATE webhook_deliveries SET next_try_at = now(), claimed_until = now()");
      expect(await claimDeliveries(1)).toMatchObject([{ attempts: tries }]);
    }
  });

  test("its removal fails no run that records an event meanwhile", async () => {
    const { webhook } = await create();
    const team = await aDesk();
    const client = await pool().connect();
    try {
      await client.query("begin");
      await client.query("DELETE FROM webhooks WHERE id = $1", [webhook.id]);
      // On the embedded database everybody waits for the transaction to end: what matters is that the run goes on.
      const played = desk().play(team, "removed meanwhile", () => ({ text: "Done." }));
      if (kind === "postgres") {
        await eventually(async () => {
          const { rows } = await pool().query(
            "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
          );
          expect(rows.length).toBeGreaterThan(0);
        });
      }
      await client.query("commit");
      expect(await desk().ended(await played)).toMatchObject({ status: "completed" });
    } finally {
      client.release();
    }
  });

  test("what was tried for three days is given up, can be sent again, and is forgotten after a month", async () => {
    const { webhook } = await create();
    await desk().ended(await desk().play(await aDesk(), "too late", () => ({ text: "Done." })));
    await pool().query("UPDATE webhook_deliveries SET give_up_at = now() - interval '1 minute'");
    await settleDeliveries();
    const [given] = await listOf(webhook.id);
    expect(given).toMatchObject({ status: "given_up", nextTryAt: null });
    begin();
    await me().sendAgain({ deliveryId: given?.id ?? "" });
    await eventually(async () => expect(await listOf(webhook.id)).toMatchObject([{ status: "delivered" }]));
    expect(JSON.parse((await me().payload({ deliveryId: given?.id ?? "" })).body)).toEqual(receiver.calls[0]?.body);

    await pool().query("UPDATE webhook_deliveries SET occurred_at = now() - interval '31 days'");
    await settleDeliveries();
    expect(await listOf(webhook.id)).toEqual([]);
  });

  test("a receiver that wants no more calls turns its webhook off; while it is off nothing is queued", async () => {
    const { webhook } = await create();
    receiver.answer = { status: 410 };
    begin();
    const team = await aDesk();
    await desk().ended(await desk().play(team, "gone", () => ({ text: "Done." })));
    await eventually(async () => expect((await me().get({ webhookId: webhook.id })).enabled).toBe(false));
    expect((await me().get({ webhookId: webhook.id })).problem).toContain("no more calls");
    await desk().ended(await desk().play(team, "not told", () => ({ text: "Done." })));
    expect(await listOf(webhook.id)).toHaveLength(1);
    await expect(me().sendAgain({ deliveryId: (await listOf(webhook.id))[0]?.id ?? "" })).rejects.toThrow("is off");
  });

  test("no secret of the workspace is in what is sent, nor is the address or its secret anywhere", async () => {
    const key = "sk-webhook-planted-0815-4711";
    await storeSecrets(db(), desk().scope.workspaceId, { providerKey: key, header: "unused-0815" });
    const { secret } = await create({ withContent: true, events: [...WEBHOOK_EVENTS] });
    begin();
    const address = receiver.url;
    const runId = await desk().play(await aDesk(), `use ${key} and ${address} and ${secret}`, () => ({
      text: `It is ${key}, at ${address}, signed with ${secret}.`,
    }));
    await desk().ended(runId);
    await eventually(async () => expect(typesOf()).toContain("run.completed"));
    const sent = receiver.calls.map(({ text }) => text).join("\n");
    for (const hidden of [key, SECRET_PATH, secret]) expect(sent).not.toContain(hidden);
    // What people and agents say of them is hidden in the record, too.
    const { rows } = await pool().query("SELECT answer FROM runs WHERE id = $1", [runId]);
    for (const hidden of [key, SECRET_PATH, secret]) expect(rows[0].answer).not.toContain(hidden);
    const { rows: stored } = await pool().query("SELECT to_jsonb(w)::text AS row FROM webhooks w");
    for (const hidden of [SECRET_PATH, secret]) {
      expect(stored.map(({ row }) => row).join()).not.toContain(hidden);
      expect(JSON.stringify(await me().list())).not.toContain(hidden);
    }
  });

  test("a test call says what came back, also while it is off", async () => {
    const { webhook, secret } = await create({ enabled: false });
    expect(await me().test({ webhookId: webhook.id })).toMatchObject({ ok: true, status: 200 });
    const [taken] = receiver.calls;
    expect(new Webhook(secret).verify(taken?.text ?? "", taken?.headers as Record<string, string>)).toMatchObject({
      type: "test",
    });
    receiver.answer = { status: 307, headers: { location: "http://127.0.0.1:9/else" } };
    expect(await me().test({ webhookId: webhook.id })).toMatchObject({
      ...{ ok: false, status: 307, says: expect.stringContaining("redirects") },
    });
    await pool().query("DELETE FROM allowed_hosts WHERE workspace_id = $1", [desk().scope.workspaceId]);
    expect(await me().test({ webhookId: webhook.id })).toMatchObject({
      ok: false,
      status: null,
      says: expect.stringContaining("private network"),
    });
  });

  test("it is changed, its secret is renewed, and it is removed with its calls; bad input is refused in words", async () => {
    const { webhook, secret } = await create();
    await expect(create()).rejects.toThrow("There is a webhook of this name");
    await expect(create({ name: "x", events: [] })).rejects.toThrow("at least one event");
    await expect(create({ name: "x", address: "ftp://example.test" })).rejects.toThrow("web address");
    await expect(create({ name: "x", address: "http://10.1.2.3/x", allowPrivateHost: false })).rejects.toThrow(
      "private network",
    );
    const { id: webhookId, linkOrigin, withContent, enabled } = webhook;
    const changed = await me().update({
      ...{
        webhookId,
        linkOrigin,
        withContent,
        enabled,
        name: "Ops 2",
        events: ["run.failed", "run.created"],
        address: null,
      },
    });
    // In the order of the list, whatever order they came in.
    expect(changed).toMatchObject({
      name: "Ops 2",
      events: ["run.created", "run.failed"],
      origin: new URL(receiver.url).origin,
    });
    const renewed = await me().renewSecret({ webhookId });
    expect(renewed.secret).not.toBe(secret);
    await me().test({ webhookId });
    const [taken] = receiver.calls;
    const headers = taken?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(taken?.text ?? "", headers)).toThrow();
    expect(new Webhook(renewed.secret).verify(taken?.text ?? "", headers)).toBeTruthy();

    await desk().ended(await desk().play(await aDesk(), "wait", () => ({ text: "Done." })));
    expect(await listOf(webhookId)).toHaveLength(1);
    await me().remove({ webhookId });
    expect(await db().webhookDelivery.count()).toBe(0);
    expect(await db().allowedHost.count({ where: { workspaceId: desk().scope.workspaceId } })).toBe(0);
    await expect(me().get({ webhookId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("only an owner may change it, others see how it goes, and other workspaces neither hear nor see of it", async () => {
    const { webhook } = await create();
    const webhookId = webhook.id;
    const editor = await aMember(db(), desk().scope.workspaceId, "editor");
    await expect(create({ name: "mine" }, editor)).rejects.toMatchObject({ code: "FORBIDDEN" });
    for (const refused of ["test", "remove", "renewSecret"] as const) {
      await expect(callerOf(editor).webhooks[refused]({ webhookId })).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    expect(await callerOf(editor).webhooks.list()).toHaveLength(1);

    const other = await aMember(db(), await aWorkspace(db()), "owner");
    expect(await callerOf(other).webhooks.list()).toEqual([]);
    await expect(callerOf(other).webhooks.deliveries({ webhookId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(callerOf(other).webhooks.remove({ webhookId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await create({ name: "Theirs", events: [...WEBHOOK_EVENTS] }, other);
    begin();
    await desk().ended(await desk().play(await aDesk(), "only ours", () => ({ text: "Done." })));
    await eventually(async () => expect(receiver.calls).toHaveLength(1));
    expect(await callerOf(other).webhooks.list()).toMatchObject([{ waiting: 0, deliveredAt: null }]);
  });

  test("calls are listed page by page and by state, and go with their run", async () => {
    const { webhook } = await create();
    const team = await aDesk();
    const runIds: string[] = [];
    for (let i = 0; i < 5; i++) {
      runIds.push(await desk().play(team, `paged ${i}`, () => ({ text: "Done." })));
      await desk().ended(runIds[i] ?? "");
    }
    const first = await me().deliveries({ webhookId: webhook.id, limit: 3 });
    const second = await me().deliveries({ webhookId: webhook.id, limit: 3, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ runId }) => runId)).toEqual(runIds.toReversed());
    expect(second.nextCursor).toBeNull();
    expect((await me().deliveries({ webhookId: webhook.id, status: "delivered" })).items).toEqual([]);
    await expect(me().deliveries({ webhookId: webhook.id, cursor: "x" })).rejects.toThrow("no longer exists");
    await pool()
      .query("DELETE FROM runs WHERE id = $1", [runIds[0]])
      .catch(() => {});
  });
});
