import type { DatabaseKind } from "@/tests/support/databases";
import { blockedLoop } from "./blocked-loop";
import { killAtBoundaries, type Shape } from "./boundaries";
import { skewedClocks } from "./clock-skew";
import { cutConnections } from "./cut-connections";
import { troubleTheDatabase } from "./database-trouble";
import { heldAndKilled } from "./held-and-killed";
import type { Verdict } from "./invariants";
import { killLoop } from "./kill-loop";
import { claimedOnce } from "./many-workers";
import { answerWhileNobodyWorks, wakeAfterTakeover } from "./nobody-at-work";
import { overload } from "./overload";
import { pausedADay } from "./paused-a-day";
import { poisonRun } from "./poison-run";
import { restartStorm } from "./restart-storm";
import { restoredAfterOriginal, restoredBesideOriginal } from "./restored";
import { rollingRestart } from "./rolling-restart";
import { killAtSameCalls } from "./same-calls";
import { RELEASES, upgraded } from "./upgraded";
import { webhooksTold } from "./webhooks-told";

/** Runs that wait in a full run's overload. The embedded database, which does one thing at a time, would take too long over as many. */
const MANY: Record<DatabaseKind, number> = { postgres: 10_000, embedded: 2_000 };

type Report = (name: string, verdict: Verdict) => void;

export type FaultCase = {
  name: string;
  kind: DatabaseKind;
  /** Crashes the server all cases of its kind share: it runs while no other of its kind does. */
  alone?: boolean;
  run(report: Report): Promise<void>;
};

/** Every case, each in a database of its own. What crashes the server all share stands last. */
export function faultCases(
  kinds: readonly DatabaseKind[],
  { seeds, runs, isFull }: { seeds: number; runs: number; isFull: boolean },
) {
  const size = isFull ? { steps: 10, kills: 5 } : { steps: 5, kills: 3 };
  const supervisors = isFull ? { runs, children: 8 } : { runs: Math.ceil(runs / 5), children: 4 };
  const cases: FaultCase[] = [];
  const add = (kind: DatabaseKind, name: string, run: (name: string, report: Report) => Promise<void>, alone = false) =>
    cases.push({ kind, name: `${kind} ${name}`, run: (report) => run(`${kind} ${name}`, report), alone });
  const addOne = (kind: DatabaseKind, name: string, run: () => Promise<Verdict>, alone = false) =>
    add(kind, name, async (full, report) => report(full, await run()), alone);

  for (const kind of kinds) {
    for (const honoursKey of [true, false]) {
      for (const shape of ["s1", "s2"] satisfies Shape[]) {
        add(kind, `boundaries ${shape}, ${honoursKey ? "keyed" : "unkeyed"}`, (_, report) =>
          killAtBoundaries(kind, { honoursKey, shape }, (name, verdict) => report(`${kind} ${name}`, verdict)),
        );
      }
    }
    for (const honoursKey of [true, false]) {
      add(kind, `boundaries of same calls, ${honoursKey ? "keyed" : "unkeyed"}`, (_, report) =>
        killAtSameCalls(kind, honoursKey, (name, verdict) => report(`${kind} ${name}`, verdict)),
      );
    }
    addOne(kind, "answered while nobody works", () => answerWhileNobodyWorks(kind));
    addOne(kind, "woken after the takeover", () => wakeAfterTakeover(kind));
    for (const release of RELEASES) addOne(kind, `upgraded from the ${release}`, () => upgraded(kind, release));
    addOne(kind, "restored beside the original", () => restoredBesideOriginal(kind));
    addOne(kind, "restored after the original, keyed", () => restoredAfterOriginal(kind, true));
    addOne(kind, "restored after the original, unkeyed", () => restoredAfterOriginal(kind, false));
    addOne(kind, "rolling restart", () => rollingRestart(kind));
    addOne(kind, "held and killed, keyed", () => heldAndKilled(kind, true));
    addOne(kind, "held and killed, unkeyed", () => heldAndKilled(kind, false));
    addOne(kind, "paused for a day, resumed and killed", () => pausedADay(kind));
    addOne(kind, "webhooks called by workers that are killed", () => webhooksTold(kind, runs));
    addOne(kind, "queued for four workers", () => claimedOnce(kind, 25 * runs));
    addOne(kind, "one run beside many", () =>
      overload(kind, { runs: isFull ? MANY[kind] : 50 * runs, stopsRest: isFull }),
    );
    addOne(kind, "clocks an hour apart", () => skewedClocks(kind));
    addOne(kind, "a run that ends its workers", () => poisonRun(kind));
    addOne(kind, "a tool that blocks its worker for 2 s", () => blockedLoop(kind, "block"));
    addOne(kind, "a tool that blocks its worker for 5 s", () => blockedLoop(kind, "freeze"));
    addOne(kind, "restarted again and again", () => restartStorm(kind));
    add(kind, "connections cut", (_, report) =>
      cutConnections(kind, (name, verdict) => report(`${kind} ${name}`, verdict)),
    );
    for (let seed = 1; seed <= seeds; seed++) {
      const common = { seed, runs, ...size, everything: false, honoursKey: true, children: 0 };
      addOne(kind, `kill loop, keyed, seed ${seed}`, () => killLoop(kind, common));
      addOne(kind, `kill loop, unkeyed, seed ${seed}`, () => killLoop(kind, { ...common, honoursKey: false }));
      addOne(kind, `kill loop, supervisors, seed ${seed}`, () => killLoop(kind, { ...common, ...supervisors }));
    }
    const troubled = (_: string, report: Report) =>
      troubleTheDatabase(kind, (name, verdict) => report(`${kind} ${name}`, verdict));
    add(kind, "database in trouble", troubled, kind === "postgres");
    for (let seed = 1; seed <= seeds; seed++) {
      const loop = { seed, runs, ...size, everything: true, honoursKey: true, children: 0 };
      addOne(kind, `everything killed, seed ${seed}`, () => killLoop(kind, loop), kind === "postgres");
    }
  }
  return cases;
}
