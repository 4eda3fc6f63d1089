import { createHash } from "node:crypto";
import type { EntryKind } from "../schema";

/** What the first entry names as the one before it. */
export const GENESIS = "0".repeat(64);

export type Entry = {
  workspaceId: string;
  seq: number;
  kind: EntryKind;
  subjectId: string;
  digest: string | null;
  events: number | null;
  byId: string | null;
  /** As ISO 8601 with milliseconds, in UTC. */
  at: string;
  previousHash: string;
};

/** The hash of an entry: of all it says, and of the one before it. */
export function hashOfEntry(entry: Entry): string {
  const { workspaceId, seq, kind, subjectId, digest, events, byId, at, previousHash } = entry;
  const said = JSON.stringify([workspaceId, seq, kind, subjectId, digest, events, byId, at, previousHash]);
  return createHash("sha256").update(said).digest("hex");
}

/** Where a chain breaks first, in order; null where it holds. `head` is what the newest entry must be. */
export class ChainCheck {
  private last = { seq: 0, hash: GENESIS };

  /** Why this entry does not follow the ones before it; null when it does. */
  take(entry: Entry & { hash: string }): string | null {
    if (entry.seq !== this.last.seq + 1) return `Entry ${this.last.seq + 1} is missing.`;
    if (entry.previousHash !== this.last.hash)
      return `Entry ${entry.seq - 1} is not the one entry ${entry.seq} was written after.`;
    if (hashOfEntry(entry) !== entry.hash) return `Entry ${entry.seq} was changed.`;
    this.last = { seq: entry.seq, hash: entry.hash };
    return null;
  }

  end(head: { seq: number; hash: string } | null): string | null {
    if ((head?.seq ?? 0) > this.last.seq) return `Entry ${this.last.seq + 1} is missing.`;
    if ((head?.hash ?? GENESIS) !== this.last.hash) return "The newest entry is not the one that was written last.";
    return null;
  }
}
