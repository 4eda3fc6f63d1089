import type { FaultPoint } from "@/server/engine/resources";
import type { DatabaseKind } from "@/tests/support/databases";
import { judge, type Verdict } from "./invariants";
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

/**
 * F1: a worker is killed at each boundary of a step, in a single agent (S1) and in a supervisor with children (S2);
 * another takes over and the run ends as if nothing had happened.
 */
export async function killAtBoundaries(
  kind: DatabaseKind,
  report: (name: string, verdict: Verdict) => void,
): Promise<void> {
  for (const honoursKey of [true, false]) {
    const world = await aWorld(kind, { honoursKey });
    try {
      // One after the other in one world: the counts of far side and model are of all runs so far.
      const runIds: string[] = [];
      let effects = 0;
      let kills = 0;
      for (const point of POINTS) {
        for (const shape of ["s1", "s2"] as const) {
          // Runs whose far side tells nothing are only interesting where an effect is in flight.
          if (!honoursKey && point !== "after-intent" && point !== "after-effect") continue;
          const tag = `${point}-${shape}-${honoursKey ? "keyed" : "unkeyed"}`;
          const team = shape === "s1" ? world.solo : world.team;
          const marker = shape === "s1" ? `[[tools=${STEPS}]]` : `[[delegate=${CHILDREN};tools=${STEPS}]]`;
          const doomed = await startTestWorker(world, { point, nth: point === "before-final" ? 1 : 2 });
          const runId = await startRunOf(world, team, `${marker} ${tag}`);
          await doomed.ended;
          const heir = await startTestWorker(world);
          runIds.push(runId);
          effects += shape === "s1" ? STEPS : CHILDREN * STEPS;
          kills += 1;
          await answerUntilEnded(world, runIds);
          await heir.kill();
          // Every agent of the killed worker may have had one call in flight.
          report(`boundary ${tag}`, await judge(world, runIds, { effects, mostRepeatedCalls: kills * (1 + CHILDREN) }));
        }
      }
    } finally {
      await endWorld(world);
    }
  }
}
