import { db, pool } from "@/server/db";
import { resumeRun } from "@/server/runs/service/control-run";
import type { DatabaseKind } from "@/tests/support/databases";
import { aTeam } from "@/tests/support/factories";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, endWorld, startRunOf, startTestWorker, until } from "./world";

const RUNS = 5;
const STEPS = 4;
const MOST_ATTEMPTS = 5;

/**
 * F12: a run ends every worker that executes it, and each time another worker is started. It is set aside as interrupted; its neighbours
 * end. It can be resumed.
 */
export async function poisonRun(kind: DatabaseKind): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: true });
  let worker: TestWorker | undefined;
  let isOver = false;
  let started = 0;
  const keepOneAtWork = async () => {
    while (!isOver) {
      worker = await startTestWorker(world, undefined, { mostAttempts: MOST_ATTEMPTS, mayEnd: true });
      started += 1;
      await worker.ended;
    }
  };
  const working = keepOneAtWork();
  try {
    const deadly = await aTeam(db(), world.scope.workspaceId, {
      supervisor: { tools: ["exit"], canSpawnAgents: false },
      agents: [],
    });
    const poison = await startRunOf(world, deadly, "[[tools=1]] poison");
    const runIds: string[] = [];
    for (let i = 0; i < RUNS; i++) runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] beside ${i}`));
    await until("the poison run to be set aside", async () => (await statusOf(poison)) === "interrupted");
    await answerUntilEnded(world, runIds);
    const verdict = await judge(world, runIds, {
      effects: RUNS * STEPS,
      mostRepeatedCalls: RUNS * (MOST_ATTEMPTS + 1),
    });
    const problems: string[] = [];
    if (started <= MOST_ATTEMPTS) problems.push(`only ${started} workers were started: nothing was tried`);
    await resumeRun({ scope: world.scope, runId: poison });
    if ((await statusOf(poison)) !== "running") problems.push("the run that was set aside was not resumed");
    return { ...verdict, problems: [...verdict.problems, ...problems] };
  } finally {
    isOver = true;
    await worker?.kill();
    await working.catch(() => {});
    await endWorld(world);
  }
}

async function statusOf(runId: string): Promise<string | undefined> {
  const { rows } = await pool().query<{ status: string }>("select status from runs where id = $1", [runId]);
  return rows[0]?.status;
}
