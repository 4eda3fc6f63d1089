import { hashOf } from "@/server/engine/ids";
import { storedJson } from "@/server/engine/stored-json";

/** A row as its table has it. */
export type Row = Record<string, unknown>;

/** Tables of a run that are filled by plain inserts, parents before children. Events are not: append_events() numbers them. */
export const TABLES = [
  "steps",
  "messages",
  "usages",
  "human_requests",
  "effects",
  "live_texts",
  "citations",
  "retrievals",
] as const;
type Table = (typeof TABLES)[number] | "agent_runs" | "decisions";

/** An event before it has a number. */
export type RecordedEvent = {
  agentRunId: string | null;
  kind: string;
  body: Row;
  at: Date;
  /** The row of the decision it tells. */
  decision?: Row;
  /** What the step it tells cost. */
  costNanoUsd?: number;
};

const INLINE_BYTES = 8_192;
const PART_CHARACTERS = 1_000_000;

/** What a recorder wrote down, by table. */
export class RecordedRows {
  readonly events: RecordedEvent[] = [];
  readonly blobs = new Map<string, Row[]>();
  private readonly tables = new Map<Table, Row[]>();

  constructor(
    private readonly workspaceId: string,
    private readonly partCharacters = PART_CHARACTERS,
  ) {}

  add(table: Table, row: Row): Row {
    const rows = this.tables.get(table) ?? [];
    this.tables.set(table, rows);
    rows.push(row);
    return row;
  }

  of(table: Table): readonly Row[] {
    return this.tables.get(table) ?? [];
  }

  /** Stores a value by its hash and returns that. */
  blob(value: unknown): string {
    const content = typeof value === "string" ? value : JSON.stringify(value);
    const hash = hashOf(content);
    if (!this.blobs.has(hash)) {
      const parts = content.match(new RegExp(`[\\s\\S]{1,${this.partCharacters}}`, "gu")) ?? [];
      this.blobs.set(
        hash,
        parts.map((text, part) => ({ workspace_id: this.workspaceId, hash, part, content: text })),
      );
    }
    return hash;
  }

  /** The value itself while it is small, else the blob that holds it. */
  inPlaceOrBlob(value: unknown): unknown {
    const text = JSON.stringify(value);
    return text.length <= INLINE_BYTES ? value : { blob: this.blob(text), bytes: Buffer.byteLength(text) };
  }
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(typeof value === "string" ? value : storedJson(value));
}
