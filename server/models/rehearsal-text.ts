/** Text work of the rehearsal model: keywords, sentences, overlap. Extractive only: it never makes a sentence up. */

const STOPWORDS = new Set(
  (
    "the and for are but not you all any can had her was one our out has have him his how its may new now old see two who did " +
    "get let say she too use that this with from they will would there their what about which when make like time just know take " +
    "into your some could them than then only also after where does happen happens why been being were more most much many must " +
    "should these those each such over under very between because while please tell give write answer request explain describe find"
  ).split(" "),
);

/** A sentence somebody cited: `mark` is the citation as the tool wrote it, brackets included. */
export type CitedSentence = { text: string; mark: string };

/** The telling words of a text, in order, each once. */
export function keywordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 2 && !STOPWORDS.has(word));
}

/** Words are compared by their beginning, so that "repeat" meets "repeated" and "kill" meets "killed". */
const stem = (word: string) => (word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word.replace(/s$/, ""));

/** Share of the wanted keywords that a text holds, 0 to 1. */
export function overlap(wanted: readonly string[], text: string): number {
  if (wanted.length === 0) return 0;
  const lower = text.toLowerCase();
  return wanted.filter((word) => lower.includes(stem(word))).length / wanted.length;
}

/** Sentences and list items of running Markdown, without headings, tables and code. */
export function sentencesOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?(```|$)/g, "").replace(/^\s*(#|\|).*$/gm, "");
  return prose
    .split(/\n\s*\n|\n\s*(?=[-*] |\d+\. )/)
    .flatMap((block) => block.replace(/\s+/g, " ").split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}“"`*])/u))
    .map((sentence) => sentence.replace(/^\s*(?:[-*]|\d+\.)\s+/, "").trim())
    .filter((sentence) => sentence.length >= 25 && sentence.length <= 500);
}

/** A bracketed mark such as `[1]` or `[docs/a.md#b]`; not a Markdown link. */
const MARK = /\[[^\][\s]+\](?!\()/g;

/** The cited sentences in someone's findings: one for each line that ends with a mark. */
export function citedSentencesOf(findings: string): CitedSentence[] {
  const found = new Map<string, CitedSentence>();
  for (const line of findings.split("\n")) {
    const mark = line.match(MARK)?.at(-1);
    if (!mark) continue;
    const text = line
      .slice(0, line.indexOf(mark))
      .replace(/^\s*(?:[-*]|\d+\.)\s+/, "")
      .replace(/^(Supported|Only here): /, "")
      .trim();
    if (text.length >= 25 && !found.has(text)) found.set(text, { text, mark });
  }
  return [...found.values()];
}

export type Passage = { text: string; mark: string };

/** Passages anywhere in a tool's JSON result: objects with a text and something to cite it by. */
export function passagesIn(value: unknown): Passage[] {
  if (Array.isArray(value)) return value.flatMap(passagesIn);
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  const text = [fields.text, fields.content, fields.snippet].find((field) => typeof field === "string");
  const source = [fields.citation, fields.source, fields.url, fields.id].find((field) => typeof field === "string");
  if (typeof text === "string" && typeof source === "string") {
    return [{ text, mark: source.startsWith("[") ? source : `[${source.replace(/\s+/g, "-")}]` }];
  }
  return Object.values(fields).flatMap(passagesIn);
}

/** The sentences that share most with the wanted words, best first, at most two a passage. */
export function bestSentences(passages: readonly Passage[], wanted: readonly string[], count: number): CitedSentence[] {
  const candidates = passages.flatMap(({ text, mark }) =>
    sentencesOf(text)
      .map((sentence) => ({ text: sentence, mark, score: overlap(wanted, sentence) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 2),
  );
  const seen = new Set<string>();
  return candidates
    .sort((a, b) => b.score - a.score)
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .slice(0, count)
    .map(({ text, mark }) => ({ text, mark }));
}
