import { z } from "zod";
import { runPlace } from "@/server/runs/share-schema";

const id = z.uuid();
const instant = z.iso.datetime();

/** What an entry can be (INT-CTX-23), by the keys it is stored under. */
export const ENTRY_KINDS = ["problem-solution", "pattern", "decision", "learning", "antipattern"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
export const entryKind = z.enum(ENTRY_KINDS, "Choose what kind of entry it is.");

export const MOST_TITLE_CHARACTERS = 120;
/** As much as a person writes in a form; what is longer is a file. */
export const MOST_ENTRY_CHARACTERS = 100_000;

/** It is the document's name, also in citations: one line of what can be seen. */
export const entryTitle = z
  .string()
  .trim()
  .min(1, "Give it a title.")
  .max(MOST_TITLE_CHARACTERS, "At most 120 characters.")
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, "Write the title in one line, of characters that can be seen.");
export const entryText = z
  .string()
  .trim()
  .min(1, "Write something.")
  .max(MOST_ENTRY_CHARACTERS, "At most 100,000 characters. Upload what is longer as a file.")
  .refine((text) => !text.includes("\0"), "It holds a character that no text has. Paste it as plain text.");

/** The run an entry is saved from, and the row of its tree; null: the run itself. */
export const entryFrom = z.strictObject({ runId: id, place: runPlace.nullable() });
export type EntryFrom = z.infer<typeof entryFrom>;

export const createEntryInput = z.strictObject({
  baseId: id,
  entryKind,
  title: entryTitle,
  text: entryText,
  from: entryFrom.optional(),
});
export type CreateEntryInput = z.infer<typeof createEntryInput>;

export const changeEntryInput = z.strictObject({
  documentId: id,
  /** Of the entry as it was read: if that is its file no longer, somebody else has saved it since. */
  fileId: id,
  entryKind,
  title: entryTitle,
  text: entryText,
});
export type ChangeEntryInput = z.infer<typeof changeEntryInput>;

/** An entry as its form needs it. */
export const entryView = z.object({
  documentId: id,
  fileId: id,
  entryKind,
  title: z.string(),
  text: z.string(),
  savedBy: z.string().nullable(),
  savedAt: instant,
});
export type EntryView = z.infer<typeof entryView>;

/** What a document that is an entry has besides. */
export const entryFacts = z.object({
  kind: entryKind,
  /** When and by whom it was last changed; null: it is as it was written. */
  changedAt: instant.nullable(),
  changedBy: z.string().nullable(),
  /** Null: it was saved from no run, or that is gone. */
  from: z.object({ runId: id, runTitle: z.string(), place: z.string().nullable() }).nullable(),
});
