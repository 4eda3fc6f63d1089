import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeBackup } from "@/server/backup/backups";
import { restoreBackup } from "@/server/backup/restore-backup";
import { closeDb, pool } from "@/server/db";
import { type DatabaseKind, freshDatabase } from "@/tests/support/databases";
import { Gate } from "@/tests/support/gate";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import {
  answerUntilEnded,
  aWorld,
  countOf,
  endWorld,
  startRunOf,
  startTestWorker,
  switchDatabase,
  until,
  type World,
} from "./world";

const RUNS = 20;
const STEPS = 5;
const EFFECTS = RUNS * STEPS;
/** Both installations make the same calls, so nothing can be said of calls made again. */
const ANY_CALLS = { mostRepeatedCalls: Number.POSITIVE_INFINITY, mostLateCalls: Number.POSITIVE_INFINITY };

/**
 * F31: a backup is taken in the middle of 20 runs whose original goes on to its end. Restored elsewhere, its runs are over
 * or interrupted, and whoever works there sends nothing to the far side.
 */
export async function restoredBesideOriginal(kind: DatabaseKind): Promise<Verdict> {
  return withBackup(kind, { honoursKey: true, ended: false }, async ({ world, runIds, backup, worker }) => {
    await answerUntilEnded(world, runIds);
    const verdict = await judge(world, runIds, { effects: EFFECTS, ...ANY_CALLS });
    await worker.kill();
    const problems = await onceRestored(world, backup, { continueRuns: false }, async (atWork) => {
      const asked = requestsOf(world);
      await severalSweeps(atWork);
      return [
        ...(await lookAtInterrupted()),
        ...(requestsOf(world) === asked ? [] : ["interrupted runs sent effects"]),
      ];
    });
    return { ...verdict, problems: [...verdict.problems, ...problems] };
  });
}

const requestsOf = (world: World) => [...world.effects.requests().values()].reduce((sum, times) => sum + times, 0);

async function lookAtInterrupted(): Promise<string[]> {
  const problems: string[] = [];
  const interrupted = await countOf(
    "select count(*)::int as n from runs where status = 'interrupted' and status_reason like 'restored from a backup%'",
  );
  const ended = await countOf("select count(*)::int as n from runs where status = 'completed'");
  if (interrupted === 0) problems.push("no run was in flight: nothing was tried");
  if (interrupted + ended !== RUNS)
    problems.push(`${RUNS - interrupted - ended} runs are neither over nor interrupted`);
  const left = await countOf(
    "select count(*)::int as n from agent_runs where not is_terminal(status) and status <> 'interrupted'",
  );
  if (left > 0) problems.push(`${left} agent runs are neither over nor interrupted`);
  const gaps = await countOf(
    "select count(*)::int as n from runs r where r.last_seq <> (select count(*) from events e where e.run_id = r.id)",
  );
  if (gaps > 0) problems.push(`${gaps} runs have gaps in seq`);
  return problems;
}

/**
 * F31: everything of the original ends in the middle of 20 runs, and a backup of what it left goes on elsewhere. A far side
 * that honours keys does nothing twice; one that cannot tell is sent nothing again before a person was asked.
 */
export async function restoredAfterOriginal(kind: DatabaseKind, honoursKey: boolean): Promise<Verdict> {
  return withBackup(kind, { honoursKey, ended: true }, ({ world, runIds, backup }) =>
    onceRestored(world, backup, { continueRuns: true }, async () => {
      await answerUntilEnded(world, runIds);
      return judge(world, runIds, { effects: EFFECTS, ...ANY_CALLS });
    }),
  );
}

type Middle = { world: World; worker: TestWorker; runIds: string[]; backup: string };

async function withBackup(
  kind: DatabaseKind,
  { honoursKey, ended }: { honoursKey: boolean; ended: boolean },
  work: (middle: Middle) => Promise<Verdict>,
): Promise<Verdict> {
  const directory = mkdtempSync(join(tmpdir(), "troupe-restored-"));
  // No run ends before the backup is taken.
  const gate = new Gate();
  const world = await aWorld(kind, {
    honoursKey,
    latencyMs: 60,
    answersAfter: ({ step }) => (step > 2 ? gate.opened : undefined),
  });
  let worker: TestWorker | undefined;
  try {
    worker = await startTestWorker(world);
    const runIds: string[] = [];
    for (let i = 0; i < RUNS; i++) runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] restored ${i}`));
    await until("some work", async () => world.effects.applied().size >= EFFECTS * 0.3);
    if (ended) await worker.kill();
    const { name } = await takeBackup({
      databaseUrl: world.database.url,
      dataDirectory: directory,
      reason: "manual",
      secretsKey: null,
    });
    gate.open();
    return await work({ world, worker, runIds, backup: join(directory, "backups", name) });
  } finally {
    gate.open();
    await worker?.kill();
    await switchDatabase(world.database.url);
    await endWorld(world);
    rmSync(directory, { recursive: true });
  }
}

/** Restores into a database of its own and puts a worker to work on it. */
async function onceRestored<T>(
  world: World,
  path: string,
  { continueRuns }: { continueRuns: boolean },
  look: (worker: TestWorker) => Promise<T>,
): Promise<T> {
  const database = await freshDatabase(world.kind);
  let worker: TestWorker | undefined;
  try {
    await restoreBackup({ path, name: "b", databaseUrl: database.url, continueRuns, forgetSecrets: false });
    await switchDatabase(database.url);
    worker = await startTestWorker({ ...world, database });
    return await look(worker);
  } finally {
    await worker?.kill();
    await closeDb();
    await database.stop();
  }
}

/** Long enough for a worker to take over whatever it thinks is its own: it does so with its heartbeat. */
async function severalSweeps(worker: TestWorker): Promise<void> {
  const beats = new Set<string>();
  await until("several sweeps", async () => {
    if (worker.process.exitCode !== null) throw new Error("the worker ended");
    const { rows } = await pool().query<{ beat: string }>("select max(beat_at)::text as beat from workers");
    if (rows[0]?.beat) beats.add(rows[0].beat);
    return beats.size >= 4;
  });
}
