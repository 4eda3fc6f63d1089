import { parseArgs } from "node:util";
import setup, { DATABASE_KINDS, type DatabaseKind } from "@/tests/support/databases";
import { killAtBoundaries } from "./boundaries";
import type { Verdict } from "./invariants";
import { killLoop } from "./kill-loop";
import { answerWhileNobodyWorks, wakeAfterTakeover } from "./nobody-at-work";

/** npm run test:faults -- [--seeds N] [--runs N] [--database embedded|postgres] [--json] */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10" },
    runs: { type: "string", default: "20" },
    database: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const cleanUp = setup();
const kinds = values.database ? [values.database as DatabaseKind] : DATABASE_KINDS;
let passed = 0;
let failed = 0;

function report(name: string, verdict: Verdict): void {
  const bad = verdict.problems.length > 0;
  if (bad) failed += 1;
  else passed += 1;
  if (values.json) {
    const line = (metric: string, value: number) =>
      console.log(JSON.stringify({ name: `faults.${metric}`, case: name, value, unit: "count" }));
    line("runs_finished", verdict.finished);
    line("effects_twice", verdict.effectsTwice);
    line("effects_missing", verdict.effectsMissing);
  }
  const figures = `${verdict.finished}/${verdict.runs} finished, ${verdict.effectsTwice} effects twice, ${verdict.effectsMissing} missing, ${verdict.repeatedModelCalls} model calls repeated`;
  if (!values.json || bad) console.error(`${bad ? "FAIL" : "ok  "} ${name}: ${figures}`);
  for (const problem of verdict.problems) console.error(`     ${problem}`);
}

for (const kind of kinds) {
  await killAtBoundaries(kind, (name, verdict) => report(`${kind} ${name}`, verdict));
  report(`${kind} answered while nobody works`, await answerWhileNobodyWorks(kind));
  report(`${kind} woken after the takeover`, await wakeAfterTakeover(kind));
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    const common = { seed, runs: Number(values.runs), steps: 5, kills: 3, everything: false };
    report(
      `${kind} kill loop, keyed, seed ${seed}`,
      await killLoop(kind, { ...common, honoursKey: true, children: 0 }),
    );
    report(
      `${kind} kill loop, unkeyed, seed ${seed}`,
      await killLoop(kind, { ...common, honoursKey: false, children: 0 }),
    );
    report(
      `${kind} kill loop, supervisors, seed ${seed}`,
      await killLoop(kind, { ...common, runs: Math.ceil(common.runs / 5), honoursKey: true, children: 4 }),
    );
    report(
      `${kind} everything killed, seed ${seed}`,
      await killLoop(kind, { ...common, honoursKey: true, children: 0, everything: true }),
    );
  }
}
await cleanUp();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
