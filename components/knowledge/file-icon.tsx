import {
  IconFileText,
  IconFileTypeCsv,
  IconFileTypeDocx,
  IconFileTypeHtml,
  IconFileTypePdf,
  IconMarkdown,
} from "@tabler/icons-react";
import { FILE_TYPES } from "@/server/knowledge/schema";

const GLYPHS = [
  { part: "pdf", glyph: IconFileTypePdf },
  { part: "wordprocessingml", glyph: IconFileTypeDocx },
  { part: "markdown", glyph: IconMarkdown },
  { part: "html", glyph: IconFileTypeHtml },
  { part: "csv", glyph: IconFileTypeCsv },
];

export function FileIcon({ mediaType }: { mediaType: string }) {
  const Glyph = GLYPHS.find(({ part }) => mediaType.includes(part))?.glyph ?? IconFileText;
  return <Glyph size={16} stroke={1.6} className="file-icon" aria-hidden />;
}

/** "PDF", "Word (DOCX)"; the media type itself when it is none of ours. */
export function fileTypeWord(mediaType: string): string {
  return FILE_TYPES.find((type) => type.mediaType === mediaType)?.word ?? mediaType;
}
