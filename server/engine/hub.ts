import { EventEmitter } from "node:events";
import pg from "pg";
import { isPassing } from "@/server/database-failure";
import { logger } from "@/server/logger";

/** What may have happened to something an execution waits for. Hints: whoever wakes reads the rows. */
export type WorkHint =
  | "queued"
  | "answered"
  | "ended"
  | "aborted"
  | "held"
  | "steered"
  | "escalated"
  | "settled"
  | "called"
  | "budget"
  | "slot"
  | "released"
  | "replay"
  | "document"
  | "base"
  | "usage"
  | "webhook";

/** Safety net for a hint lost with its connection. */
const LOOK_AGAIN_MS = 5_000;
const RECONNECT_MS = 500;

/** One LISTEN connection a worker, and the executions that wait on it. */
export class WorkHub {
  private readonly emitter = new EventEmitter();
  private client: pg.Client | undefined;
  private closed = false;

  constructor(private readonly databaseUrl: string) {
    this.emitter.setMaxListeners(0);
  }

  async listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    this.client = client;
    client.on("notification", ({ payload }) => {
      const [hint, id] = (payload ?? "").split(":");
      if (hint && id) this.tell(hint as WorkHint, id);
    });
    let gone = false;
    const again = (error?: unknown) => {
      if (gone || this.closed) return;
      gone = true;
      if (error) logger.warn({ err: error }, "the listening connection was lost");
      client.end().catch(() => {});
      setTimeout(() => this.listen().catch(() => {}), RECONNECT_MS);
    };
    client.on("error", again);
    client.on("end", () => again());
    try {
      await client.connect();
      await client.query("listen troupe_work");
      // Whatever was said while nobody listened: everybody looks again.
      this.lookAgain();
    } catch (error) {
      again(error);
    }
  }

  on(hint: WorkHint, listener: (id: string) => void): void {
    this.emitter.on(hint, listener);
  }

  /** Whoever waits looks for itself. */
  lookAgain(): void {
    this.emitter.emit("look-again");
  }

  /** After a hint may have been lost. */
  onLookAgain(listener: () => void): void {
    this.emitter.on("look-again", listener);
  }

  /** Also called in this process right after a commit, ahead of the notification. */
  tell(hint: WorkHint, id: string): void {
    this.emitter.emit(hint, id);
    this.emitter.emit(`${hint}:${id}`);
  }

  /** Resolves with the first value `look` finds. Looks at once, at each hint about `id`, and now and then. */
  waitFor<T>(hint: WorkHint, id: string, signal: AbortSignal, look: () => Promise<T | undefined>): Promise<T> {
    return this.waitForAny([`${hint}:${id}`], signal, look);
  }

  /** The same, at hints of several kinds. */
  async waitForAny<T>(
    hints: readonly `${WorkHint}:${string}`[],
    signal: AbortSignal,
    look: () => Promise<T | undefined>,
  ): Promise<T> {
    for (;;) {
      const woken = this.wake(hints, signal);
      try {
        // The database may be away for a moment; whoever waits for a person outlives that.
        const found = await look().catch((error: unknown) => {
          if (!isPassing(error)) throw error;
          return undefined;
        });
        if (found !== undefined) return found;
        await woken.promise;
      } finally {
        woken.cancel();
      }
      signal.throwIfAborted();
    }
  }

  private wake(hints: readonly string[], signal: AbortSignal): { promise: Promise<void>; cancel: () => void } {
    let cancel = () => {};
    const promise = new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        for (const hint of hints) this.emitter.off(hint, done);
        this.emitter.off("look-again", done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, LOOK_AGAIN_MS);
      for (const hint of hints) this.emitter.once(hint, done);
      this.emitter.once("look-again", done);
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
      cancel = done;
    });
    return { promise, cancel };
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.end().catch(() => {});
  }
}
