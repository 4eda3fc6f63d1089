/**
 * Condition on steps, usages or decisions: that they are of this run. They have no index by run, which every row would have to be logged
 * in once more, but one by agent run. An array, as a join would read the whole table where nothing gathers statistics.
 */
export function ofRun(table: string, run: string): string {
  return `${table}.agent_run_id = ANY(ARRAY(SELECT k.id FROM agent_runs k WHERE k.run_id = ${run}))`;
}
