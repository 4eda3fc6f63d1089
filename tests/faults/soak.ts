import { parseArgs } from "node:util";
import setup, { DATABASE_KINDS, type DatabaseKind } from "@/tests/support/databases";
import { judge } from "./invariants";
import { Product } from "./product";
import { compareQuarters, type Sample, sample } from "./soak-figures";
import { SoakLoad } from "./soak-load";
import { watchWorkers } from "./taken-for-dead";
import { endSpareWorker, type TestWorker } from "./test-worker";
import { countOf, startTestWorker } from "./world";

/**
 * npm run test:soak -- [--minutes 30] [--at-once 8] [--database embedded|postgres]
 *
 * F37: a web server and two workers carry out runs of every kind for half an hour. No run is lost, nothing is done twice, and whatever
 * should be level is: memory, handles, listeners, connections, rows of what is under way, the room a run takes.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    "at-once": { type: "string", default: "8" },
    database: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const SAMPLES = 60;
const kind = (values.database as DatabaseKind | undefined) ?? DATABASE_KINDS.at(-1) ?? "embedded";

/** Rows only of what is under way: none are left by what has ended. */
const PASSING = ["live_texts", "call_slots", "reservations", "dead_letters"];

const cleanUp = setup();
const product = await Product.open(kind);
const workers: TestWorker[] = [await startTestWorker(product.world), await startTestWorker(product.world)];
const wereTakenForDead = await watchWorkers();
const load = new SoakLoad(product);
const samples: Sample[] = [];
const problems: string[] = [];
try {
  const work = load.keepGoing(Number(values["at-once"]));
  // Shown by whoever waits for it, in the end.
  let failure: unknown;
  work.catch((error: unknown) => {
    failure = error;
  });
  const startedAt = Date.now();
  for (let n = 1; n <= SAMPLES && !failure; n++) {
    const next = startedAt + (n * minutes * 60_000) / SAMPLES;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
    samples.push(await sample(product, workers, load.ended));
    if (n % 6 === 0) console.error(`${n / 6} tenths: ${load.ended} runs ended; ${describe(samples.at(-1))}`);
  }
  load.end();
  await work;
  problems.push(...(await judgeEverything()));
} finally {
  await Promise.all(workers.map((worker) => worker.kill()));
  await endSpareWorker();
  await product.close();
  await cleanUp();
}
for (const problem of problems) console.error(`FAIL ${problem}`);
process.exit(problems.length ? 1 : 0);

async function judgeEverything(): Promise<string[]> {
  const found = [...load.problems];
  // On a machine that is too late for heartbeats runs change hands, as they should.
  const mostRepeatedCalls = (await wereTakenForDead()) ? Number.POSITIVE_INFINITY : load.paused;
  const verdict = await judge(product.world, load.answered, { effects: load.effects, mostRepeatedCalls });
  console.log(
    `${verdict.finished}/${verdict.runs} finished, ${load.others.length} others ended, ${verdict.effectsTwice} effects twice, ${verdict.effectsMissing} missing, ${verdict.repeatedModelCalls} model calls repeated`,
  );
  found.push(...verdict.problems, ...(await product.problems()));
  for (const table of PASSING) {
    const left = await countOf(`select count(*)::int as n from ${table}`);
    if (left > 0) found.push(`${left} rows are left in ${table}`);
  }
  for (const { name, before, after, isRising } of compareQuarters(samples)) {
    console.log(`${name}: ${round(before)} in the second quarter, ${round(after)} in the last`);
    if (isRising) found.push(`${name} rose from ${round(before)} to ${round(after)}`);
  }
  return found;
}

function describe(one: Sample | undefined): string {
  return Object.entries(one?.levels ?? {})
    .map(([name, value]) => `${name} ${round(value)}`)
    .join(", ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
