import { z } from "zod";
import { ENTRY_KINDS, entryFacts, entryKind } from "./entry-schema";

const id = z.uuid();
const instant = z.iso.datetime();

export const MOST_FILE_BYTES = 50 * 1024 * 1024;
/** Types told by their bytes; the extension only tells text types apart. */
export const FILE_TYPES = [
  { mediaType: "application/pdf", word: "PDF", extensions: ["pdf"] },
  {
    mediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    word: "Word (DOCX)",
    extensions: ["docx"],
  },
  { mediaType: "text/markdown", word: "Markdown", extensions: ["md", "markdown"] },
  { mediaType: "text/plain", word: "text", extensions: ["txt", "text", "log"] },
  { mediaType: "text/html", word: "HTML", extensions: ["html", "htm"] },
  { mediaType: "text/csv", word: "CSV", extensions: ["csv", "tsv"] },
] as const;

export const DOCUMENT_STATUSES = ["queued", "extracting", "indexing", "ready", "failed"] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

export const retrievalSettings = z.strictObject({
  /**
   * Weights of the fused ranks, `Σ weight / (60 + rank)`, rank from 1 (RAG-HYB-02 read with DESIGN section 6). These defaults
   * are measured with the built-in vectors (docs/knowledge.md); a base with an embedding model begins with others.
   */
  keywordWeight: z.number().min(0).max(1).default(0.95),
  vectorWeight: z.number().min(0).max(1).default(0.05),
  /** Hits whose cosine lies below are not found by the vector; the keyword side is not touched. */
  similarityFloor: z.number().min(0).max(1).default(0.5),
  /** Passages of one document in an answer at most (RAG-HYB-03). */
  perDocument: z.int().min(1).max(50).default(3),
  topK: z.int().min(1).max(50).default(5),
});
export type RetrievalSettings = z.infer<typeof retrievalSettings>;

export const baseName = z.string().trim().min(1, "Give it a name.").max(80, "At most 80 characters.");
const baseDescription = z.string().trim().max(500, "At most 500 characters.");

export const baseSummary = z.object({
  id,
  name: z.string(),
  description: z.string(),
  documents: z.int(),
  /** Of these, written here rather than uploaded. */
  entries: z.int(),
  /** Documents still being read or indexed. */
  busy: z.int(),
  failed: z.int(),
  chunks: z.int(),
  sizeBytes: z.int(),
  embeddingModel: z.string(),
  agents: z.array(z.object({ id, name: z.string() })),
  updatedAt: instant,
});
export type BaseSummary = z.infer<typeof baseSummary>;

export const baseDetail = baseSummary.extend({
  settings: retrievalSettings,
  dims: z.int(),
  /** A change of the embedding model under way: chunks done of all. */
  reembedding: z
    .object({
      embeddingModel: z.string(),
      done: z.int(),
      total: z.int(),
      /** Why it does not go on at the moment, in a sentence; it is tried again by itself. */
      problem: z.string().nullable(),
    })
    .nullable(),
});
export type BaseDetail = z.infer<typeof baseDetail>;

export const baseIdInput = z.strictObject({ baseId: id });
export const createBaseInput = z.strictObject({
  name: baseName,
  description: baseDescription.default(""),
  /** "built-in" or the "provider/model" of an embedding model. */
  embeddingModel: z.string().max(300).default("built-in"),
});
export type CreateBaseInput = z.infer<typeof createBaseInput>;
export const baseCreated = z.object({ baseId: id });
export const updateBaseInput = z.strictObject({
  baseId: id,
  name: baseName,
  description: baseDescription,
  settings: retrievalSettings,
});
export type UpdateBaseInput = z.infer<typeof updateBaseInput>;
export const changeEmbeddingInput = z.strictObject({ baseId: id, embeddingModel: z.string().max(300) });
export type ChangeEmbeddingInput = z.infer<typeof changeEmbeddingInput>;

export const documentView = z.object({
  id,
  baseId: id,
  fileId: id,
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.int(),
  status: z.enum(DOCUMENT_STATUSES),
  /** Why it failed, for people; null otherwise. */
  problem: z.string().nullable(),
  /** It failed for what may be otherwise next time: the file itself can be read, as far as is known. */
  mayPass: z.boolean(),
  /** An earlier upload of this name is still searched while this one is being indexed. */
  isReplacing: z.boolean(),
  progressDone: z.int(),
  progressTotal: z.int(),
  chunks: z.int(),
  pages: z.int().nullable(),
  characters: z.int(),
  createdBy: z.string().nullable(),
  createdAt: instant,
  indexedAt: instant.nullable(),
  /** Null: it was uploaded. */
  entry: entryFacts.nullable(),
});
export type DocumentView = z.infer<typeof documentView>;

export const listDocumentsInput = z.strictObject({
  baseId: id,
  search: z.string().trim().max(200).default(""),
  status: z.enum(["all", "busy", "failed", "ready"]).default("all"),
  /** Find by type (INT-CTX-24); "entry": of any kind. */
  entryKind: z.enum(["all", "entry", ...ENTRY_KINDS]).default("all"),
  cursor: z.string().max(500).nullish(),
  limit: z.int().min(1).max(200).default(100),
  direction: z.literal("forward").optional(),
});
export type ListDocumentsInput = z.infer<typeof listDocumentsInput>;
export const documentPage = z.object({
  items: z.array(documentView),
  total: z.int(),
  nextCursor: z.string().nullable(),
});
/** Agents that name the base: they cannot start until they name another. */
export const baseRemoved = z.object({ name: z.string(), agents: z.array(z.object({ id, name: z.string() })) });
export const documentsRemoved = z.object({ removed: z.int() });
export const documentIdInput = z.strictObject({ documentId: id });
export const removeDocumentsInput = z.strictObject({ baseId: id, documentIds: z.array(id).min(1).max(500) });

export const chunkView = z.object({
  id,
  position: z.int(),
  text: z.string(),
  heading: z.string(),
  page: z.int().nullable(),
  terms: z.int(),
});
export type ChunkView = z.infer<typeof chunkView>;
export const listChunksInput = z.strictObject({
  documentId: id,
  /** Only chunks whose text holds it. */
  search: z.string().trim().max(200).default(""),
  /** Position to begin at. */
  cursor: z.int().min(0).nullish(),
  limit: z.int().min(1).max(100).default(50),
  direction: z.literal("forward").optional(),
});
export type ListChunksInput = z.infer<typeof listChunksInput>;
export const chunkPage = z.object({ items: z.array(chunkView), nextCursor: z.int().nullable() });

/** One passage found, with every score that brought it here (DESIGN section 6: no score is hidden). */
export const searchHit = z.object({
  chunkId: id,
  baseId: id,
  documentId: id,
  documentName: z.string(),
  /** Null: it is of a document that was uploaded. */
  entryKind: entryKind.nullable(),
  position: z.int(),
  text: z.string(),
  heading: z.string(),
  page: z.int().nullable(),
  /** Cosine, 0 to 1; null when the vector side did not find it. */
  vector: z.number().nullable(),
  vectorRank: z.int().nullable(),
  /** BM25; null when no word of the query is in it. */
  keyword: z.number().nullable(),
  keywordRank: z.int().nullable(),
  fused: z.number(),
  /** sent, or which rule dropped it. */
  result: z.enum(["sent", "below-floor", "per-document", "over-top"]),
});
export type SearchHit = z.infer<typeof searchHit>;

export const searchBasesInput = z.strictObject({
  baseIds: z.array(id).min(1).max(20),
  query: z.string().trim().min(1, "Write what to look for.").max(1000),
  /** Only passages of entries of this kind. */
  entryKind: entryKind.optional(),
  /** Left out: the base's own settings. */
  settings: retrievalSettings.optional(),
});
export type SearchBasesInput = z.infer<typeof searchBasesInput>;
export const searchResult = z.object({
  hits: z.array(searchHit),
  /** Found by either side before any rule. */
  found: z.int(),
  keywordMs: z.number(),
  vectorMs: z.number(),
  /** Why the vector side took no part, in a sentence; null when it did. */
  vectorProblem: z.string().nullable(),
});
export type SearchResult = z.infer<typeof searchResult>;

/** How well a passage matched one search; each null where that side did not find it, or takes no part. */
export const passageScores = z.object({
  /** Cosine, 0 to 1. */
  vector: z.number().nullable(),
  /** BM25. */
  keyword: z.number().nullable(),
  vectorRank: z.int().nullable(),
  keywordRank: z.int().nullable(),
  fused: z.number().nullable(),
});
export type PassageScores = z.infer<typeof passageScores>;

/** A passage that a search of a run brought, by its mark without brackets. */
export const scoredPassage = passageScores.extend({ mark: z.string() });
export type ScoredPassage = z.infer<typeof scoredPassage>;

export const citationInput = z.strictObject({ runId: id, mark: z.string().min(1).max(300) });
/** The passage as the agent saw it. `document` is null when the document was deleted since. */
export const citationView = z.object({
  mark: z.string(),
  text: z.string(),
  heading: z.string(),
  page: z.int().nullable(),
  documentName: z.string(),
  agentRunId: id,
  at: instant,
  /** Of the search of the run that found it first. */
  scores: passageScores.extend({ fused: z.number() }),
  document: z
    .object({
      documentId: id,
      baseId: id,
      baseName: z.string(),
      /** Null for attachments of a conversation. */
      conversationId: id.nullable(),
      /** Position of the same passage in the document as it is now; null when its text changed. */
      position: z.int().nullable(),
    })
    .nullable(),
});
export type CitationView = z.infer<typeof citationView>;

/** Answer of the upload route. `duplicateOf`: the very same bytes are in this base already, and nothing was added. */
export const uploadResult = z.object({
  document: documentView,
  outcome: z.enum(["added", "replaced", "duplicate"]),
});
export type UploadResult = z.infer<typeof uploadResult>;
