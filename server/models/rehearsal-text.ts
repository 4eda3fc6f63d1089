/** Text work of the rehearsal model: keywords, sentences, overlap. Extractive only: it never makes a sentence up. */

const STOPWORDS = new Set(
  (
    "the and for are but not you all any can had her was one our out has have him his how its may new now old see two who did get let " +
    "say she too use that this with from they will would there their what about which when make like time just know take into your " +
    "some could them then than only also after where does happen happens why been being were more most much many must should these " +
    "those each such over under very between because while please tell give write answer request explain describe find"
  ).split(" "),
);

/** A text and its citation as the tool wrote it, brackets included. */
export type Cited = { text: string; mark: string };

/** The telling words of a text, in order, each once. */
export function keywordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]{2,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !STOPWORDS.has(word));
}

/** Words are compared by their beginning, so that "repeat" meets "repeated" and "kill" meets "killed". */
const stem = (word: string) => (word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word);

/** Share of the wanted keywords that a text holds, 0 to 1. */
export function overlap(wanted: readonly string[], text: string): number {
  const lower = text.toLowerCase();
  return wanted.filter((word) => lower.includes(stem(word))).length / Math.max(1, wanted.length);
}

const BULLET = /^\s*(?:[-*]|\d+\.)\s+/;
const SHORTEST_SENTENCE = 25;

/** Sentences and list items of running Markdown, without headings, tables and code. */
function sentencesIn(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(```|$)/g, "")
    .replace(/^\s*(#|\|).*$/gm, "")
    .split(/\n\s*\n|\n\s*(?=[-*] |\d+\. )/)
    .flatMap((block) =>
      block
        .replace(BULLET, "")
        .replace(/\s+/g, " ")
        .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}“"`*])/u),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= SHORTEST_SENTENCE);
}

/** The cited sentences in someone's findings: one for each line with a bracketed mark that is not a Markdown link. */
export function citedSentencesIn(findings: string): Cited[] {
  const found = new Map<string, string>();
  for (const line of findings.split("\n")) {
    const mark = /\[[^\][\s]+\](?!\()/.exec(line);
    const text = line
      .slice(0, mark?.index)
      .replace(BULLET, "")
      .replace(/^Supported: /, "")
      .trim();
    if (mark && text.length >= SHORTEST_SENTENCE && !found.has(text)) found.set(text, line.slice(mark.index).trim());
  }
  return [...found].map(([text, mark]) => ({ text, mark }));
}

/** Passages anywhere in a tool's JSON result: objects with a text and something to cite it by. */
export function passagesIn(value: unknown): Cited[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  const text = [fields.text, fields.content, fields.snippet].find((field) => typeof field === "string");
  const source = [fields.citation, fields.source, fields.url, fields.id].find((field) => typeof field === "string");
  if (typeof text !== "string" || typeof source !== "string") return Object.values(fields).flatMap(passagesIn);
  return [{ text, mark: source.startsWith("[") ? source : `[${source.replace(/\s+/g, "-")}]` }];
}

/** The sentences that share most with the wanted words, best first, at most two a passage. */
export function bestSentences(passages: readonly Cited[], wanted: readonly string[], count: number): Cited[] {
  const ranked = (sentences: Cited[]) => sentences.sort((a, b) => overlap(wanted, b.text) - overlap(wanted, a.text));
  const candidates = passages.flatMap(({ text, mark }) =>
    ranked(sentencesIn(text).map((sentence) => ({ text: sentence, mark }))).slice(0, 2),
  );
  const unique = new Map(ranked(candidates).map((sentence) => [sentence.text, sentence]));
  return [...unique.values()].filter(({ text }) => overlap(wanted, text) > 0).slice(0, count);
}

/** Takes, one after the other, the sentence with most of the wanted words that none before it holds. */
export function covering(sentences: readonly Cited[], wanted: readonly string[], count: number): Cited[] {
  const chosen: Cited[] = [];
  let open = wanted;
  for (
    let rest = [...sentences];
    rest.length > 0 && chosen.length < count;
    rest = rest.filter((one) => !chosen.includes(one))
  ) {
    const score = ({ text }: Cited) => overlap(open, text) + overlap(wanted, text) / 10;
    const best = rest.reduce((a, b) => (score(b) > score(a) ? b : a));
    chosen.push(best);
    open = open.filter((word) => overlap([word], best.text) === 0);
  }
  return chosen;
}

const SHARE_KEPT = 0.3;

/** A text condensed to three tenths: pieces with a citation, a path or a figure before others, then put back in their order. */
export function tellingPieces(text: string): string {
  const pieces = text.split(/\n+|(?<=[.!?])\s+/).map((piece) => piece.trim());
  const ranked = [...pieces.keys()].sort((a, b) => telling(pieces[b]) - telling(pieces[a]));
  let room = text.length * SHARE_KEPT;
  const kept = ranked.filter((at) => {
    const size = (pieces[at]?.length ?? 0) + 1;
    if (size > room) return false;
    room -= size;
    return true;
  });
  return kept
    .sort((a, b) => a - b)
    .flatMap((at) => pieces[at] || [])
    .join("\n");
}

/** Marks, paths and figures a piece holds; more than three count as three. */
function telling(piece = ""): number {
  return Math.min(3, piece.match(/\[[^\][\s]+\]|\w\/\w|\d+/g)?.length ?? 0);
}
