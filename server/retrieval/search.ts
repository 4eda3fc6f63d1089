import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { EntryKind } from "@/server/knowledge/entry-schema";
import {
  type RetrievalSettings,
  retrievalSettings,
  type SearchHit,
  type SearchResult,
} from "@/server/knowledge/schema";
import { logger } from "@/server/logger";
import { ModelError } from "@/server/models/model";
import { type Found, searchKeywords } from "./bm25";
import { embedderFor } from "./embedders";
import { type Fused, fuse } from "./fuse";
import { queryTerms } from "./terms";
import { searchVectors } from "./vector";

export type SearchBases = {
  workspaceId: string;
  baseIds: readonly string[];
  query: string;
  /** Only passages of entries of this kind (INT-CTX-24). */
  entryKind?: EntryKind | undefined;
  /** In place of each base's own. */
  settings?: RetrievalSettings | undefined;
  signal: AbortSignal;
};

type SearchedBase = {
  id: string;
  embeddingModel: string;
  generation: number;
  dims: number;
  settings: RetrievalSettings;
};

/** Of each side. */
const CANDIDATES = 100;
/** For the query's vector: somebody is waiting, and the words can answer alone. */
const QUERY_EMBEDDING_MS = 10_000;
/** Dropped passages that are told of, so that nobody wonders where one went. */
const DROPPED_SHOWN = 20;

/**
 * Searches the live passages of bases by words and by vectors and fuses the ranks. Every score is in the answer. When the query
 * cannot be embedded, the words answer alone and `vectorProblem` says why. Times are in ms. Throws NOT_FOUND for a base that is
 * not in the workspace.
 */
export async function searchBases(search: SearchBases): Promise<SearchResult> {
  const { workspaceId, query, entryKind } = search;
  const bases = await readBases(search);
  const settingsOf = new Map(bases.map(({ id, settings }) => [id, settings]));

  const byWords = timed(async () => {
    const ids = bases.filter(({ settings }) => settings.keywordWeight > 0).map(({ id }) => id);
    return ids.length > 0 ? searchKeywords(workspaceId, ids, queryTerms(query), CANDIDATES, entryKind) : [];
  });
  const byVectors = timed(() => searchByVectors(search, bases));
  const [words, vectors] = await Promise.all([byWords, byVectors]);

  const fused = fuse({ keywords: words.value, vectors: vectors.value.lists }, settingsOf);
  const sent = fused.filter(({ result }) => result === "sent");
  const dropped = fused.filter(({ result }) => result !== "sent").slice(0, DROPPED_SHOWN);
  const shown = new Set([...sent, ...dropped]);
  const passages = await readPassages(workspaceId, [...shown]);
  return {
    hits: fused.filter((hit) => shown.has(hit)).flatMap((hit) => toHit(hit, passages.get(hit.chunkId))),
    found: fused.length,
    keywordMs: words.tookMs,
    vectorMs: vectors.tookMs,
    vectorProblem: vectors.value.problem,
  };
}

/** Bases with the same embedding model are one list; cosines of different models cannot be compared. */
async function searchByVectors(
  { workspaceId, query, entryKind, signal }: SearchBases,
  bases: readonly SearchedBase[],
): Promise<{ lists: Found[][]; problem: string | null }> {
  const groups = new Map<string, SearchedBase[]>();
  for (const base of bases.filter(({ settings }) => settings.vectorWeight > 0)) {
    const key = `${base.dims} ${base.embeddingModel}`;
    groups.set(key, [...(groups.get(key) ?? []), base]);
  }
  const answers = await Promise.all(
    [...groups.values()].map(async (group): Promise<{ list: Found[]; problem: string | null }> => {
      const [{ embeddingModel = "", dims = 0 } = {}] = group;
      try {
        const embedder = await embedderFor(workspaceId, embeddingModel, dims);
        const within = AbortSignal.any([signal, AbortSignal.timeout(QUERY_EMBEDDING_MS)]);
        const [vector = []] = await embedder.embed([query], { signal: within });
        return { list: await searchVectors(workspaceId, group, vector, CANDIDATES, entryKind), problem: null };
      } catch (error) {
        if (!(error instanceof ModelError) || signal.aborted) throw error;
        logger.warn({ err: error, embeddingModel }, "a query could not be embedded");
        return { list: [], problem: `Only words were searched: ${error.message}` };
      }
    }),
  );
  return {
    lists: answers.map(({ list }) => list),
    problem: answers.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}

async function readBases({ workspaceId, baseIds, settings }: SearchBases): Promise<SearchedBase[]> {
  const { rows } = await pool().query<SearchedBase>(
    `SELECT id, embedding_model AS "embeddingModel", generation, dims, settings FROM knowledge_bases
     WHERE workspace_id = $1 AND id = ANY($2::uuid[]) ORDER BY id`,
    [workspaceId, baseIds],
  );
  if (rows.length < new Set(baseIds).size) {
    throw new AppError("NOT_FOUND", "This knowledge base does not exist, or it is in another workspace.");
  }
  return rows.map((base) => ({ ...base, settings: settings ?? retrievalSettings.parse(base.settings) }));
}

type Passage = Pick<SearchHit, "documentName" | "entryKind" | "position" | "text" | "heading" | "page">;

async function readPassages(workspaceId: string, hits: readonly Fused[]): Promise<Map<string, Passage>> {
  const { rows } = await pool().query<Passage & { id: string }>(
    `SELECT c.id, d.name AS "documentName", d.entry_kind AS "entryKind", c.position, c.text, c.heading, c.page
     FROM chunks c JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
     WHERE c.workspace_id = $1 AND c.id = ANY($2::uuid[])`,
    [workspaceId, hits.map(({ chunkId }) => chunkId)],
  );
  return new Map(rows.map(({ id, ...passage }) => [id, passage]));
}

/** Nothing for a passage that went since it was found. */
function toHit(hit: Fused, passage: Passage | undefined): SearchHit[] {
  return passage ? [{ ...hit, ...passage }] : [];
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; tookMs: number }> {
  const start = performance.now();
  const value = await work();
  return { value, tookMs: Math.round((performance.now() - start) * 10) / 10 };
}
