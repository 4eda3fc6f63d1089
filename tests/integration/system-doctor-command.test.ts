import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Check, type CheckId, type Report, report as reportSchema } from "@/server/system/schema";
import { bundled } from "../support/bundled";
import { freshEmbeddedDatabase } from "../support/embedded-database";
import { root } from "../support/migrated";

// Each look is a process of its own, and opening the embedded database takes a while on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const KEY = "a secrets key that must never be printed anywhere";
let dataDirectory: string;
let database: Awaited<ReturnType<typeof freshEmbeddedDatabase>>;
beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), "troupe-doctor-"));
  writeFileSync(join(dataDirectory, "secrets-key"), `${KEY}\n`, { mode: 0o600 });
  mkdirSync(join(dataDirectory, "database"), { mode: 0o700 });
  database = await freshEmbeddedDatabase({ directory: join(dataDirectory, "database") });
});
afterAll(async () => {
  await database?.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const asUsersDo = ["--import", "tsx", "server/launcher/doctor.ts"];

async function doctor(args: string[], env: Record<string, string> = {}, program?: string[]) {
  const child = spawn(process.execPath, [...(program ?? [await bundled("server/launcher/doctor.ts")]), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, DATABASE_URL: "", SECRETS_KEY: "", DATA_DIR: dataDirectory, ...env },
  });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  expect(output).not.toContain(KEY);
  return { code, output };
}

function checkOf(report: Report, id: CheckId): Check {
  const found = report.checks.find((check) => check.id === id);
  if (!found) throw new Error(`no check ${id}`);
  return found;
}

test("the doctor looks at the embedded database while it runs, and while it is stopped", async () => {
  const running = await doctor(["--json"]);
  const first = reportSchema.parse(JSON.parse(running.output));
  expect(checkOf(first, "database").facts[0]).toEqual({ label: "Kind", value: "embedded" });
  expect(checkOf(first, "versions").state).toBe("ok");
  // The database is there, so Troupe should be at work.
  expect(checkOf(first, "workers").state).toBe("problem");
  expect(running.code).toBe(1);

  await database.kill();
  const stopped = await doctor(["--json"]);
  const second = reportSchema.parse(JSON.parse(stopped.output));
  expect(checkOf(second, "versions").state).toBe("ok");
  expect(checkOf(second, "workers")).toMatchObject({
    state: "unknown",
    says: "Troupe is not running, so no worker is.",
  });
  expect(stopped.code).toBe(second.state === "problem" ? 1 : 0);
});

test("the doctor says in words what is wrong with a database it cannot reach, and ends with 1", async () => {
  const env = { DATABASE_URL: "postgresql://troupe:hunter2hunter2@127.0.0.1:1/troupe" };
  const { code, output } = await doctor([], env, asUsersDo);
  expect(code).toBe(1);
  expect(output).toMatch(/✗ problem\s+Database\s+Cannot reach the database at 127\.0\.0\.1:1/);
  expect(output).toMatch(/\? unknown\s+Workers/);
  expect(output).toMatch(/^1 problem, \d warnings?\.$/m);
  expect(output).not.toContain("hunter2");
});
