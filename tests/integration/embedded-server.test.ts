import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type EmbeddedServer, startEmbeddedServer } from "@/server/launcher/embedded-server";
import { message, query, SYNC } from "@/server/launcher/wire-messages";
import { bind, execute, flush, parse, RawPostgresClient } from "@/tests/support/raw-postgres-client";

const IDLE_LIMIT_MS = 1_000;
let server: EmbeddedServer;
const open: pg.Client[] = [];

beforeAll(async () => {
  server = await startEmbeddedServer({ idleInTransactionMs: IDLE_LIMIT_MS });
});
afterAll(() => server.stop());
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.end()));
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(server.url);
  client.on("error", () => {});
  await client.connect();
  open.push(client);
  return client;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen: ${condition}`);
    await delay(5);
  }
}

const destroySocket = (client: pg.Client) => {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  stream.destroy();
};

test("thirty clients mixing transactions, statements, notifications, errors and disconnects each read only their own", async () => {
  const setup = await connect();
  await setup.query("CREATE TABLE mixed (client int, n int, note text)");
  const heard: string[] = [];
  setup.on("notification", ({ channel, payload }) => heard.push(`${channel}:${payload}`));
  await setup.query("LISTEN mixed");
  const CLIENTS = 30;
  const ROUNDS = 24;
  const kept = new Map<number, number>();

  async function work(id: number): Promise<void> {
    let client = await connect();
    let committed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      switch ((id + round) % 6) {
        case 0: {
          await client.query("BEGIN");
          await client.query("INSERT INTO mixed VALUES ($1, $2, 'transaction')", [id, round]);
          const own = await client.query("SELECT count(*)::int AS n FROM mixed WHERE client = $1", [id]);
          expect(own.rows[0].n).toBe(committed + 1);
          await client.query("COMMIT");
          committed += 1;
          break;
        }
        case 1: {
          // The same statement name everywhere, with another meaning in each client.
          const named = await client.query({
            name: "same",
            text: `SELECT ${id} AS me, $1::int AS round`,
            values: [round],
          });
          expect(named.rows).toEqual([{ me: id, round }]);
          break;
        }
        case 2: {
          await client.query("BEGIN");
          await client.query("INSERT INTO mixed VALUES ($1, $2, 'undone')", [id, round]);
          await expect(client.query("SELECT 1 / $1::int", [0])).rejects.toMatchObject({ code: "22012" });
          await expect(client.query("SELECT 1")).rejects.toMatchObject({ code: "25P02" });
          await client.query("ROLLBACK");
          break;
        }
        case 3: {
          await expect(client.query(`SELECT missing_${id}`)).rejects.toThrow(`missing_${id}`);
          await expect(client.query("SELECT $1::int", ["no number"])).rejects.toMatchObject({ code: "22P02" });
          break;
        }
        case 4: {
          await client.query("INSERT INTO mixed VALUES ($1, $2, 'single')", [id, round]);
          committed += 1;
          await client.query("SELECT pg_notify('mixed', $1)", [`${id}.${round}`]);
          break;
        }
        case 5: {
          await client.query("BEGIN");
          await client.query("INSERT INTO mixed VALUES ($1, $2, 'lost')", [id, round]);
          destroySocket(client);
          client = await connect();
          const own = await client.query("SELECT count(*)::int AS n FROM mixed WHERE client = $1", [id]);
          expect(own.rows[0].n).toBe(committed);
          break;
        }
      }
    }
    kept.set(id, committed);
  }

  await Promise.all(Array.from({ length: CLIENTS }, (_, id) => work(id)));
  const rows = await setup.query("SELECT client, count(*)::int AS n FROM mixed GROUP BY client");
  expect(new Map(rows.rows.map((row) => [row.client, row.n]))).toEqual(kept);
  await until(() => heard.length === (CLIENTS * ROUNDS) / 6);
  expect(new Set(heard).size).toBe((CLIENTS * ROUNDS) / 6);
});

test("a socket killed inside a transaction rolls it back and frees the backend", async () => {
  const [dying, other] = [await connect(), await connect()];
  await other.query("CREATE TABLE killed (n int)");
  await dying.query("BEGIN");
  await dying.query("INSERT INTO killed VALUES (1)");
  const waiting = other.query("SELECT count(*)::int AS n FROM killed");
  destroySocket(dying);
  expect((await waiting).rows).toEqual([{ n: 0 }]);
});

test("a client waits while another is inside a transaction and then sees what it committed", async () => {
  const [writer, reader] = [await connect(), await connect()];
  await writer.query("CREATE TABLE turns (n int)");
  await writer.query("BEGIN");
  const read = reader.query("SELECT count(*)::int AS n FROM turns");
  await writer.query("INSERT INTO turns VALUES (1)");
  await writer.query("COMMIT");
  expect((await read).rows).toEqual([{ n: 1 }]);
});

test("a client that goes quiet inside a transaction is cut off as soon as others have waited long enough", async () => {
  const [quiet, other] = [await connect(), await connect()];
  const ended = new Promise<Error>((resolve) => quiet.once("error", resolve));
  await quiet.query("BEGIN");
  const started = Date.now();
  await other.query("SELECT 1");
  expect(Date.now() - started).toBeLessThan(IDLE_LIMIT_MS + 2_000);
  expect((await ended).message).toMatch(/idle in a transaction|terminated/);
});

test("a transaction nobody waits for may be idle for longer than the limit", async () => {
  const alone = await connect();
  await alone.query("BEGIN");
  await delay(IDLE_LIMIT_MS * 1.5);
  await alone.query("COMMIT");
});

test("half a batch without its Sync holds nobody up", async () => {
  const raw = await RawPostgresClient.connect(server.url);
  raw.send(parse("", "SELECT 1"), bind(""));
  const other = await connect();
  expect((await other.query("SELECT 2 AS two")).rows).toEqual([{ two: 2 }]);
  raw.send(execute(), SYNC);
  await raw.sees(/^D/);
  raw.socket.destroy();
});

test("an error behind a Flush holds nobody up even if the Sync never comes", async () => {
  const raw = await RawPostgresClient.connect(server.url);
  raw.send(parse("", "SELECT nothing_here"), flush());
  await raw.sees(/^E.*nothing_here/s);
  const other = await connect();
  expect((await other.query("SELECT 2 AS two")).rows).toEqual([{ two: 2 }]);
  // Until its Sync the client is ignored, as Postgres does; then it is served again.
  raw.send(parse("", "SELECT 3"), flush(), SYNC);
  await raw.sees(/^ZI/);
  expect(raw.received.filter((one) => one.startsWith("1"))).toEqual([]);
  raw.send(query("SELECT 4"));
  await raw.sees(/^C/);
  raw.socket.destroy();
});

test("the unnamed statement of one client survives the queries of others", async () => {
  const [one, two] = [await RawPostgresClient.connect(server.url), await RawPostgresClient.connect(server.url)];
  one.send(parse("", "SELECT 'first'"), SYNC);
  await one.sees(/^Z/);
  two.send(parse("", "SELECT 'second'"), SYNC);
  await two.sees(/^Z/);
  one.received.length = 0;
  one.send(bind(""), execute(), SYNC);
  await one.sees(/^Z/);
  expect(one.received.map((received) => received[0])).toEqual(["2", "D", "C", "Z"]);
  expect(one.received[1]).toContain("first");
  one.socket.destroy();
  two.socket.destroy();
});

test("a client that says goodbye right after its query still has it executed", async () => {
  const raw = await RawPostgresClient.connect(server.url);
  const other = await connect();
  await other.query("CREATE TABLE goodbye (n int)");
  await other.query("BEGIN");
  raw.send(query("INSERT INTO goodbye VALUES (1)"), Buffer.from([0x58, 0, 0, 0, 4]));
  await other.query("COMMIT");
  await until(() => raw.closed);
  expect((await other.query("SELECT n FROM goodbye")).rows).toEqual([{ n: 1 }]);
});

test("notifications reach every listener once, name the notifier, and stop only for who unlistens", async () => {
  const [one, two, sender] = [await connect(), await connect(), await connect()];
  const heard: string[] = [];
  one.on("notification", ({ payload }) => heard.push(`one ${payload}`));
  two.on("notification", ({ payload, processId }) => {
    heard.push(`two ${payload}`);
    expect(processId).toBe((sender as unknown as { processID: number }).processID);
  });
  await one.query('LISTEN "Mixed case"');
  await two.query('LISTEN "Mixed case"');
  await sender.query(`NOTIFY "Mixed case", 'a'`);
  await until(() => heard.length === 2);
  await one.query("UNLISTEN *");
  await sender.query(`NOTIFY "Mixed case", 'b'`);
  await until(() => heard.length === 3);
  expect(heard.sort()).toEqual(["one a", "two a", "two b"]);
});

test("a LISTEN that was rolled back hears nothing", async () => {
  const [undone, listener] = [await connect(), await connect()];
  const heard: string[] = [];
  undone.on("notification", () => heard.push("undone"));
  listener.on("notification", () => heard.push("listener"));
  await undone.query("BEGIN");
  await undone.query("LISTEN undone");
  await undone.query("ROLLBACK");
  await listener.query("LISTEN undone");
  await listener.query("NOTIFY undone");
  await until(() => heard.length > 0);
  await undone.query("SELECT 1");
  expect(heard).toEqual(["listener"]);
});

test("COPY FROM STDIN is refused as an SQL error and the server lives on", async () => {
  const client = await connect();
  await client.query("CREATE TABLE copied (n int)");
  for (const sql of [
    "/* load */ COPY copied FROM STDIN",
    "COPY copied FROM/**/stdin",
    "SELECT 1; copy copied (n)\nfrom stdin",
  ]) {
    await expect(client.query(sql)).rejects.toMatchObject({ code: "0A000" });
  }
  expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("a message of an unknown type ends only its own connection", async () => {
  const raw = await RawPostgresClient.connect(server.url);
  raw.send(message(0x7a));
  await raw.sees(/^E.*08P01/s);
  await until(() => raw.closed);
  const other = await connect();
  expect((await other.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("a parameter and an answer of 16 MB pass unharmed", async () => {
  const client = await connect();
  const text = "ä€😀".repeat(1_800_000);
  const { rows } = await client.query("SELECT $1::text AS text, md5($1::text) = md5($2::text) AS same", [text, text]);
  expect(rows[0].text === text).toBe(true);
  expect(rows[0].same).toBe(true);
});

test("vectors work", async () => {
  const client = await connect();
  expect((await client.query("SELECT '[1,2]'::vector <-> '[1,4]'::vector AS distance")).rows).toEqual([
    { distance: 2 },
  ]);
});
