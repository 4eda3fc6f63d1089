import { formatBytes } from "@/components/ui/format";
import { FILE_TYPES, MOST_FILE_BYTES } from "@/server/knowledge/schema";

const MOST_FILE_MB = MOST_FILE_BYTES / (1024 * 1024);

/** "PDF, Word (DOCX), Markdown, text, HTML and CSV". */
export const FILE_TYPE_WORDS = FILE_TYPES.map(({ word }) => word)
  .join(", ")
  .replace(/, ([^,]+)$/, " and $1");
export const FILE_LIMIT_WORDS = `up to ${MOST_FILE_MB} MB each`;

/**
 * What is wrong with a file before a byte of it is sent; null when nothing is known to be. What it really is only
 * its bytes tell, and those the server reads.
 */
export function problemOf(file: { size: number }): string | null {
  if (file.size === 0) return "The file is empty. Save it with its content and choose it again.";
  if (file.size > MOST_FILE_BYTES) {
    return `The file has ${formatBytes(file.size)}; the limit is ${MOST_FILE_MB} MB. Split it, or save a smaller version.`;
  }
  return null;
}
