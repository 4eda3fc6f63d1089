import { crashDatabase } from "@/tests/support/crash-database";
import type { DatabaseKind } from "@/tests/support/databases";
import { seededRandom } from "@/tests/support/seeded-random";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerOpen, answerUntilEnded, aWorld, endWorld, startRunOf, startTestWorker, until } from "./world";

export type KillLoop = {
  seed: number;
  runs: number;
  steps: number;
  kills: number;
  honoursKey: boolean;
  children: number;
  /** Also kill the database process, as when the whole machine's processes are killed. */
  everything: boolean;
};

/** F2: workers are killed at random moments while many runs are under way; each time another takes over. */
export async function killLoop(kind: DatabaseKind, loop: KillLoop): Promise<Verdict> {
  const random = seededRandom(loop.seed);
  const world = await aWorld(kind, { honoursKey: loop.honoursKey });
  let worker: TestWorker | undefined;
  try {
    worker = await startTestWorker(world);
    const marker = loop.children ? `[[delegate=${loop.children};tools=${loop.steps}]]` : `[[tools=${loop.steps}]]`;
    const team = loop.children ? world.team : world.solo;
    const runIds: string[] = [];
    for (let i = 0; i < loop.runs; i++) {
      runIds.push(await startRunOf(world, team, `${marker} seed ${loop.seed} run ${i} ${loop.honoursKey}`));
    }
    const perRun = loop.steps * Math.max(1, loop.children);
    const effects = loop.runs * perRun;
    for (let kill = 0; kill < loop.kills; kill++) {
      // A random share of the work is done before each kill, so that kills land in the middle of things.
      const share = (kill + 0.2 + random() * 0.6) / (loop.kills + 0.5);
      await until("some work", async () => {
        await answerOpen(world);
        return world.effects.applied().size >= Math.floor(effects * share);
      });
      await new Promise((resolve) => setTimeout(resolve, random() * 40));
      await Promise.all([worker.kill(), loop.everything ? crashDatabase(world.database) : undefined]);
      worker = await startTestWorker(world);
    }
    await answerUntilEnded(world, runIds);
    await worker.kill();
    // Every agent at work may have had one call in flight at each kill.
    const inFlight = loop.runs * (1 + loop.children) * loop.kills;
    return await judge(world, runIds, { effects, mostRepeatedCalls: inFlight });
  } finally {
    await worker?.kill();
    await endWorld(world);
  }
}
