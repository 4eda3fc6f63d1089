/** Enough to find one's run among the newest; older ones are found by their words. */
const RUNS_SHOWN = 50;

/** What the list of runs is asked for. */
export function runsToChoose(search = "") {
  return { search, limit: RUNS_SHOWN };
}
