import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { bundled } from "@/tests/support/bundled";
import setup, { DATABASE_KINDS, type DatabaseKind } from "@/tests/support/databases";
import { type FaultCase, faultCases } from "./cases";
import type { Verdict } from "./invariants";
import type { FromLane, ToLane } from "./lane-main";

/**
 * npm run test:faults -- [--seeds N] [--runs N] [--full] [--database embedded|postgres] [--only PATTERN] [--lanes N] [--json]
 *
 * The cases are listed in cases.ts. Most of a case is waiting for a dead worker's heartbeat to run out, so several go on
 * at once, each in a process and a database of its own. With `--full` the kill loops have 40 runs of ten steps, or supervisors of eight
 * children, and kill five times, and 10,000 runs wait where one of another workspace is next.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10" },
    runs: { type: "string" },
    full: { type: "boolean", default: false },
    database: { type: "string" },
    only: { type: "string" },
    lanes: { type: "string", default: String(Math.min(6, 2 * availableParallelism())) },
    json: { type: "boolean", default: false },
  },
});
const startedAt = Date.now();
const cleanUp = setup();
// Postgres first: its last cases must be alone on their server, and those of the embedded database go on beside them.
const kinds = values.database ? [values.database as DatabaseKind] : DATABASE_KINDS.toReversed();
const runs = Number(values.runs ?? (values.full ? 40 : 20));
const settings = { kinds, seeds: Number(values.seeds), runs, isFull: values.full };
const waiting = faultCases(kinds, settings).filter(({ name }) => new RegExp(values.only ?? "").test(name));
const running = new Map<ChildProcess, FaultCase>();
let passed = 0;
let failed = 0;

function report(name: string, verdict: Verdict): void {
  const bad = verdict.problems.length > 0;
  if (bad) failed += 1;
  else passed += 1;
  if (values.json) {
    const [database, ...scenario] = name.split(" ");
    const line = (metric: string, value: number) =>
      console.log(
        JSON.stringify({
          name: `faults.${metric}`,
          database,
          scenario: scenario.join(" "),
          value,
          unit: metric.endsWith("_ms") ? "ms" : "count",
        }),
      );
    line("runs_finished", verdict.finished);
    line("effects_twice", verdict.effectsTwice);
    line("effects_missing", verdict.effectsMissing);
    for (const [metric, value] of Object.entries(verdict.figures ?? {})) line(metric, value);
  }
  const more = Object.entries(verdict.figures ?? {}).map(([metric, value]) => `, ${metric} ${value}`);
  const figures = `${verdict.finished}/${verdict.runs} finished, ${verdict.effectsTwice} effects twice, ${verdict.effectsMissing} missing, ${verdict.repeatedModelCalls} model calls repeated${more.join("")}`;
  if (!values.json || bad) console.error(`${bad ? "FAIL" : "ok  "} ${name}: ${figures}`);
  for (const problem of verdict.problems) console.error(`     ${problem}`);
}

/** The first case that disturbs none that is under way. */
function takeNext(): FaultCase | undefined {
  const busy = (kind: DatabaseKind) => [...running.values()].filter((one) => one.kind === kind);
  const free = waiting.find(({ kind, alone }) =>
    alone ? busy(kind).length === 0 : busy(kind).every((one) => !one.alone),
  );
  if (free) waiting.splice(waiting.indexOf(free), 1);
  return free;
}

function giveWork(lane: ChildProcess): void {
  const next = takeNext();
  if (!next) {
    if (waiting.length === 0) lane.disconnect();
    return;
  }
  running.set(lane, next);
  lane.send({ carryOut: next.name } satisfies ToLane);
}

const laneMain = await bundled("tests/faults/lane-main.ts");
const lanes = Array.from({ length: Number(values.lanes) }, () =>
  fork(laneMain, [JSON.stringify(settings)], { execArgv: [] }),
);
await Promise.all(
  lanes.map(
    (lane) =>
      new Promise<void>((resolve) => {
        lane.on("message", (message: FromLane) => {
          if ("report" in message) return report(message.report, message.verdict);
          running.delete(lane);
          // Whoever waited for this one to end may begin, too.
          for (const idle of lanes) if (idle.connected && !running.has(idle)) giveWork(idle);
        });
        lane.once("exit", () => {
          const lost = running.get(lane);
          running.delete(lane);
          if (lost) {
            failed += 1;
            console.error(`FAIL ${lost.name}: its process ended`);
          }
          for (const idle of lanes) if (idle.connected && !running.has(idle)) giveWork(idle);
          resolve();
        });
        giveWork(lane);
      }),
  ),
);
if (waiting.length > 0) {
  failed += waiting.length;
  console.error(`FAIL ${waiting.length} cases were never begun`);
}
await cleanUp();
console.log(`${passed} passed, ${failed} failed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
process.exit(failed ? 1 : 0);
