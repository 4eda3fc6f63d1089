import type pg from "pg";

/** A run of which something was recorded since is left alone. Well below the shortest time after which a run may count as stuck. */
const SILENT_S = 15;

/**
 * What this worker's runs are at that ends by itself: calls, which all have a time limit, their retries, and waits for a turn or for calls
 * of others. While it lasts a run is not stuck, however long it may take; what hangs without a limit says nothing here.
 */
export class BoundedWork {
  /** How much of it there is in each run. */
  private readonly runs = new Map<string, number>();

  constructor(private readonly pool: pg.Pool) {}

  async during<T>(runId: string, work: () => Promise<T>): Promise<T> {
    this.runs.set(runId, (this.runs.get(runId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.runs.get(runId) ?? 1) - 1;
      if (left) this.runs.set(runId, left);
      else this.runs.delete(runId);
    }
  }

  /** Says that those runs get on. Before each look for stuck ones. */
  async report(): Promise<void> {
    if (this.runs.size === 0) return;
    await this.pool.query({
      name: "report_bounded_work",
      text: `update runs set progress_at = now() where id in (
        select id from runs where id = any($1::uuid[]) and status = 'running' and progress_at < now() - make_interval(secs => $2)
        order by id for no key update)`,
      values: [[...this.runs.keys()], SILENT_S],
    });
  }
}
