import { setImmediate as nextTick } from "node:timers/promises";
import {
  backend,
  closeStatement,
  eachMessage,
  errorResponse,
  frontend,
  query,
  readString,
  readyForQuery,
  SYNC,
  type TransactionStatus,
} from "./wire-messages";
import type { WireSession } from "./wire-session";

/** Runs raw protocol bytes on the one backend and returns its whole answer. */
export type Execute = (bytes: Uint8Array) => Promise<Buffer>;

type Job = { session: WireSession; batch: Buffer[] } | { session: WireSession; leave: () => void };

interface Options {
  execute: Execute;
  /** A transaction idle this long while others wait is rolled back, in milliseconds. */
  idleInTransactionMs: number;
  /** The backend itself has died; nothing can be served any more. */
  onFailure: (error: unknown) => void;
}

/**
 * Shares one backend among many clients.
 *
 * Work arrives in batches that end with Sync, Flush or a simple query, so that a client which stops half-way through
 * a batch has not touched the backend. A client owns the backend from the batch that opens a transaction to the one
 * that ends it; the others wait. Still shared by all: SET, temporary tables, session advisory locks, SQL-level PREPARE.
 */
export class WireExchange {
  private readonly sessions = new Set<WireSession>();
  private queue: Job[] = [];
  private busy = false;
  private dead = false;
  private owner: WireSession | null = null;
  private unnamedOwner: WireSession | null = null;
  private status: TransactionStatus = "I";
  private idleTimer: NodeJS.Timeout | undefined;
  private ownerIdleSince = 0;
  /** LISTENs of the open transaction, applied when it commits. */
  private pendingListens: { channel: string; on: boolean }[] = [];

  constructor(private readonly options: Options) {}

  join(session: WireSession): void {
    this.sessions.add(session);
  }

  submit(session: WireSession, batch: Buffer[]): void {
    if (this.dead || !this.sessions.has(session)) return;
    this.queue.push({ session, batch });
    void this.pump();
  }

  /** Runs what the client has sent so far, then forgets it: a client that said goodbye. */
  leave(session: WireSession): Promise<void> {
    if (this.dead || !this.sessions.delete(session)) return Promise.resolve();
    return new Promise((resolve) => {
      this.queue.push({ session, leave: resolve });
      void this.pump();
    });
  }

  /** Drops what the client has sent but not seen answered, and rolls back: a client that is gone. */
  abandon(session: WireSession): Promise<void> {
    this.queue = this.queue.filter((job) => job.session !== session || "leave" in job);
    return this.leave(session);
  }

  /** Waits for the statement that is running and takes no more. An open transaction is left to the shutdown. */
  async close(): Promise<void> {
    this.queue = [];
    while (this.busy) await nextTick();
    this.dead = true;
    clearTimeout(this.idleTimer);
  }

  private async pump(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    clearTimeout(this.idleTimer);
    let turnStarted = Date.now();
    try {
      for (;;) {
        const { owner } = this;
        const index = owner ? this.queue.findIndex((job) => job.session === owner) : 0;
        const job = index < 0 ? undefined : this.queue.splice(index, 1)[0];
        if (!job) break;
        if ("batch" in job) await this.run(job.session, job.batch);
        else await this.forget(job.session).then(job.leave);
        // The backend answers without leaving the microtask queue: let sockets be read in between.
        if (Date.now() - turnStarted > 10) {
          await nextTick();
          turnStarted = Date.now();
        }
      }
      this.watchIdleOwner();
    } catch (error) {
      this.dead = true;
      this.options.onFailure(error);
    } finally {
      this.busy = false;
    }
  }

  private watchIdleOwner(): void {
    const { owner } = this;
    if (!owner || this.queue.length === 0) return;
    this.idleTimer = setTimeout(
      () => {
        owner.send(errorResponse("FATAL", "25P03", "terminating connection: idle in a transaction while others wait"));
        owner.drop();
        void this.abandon(owner);
      },
      this.ownerIdleSince + this.options.idleInTransactionMs - Date.now(),
    );
    this.idleTimer.unref();
  }

  private async run(session: WireSession, batch: Buffer[]): Promise<void> {
    const end = batch.at(-1)?.[0];
    if (session.skipUntilSync) {
      if (end !== frontend.sync) return;
      session.skipUntilSync = false;
      session.send(readyForQuery(this.owner === session ? this.status : "I"));
      return;
    }

    const { bytes, swallowParses, listens, ownsUnnamed } = session.rewrite(batch, this.unnamedOwner === session);
    const answer = this.read(await this.options.execute(bytes), session, swallowParses);
    // After an error nobody knows which of the batch's statements arrived.
    if (end === frontend.query || answer.failed) this.unnamedOwner = null;
    else if (ownsUnnamed) this.unnamedOwner = session;
    this.pendingListens.push(...listens);

    if (answer.ready) {
      this.owner = this.status === "I" ? null : session;
    } else if (answer.failed || end !== frontend.flush) {
      // The backend now waits for a Sync that may never come. Send it, and skip to the client's own.
      this.read(await this.options.execute(SYNC), session, swallowParses);
      session.skipUntilSync = true;
      this.owner = this.status === "I" ? null : session;
    } else {
      this.owner = session;
    }
    this.ownerIdleSince = Date.now();
    if (!this.owner) await this.settleListens(session, answer.failed || answer.rolledBack);
    if (answer.mine.length > 0) session.send(Buffer.concat(answer.mine));
  }

  /** Sorts the backend's answer: notifications to their listeners, the rest to the caller. */
  private read(answer: Buffer, session: WireSession, swallowParses: Set<number>) {
    const mine: Buffer[] = [];
    let parses = 0;
    let [ready, failed, rolledBack] = [false, false, false];
    for (const part of eachMessage(answer)) {
      switch (part[0]) {
        case backend.notification: {
          // All share one backend; name the client that notified instead.
          part.writeInt32BE(session.id, 5);
          const channel = readString(part, 9).text;
          for (const other of this.sessions) {
            if (!other.channels.has(channel)) continue;
            if (other === session) mine.push(part);
            else other.send(part);
          }
          continue;
        }
        case backend.parseComplete:
          if (swallowParses.has(parses++)) continue;
          break;
        case backend.errorResponse:
          failed = true;
          break;
        case backend.commandComplete:
          rolledBack = readString(part, 5).text === "ROLLBACK";
          break;
        case backend.readyForQuery:
          ready = true;
          this.status = part.toString("latin1", 5, 6) as TransactionStatus;
          break;
      }
      mine.push(part);
    }
    return { mine, ready, failed, rolledBack };
  }

  /** UNLISTEN of one client must not silence the others on the shared backend. */
  private async settleListens(session: WireSession, undone: boolean): Promise<void> {
    const listens = this.pendingListens;
    if (listens.length === 0) return;
    this.pendingListens = [];
    if (undone) return;
    for (const { channel, on } of listens) {
      if (on) session.channels.add(channel);
      else if (channel === "*") session.channels.clear();
      else session.channels.delete(channel);
    }
    if (listens.some(({ on }) => !on)) await this.listenAgain();
  }

  private async listenAgain(): Promise<void> {
    const wanted = new Set([...this.sessions].flatMap((session) => [...session.channels]));
    const sql = ["UNLISTEN *", ...[...wanted].map((channel) => `LISTEN "${channel.replaceAll('"', '""')}"`)];
    await this.options.execute(query(sql.join(";")));
  }

  private async forget(session: WireSession): Promise<void> {
    if (this.owner === session) {
      await this.options.execute(Buffer.concat([SYNC, query("ROLLBACK")]));
      this.status = "I";
      this.owner = null;
      this.pendingListens = [];
    }
    if (this.unnamedOwner === session) this.unnamedOwner = null;
    if (session.statements.size > 0) {
      const closes = [...session.statements].map((name) => closeStatement(session.prefixed(name)));
      await this.options.execute(Buffer.concat([...closes, SYNC]));
    }
    if (session.channels.size > 0) await this.listenAgain();
  }
}
