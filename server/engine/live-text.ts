import type pg from "pg";
import { storedJson } from "./stored-json";

/** After the first piece, which goes at once. */
const PIECE_EVERY_MS = 40;
const STORE_EVERY_MS = 250;
/** NOTIFY carries less than 8,000 bytes; a character may take four, and JSON escapes more. */
const PIECE_CHARACTERS = 1_000;

type Stream = {
  workspaceId: string;
  runId: string;
  agentRunId: string;
  position: number;
  epoch: number;
  text: string;
  told: number;
  stored: number;
  storedAt: number;
  ended: boolean;
};

/**
 * Text of calls that are still streaming. Pieces reach readers as notifications, coalesced over all streams of the
 * process; the text so far is stored a few times a second, for readers who arrive late.
 */
export class LiveText {
  private readonly streams = new Set<Stream>();
  private timer: NodeJS.Timeout | undefined;
  private sending = false;

  constructor(private readonly pool: pg.Pool) {}

  begin(of: Omit<Stream, "text" | "told" | "stored" | "storedAt" | "ended">): {
    add: (piece: string) => void;
    end: () => void;
  } {
    const stream: Stream = { ...of, text: "", told: 0, stored: 0, storedAt: 0, ended: false };
    return {
      add: (piece) => {
        stream.text += piece;
        const first = !this.streams.has(stream);
        this.streams.add(stream);
        if (first) void this.send();
        else this.schedule();
      },
      end: () => {
        stream.ended = true;
        if (stream.told < stream.text.length) void this.send();
        else this.streams.delete(stream);
      },
    };
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.send();
    }, PIECE_EVERY_MS);
  }

  private async send(): Promise<void> {
    if (this.sending) return this.schedule();
    this.sending = true;
    try {
      const now = Date.now();
      const pieces: string[] = [];
      const storing: { stream: Stream; text: string }[] = [];
      for (const s of this.streams) {
        for (; s.told < s.text.length; s.told = Math.min(s.text.length, s.told + PIECE_CHARACTERS)) {
          const t = s.text.slice(s.told, s.told + PIECE_CHARACTERS);
          pieces.push(JSON.stringify({ w: s.workspaceId, r: s.runId, a: s.agentRunId, p: s.position, o: s.told, t }));
        }
        if (s.ended) this.streams.delete(s);
        else if (s.stored < s.text.length && now - s.storedAt >= STORE_EVERY_MS) {
          storing.push({ stream: s, text: s.text });
          s.storedAt = now;
        }
      }
      if (storing.length) {
        const texts = storing.map(({ stream: s, text }) => {
          return { a: s.agentRunId, position: s.position, w: s.workspaceId, e: s.epoch, text };
        });
        const { rows } = await this.pool.query<{ a: string; position: number }>({
          name: "live_text_store",
          // Locked against the record of the step, which deletes the text: stored after that, it would stay for ever.
          text: `with live as (
              select t.a, t.position, t.w, t.text from json_to_recordset($1) as t(a uuid, position int, w uuid, e int, text text)
              join agent_runs ar on ar.id = t.a and ar.epoch = t.e
              where exists (select 1 from jsonb_to_recordset(ar.open_steps) as o(position int) where o.position = t.position)
              order by ar.id for share of ar)
            insert into live_texts (agent_run_id, position, workspace_id, text) select a, position, w, text from live
            on conflict (agent_run_id, position) do update set text = excluded.text
            returning agent_run_id as a, position`,
          values: [storedJson(texts)],
        });
        // A model may answer before it is committed that its step has begun: such a text is stored at a later look.
        for (const { stream, text } of storing) {
          if (rows.some(({ a, position }) => a === stream.agentRunId && position === stream.position))
            stream.stored = text.length;
        }
      }
      if (pieces.length) {
        await this.pool.query({
          name: "live_text_tell",
          text: "select pg_notify('troupe_delta', piece) from unnest($1::text[]) as piece",
          values: [pieces],
        });
      }
      for (const s of this.streams) if (s.stored < s.text.length) this.schedule();
    } catch {
      // A lost piece is a gap that the reader fills by reading again; the step's record carries the whole text.
      this.schedule();
    } finally {
      this.sending = false;
    }
  }
}
