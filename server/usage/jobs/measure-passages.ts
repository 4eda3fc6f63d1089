import { pool } from "@/server/db";
import type { Sum } from "../schema";
import { Pace } from "./pace";

const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Passages with what searches look through: the words they hold and their vectors. Items are passages. */
export async function measurePassages(workspaceId: string, signal: AbortSignal): Promise<Sum> {
  const pace = new Pace(50, 2_000);
  const sum = { items: 0, bytes: 0 };
  let after: string | null = NO_ID;
  while (after) {
    signal.throwIfAborted();
    const page = await pace.time(() => measurePage(workspaceId, after ?? NO_ID, pace.size));
    sum.items += page.items;
    sum.bytes += page.bytes;
    after = page.last;
  }
  return sum;
}

type Page = Sum & { last: string | null };

async function measurePage(workspaceId: string, after: string, size: number): Promise<Page> {
  const { rows } = await pool().query<Page>(
    // Looked up passage by passage: where nothing gathers statistics, a join would read the whole index for each page.
    `WITH page AS MATERIALIZED (
       SELECT id, pg_column_size(text) + pg_column_size(heading) + 240 AS bytes FROM chunks
       WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3)
     SELECT count(*)::int AS items, (array_agg(id ORDER BY id DESC))[1] AS last, coalesce(sum(bytes
         + (SELECT coalesce(sum(pg_column_size(p.term) * 2 + 160), 0) FROM postings p WHERE p.chunk_id = page.id)
         + (SELECT coalesce(sum(pg_column_size(e.embedding) + 120), 0) FROM chunk_embeddings e WHERE e.chunk_id = page.id)
       ), 0)::float8 AS bytes
     FROM page`,
    [workspaceId, after, size],
  );
  return rows[0] ?? { items: 0, bytes: 0, last: null };
}
