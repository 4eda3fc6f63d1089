import type pg from "pg";
import { agentConfig } from "@/server/agents/schema";
import type { ModelMessage } from "@/server/models/model";
import { hashOf } from "../ids";
import type { Flusher } from "./flusher";
import { type Opened, openedRow } from "./opened";
import { partsOf } from "./parts";
import { FenceLostError, type JournalOwner, type JournalUnit } from "./unit";

/** Larger values go to content-addressed parts, so that rows stay small and equal values are stored once. */
const INLINE_BYTES = 8_192;
const PART_CHARACTERS = 1_000_000;

/** The record of one execution of one agent run: what happened so far, and the only way to add to it. */
export class Journal {
  /** Aborted when this execution may not go on: stopped, ended by its parent, or taken over. */
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly lane: number;
  private readonly storedBlobs = new Set<string>();
  private unit = 0;

  private constructor(
    private readonly flusher: Flusher,
    readonly opened: Opened,
  ) {
    this.signal = this.controller.signal;
    this.lane = flusher.assignLane();
  }

  /** Begins an execution; null when the agent run has ended or is unknown. */
  static async open(pool: pg.Pool, flusher: Flusher, agentRunId: string, workerId: string): Promise<Journal | null> {
    const { rows } = await pool.query<{ opened: unknown }>({
      name: "journal_open",
      text: "select journal_open($1, $2) as opened",
      values: [agentRunId, workerId],
    });
    if (!rows[0]?.opened) return null;
    const raw = openedRow.parse(rows[0].opened);
    const messages = await loadMessages(pool, raw.row.workspaceId, raw.messages);
    return new Journal(flusher, { ...raw, config: agentConfig.parse(raw.config), messages });
  }

  get row(): Opened["row"] {
    return this.opened.row;
  }

  /** Ends this execution's work in progress, e.g. an open HTTP call. What it still tries to write is refused by the fence. */
  abort(): void {
    this.controller.abort(new FenceLostError(this.row.id));
  }

  /** Commits a unit. Rejects with FenceLostError when this execution may not write any more. */
  async append(unit: JournalUnit): Promise<void> {
    if (this.signal.aborted) throw new FenceLostError(this.row.id);
    const owner: JournalOwner = {
      agentRunId: this.row.id,
      runId: this.row.runId,
      workspaceId: this.row.workspaceId,
      epoch: this.row.epoch,
      unit: ++this.unit,
    };
    try {
      await this.flusher.append(this.lane, { owner, unit });
    } catch (error) {
      if (error instanceof FenceLostError) this.controller.abort(error);
      throw error;
    }
  }

  /** Blob rows for a text and its hash; no rows when this execution stored it before. */
  blob(content: string): { hash: string; blobs: NonNullable<JournalUnit["blobs"]> } {
    const hash = hashOf(content);
    if (this.storedBlobs.has(hash)) return { hash, blobs: [] };
    this.storedBlobs.add(hash);
    const blobs = [];
    for (const [part, piece] of partsOf(content, PART_CHARACTERS).entries()) blobs.push({ hash, part, content: piece });
    return { hash, blobs };
  }

  /** A message row, with the parts it needs when it is large. */
  message(index: number, message: ModelMessage): Required<Pick<JournalUnit, "messages" | "blobs">> {
    const text = JSON.stringify(message);
    if (text.length <= INLINE_BYTES) return { messages: [{ index, role: message.role, content: message }], blobs: [] };
    const { hash, blobs } = this.blob(text);
    return {
      messages: [{ index, role: message.role, content: { blob: hash, bytes: Buffer.byteLength(text) } }],
      blobs,
    };
  }
}

async function loadMessages(
  pool: pg.Pool,
  workspaceId: string,
  stored: { index: number; content: ModelMessage | { blob: string; bytes: number } }[],
): Promise<Map<number, ModelMessage>> {
  const hashes = stored.flatMap(({ content }) => ("blob" in content ? [content.blob] : []));
  const texts = new Map<string, string>();
  if (hashes.length) {
    const { rows } = await pool.query<{ hash: string; text: string }>(
      "select hash, string_agg(content, '' order by part) as text from blobs where workspace_id = $1 and hash = any($2) group by hash",
      [workspaceId, hashes],
    );
    for (const row of rows) texts.set(row.hash, row.text);
  }
  const messages = new Map<number, ModelMessage>();
  for (const { index, content } of stored) {
    if (!("blob" in content)) messages.set(index, content);
    else messages.set(index, JSON.parse(texts.get(content.blob) ?? missing(content.blob)) as ModelMessage);
  }
  return messages;
}

function missing(hash: string): never {
  throw new Error(`the stored value ${hash} is missing`);
}
