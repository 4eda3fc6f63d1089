import { setMaxListeners } from "node:events";
import type pg from "pg";
import { agentConfig } from "@/server/agents/schema";
import type { ModelMessage } from "@/server/models/model";
import { hashOf } from "../ids";
import type { Flusher } from "./flusher";
import { type Opened, openedRow } from "./opened";
import { blobParts, storedMessage } from "./stored-message";
import { FenceLostError, type JournalOwner, type JournalUnit, NotNowError } from "./unit";

/** Between two looks at what an execution that is let go of still has under way. */
const LET_GO_LOOK_MS = 20;

/** The record of one execution of one agent run: what happened so far, and the only way to add to it. */
export class Journal {
  /** Aborted when this execution may not go on: stopped, ended by its parent, or taken over. */
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly lane: number;
  private readonly storedBlobs = new Set<string>();
  private readonly hashes = new WeakMap<object, string>();
  private unit = 0;
  private working = 0;
  private letting = false;
  /** Somebody may have said something since. */
  isSteered = false;
  /** An agent below it may have asked something since. */
  isEscalated: boolean;
  /** A limit on spending holds: model calls are reserved before they are made. */
  isBudgeted: boolean;

  private constructor(
    private readonly flusher: Flusher,
    readonly opened: Opened,
  ) {
    this.signal = this.controller.signal;
    // As many listen as calls are under way.
    setMaxListeners(0, this.signal);
    this.lane = flusher.assignLane();
    this.isBudgeted = opened.budgeted;
    // Nobody works below one that has done nothing yet.
    this.isEscalated = opened.steps.length > 0;
  }

  /** Begins an execution; null when the agent run has ended, is held, goes on in another workflow, or is unknown. */
  static async open(
    { pool, flusher, workerId }: { pool: pg.Pool; flusher: Flusher; workerId: string },
    { agentRunId, generation }: { agentRunId: string; generation: number },
  ): Promise<Journal | null> {
    const { rows } = await pool.query<{ opened: unknown }>({
      name: "journal_open",
      text: "select journal_open($1, $2, $3) as opened",
      values: [agentRunId, workerId, generation],
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

  /** Lets what is under way end and be recorded, then ends this execution: a person's answer is not waited for. */
  letGo(): void {
    if (this.letting) return;
    this.letting = true;
    const look = () => {
      if (this.signal.aborted) return;
      if (!this.isAtWork) this.abort();
      else setTimeout(look, LET_GO_LOOK_MS);
    };
    setTimeout(look);
  }

  /** A hint that somebody said something to this agent. */
  steered(): void {
    this.isSteered = true;
  }

  /** A hint that an agent below it asked something. */
  escalated(): void {
    this.isEscalated = true;
  }

  /** What people said to it that it was not told. Clears the hint. */
  async readSteers(pool: pg.Pool): Promise<Opened["steers"]> {
    this.isSteered = false;
    const { rows } = await pool.query<Opened["steers"][number]>({
      name: "unread_steers",
      text: `select id, author, text, clears_todo as "clearsTodo" from steers
             where agent_run_id = $1 and read_at is null order by created_at, id`,
      values: [this.row.id],
    });
    return rows;
  }

  /** It begins nothing more. */
  get isLetGo(): boolean {
    return this.letting;
  }

  /** Whether a model call, a tool call or a write is under way: then it is worth waiting for, unlike a person's answer. */
  get isAtWork(): boolean {
    return this.working > 0;
  }

  async atWork<T>(work: () => Promise<T>): Promise<T> {
    this.working += 1;
    try {
      return await work();
    } finally {
      this.working -= 1;
    }
  }

  /**
   * Commits a unit. Rejects with FenceLostError when this execution may not write any more. `isFollowed`: others may be appended that
   * build on it before it is committed; they fail with it.
   */
  async append(unit: JournalUnit, { isFollowed = false } = {}): Promise<void> {
    if (this.signal.aborted) throw new FenceLostError(this.row.id);
    const owner: JournalOwner = {
      agentRunId: this.row.id,
      runId: this.row.runId,
      workspaceId: this.row.workspaceId,
      epoch: this.row.epoch,
      unit: ++this.unit,
    };
    try {
      const held = await this.atWork(() => this.flusher.append(this.lane, { owner, unit, isFollowed }));
      for (const { hash } of unit.blobs ?? []) this.storedBlobs.add(hash);
      if (unit.tasks) this.opened.tasks = withTasks(this.opened.tasks, unit.tasks);
      if (held) this.letGo();
    } catch (error) {
      if (error instanceof FenceLostError) this.controller.abort(error);
      if (error instanceof NotNowError && error.why === "stays") this.letGo();
      throw error;
    }
  }

  /** Blob rows for a text and its hash; no rows when this execution stored it before. */
  blob(content: string): { hash: string; blobs: NonNullable<JournalUnit["blobs"]> } {
    const hash = hashOf(content);
    return { hash, blobs: this.storedBlobs.has(hash) ? [] : blobParts(content) };
  }

  /** The same of a value that is stored again and again and never changes, such as what an agent is offered at every turn. */
  constant(value: object): { hash: string; blobs: NonNullable<JournalUnit["blobs"]> } {
    const known = this.hashes.get(value);
    if (known !== undefined && this.storedBlobs.has(known)) return { hash: known, blobs: [] };
    const blob = this.blob(JSON.stringify(value));
    this.hashes.set(value, blob.hash);
    return blob;
  }

  /** A message row, with the parts it needs when it is large. */
  message(index: number, message: ModelMessage): Required<Pick<JournalUnit, "messages" | "blobs">> {
    const { content, blobs } = storedMessage(message);
    const fresh = blobs.filter(({ hash }) => !this.storedBlobs.has(hash));
    return { messages: [{ index, role: message.role, content }], blobs: fresh };
  }
}

/** The queue with tasks as they now are. */
function withTasks(queue: Opened["tasks"], changed: Opened["tasks"]): Opened["tasks"] {
  const now = new Map([...queue, ...changed].map((task) => [task.number, task]));
  return [...now.values()].sort((a, b) => a.number - b.number);
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
    const message =
      "blob" in content ? (JSON.parse(texts.get(content.blob) ?? missing(content.blob)) as ModelMessage) : content;
    messages.set(index, asSent(message));
  }
  return messages;
}

function missing(hash: string): never {
  throw new Error(`the stored value ${hash} is missing`);
}

/** What was told of a reply is for whoever looks, not for the model. */
function asSent(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant" || !message.told) return message;
  const { told: _, ...sent } = message;
  return sent;
}
