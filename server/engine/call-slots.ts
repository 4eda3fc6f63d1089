import { randomUUID } from "node:crypto";
import type pg from "pg";
import { isPassing } from "@/server/database-failure";
import { logger } from "@/server/logger";
import type { StepKind } from "./events";
import type { Execution } from "./execution";
import type { WorkHub } from "./hub";
import { NotNowError } from "./journal/unit";
import { findModel, giveBack } from "./reserve-call";

type Waiter = { signal: AbortSignal; grant: (release: () => void) => void; refuse: (reason: unknown) => void };

/** What allows only so many calls at once: a provider, which says how many, or a tool of a workspace, whose policy does. */
export type SlotSubject = { providerId: string } | { workspaceId: string; key: string; most: number };

/**
 * Turns at providers and tools that allow only so many calls at once, over all workers. Of one worker whoever waits longest is next, and only
 * that one asks the database. The slots of a worker that dies are free as soon as it is known to be dead.
 */
export class CallSlots {
  private readonly queues = new Map<string, Waiter[]>();
  /** Not freed yet: the database was away. */
  private readonly unreleased = new Set<string>();

  constructor(
    private readonly pool: pg.Pool,
    private readonly hub: WorkHub,
    private readonly workerId: string,
  ) {}

  /** Waits for a turn; resolves with what ends it. Rejects with the signal's reason. */
  take(subject: SlotSubject, signal: AbortSignal): Promise<() => void> {
    const line = "providerId" in subject ? subject.providerId : `${subject.workspaceId} ${subject.key}`;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal.reason);
      signal.addEventListener("abort", giveUp, { once: true });
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal.removeEventListener("abort", giveUp);
          settle(value);
        };
      const waiter: Waiter = { signal, grant: settled(resolve), refuse: settled(reject) };
      const queue = this.queues.get(line);
      if (queue) queue.push(waiter);
      else {
        const first = [waiter];
        this.queues.set(line, first);
        void this.serve(subject, line, first);
      }
    });
  }

  /** Frees what could not be freed before. */
  sweep(): void {
    for (const id of this.unreleased) void this.release(id);
  }

  private async serve(subject: SlotSubject, line: string, queue: Waiter[]): Promise<void> {
    for (let next = queue[0]; next; next = queue[0]) {
      const id = await this.takeOne(subject, next);
      queue.shift();
      if (id === null) continue;
      if (next.signal.aborted) void this.release(id);
      else next.grant(() => void this.release(id));
    }
    this.queues.delete(line);
  }

  /** The id of a slot; null when whoever waits gave up, or was refused. */
  private async takeOne(subject: SlotSubject, { signal, refuse }: Waiter): Promise<string | null> {
    const id = randomUUID();
    const query =
      "providerId" in subject
        ? {
            name: "take_call_slot",
            text: "select take_call_slot($1, $2, $3) as taken",
            values: [subject.providerId, this.workerId, id],
          }
        : {
            name: "take_subject_slot",
            text: "select take_subject_slot($1, $2, $3, $4, $5) as taken",
            values: [subject.workspaceId, subject.key, subject.most, this.workerId, id],
          };
    const heard = "providerId" in subject ? subject.providerId : subject.workspaceId;
    try {
      await this.hub.waitFor("slot", heard, signal, async () => {
        const { rows } = await this.pool.query<{ taken: boolean }>(query);
        return rows[0]?.taken || undefined;
      });
      return id;
    } catch (error) {
      refuse(error);
      // It may have been taken all the same: the answer was lost.
      void this.release(id);
      return null;
    }
  }

  private async release(id: string): Promise<void> {
    this.unreleased.add(id);
    try {
      await this.pool.query({ name: "release_call_slot", text: "select release_call_slot($1)", values: [id] });
      this.unreleased.delete(id);
    } catch (error) {
      if (isPassing(error)) return;
      logger.warn({ err: error }, "a slot was not freed");
      this.unreleased.delete(id);
    }
  }
}

/**
 * Does work that calls a model once the rate limit and the slots of the model's provider let it. Waiting is not being at work: whoever is
 * paused or told to leave does not wait on, and what was reserved for the call is given back. Throws Rejection when the rate limit would
 * have it wait longer than it may.
 * @param position of the step whose call this is
 * @param step what it is, where nothing says yet that it has begun
 */
export async function inSlot<T>(
  execution: Execution,
  {
    position,
    modelRef,
    step,
  }: { position: number; modelRef: string; step?: { turn: number; kind: StepKind; name: string } },
  work: () => Promise<T>,
): Promise<T> {
  const { journal, resources, row, signal } = execution;
  // A model that is gone is no call: the work finds that out by itself.
  const model = await findModel(execution, modelRef);
  const providerId = model?.limitedBy;
  const guard = model?.guard;
  const rateLimit = guard?.policy.rateLimit;
  if (providerId === undefined && !rateLimit) return journal.atWork(work);
  const begun = step ? execution.begin([{ position, ...step }]) : {};
  if (begun.events) await journal.append(begun);
  const waiting = async () => {
    if (guard && rateLimit) await resources.gates.takeRate(guard.subject, rateLimit, signal);
    return providerId === undefined ? () => {} : resources.slots.take({ providerId }, signal);
  };
  const release = await waiting().catch(async (error: unknown) => {
    await giveBack(execution, position);
    throw error;
  });
  try {
    if (journal.isLetGo) {
      await giveBack(execution, position);
      throw new NotNowError(row.id, "stays");
    }
    return await journal.atWork(work);
  } finally {
    release();
  }
}
