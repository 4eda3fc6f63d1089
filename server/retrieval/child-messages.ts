import type { MediaType } from "@/server/files/media-type";
import type { ChunkDraft } from "./embedder";
import type { ExtractionCode } from "./extraction-failure";

/** To the process that reads documents: one document after the other, in parts. */
export type ToReader =
  | { kind: "begin"; mediaType: MediaType }
  | { kind: "part"; content: Uint8Array }
  | { kind: "end" };

/** From it. Passages come in batches; `read` or `failed` ends a document. */
export type FromReader =
  | { kind: "chunks"; chunks: ChunkDraft[] }
  | { kind: "read"; characters: number; pages: number | null }
  | { kind: "failed"; code: ExtractionCode; cause: string };
