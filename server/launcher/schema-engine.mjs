#!/usr/bin/env node
// Prisma "schema engine" for machines that cannot download the native one.
// The Prisma CLI spawns PRISMA_SCHEMA_ENGINE_BINARY and speaks line-delimited
// JSON-RPC with it. This script answers with Prisma's own WASM build of the
// same engine (@prisma/schema-engine-wasm, same engine commit as the CLI) on
// top of Prisma's own driver adapter (@prisma/adapter-pg).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { PrismaPGlite } from "pglite-prisma-adapter";

// @prisma/adapter-pg 7.10 rejects the internal "char" type (oid 18) that the
// engine's own catalogue queries return; hand it over as a Character column.
function withInternalChar(conn) {
  const { queryRaw } = Object.getPrototypeOf(conn);
  conn.queryRaw = async function (query) {
    const chars = [];
    const self = Object.create(this);
    self.performIO = async (q) => {
      const res = await conn.performIO(q);
      res.fields.forEach((f, i) => {
        if (f.dataTypeID === 18) {
          chars.push(i);
          f.dataTypeID = 25;
        }
      });
      return res;
    };
    const set = await queryRaw.call(self, query);
    for (const i of chars) set.columnTypes[i] = ColumnTypeEnum.Character;
    return set;
  };
  return withWholeScripts(conn, (script) => conn.client.query(script));
}

// Both adapters mis-handle migration files: adapter-pg splits them at every
// ";" (breaking functions, DO blocks and literals, and losing atomicity),
// pglite-prisma-adapter does not await. Send the whole file, like the native
// engine: one simple query, hence one implicit transaction.
function withWholeScripts(conn, exec) {
  conn.executeScript = async (script) => {
    try {
      await exec(script);
    } catch (e) {
      conn.onError(e);
    }
  };
  return conn;
}

const require = createRequire(import.meta.url);
const args = process.argv.slice(2);
const opt = (n) => {
  const i = args.indexOf(n);
  return i < 0 ? undefined : args[i + 1];
};
const all = (n) => args.flatMap((a, i) => (a === n ? [args[i + 1]] : []));

if (args.includes("--version") || args[0] === "-V") {
  console.log(`schema-engine-cli ${require("@prisma/engines-version").enginesVersion} (wasm)`);
  process.exit(0);
}
const ds = JSON.parse(opt("--datasource") ?? "{}");
const url = ds.url ?? process.env.DATABASE_URL;

// --- `schema-engine cli can-connect-to-database | create-database | drop-database`
const cliAt = args.indexOf("cli");
if (cliAt >= 0) {
  const fail = (code, message) => {
    // the CLI skips the first stderr line and parses the rest as JSON
    console.error(JSON.stringify({ level: "INFO", fields: { message: "wasm" }, target: "schema_engine" }));
    console.error(
      JSON.stringify({ level: "ERROR", target: "schema_engine::logger", fields: { error_code: code, message } }),
    );
    process.exit(1);
  };
  const admin = async (fn) => {
    const u = new URL(url);
    const name = decodeURIComponent(u.pathname.slice(1));
    u.pathname = "/postgres";
    const c = new pg.Client({ connectionString: u.href });
    await c.connect();
    try {
      await fn(c, pg.escapeIdentifier(name));
    } finally {
      await c.end();
    }
  };
  try {
    const cmd = args[cliAt + 1];
    if (cmd === "create-database") await admin((c, n) => c.query(`CREATE DATABASE ${n}`));
    else if (cmd === "drop-database") await admin((c, n) => c.query(`DROP DATABASE IF EXISTS ${n}`));
    else {
      const c = new pg.Client({ connectionString: url });
      await c.connect();
      await c.query("SELECT 1");
      await c.end();
    }
    process.exit(0);
  } catch (e) {
    if (e.code === "3D000") fail("P1003", e.message);
    if (e.code === "42P04") fail("P1009", e.message);
    if (e.code === "28P01") fail("P1000", e.message);
    fail("P1001", `Can't reach database server: ${e.message}`);
  }
}

// --- JSON-RPC mode
async function loadEngine() {
  const bg = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const file = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/\.js$/, ".wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { "./schema_engine_bg.js": bg });
  bg.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bg;
}

function factory() {
  const main = new PrismaPg({ connectionString: url ?? "postgresql://localhost:1/none", max: 1 });
  return {
    provider: "postgres",
    adapterName: main.adapterName,
    connect: async () => withInternalChar(await main.connect()),
    // The shadow database is a throw-away in-memory PGlite with pgvector, so
    // `migrate dev`/`migrate diff` need no CREATE DATABASE right on the server.
    connectToShadowDb: async () => {
      if (ds.shadowDatabaseUrl)
        return withInternalChar(await new PrismaPg({ connectionString: ds.shadowDatabaseUrl, max: 1 }).connect());
      const db = await PGlite.create({ extensions: { vector } });
      return withWholeScripts(await new PrismaPGlite(db).connect(), (script) => db.exec(script));
    },
  };
}

// The WASM build reports a panic through this global; without it the panic itself would fail.
globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => process.stderr.write(`${message}\n`) };

let enginePromise;
const engine = () =>
  (enginePromise ??= (async () => {
    const bg = await loadEngine();
    const datamodels = all("--datamodels").map((p) => [p, readFileSync(p, "utf8")]);
    return bg.SchemaEngine.new(
      { datamodels: datamodels.length ? datamodels : undefined },
      (log) => {
        if (process.env.DEBUG?.includes("prisma")) process.stderr.write(`${String(log)}\n`);
      },
      bindMigrationAwareSqlAdapterFactory(factory()),
    );
  })());

const rename = { getDatabaseVersion: "version" };
const rl = createInterface({ input: process.stdin });
rl.on("close", () => process.exit(0));
let chain = Promise.resolve();
rl.on("line", (line) => {
  if (!line.trim()) return;
  const req = JSON.parse(line);
  if (!req.method) return; // the CLI's acknowledgement of a notification
  chain = chain.then(async () => {
    const reply = (o) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: req.id, ...o })}\n`);
    try {
      const e = await engine();
      const fn = e[rename[req.method] ?? req.method];
      if (!fn) return reply({ error: { code: -32601, message: `Method not found: ${req.method}` } });
      const result = await fn.call(e, req.params);
      // the native engine reports `diff` output as a "print" notification
      if (req.method === "diff" && result?.stdout) {
        process.stdout.write(
          `${JSON.stringify({ jsonrpc: "2.0", method: "print", params: { content: result.stdout }, id: 1e6 })}\n`,
        );
      }
      reply({ result: result ?? null });
    } catch (err) {
      const code = err?.code ?? err?.error_code;
      if (process.env.DEBUG) console.error(err);
      reply({
        error: {
          code: 4466,
          message: "An error happened. Check the data field for details.",
          data: {
            is_panic: false,
            message: err?.message ?? String(err),
            meta: err?.meta ?? {},
            error_code: code ?? null,
          },
        },
      });
    }
  });
});
