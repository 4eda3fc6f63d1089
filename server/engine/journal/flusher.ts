import type pg from "pg";
import { isPassing } from "@/server/database-failure";
import { logger } from "@/server/logger";
import { batchParameters, movesOn, type OwnedUnit } from "./batch";
import { FenceLostError, NotNowError } from "./unit";

type Word = "lost" | "applied" | "held" | "stays" | "steered";
type Waiting = OwnedUnit & { done: (held: boolean) => void; fail: (error: unknown) => void };
/** `alone`: the next so many go in a statement each. */
type Lane = { queue: Waiting[]; busy: boolean; alone: number };

const MOST_UNITS = 256;
const BACK_OFF_MS = [50, 200, 500, 1000, 2000];

/**
 * Group commit: while one statement is under way everything else waits and goes together in the next.
 * Units of one agent run keep their order, because they stay in one lane and a lane has one statement at a time.
 */
export class Flusher {
  private readonly lanes: Lane[];
  private next = 0;
  private stopped = false;

  constructor(
    private readonly pool: pg.Pool,
    options: { lanes?: number } = {},
  ) {
    this.lanes = Array.from({ length: options.lanes ?? 2 }, () => ({ queue: [], busy: false, alone: 0 }));
  }

  /** A lane for a new journal. */
  assignLane(): number {
    return this.next++ % this.lanes.length;
  }

  /**
   * Resolves when the unit is committed, with whether its agent run is held and may begin nothing more. Rejects with FenceLostError
   * when its owner may not write any more, and with NotNowError when it may not write this.
   */
  append(lane: number, unit: OwnedUnit): Promise<boolean> {
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

  private async drain(lane: Lane): Promise<void> {
    while (lane.queue.length) {
      const together = lane.alone > 0 ? 1 : togetherIn(lane.queue);
      lane.alone = Math.max(0, lane.alone - 1);
      await this.write(lane, lane.queue.splice(0, together));
    }
    lane.busy = false;
  }

  private async write(lane: Lane, batch: Waiting[]): Promise<void> {
    let left = batch;
    for (let attempt = 0; left.length; ) {
      try {
        const { rows } = await this.pool.query<{ agent_run: string; refused: Word }>({
          name: "journal_write",
          text: "select agent_run, refused from journal_write($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)",
          values: batchParameters(left),
        });
        const told = new Map(rows.map((row) => [row.agent_run, row.refused]));
        const isWritten = rows.every(({ refused }) => refused === "held");
        const again: Waiting[] = [];
        for (const item of left) {
          const word = told.get(item.owner.agentRunId);
          if (word === "lost") item.fail(new FenceLostError(item.owner.agentRunId));
          else if (word === "stays" || word === "steered") item.fail(new NotNowError(item.owner.agentRunId, word));
          // Nothing of this batch was written unless nobody was refused.
          else if (word === "applied" || isWritten) item.done(word === "held");
          else again.push(item);
        }
        left = again;
      } catch (error) {
        if (this.stopped || !isPassing(error)) {
          const [only, ...others] = left;
          if (only && others.length === 0) return failWithNext(lane, only, error);
          // One bad unit must not fail those of others in its batch: they are sent one by one.
          lane.queue.unshift(...left);
          lane.alone = left.length;
          return;
        }
        const waitMs = BACK_OFF_MS[Math.min(attempt++, BACK_OFF_MS.length - 1)];
        logger.warn({ err: error, units: left.length, waitMs }, "journal write will be tried again");
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }
}

/** What the same execution recorded after a unit that is followed builds on it, and fails with it. */
function failWithNext(lane: Lane, failed: Waiting, error: unknown): void {
  const isNext = ({ owner }: Waiting) => failed.isFollowed === true && owner.agentRunId === failed.owner.agentRunId;
  const next = lane.queue.filter(isNext);
  lane.queue = lane.queue.filter((item) => !isNext(item));
  for (const item of [failed, ...next]) item.fail(error);
}

/**
 * How many of the first units go in one statement. One that ends other agent runs goes alone: a unit of theirs beside it
 * would be applied although they have ended. So does the second of an agent run when one of the two may be refused for what it says:
 * the other must not be refused with it.
 */
function togetherIn(queue: readonly OwnedUnit[]): number {
  if (queue[0]?.unit.aborts?.length) return 1;
  const owners = new Map<string, boolean>();
  let together = 0;
  for (const { owner, unit } of queue) {
    const moves = movesOn(unit);
    const before = owners.get(owner.agentRunId);
    if (together === MOST_UNITS || unit.aborts?.length || (before !== undefined && (before || moves))) break;
    owners.set(owner.agentRunId, moves);
    together += 1;
  }
  return together;
}
