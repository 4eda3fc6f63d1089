import type { MediaType } from "@/server/files/media-type";
import { decodeText } from "@/server/files/text-check";
import { ExtractionFailure } from "./extraction-failure";
import { MOST_CHARACTERS } from "./extraction-limits";

/** What a document says, in one text. */
export type Extracted = {
  text: string;
  /** Whether lines that begin with # are headings and ``` begins code. */
  isMarkdown: boolean;
  /** Where each page begins in the text; null for documents without pages. */
  pageStarts: number[] | null;
};

// Each parser is loaded with the first file that needs it: a process that reads a text is ready at once.
const READERS: Record<MediaType, (bytes: Uint8Array) => Promise<Extracted>> = {
  "application/pdf": async (bytes) => (await import("./extract-pdf")).extractPdf(bytes),
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": async (bytes) =>
    (await import("./extract-docx")).extractDocx(bytes),
  "text/html": async (bytes) => markdown((await import("./extract-html")).extractHtml(decoded(bytes))),
  "text/csv": async (bytes) => plain(await (await import("./extract-csv")).extractCsv(decoded(bytes))),
  "text/markdown": async (bytes) => markdown(decoded(bytes)),
  "text/plain": async (bytes) => plain(decoded(bytes)),
};

/**
 * Reads a document. Parsers of foreign files may take all memory and time there is: call it where that harms nobody.
 * Throws ExtractionFailure.
 */
export async function extract(bytes: Uint8Array, mediaType: MediaType): Promise<Extracted> {
  const found = await READERS[mediaType](bytes);
  const extracted = { ...found, text: storable(found.text) };
  if (extracted.text.length > MOST_CHARACTERS) throw new ExtractionFailure("too_large");
  if (!/\S/.test(extracted.text)) throw new ExtractionFailure(mediaType === "application/pdf" ? "no_text" : "empty");
  return extracted;
}

const plain = (text: string): Extracted => ({ text, isMarkdown: false, pageStarts: null });
const markdown = (text: string): Extracted => ({ text, isMarkdown: true, pageStarts: null });

function decoded(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text === null) throw new ExtractionFailure("broken_text");
  return text.replace(/\r\n?/g, "\n");
}

/** Postgres stores neither NUL nor half a character. Lengths stay as they are, so that page starts stay true. */
function storable(text: string): string {
  return text.replaceAll("\0", " ").toWellFormed();
}
