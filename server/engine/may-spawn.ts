import type { Briefed } from "./briefing";
import { isCarriedOut, type Patterned } from "./pattern-settings";

/**
 * Whether an agent may start others: its configuration lets it (LOK-SUP-01), there are some below it, and the engine does not do it in
 * its place.
 */
export function maySpawn(briefed: Briefed): boolean {
  return briefed.config.canSpawnAgents && briefed.spawnable.length > 0 && !isLedByEngine(briefed);
}

/**
 * Whether it plans in its queue of tasks and starts nobody by hand: the root of a team of the pattern tasks. It is not to answer while tasks
 * are open.
 */
export function plansInTasks(briefed: Briefed): boolean {
  return briefed.pattern === "tasks" && !briefed.isChild && maySpawn(briefed);
}

/** Whether it is the root of a team whose pattern the engine carries out: its model is not asked what comes next. */
export function isLedByEngine({ isChild, ...team }: Patterned & Pick<Briefed, "isChild">): boolean {
  return !isChild && isCarriedOut(team);
}

/** Whether it has anybody to write to: a child, a parent or a sibling. */
export function isInTeam(briefed: Briefed): boolean {
  return briefed.isChild || maySpawn(briefed);
}
