import type pg from "pg";
import { logger } from "@/server/logger";
import { batchParameters, type OwnedUnit } from "./batch";
import { FenceLostError } from "./unit";

type Waiting = OwnedUnit & { done: () => void; fail: (error: unknown) => void };

const MOST_UNITS = 256;
/** Lost connections, restarts, deadlocks, serialisation failures: nothing was written, or the unit number tells that it was. */
const PASSING = /^(08|57P|40P01|40001|53|55006|25006|58)/;
const BACK_OFF_MS = [50, 200, 500, 1000, 2000];

/**
 * Group commit: while one statement is under way everything else waits and goes together in the next.
 * Units of one agent run keep their order, because they stay in one lane and a lane has one statement at a time.
 */
export class Flusher {
  private readonly lanes: { queue: Waiting[]; busy: boolean }[];
  private next = 0;
  private stopped = false;

  constructor(
    private readonly pool: pg.Pool,
    options: { lanes?: number } = {},
  ) {
    this.lanes = Array.from({ length: options.lanes ?? 2 }, () => ({ queue: [], busy: false }));
  }

  /** A lane for a new journal. */
  assignLane(): number {
    return this.next++ % this.lanes.length;
  }

  /** Resolves when the unit is committed; rejects with FenceLostError when its owner may not write any more. */
  append(lane: number, unit: OwnedUnit): Promise<void> {
    const into = this.lanes[lane];
    if (!into) throw new RangeError(`no lane ${lane}`);
    return new Promise((done, fail) => {
      into.queue.push({ ...unit, done, fail });
      if (into.busy) return;
      into.busy = true;
      // Whatever is appended in this very tick goes along.
      setImmediate(() => void this.drain(into));
    });
  }

  /** Stops retrying; what is queued fails. For the end of the process only. */
  stop(): void {
    this.stopped = true;
  }

  private async drain(lane: { queue: Waiting[]; busy: boolean }): Promise<void> {
    while (lane.queue.length) await this.write(lane.queue.splice(0, togetherIn(lane.queue)));
    lane.busy = false;
  }

  private async write(batch: Waiting[]): Promise<void> {
    let left = batch;
    for (let attempt = 0; left.length; ) {
      try {
        const { rows } = await this.pool.query<{ agent_run: string; refused: "lost" | "applied" }>({
          name: "journal_write",
          text: "select agent_run, refused from journal_write($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)",
          values: batchParameters(left),
        });
        const refused = new Map(rows.map((row) => [row.agent_run, row.refused]));
        const again: Waiting[] = [];
        for (const item of left) {
          const why = refused.get(item.owner.agentRunId);
          if (why === "lost") item.fail(new FenceLostError(item.owner.agentRunId));
          // Nothing of this batch was written unless nobody was refused.
          else if (why === "applied" || refused.size === 0) item.done();
          else again.push(item);
        }
        left = again;
      } catch (error) {
        if (this.stopped || !isPassing(error)) {
          if (left.length === 1) return left[0]?.fail(error);
          // One bad unit must not fail the others of its batch: send them one by one.
          for (const item of left) await this.write([item]);
          return;
        }
        const waitMs = BACK_OFF_MS[Math.min(attempt++, BACK_OFF_MS.length - 1)];
        logger.warn({ err: error, units: left.length, waitMs }, "journal write will be tried again");
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }
}

/**
 * How many of the first units go in one statement. One that ends other agent runs goes alone: a unit of theirs beside it
 * would be applied although they have ended.
 */
function togetherIn(queue: readonly OwnedUnit[]): number {
  const ending = queue.findIndex(({ unit }) => unit.aborts?.length);
  if (ending === 0) return 1;
  return Math.min(ending === -1 ? queue.length : ending, MOST_UNITS);
}

export function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code && PASSING.test(code)) return true;
  if (code && /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EAI_AGAIN)/.test(code)) return true;
  return /connection terminated|timeout exceeded when trying to connect|not queryable|Connection ended/i.test(
    message ?? "",
  );
}
