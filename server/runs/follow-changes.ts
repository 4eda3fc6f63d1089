import { CHANGED_NOUNS, LIVE_NOUNS, type ChangedNoun as Noun } from "./live-schema";

/** A hint for lists: `id` is null when more than one of the noun changed. */
export type Change = { noun: Noun; id: string | null };

/** Reading a list again costs a query: at most one hint per noun and this time… */
const EVERY_MS = 300;
/** …and for steps and tokens, which change with every breath of a run, a slower pace. */
const PROGRESS_EVERY_MS = 2_000;

type Pending = { id: string | null; urgent: boolean };

/** Coalesces what changed in a workspace into few hints. The first goes out at once, later ones when their time has come. */
export class ChangeHints {
  private readonly pending = new Map<Noun, Pending>();
  private readonly sentAt = new Map<Noun, number>();

  add(hint: { runId: string; requests: boolean; status: boolean }): void {
    this.note("runs", hint.runId, hint.status || hint.requests);
    if (hint.requests) this.note("requests", hint.runId, true);
  }

  addOther(noun: Noun, id: string | null): void {
    this.note(noun, id, true);
  }

  /** Notifications may have been lost: anything may have changed. */
  addAll(): void {
    for (const noun of CHANGED_NOUNS) this.note(noun, null, true);
  }

  /** What may have changed between the reading of a page and the beginning of its stream, which is a moment. */
  addLive(): void {
    for (const noun of LIVE_NOUNS) this.note(noun, null, true);
  }

  takeDue(now: number): Change[] {
    const due: Change[] = [];
    for (const [noun, { id }] of this.pending) {
      if (this.waitMs(noun, now) > 0) continue;
      due.push({ noun, id });
      this.pending.delete(noun);
      this.sentAt.set(noun, now);
    }
    return due;
  }

  /** Time until `takeDue` has something; Infinity when nothing is pending. */
  dueInMs(now: number): number {
    return Math.min(...[...this.pending.keys()].map((noun) => this.waitMs(noun, now)), Number.POSITIVE_INFINITY);
  }

  private note(noun: Noun, id: string | null, urgent: boolean): void {
    const before = this.pending.get(noun);
    this.pending.set(noun, {
      id: before && before.id !== id ? null : id,
      urgent: urgent || (before?.urgent ?? false),
    });
  }

  private waitMs(noun: Noun, now: number): number {
    const interval = this.pending.get(noun)?.urgent ? EVERY_MS : PROGRESS_EVERY_MS;
    return Math.max(0, (this.sentAt.get(noun) ?? Number.NEGATIVE_INFINITY) + interval - now);
  }
}
