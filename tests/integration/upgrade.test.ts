import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listBackups } from "@/server/backup/backups";
import { restoreBackup } from "@/server/backup/restore-backup";
import { startEmbeddedServer } from "@/server/launcher/embedded-server";
import { copyEmbeddedTemplate } from "@/tests/support/embedded-database";
import { LauncherProcess } from "@/tests/support/launcher-process";
import { root } from "@/tests/support/migrated";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const directory = mkdtempSync(join(tmpdir(), "troupe-upgrade-"));
const data = join(directory, "data");

beforeAll(async () => {
  const database = join(data, "database");
  mkdirSync(database, { recursive: true });
  await copyEmbeddedTemplate(database);
  const server = await startEmbeddedServer({ directory: database });
  await restoreBackup({
    path: join(root, "tests/fixtures/second-release.troupe-backup.gz"),
    name: "second-release",
    databaseUrl: server.url,
    continueRuns: true,
    forgetSecrets: false,
  });
  await server.stop();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const start = (env: Record<string, string> = {}) =>
  LauncherProcess.start({ directory, env: { DATABASE_URL: "", DEMO: "off", ...env } });

test("a database that cannot be backed up is not upgraded, and the sentence says what to do", async () => {
  // A file where the folder should be.
  writeFileSync(join(data, "backups"), "");
  const launcher = await start();
  expect(await launcher.exited).toBe(1);
  expect(launcher.output).toMatch(
    /Before the upgrade the database is backed up, and that failed: .* UPGRADE_BACKUP=off/,
  );
  rmSync(join(data, "backups"));
});

test("the start of a newer version backs up the old database, then migrates it", async () => {
  const launcher = await start();
  await launcher.ready();
  expect(launcher.output).toMatch(/Backed up the database before the upgrade: backups\/\S+-before-upgrade/);
  expect(launcher.output).toMatch(/Applied \d+ migration/);
  await launcher.stop();
  expect(await listBackups(data)).toMatchObject([
    { reason: "before-upgrade", migration: "20261122020000_main_job", problem: null },
  ]);
  const again = await start({ PORT: String(launcher.port) });
  await again.ready();
  expect(again.output).not.toMatch(/Backed up/);
  await again.stop();
});
