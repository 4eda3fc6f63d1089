import type { ModelMessage, ReplyFacts } from "@/server/models/model";
import { hashOf } from "../ids";
import { partsOf } from "./parts";

/** Larger values go to content-addressed parts, so that rows stay small and equal values are stored once. */
const INLINE_BYTES = 8_192;
const PART_CHARACTERS = 1_000_000;

export type BlobPart = { hash: string; part: number; content: string };

/** A text as parts to store under one hash. */
export function blobParts(content: string): BlobPart[] {
  const hash = hashOf(content);
  return partsOf(content, PART_CHARACTERS).map((piece, part) => ({ hash, part, content: piece }));
}

/** What a message's row holds, and the parts it needs when it is large. */
export function storedMessage(message: ModelMessage): {
  content: ModelMessage | { blob: string; bytes: number; told?: ReplyFacts };
  blobs: BlobPart[];
} {
  const text = JSON.stringify(message);
  if (text.length <= INLINE_BYTES) return { content: message, blobs: [] };
  // Read without what was said.
  const told = message.role === "assistant" && message.told ? { told: message.told } : {};
  return { content: { blob: hashOf(text), bytes: Buffer.byteLength(text), ...told }, blobs: blobParts(text) };
}
