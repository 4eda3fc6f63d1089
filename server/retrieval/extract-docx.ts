import { inflateRawSync } from "node:zlib";
import { zipSync } from "fflate";
import mammoth from "mammoth";
import { listZipEntries, packedBytesOf, type ZipEntry } from "@/server/files/zip-entries";
import type { Extracted } from "./extract";
import { extractHtml } from "./extract-html";
import { ExtractionFailure } from "./extraction-failure";

const MOST_UNPACKED_BYTES = 100 * 1024 * 1024;
/** Text packs to about a tenth; a small entry may pack better by chance. */
const HIGHEST_RATIO = 200;
const RATIO_COUNTS_FROM_BYTES = 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;

/** A Word document by way of HTML, which keeps its headings, lists and tables. Pictures are left out. */
export async function extractDocx(bytes: Uint8Array): Promise<Extracted> {
  const safe = Buffer.from(repack(bytes));
  const { value } = await mammoth
    .convertToHtml({ buffer: safe }, { convertImage: mammoth.images.imgElement(async () => ({ src: "" })) })
    .catch((error: unknown) => {
      throw new ExtractionFailure("broken_docx", { cause: error });
    });
  return { text: extractHtml(value), isMarkdown: true, pageStarts: null };
}

/**
 * The parts of the document that hold text, unpacked within limits and put into a new archive (A25). The library never sees
 * the file itself: sizes that lie, overlapping entries and names that lead elsewhere end here.
 */
function repack(bytes: Uint8Array): Uint8Array {
  const entries = listZipEntries(bytes, bytes.byteLength);
  if (!entries) throw new ExtractionFailure("broken_docx");
  const parts: Record<string, [Uint8Array, { level: 0 }]> = {};
  let unpackedBytes = 0;
  for (const entry of entries) {
    if (!/^(\[Content_Types\]\.xml|_rels\/[^/]+|word\/([^/]+|_rels\/[^/]+)|docProps\/[^/]+\.xml)$/.test(entry.name))
      continue;
    if (entry.isEncrypted) throw new ExtractionFailure("encrypted");
    const content = unpack(bytes, entry, MOST_UNPACKED_BYTES - unpackedBytes);
    unpackedBytes += content.byteLength;
    parts[entry.name] = [content, { level: 0 }];
  }
  return zipSync(parts);
}

function unpack(bytes: Uint8Array, entry: ZipEntry, mostBytes: number): Uint8Array {
  const packed = packedBytesOf(bytes, entry);
  if (!packed || (entry.method !== STORED && entry.method !== DEFLATED)) throw new ExtractionFailure("broken_docx");
  if (entry.claimedBytes > mostBytes || mostBytes <= 0) throw new ExtractionFailure("too_large");
  if (entry.method === STORED) return packed;
  const most = Math.min(mostBytes, Math.max(RATIO_COUNTS_FROM_BYTES, packed.byteLength * HIGHEST_RATIO));
  try {
    return inflateRawSync(packed, { maxOutputLength: most });
  } catch (error) {
    const isLarger = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new ExtractionFailure(isLarger ? "too_large" : "broken_docx", { cause: error });
  }
}
