import type { FaultPoint } from "@/server/engine/resources";
import type { DatabaseKind } from "@/tests/support/databases";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, endWorld, startRunOf, startTestWorker } from "./world";

const POINTS: FaultPoint[] = [
  "before-model",
  "after-model",
  "after-intent",
  "after-effect",
  "after-result",
  "before-final",
];
const STEPS = 3;
const CHILDREN = 2;

/** A single agent, or a supervisor with children. */
export type Shape = "s1" | "s2";

/**
 * F1: a worker is killed at each boundary of a step; another takes over and the run ends as if nothing had happened.
 * The one that took over is the next to be killed.
 */
export async function killAtBoundaries(
  kind: DatabaseKind,
  { honoursKey, shape }: { honoursKey: boolean; shape: Shape },
  report: (name: string, verdict: Verdict) => void,
): Promise<void> {
  const world = await aWorld(kind, { honoursKey });
  // Runs whose far side tells nothing are only interesting where an effect is in flight.
  const points = honoursKey ? POINTS : POINTS.filter((point) => point === "after-intent" || point === "after-effect");
  const team = shape === "s1" ? world.solo : world.team;
  const marker = shape === "s1" ? `[[tools=${STEPS}]]` : `[[delegate=${CHILDREN};tools=${STEPS}]]`;
  let worker: TestWorker | undefined;
  try {
    // One after the other in one world: the counts of far side and model are of all runs so far.
    const runIds: string[] = [];
    for (const point of points) {
      const tag = `${point}-${shape}-${honoursKey ? "keyed" : "unkeyed"}`;
      const killAt = { point, nth: point === "before-final" ? 1 : 2 };
      const doomed: TestWorker = worker ?? (await startTestWorker(world, killAt));
      if (worker) await worker.arm(killAt);
      runIds.push(await startRunOf(world, team, `${marker} ${tag}`));
      await doomed.ended;
      worker = await startTestWorker(world);
      await answerUntilEnded(world, runIds);
      const effects = runIds.length * (shape === "s1" ? STEPS : CHILDREN * STEPS);
      // Every agent of each killed worker may have had one call in flight.
      const mostRepeatedCalls = runIds.length * (shape === "s1" ? 1 : 1 + CHILDREN);
      report(`boundary ${tag}`, await judge(world, runIds, { effects, mostRepeatedCalls }));
    }
  } finally {
    await worker?.kill();
    await endWorld(world);
  }
}
