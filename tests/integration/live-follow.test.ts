import { once, setMaxListeners } from "node:events";
import { connect } from "node:net";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { db, pool } from "@/server/db";
import { followRun } from "@/server/runs/follow";
import { subscribe } from "@/server/runs/listener";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import { createInnerContext } from "@/server/trpc/context";
import { answerLiveStream } from "@/server/trpc/live-stream";
import { appRouter } from "@/server/trpc/root";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS, type FreshDatabase } from "@/tests/support/databases";
import type { EmbeddedDatabase } from "@/tests/support/embedded-database";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { LiveReader } from "@/tests/support/live-reader";
import { startLiveServer } from "@/tests/support/live-server";
import { RunWriter } from "@/tests/support/run-writer";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

const until = (condition: () => void | Promise<void>) => vi.waitFor(condition, { timeout: 45_000, interval: 20 });
/** For what a thousand do, where it is not the point how long they take. */
const patiently = (condition: () => void) => vi.waitFor(condition, { timeout: 50_000, interval: 20 });
/** How often each stream looks by itself. */
const OWN_LOOK_MS = 4_000;
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe.each(DATABASE_KINDS)("a live stream on the %s database", (kind) => {
  const database = useDatabase(kind);
  let scope: Scope;
  let server: Awaited<ReturnType<typeof startLiveServer>>;
  let run: Awaited<ReturnType<typeof aLiveRun>>;

  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    server = await startLiveServer(scope);
    const team = await aSampleTeam(db(), scope.workspaceId);
    sample = () => insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "live" });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    run = await aLiveRun();
    return () => run.writer.close();
  });

  let sample: () => Promise<string>;
  async function aLiveRun() {
    const runId = await sample();
    const { agents, lastSeq } = await getRunTree(scope.workspaceId, runId);
    const agentRunId = agents[0]?.id ?? "";
    return { runId, agentRunId, lastSeq, writer: new RunWriter(database().url, { ...scope, runId, agentRunId }) };
  }

  test("F24: read over 100 reconnects at random points yields every event once and in order", async () => {
    const reader = new LiveReader(server.url, { runId: run.runId });
    let written = run.lastSeq;
    let isWritten = false;
    const write = async () => {
      for (let nth = 0; reader.connections < 110; nth++) {
        // No further ahead than the reader can catch up with: it reads a few at a time.
        await until(() => expect(written - reader.seqs.length).toBeLessThan(60));
        // Of every fourth the body is in a row of its own.
        if (nth % 4 === 0) await run.writer.writeStep(100 + nth);
        else await run.writer.appendStatus(nth % 4 === 1 ? null : `${nth}: \n\n🜁 ${"é".repeat(nth % 50)}`);
        written += 1;
      }
      isWritten = true;
      // It may have everything by now, and wait for more.
      reader.close();
    };
    // Each connection ends after some messages; every second one also after some time, in whatever it is doing, which may be before it was told anything.
    const read = async () => {
      const random = seededRandom(7);
      while (reader.connections <= 110 || reader.seqs.length < written) {
        const stopAt = reader.messages.length + Math.floor(random() * 12);
        const stopMs = random() * 60;
        const timer = reader.connections % 2 === 0 ? setTimeout(() => reader.close(), stopMs) : undefined;
        await reader.read(({ messages, seqs }) => messages.length >= stopAt || (isWritten && seqs.length === written));
        clearTimeout(timer);
      }
    };
    await Promise.all([write(), read()]);

    expect(reader.connections).toBeGreaterThan(100);
    expect(reader.seqs).toEqual(upTo(written));
    const journal = await listEventsAfter(scope.workspaceId, { runId: run.runId, seq: 0, limit: written + 1 });
    expect(reader.events).toEqual(journal);
    // Told from the tables alone, too: what reads the one reads the other.
    const { rows } = await pool().query(
      `SELECT e.seq, e.kind, e.agent_run_id AS agent, coalesce(e.body ->> 'reason', s.name) AS told FROM events e
       LEFT JOIN steps s ON s.agent_run_id = e.agent_run_id AND s.position = (e.body -> 'position')::int AND e.kind = 'step.finished'
       WHERE e.run_id = $1 ORDER BY e.seq`,
      [run.runId],
    );
    expect(
      reader.events.map(({ seq, agentRunId, body }) => ({
        ...{ seq, kind: body.kind, agent: agentRunId },
        told: (body.kind === "step.finished" ? body.step.name : "reason" in body ? body.reason : null) ?? null,
      })),
    ).toEqual(rows);
  }, 180_000);

  test("begins after the event its reader has, and hears what comes", async () => {
    const reader = new LiveReader(server.url, { runId: run.runId, lastEventId: String(run.lastSeq) });
    const reading = reader.read();
    await until(() => expect(reader.messages.length).toBeGreaterThan(0));
    const writtenAt = Date.now();
    await run.writer.writeStep(100);
    // Sooner than the stream's own look every 4 s: the notification woke it.
    await until(() => expect(reader.seqs).toEqual([run.lastSeq + 1]));
    expect(Date.now() - writtenAt).toBeLessThan(3_000);
    await run.writer.stream({ position: 101, offset: 0, text: "Half a " });
    await run.writer.stream({ position: 101, offset: 7, text: "sentence" });
    await until(() => expect(reader.text).toBe("Half a sentence"));
    reader.close();
    await reading;
  });

  test("carries the text of its own run only, and hints for the lists of the workspace", async () => {
    const other = await aLiveRun();
    const reader = new LiveReader(server.url, { runId: run.runId, lastEventId: String(run.lastSeq) });
    const reading = reader.read();
    await until(() => expect(reader.messages).toContainEqual({ type: "changed", noun: "requests", id: null }));
    await other.writer.stream({ position: 1, offset: 0, text: "of the other" });
    await run.writer.stream({ position: 1, offset: 0, text: "of this" });
    await until(() => expect(reader.text).toContain("of this"));
    // Again and again: what is heard late of the beginning of both runs comes as one hint for several.
    await until(async () => {
      await other.writer.appendStatus();
      expect(reader.messages).toContainEqual({ type: "changed", noun: "runs", id: other.runId });
    });
    expect(reader.text).toBe("of this");
    expect(reader.seqs).toEqual([]);
    reader.close();
    await reading;
    await other.writer.close();
  });

  test("of another workspace's run is refused", async () => {
    const stranger = await aMember(db(), await aWorkspace(db()));
    const foreign = await startLiveServer(stranger);
    const reader = new LiveReader(foreign.url, { runId: run.runId });
    await reader.read();
    expect(reader.refusal).toBe("NOT_FOUND");
    expect(reader.messages).toEqual([]);
    await foreign.close();
  });

  test("A8: ends within 5 s when its reader is removed from the workspace", async () => {
    const guest = await aMember(db(), scope.workspaceId, "viewer");
    const door = await startLiveServer(guest);
    const reader = new LiveReader(door.url, { runId: run.runId });
    const reading = reader.read();
    await until(() => expect(reader.seqs.length).toBe(run.lastSeq));
    await db().member.deleteMany({ where: { workspaceId: guest.workspaceId, userId: guest.userId } });
    const removedAt = performance.now();
    await reading;
    expect(performance.now() - removedAt).toBeLessThan(5_000);
    expect(reader.refusal).toBe("NOT_ALLOWED");
    await door.close();
  });

  test.each([
    ["demoted", "operator", "viewer"],
    ["promoted", "viewer", "editor"],
  ] as const)(
    "A8: ends in good order within 5 s when its reader is %s; the next one goes on after its last event",
    async (_, before, after) => {
      const guest = await aMember(db(), scope.workspaceId, before);
      const door = await startLiveServer(guest);
      const reader = new LiveReader(door.url, { runId: run.runId });
      const reading = reader.read();
      await until(() => expect(reader.seqs.length).toBe(run.lastSeq));
      await pool().query("UPDATE members SET role = $2 WHERE user_id = $1", [guest.userId, after]);
      const changedAt = performance.now();
      await reading;
      expect(performance.now() - changedAt).toBeLessThan(5_000);
      expect(reader).toMatchObject({ isOver: true, refusal: null });
      if (after === "viewer")
        await expect(callerOf(guest).runs.pause({ runId: run.runId })).rejects.toMatchObject({ code: "FORBIDDEN" });
      // Between the two, and after: both arrive, once each.
      await run.writer.appendStatus();
      const again = reader.read(({ seqs }) => seqs.length === run.lastSeq + 2);
      await until(() => expect(reader.seqs).toHaveLength(run.lastSeq + 1));
      expect(reader.isOver).toBe(false);
      await run.writer.appendStatus();
      await again;
      expect(reader.seqs).toEqual(upTo(run.lastSeq + 2));
      await door.close();
    },
  );

  test("ends when a changed password ended the session of its reader", async () => {
    const guest = await aMember(db(), scope.workspaceId, "viewer");
    const door = await startLiveServer(guest);
    const reader = new LiveReader(door.url, { runId: run.runId });
    const reading = reader.read();
    await until(() => expect(reader.seqs.length).toBe(run.lastSeq));
    await db().user.update({ where: { id: guest.userId }, data: { sessionsFrom: new Date() } });
    await reading;
    expect(reader.refusal).toBe("NOT_SIGNED_IN");
    await door.close();
  });

  test("closed by all its readers leaves the run as it was", async () => {
    const readers = Array.from({ length: 8 }, () => new LiveReader(server.url, { runId: run.runId }));
    const reading = readers.map((reader) => reader.read());
    await until(() => {
      for (const reader of readers) expect(reader.seqs.length).toBe(run.lastSeq);
    });
    let written = run.lastSeq;
    let closed = false;
    const write = async () => {
      for (let after = 0; after < 20; written++) {
        await run.writer.appendStatus();
        if (closed) after += 1;
      }
    };
    const close = async () => {
      await until(() => expect(written).toBeGreaterThan(run.lastSeq + 5));
      for (const reader of readers) reader.close();
      await Promise.all(reading);
      closed = true;
    };
    await Promise.all([write(), close()]);

    const tree = await getRunTree(scope.workspaceId, run.runId);
    expect(tree.lastSeq).toBe(written);
    expect(tree.run.status).toBe("running");
    await until(() => expect(waitersOf(scope)).toBe(0));
  });

  test("A48: text of a model that looks like frames of the stream stays text", async () => {
    const frames = '\n\nevent: return\ndata: {}\n\nid: 999999\r\rdata: {"json":{"type":"event"}}\u2028\n\n: end\n\n';
    const reader = new LiveReader(server.url, { runId: run.runId, lastEventId: String(run.lastSeq) });
    const reading = reader.read(({ seqs }) => seqs.length === 2);
    await until(() => expect(waitersOf(scope)).toBe(1));
    await run.writer.appendStatus();
    await until(() => expect(reader.seqs).toHaveLength(1));
    await run.writer.stream({ position: 1, offset: 0, text: frames });
    await until(() => expect(reader.text).toBe(frames));
    await run.writer.appendStatus();
    await reading;
    expect(reader.seqs).toEqual([run.lastSeq + 1, run.lastSeq + 2]);
    const TOLD = ["delta", "event", "changed"];
    expect(reader.messages.filter(({ type }) => !TOLD.includes(type))).toEqual([]);
    expect(reader.refusal).toBeNull();
  });

  test("F25: of a reader that does not read keeps little text and every event", async () => {
    const leave = new AbortController();
    const input = { runId: run.runId, lastEventId: String(run.lastSeq) };
    const stream = followRun(scope, input, leave.signal);
    await stream.next();
    let heard = 0;
    const unsubscribe = subscribe(scope.workspaceId, (hint) => {
      if (hint.type === "delta") heard += 1;
    });
    const piece = "x".repeat(1_000);
    for (let index = 0; index < 300; index++) {
      await run.writer.stream({ position: 1, offset: index * 1_000, text: piece });
    }
    await run.writer.appendStatus();
    await until(() => expect(heard).toBe(300));
    unsubscribe();

    let text = 0;
    for (;;) {
      const { value } = await stream.next();
      const message = value?.[1];
      if (message?.type === "delta") text += message.delta.text.length;
      if (message?.type === "event") {
        expect(message.event.seq).toBe(run.lastSeq + 1);
        break;
      }
    }
    expect(text).toBeGreaterThan(10_000);
    expect(text).toBeLessThan(100_000);
    leave.abort();
    // What it had read already may still come.
    while (!(await stream.next()).done);
    await until(() => expect(waitersOf(scope)).toBe(0));
  });

  test("F25: of many readers that take nothing holds little, however large the events are, and they miss nothing from their last ids on", async () => {
    const READERS = 4;
    const EVENTS = 24;
    const large = "x".repeat(50_000);
    for (let nth = 0; nth < EVENTS; nth++) await run.writer.appendStatus(large);
    const queries = vi.spyOn(pool(), "query");
    onTestFinished(() => queries.mockRestore());
    const leave = new AbortController();
    // Each from an event of its own: what is read for one is no other's.
    const readers = await Promise.all(
      Array.from({ length: READERS }, async (_, nth) => {
        const input = { runId: run.runId, lastEventId: String(run.lastSeq + nth) };
        const stream = followRun(scope, input, leave.signal);
        const { value } = await stream.next();
        expect(value?.[1]).toMatchObject({ type: "event", event: { seq: run.lastSeq + nth + 1 } });
        return { stream, lastEventId: String(value?.[0]) };
      }),
    );
    const reads = queries.mock.results.filter((_, nth) => String(queries.mock.calls[nth]?.[0]).includes("FROM events"));
    const heldBytes = await Promise.all(reads.map(async ({ value }) => JSON.stringify((await value).rows).length));
    expect(heldBytes).toHaveLength(READERS);
    // A quarter of a megabyte and one event more, of the megabyte there is for each.
    for (const bytes of heldBytes) expect(bytes).toBeLessThan(256 * 1024 + 1.1 * large.length);
    queries.mockRestore();
    await run.writer.appendStatus(large);

    leave.abort();
    for (const { stream } of readers) while (!(await stream.next()).done);
    await until(() => expect(waitersOf(scope)).toBe(0));
    const lastSeq = run.lastSeq + EVENTS + 1;
    const journal = await listEventsAfter(scope.workspaceId, { runId: run.runId, seq: run.lastSeq, limit: EVENTS + 1 });
    for (const [nth, { lastEventId }] of readers.entries()) {
      const again = new LiveReader(server.url, { runId: run.runId, lastEventId });
      await again.read(({ seqs }) => seqs.at(-1) === lastSeq);
      expect(again.events).toEqual(journal.slice(nth + 1));
    }
  });

  test("F25: who takes a byte a second holds little, is dropped, and misses nothing from its last id on", async () => {
    const door = await startLiveServer(scope, { stalledMs: 1_500 });
    onTestFinished(() => door.close());
    const reader = new LiveReader(door.url, { runId: run.runId, lastEventId: String(run.lastSeq) });
    const { hostname, port, pathname, search } = new URL(reader.address);
    const socket = connect({ host: hostname, port: Number(port) });
    // The older form: a body that is not cut into chunks.
    socket.write(`GET ${pathname}${search} HTTP/1.0\r\nhost: ${hostname}\r\n\r\n`);
    const taken: Buffer[] = [];
    const take = (bytes?: number) =>
      taken.push(...[socket.read(bytes) as Buffer | null].filter((some) => some !== null));
    const sipping = setInterval(() => take(1), 1_000);
    socket.on("readable", () => {}).on("error", () => {});
    await until(() => expect(door.open.size).toBe(1));

    // More than the two ends of a connection take in by themselves.
    const large = "x".repeat(50_000);
    const [held] = door.open;
    let written = run.lastSeq;
    const write = async () => {
      await run.writer.appendStatus(large);
      written += 1;
    };
    let handedOver = 0;
    for (let still = 0; still < 10 && !held?.destroyed; ) {
      await write();
      const now = held?.socket?.bytesWritten ?? 0;
      still = held?.writableNeedDrain && now === handedOver ? still + 1 : 0;
      handedOver = now;
    }
    expect(written - run.lastSeq).toBeGreaterThan(20);
    // What was not taken stays in the database, whatever comes after it.
    for (let nth = 0; nth < 20; nth++) await write();
    expect((held?.socket?.bytesWritten ?? handedOver) - handedOver).toBe(0);
    expect(held?.writableLength).toBeLessThan(2 * large.length);
    await until(() => expect(door.open.size).toBe(0));
    await until(() => expect(waitersOf(scope)).toBe(0));

    clearInterval(sipping);
    const ended = once(socket, "close");
    socket.on("readable", () => take());
    take();
    await ended;
    const answer = Buffer.concat(taken);
    await reader.hear(new Response(answer.subarray(answer.indexOf("\r\n\r\n") + 4)));
    expect(reader.seqs.length).toBeGreaterThan(0);
    expect(reader.seqs.length).toBeLessThan(written - run.lastSeq);
    await reader.read(({ seqs }) => seqs.at(-1) === written);
    expect(reader.seqs).toEqual(upTo(written, run.lastSeq + 1));
  });

  test("F26: of a thousand watchers of one run needs one listener, and each event is read once for all", async () => {
    const WATCHERS = 1_000;
    const leave = new AbortController();
    setMaxListeners(0, leave.signal);
    onTestFinished(() => leave.abort());
    const input = { runId: run.runId, lastEventId: String(run.lastSeq) };
    const seqs = Array.from({ length: WATCHERS }, () => [] as number[]);
    const watching = seqs.map(async (own) => {
      for await (const [, message] of followRun(scope, input, leave.signal)) {
        if (message.type === "event") own.push(message.event.seq);
      }
    });
    await patiently(() => expect(waitersOf(scope)).toBe(WATCHERS));
    // All have read what there was.
    await run.writer.appendStatus();
    const EVENTS = 20;
    await patiently(() => expect(seqs.every((own) => own.length === 1)).toBe(true));
    const queries = vi.spyOn(pool(), "query");
    const beganAt = performance.now();
    for (let nth = 0; nth < EVENTS; nth++) await run.writer.appendStatus();
    const all = upTo(run.lastSeq + 1 + EVENTS, run.lastSeq + 1);
    await patiently(() => expect(seqs.every((own) => own.length === all.length)).toBe(true));
    const looks = 1 + Math.ceil((performance.now() - beganAt) / OWN_LOOK_MS);
    const reads = queries.mock.results.filter((_, nth) => String(queries.mock.calls[nth]?.[0]).includes("FROM events"));
    const found = await Promise.all(reads.map(async ({ value }) => (await value).rows.length as number));
    queries.mockRestore();
    leave.abort();
    await Promise.all(watching);
    for (const own of seqs) expect(own).toEqual(all);
    expect(found.filter((rows) => rows > 0).length).toBeLessThanOrEqual(4 * EVENTS);
    // Those that find nothing more, and each watcher's own look now and then, of which a slow machine takes more.
    expect(found.length).toBeLessThanOrEqual(4 * EVENTS + looks * WATCHERS);
    // The embedded database does not tell, and has one connection for all.
    if (kind === "postgres") expect(await listenersOf()).toBe(1);
  });

  test("what is written is what the transport's own writer of event streams would write", async () => {
    const user = { id: scope.userId, name: scope.userName, email: "reader@example.test" };
    const address = (input: unknown) =>
      `http://127.0.0.1/api/trpc/live.follow?input=${encodeURIComponent(String(input))}`;
    const ofRun = (runId: string) => address(JSON.stringify({ json: { runId } }));
    for (const [url, headers, asWho, refusal] of [
      [ofRun(run.runId), {}, user, null],
      [ofRun(run.runId), { "last-event-id": String(run.lastSeq - 2) }, user, null],
      [ofRun(run.runId), { "last-event-id": "nonsense" }, user, "INVALID"],
      [ofRun(run.runId), {}, null, "NOT_SIGNED_IN"],
      [ofRun(scope.userId), {}, user, "NOT_FOUND"],
      [address("{"), {}, user, "INVALID"],
      [address("[]"), {}, user, "INVALID"],
    ] as const) {
      const createContext = async () => createInnerContext({ user: asWho });
      const read = async (answer: (req: Request) => Response | Promise<Response>) => {
        const leave = new AbortController();
        const response = await answer(new Request(url, { headers, signal: leave.signal }));
        const reader = new LiveReader("", {});
        await reader.hear(response, ({ seqs }) => seqs.at(-1) === run.lastSeq);
        leave.abort();
        const kept = ["content-type", "cache-control", "x-accel-buffering"].map((name) => response.headers.get(name));
        return { status: response.status, kept, heard: reader };
      };
      const theirs = await read((req) =>
        fetchRequestHandler({ endpoint: "/api/trpc", req, router: appRouter, createContext }),
      );
      const ours = await read((req) => answerLiveStream(req, createContext));
      expect(ours.heard.refusal).toBe(refusal);
      expect(ours).toEqual(theirs);
    }
  });

  test("F27: an event larger than a notification may be reaches its reader whole; what is notified holds ids and figures", async () => {
    const heard: string[] = [];
    const ear = new pg.Client({ connectionString: database().url });
    await ear.connect();
    ear.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await ear.query("LISTEN troupe_run");
    const reader = new LiveReader(server.url, { runId: run.runId, lastEventId: String(run.lastSeq) });
    const reading = reader.read(({ seqs }) => seqs.length === 1);
    await until(() => expect(reader.messages.length).toBeGreaterThan(0));
    const large = "ä\n🜁".repeat(20_000);
    await run.writer.appendStatus(large);
    await reading;
    expect(reader.messages.filter(({ type }) => type === "event")).toMatchObject([
      { event: { seq: run.lastSeq + 1, body: { reason: large } } },
    ]);
    await until(() => expect(heard.some((payload) => payload.includes(run.runId))).toBe(true));
    for (const payload of heard) expect(Buffer.byteLength(payload)).toBeLessThan(500);
    await ear.end();
  });

  test("F27: an event whose notification never comes reaches its reader by the stream's own look, on a connection that lives", async () => {
    const reader = new LiveReader(server.url, { runId: run.runId, lastEventId: String(run.lastSeq) });
    const reading = reader.read(({ seqs }) => seqs.length === 3);
    await run.writer.appendStatus("heard");
    // Text comes by notification only, and in the order in which it was committed: whoever hears it has heard of the event, and listens.
    await until(async () => {
      await run.writer.stream({ position: 1, offset: 0, text: "listening" });
      expect(reader.text).toContain("listening");
    });
    await patiently(() => expect(reader.seqs).toHaveLength(1));
    const hints: unknown[] = [];
    const unsubscribe = subscribe(scope.workspaceId, (hint) => {
      if (hint.type === "missed" || (hint.type === "run" && hint.runId === run.runId)) hints.push(hint);
    });
    // The first look after one that read something is left out; the second is not.
    await run.writer.appendUnheard("unheard");
    await patiently(() => expect(reader.seqs).toHaveLength(2));
    await run.writer.appendUnheard("unheard again");
    await reading;
    unsubscribe();
    expect(hints).toEqual([]);
    expect(reader.events).toMatchObject([
      { seq: run.lastSeq + 1, body: { reason: "heard" } },
      { seq: run.lastSeq + 2, body: { reason: "unheard" } },
      { seq: run.lastSeq + 3, body: { reason: "unheard again" } },
    ]);
  });

  test("F27: catches up when the connection that listens is cut", async () => {
    const reader = new LiveReader(server.url, { runId: run.runId, lastEventId: String(run.lastSeq) });
    const reading = keepReading(reader);
    await until(() => expect(reader.messages.length).toBeGreaterThan(0));
    await until(async () => expect(await cutListener(database())).toBe(true));
    await until(() => run.writer.appendStatus());
    await until(async () => {
      const { lastSeq } = await getRunTree(scope.workspaceId, run.runId);
      expect(reader.seqs).toEqual(upTo(lastSeq, run.lastSeq + 1));
    });
    // Text comes by notification only: hearing some proves that somebody listens again.
    await until(async () => {
      await run.writer.stream({ position: 1, offset: 0, text: "back" });
      expect(reader.text).toContain("back");
    });
    await reading.stop();
  });
});

/** Reads for ever, as an EventSource does: when a stream ends, the next begins. */
function keepReading(reader: LiveReader): { stop: () => Promise<void> } {
  let stopped = false;
  const done = (async () => {
    while (!stopped) await reader.read();
  })();
  return {
    stop: () => {
      stopped = true;
      reader.close();
      return done;
    },
  };
}

/** Connections that listen. */
async function listenersOf(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  );
  return rows[0]?.n ?? 0;
}

/** A server that lets itself be told ends the one connection; the embedded one is killed and started again. */
async function cutListener(database: FreshDatabase | EmbeddedDatabase): Promise<boolean> {
  if ("restart" in database) {
    await database.restart();
    return true;
  }
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const { rowCount } = await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  await admin.end();
  return rowCount === 1;
}

function waitersOf({ workspaceId }: Scope): number {
  const { troupeListener } = globalThis as { troupeListener?: { waiters: Map<string, Set<unknown>> } };
  return troupeListener?.waiters.get(workspaceId)?.size ?? 0;
}

/** Numbers in [0, 1) that are the same in every run of the test. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
