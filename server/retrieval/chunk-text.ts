import { type Block, blocksOf, type ChunkedText } from "./chunk-blocks";
import { cutBefore, overlapBefore } from "./chunk-cuts";
import type { ChunkDraft } from "./embedder";

/** Sizes in characters. A passage of about 200 words says one thing and leaves room for others in a prompt. */
const ABOUT = 1_200;
/** Code and tables up to this size stay in one piece. */
const WHOLE = 2_000;
const OVERLAP = 150;
/** A section shorter than this is not worth a passage of its own: the next one joins it. */
const LEAST = 300;

/** Headings above a passage. */
type Place = { headings: readonly string[]; isChain: boolean };
type Open = {
  startsAt: number;
  endsAt: number;
  /** Of its first block. */
  headings: readonly string[];
  page: number | null;
  place: Place;
  /** Where its own text begins, after what it repeats. */
  freshFrom: number;
};

/**
 * Cuts a text into passages (RAG-CHUNK-01 read for prose): along its headings and pages, paragraphs packed to about 1,200
 * characters, longer ones cut between sentences, never inside a word. A passage is exactly
 * `text.slice(startsAt, startsAt + length)`; neighbours in a section share a sentence or two; nothing but blanks is left out.
 */
export function* chunkText(input: ChunkedText): Generator<ChunkDraft> {
  const { text } = input;
  let position = 0;
  let open = null as Open | null;
  const draft = ({ startsAt, endsAt, headings, page, place }: Open): ChunkDraft => {
    const passage = text.slice(startsAt, endsAt).trimEnd();
    const titles = place.headings.length > 0 ? place.headings : headings;
    return { position: position++, text: passage, heading: titles.join(" › "), page, startsAt };
  };

  for (const block of blocksOf(input)) {
    if (open && isBorder(open, block)) {
      yield draft(open);
      open = null;
    }
    const beginning = {
      page: block.page,
      headings: block.headings,
      place: { headings: block.headings, isChain: true },
    };
    for (const piece of piecesOf(text, block)) {
      if (!open) open = { ...piece, ...beginning, freshFrom: piece.startsAt };
      else if (piece.endsAt - open.startsAt <= (open.startsAt === open.freshFrom ? ABOUT : ABOUT + OVERLAP)) {
        open = { ...open, endsAt: piece.endsAt, place: under(open.place, block.headings) };
      } else {
        yield draft(open);
        const back = overlapBefore(text, open.freshFrom, open.endsAt, OVERLAP);
        const startsAt: number = back < open.endsAt && piece.endsAt - back <= WHOLE + OVERLAP ? back : piece.startsAt;
        open = { startsAt, endsAt: piece.endsAt, ...beginning, freshFrom: piece.startsAt };
      }
    }
  }
  if (open) yield draft(open);
}

/** A page ends, or a section begins and what came before is long enough to stand alone. */
function isBorder(open: Open, block: Block): boolean {
  if (open.page !== block.page) return true;
  if (!block.isHeading) return false;
  return open.endsAt - open.freshFrom >= LEAST || block.endsAt - open.startsAt > ABOUT;
}

function* piecesOf(text: string, block: Block): Generator<{ startsAt: number; endsAt: number }> {
  const most = block.isWhole && block.endsAt - block.startsAt <= WHOLE ? WHOLE : ABOUT;
  for (let at = block.startsAt; at < block.endsAt; ) {
    const end = cutBefore(text, at, block.endsAt, most);
    const blanks = text.slice(at, end).search(/\S/);
    if (blanks >= 0) yield { startsAt: at + blanks, endsAt: end };
    at = end;
  }
}

/**
 * Where a passage stands that began under `path` and goes on under `next`: the deepest heading as long as its sections lie in
 * one another, from then on what they have in common.
 */
function under({ headings, isChain }: Place, next: readonly string[]): Place {
  const common = headings.filter(
    (title, i) => next[i] === title && headings.slice(0, i).every((t, j) => next[j] === t),
  );
  if (isChain && common.length === headings.length) return { headings: next, isChain };
  return { headings: common, isChain: false };
}
