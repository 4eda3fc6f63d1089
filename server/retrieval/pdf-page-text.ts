/** A piece of text on a page, as pdf.js finds it. `transform` is [a b c d x y]; y grows upwards. */
export type PdfItem = { str: string; hasEOL: boolean; transform: number[]; width: number; height: number };

/** A gap between lines larger than this many line heights parts paragraphs. */
const PARAGRAPH_GAP = 1.6;
/** A gap between two pieces of a line larger than this share of the letter height is a blank that nobody wrote. */
const WORD_GAP = 0.25;

/**
 * Pieces of a page in reading order, as lines and paragraphs. A PDF knows neither: lines are told by the height they lie at,
 * paragraphs by the gap above them, and words cut at the end of a line by their hyphen.
 */
export function pageText(items: readonly PdfItem[]): string {
  const lines = toLines(items);
  let text = "";
  let before: Line | undefined;
  for (const line of lines) {
    if (before) text = join(text, before, line);
    text += line.text;
    before = line;
  }
  return text;
}

type Line = { text: string; y: number; height: number };

function toLines(items: readonly PdfItem[]): Line[] {
  const lines: Line[] = [];
  let text = "";
  let first: PdfItem | undefined;
  let last: PdfItem | undefined;
  const end = () => {
    const trimmed = text.replace(/[^\S\n]+/g, " ").trim();
    if (first && trimmed) lines.push({ text: trimmed, y: y(first), height: Math.abs(first.height) });
    text = "";
    first = undefined;
    last = undefined;
  };
  for (const item of items) {
    if (item.str.trim() !== "") {
      if (last && Math.abs(y(item) - y(last)) > Math.max(last.height, item.height) * 0.5) end();
      if (last && isApart(last, item)) text += " ";
      first ??= item;
      last = item;
    }
    text += item.str;
    if (item.hasEOL) end();
  }
  end();
  return lines;
}

function join(text: string, before: Line, line: Line): string {
  const gap = before.y - line.y;
  const height = Math.max(before.height, line.height, 1);
  // Upwards: the next column.
  if (gap < 0 || gap > height * PARAGRAPH_GAP || isLarger(before, line)) return `${text}\n\n`;
  if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line.text)) return text.slice(0, -1);
  return `${text}\n`;
}

/** A heading stands close above its text but is set larger. */
function isLarger(before: Line, line: Line): boolean {
  return before.height > line.height * 1.15 || line.height > before.height * 1.15;
}

const x = ({ transform }: PdfItem) => transform[4] ?? 0;
const y = ({ transform }: PdfItem) => transform[5] ?? 0;

function isApart(last: PdfItem, item: PdfItem): boolean {
  const gap = x(item) - (x(last) + last.width);
  return gap > Math.max(last.height, item.height) * WORD_GAP && !/\s$/.test(last.str) && !/^\s/.test(item.str);
}
