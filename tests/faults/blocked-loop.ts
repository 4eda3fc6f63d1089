import { db } from "@/server/db";
import type { DatabaseKind } from "@/tests/support/databases";
import { aTeam } from "@/tests/support/factories";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, countOf, endWorld, startRunOf, startTestWorker, until } from "./world";

const RUNS = 10;
const STEPS = 5;

/**
 * F36: a tool computes and lets nothing else happen in its worker, for 2 s (`block`) or for 5 (`freeze`), while another worker stands by.
 * For less than the 3 s after which a silent worker is dead nothing is taken over, unless the machine itself is late; for more it is, and
 * whoever blocks the worker that took it over finds it again later. Nothing is done twice in either case, and every run ends.
 */
export async function blockedLoop(kind: DatabaseKind, tool: "block" | "freeze"): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: true, latencyMs: 40 });
  const workers: TestWorker[] = [];
  try {
    workers.push(await startTestWorker(world));
    const blocking = await aTeam(db(), world.scope.workspaceId, {
      supervisor: { tools: [tool], canSpawnAgents: false },
      agents: [],
    });
    const runIds: string[] = [];
    for (let i = 0; i < RUNS; i++) runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] beside ${i}`));
    await until("some work", async () => world.effects.applied().size >= RUNS);
    const blocker = await startRunOf(world, blocking, "[[tools=1]] in the way");
    workers.push(await startTestWorker(world));
    await answerUntilEnded(world, [...runIds, blocker]);
    const verdict = await judge(world, [...runIds, blocker], {
      effects: RUNS * STEPS,
      // Each may be taken over as often as the tool blocks a worker for too long.
      mostRepeatedCalls: 4 * RUNS,
      mostLateCalls: 2 * RUNS,
    });
    const blockedMs = await countOf(
      `select (extract(epoch from finished_at - started_at) * 1000)::int as n from steps
       where run_id = $1 and name = $2 and status = 'completed'`,
      [blocker, tool],
    );
    const leastMs = tool === "block" ? 2_000 : 5_000;
    const problems = blockedMs < leastMs - 50 ? [`the tool took ${blockedMs} ms: nothing was blocked`] : [];
    return { ...verdict, problems: [...verdict.problems, ...problems] };
  } finally {
    for (const worker of workers) await worker.kill();
    await endWorld(world);
  }
}
