/** A stretch of a text that is kept together where it fits: `text.slice(startsAt, endsAt)`, without blanks around it. */
export type Block = {
  startsAt: number;
  endsAt: number;
  /** Code and tables say little in halves. */
  isWhole: boolean;
  /** Headings above it, the nearest last; of a heading itself, with it. */
  headings: readonly string[];
  isHeading: boolean;
  page: number | null;
};

export type ChunkedText = { text: string; isMarkdown: boolean; pageStarts: readonly number[] | null };

const LONGEST_HEADING = 200;
type Line = { startsAt: number; endsAt: number; content: string };

/** Headings (Markdown levels 1 to 6), code, tables and paragraphs of a text, in order. None reaches over a page's end. */
export function* blocksOf({ text, isMarkdown, pageStarts }: ChunkedText): Generator<Block> {
  const headings: { level: number; title: string }[] = [];
  let fence: string | null = null;
  let open: { startsAt: number; endsAt: number; isWhole: boolean } | null = null;
  let page = 0;

  const block = (at: { startsAt: number; endsAt: number; isWhole: boolean }, isHeading: boolean): Block => ({
    ...at,
    isHeading,
    headings: headings.map(({ title }) => title),
    page: pageStarts ? Math.max(page, 1) : null,
  });
  const close = function* (): Generator<Block> {
    if (open) yield block(open, false);
    open = null;
  };

  for (const line of linesOf(text)) {
    if (pageStarts && page < pageStarts.length && line.startsAt >= (pageStarts[page] ?? 0)) {
      yield* close();
      while (page < pageStarts.length && line.startsAt >= (pageStarts[page] ?? 0)) page++;
    }
    const mark = isMarkdown ? fenceOf(line.content) : null;
    if (mark && (fence === null || (mark.startsWith(fence) && line.content === mark))) {
      // A fence opens code and the same closes it.
      const closes: boolean = fence !== null;
      if (!closes) yield* close();
      fence = closes ? null : mark;
      open = grown(open, line, true);
      if (closes) yield* close();
      continue;
    }
    if (fence !== null) {
      if (line.content) open = grown(open, line, true);
      continue;
    }
    const heading = isMarkdown ? headingOf(line.content) : null;
    if (heading) {
      yield* close();
      while ((headings.at(-1)?.level ?? 0) >= heading.level) headings.pop();
      headings.push(heading);
      yield block({ startsAt: line.startsAt, endsAt: line.endsAt, isWhole: false }, true);
      continue;
    }
    if (!line.content) {
      yield* close();
      continue;
    }
    const isRow = line.content.startsWith("|");
    if (open && open.isWhole !== isRow) yield* close();
    open = grown(open, line, isRow);
  }
  yield* close();
}

function grown(
  open: { startsAt: number; endsAt: number; isWhole: boolean } | null,
  line: Line,
  isWhole: boolean,
): { startsAt: number; endsAt: number; isWhole: boolean } {
  return { startsAt: open?.startsAt ?? line.startsAt, endsAt: line.endsAt, isWhole };
}

/** Each line with where it lies, blanks around it left out. */
function* linesOf(text: string): Generator<Line> {
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline;
    const whole = text.slice(from, to);
    const content = whole.trim();
    const startsAt = from + (whole.length - whole.trimStart().length);
    yield { content, startsAt: content ? startsAt : from, endsAt: startsAt + content.length };
    from = to + 1;
  }
}

function fenceOf(line: string): string | null {
  return /^(`{3,}|~{3,})/.exec(line)?.[0] ?? null;
}

function headingOf(line: string): { level: number; title: string } | null {
  const level = /^#{1,6}(?=\s)/.exec(line)?.[0].length;
  if (!level) return null;
  const title = line
    .slice(level)
    .replace(/[\s#]+$/, "")
    .trim();
  return title ? { level, title: title.slice(0, LONGEST_HEADING).toWellFormed() } : null;
}
