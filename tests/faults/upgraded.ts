import { join } from "node:path";
import { restoreBackup } from "@/server/backup/restore-backup";
import { closeDb, pool } from "@/server/db";
import { answerRequest } from "@/server/requests/service/answer";
import { provenWorkspace, type Scope } from "@/server/workspaces/scope";
import type { DatabaseKind } from "@/tests/support/databases";
import { migrate, root } from "@/tests/support/migrated";
import type { Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerOpen, aWorld, countOf, endWorld, startTestWorker, until, type World } from "./world";

/** Databases as older releases left them, their worker killed in the middle of its runs; see tests/fixtures/README.md. */
export const RELEASES = ["first-release", "second-release", "third-release"] as const;
/** Three runs of five effects, two of two children with three each, one done before. */
const EFFECTS = 28;

/** F29: a database with runs in flight is brought up to date, and they go on: what was recorded is not done again. */
export async function upgraded(kind: DatabaseKind, release: (typeof RELEASES)[number]): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: true });
  let worker: TestWorker | undefined;
  try {
    await closeDb();
    await restoreBackup({
      path: join(root, `tests/fixtures/${release}.troupe-backup.gz`),
      name: release,
      databaseUrl: world.database.url,
      continueRuns: true,
      forgetSecrets: false,
    });
    await migrate(world.database.url);
    const recorded = await settledEffects();
    const before = await countOf("select count(*)::int as n from runs where status = 'completed'");
    worker = await startTestWorker(world);
    await endAll({ ...world, scope: await somebody() });
    return await verdictOf(world, recorded, before);
  } finally {
    await worker?.kill();
    await endWorld(world);
  }
}

/** The effects whose outcome the old release had recorded, as the far side names them: an agent run's are counted from 0. */
async function settledEffects(): Promise<string[]> {
  const { rows } = await pool().query<{ effect: string }>(
    `select effect from (
       select agent_run_id || '/' || (row_number() over (partition by agent_run_id order by position) - 1) as effect, status
       from effects) counted
     where status <> 'intended'`,
  );
  return rows.map(({ effect }) => effect);
}

async function somebody(): Promise<Scope> {
  const { rows } = await pool().query<{ workspace_id: string; user_id: string; name: string }>(
    "select m.workspace_id, m.user_id, u.name from members m join users u on u.id = m.user_id where m.role = 'owner'",
  );
  const [owner] = rows;
  if (!owner) throw new Error("the old database has no owner");
  return {
    workspaceId: provenWorkspace(owner.workspace_id),
    userId: owner.user_id,
    userName: owner.name,
    role: "owner",
  };
}

async function endAll(world: World): Promise<void> {
  await until("the end of all runs", async () => {
    await answerOpen(world);
    const { rows } = await pool().query<{ id: string }>(
      "select id from human_requests where status = 'open' and kind = 'question'",
    );
    for (const { id } of rows) await answerRequest({ scope: world.scope, input: { requestId: id, answer: "Go on." } });
    return (await countOf("select count(*)::int as n from runs where status <> 'completed'")) === 0;
  });
}

async function verdictOf({ effects }: World, recorded: readonly string[], before: number): Promise<Verdict> {
  const problems: string[] = [];
  const runs = await countOf("select count(*)::int as n from runs");
  const finished = await countOf("select count(*)::int as n from runs where status = 'completed'");
  const again = recorded.filter((effect) => effects.requests().has(effect));
  const effectsTwice = again.length + [...effects.applied().values()].filter((times) => times > 1).length;
  const effectsMissing = EFFECTS - new Set([...recorded, ...effects.applied().keys()]).size;
  const gaps = await countOf(
    "select count(*)::int as n from runs r where r.last_seq <> (select count(*) from events e where e.run_id = r.id)",
  );
  if (before === 0 || before === runs) problems.push("nothing was in flight, or nothing had ended: nothing was tried");
  if (recorded.length === 0) problems.push("no effect was recorded before: nothing was tried");
  if (finished !== runs) problems.push(`${finished} of ${runs} runs finished`);
  if (effectsTwice > 0) problems.push(`${effectsTwice} effects took place twice: ${again.join(" ")}`);
  if (effectsMissing !== 0) problems.push(`${effectsMissing} effects are missing`);
  if (gaps > 0) problems.push(`${gaps} runs have gaps in seq`);
  return { finished, runs, effectsTwice, effectsMissing, requestsTwice: 0, repeatedModelCalls: 0, problems };
}
