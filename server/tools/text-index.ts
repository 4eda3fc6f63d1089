/** Ranked text search in memory (Okapi BM25), for the product's own few pages. */

export type Section = { citation: string; title: string; text: string };
/** A section and how well it matched (BM25), best first. */
export type SectionHit = { section: Section; score: number };
export type TextIndex = { search(query: string, count: number): SectionHit[] };

/** The usual constants: how fast repeated words stop counting, and how much long sections are held back. */
const K1 = 1.2;
const B = 0.75;
/** A title says what a section is about, so its words count as often as this. */
const TITLE_WEIGHT = 3;

type Indexed = { section: Section; counts: Map<string, number>; length: number };

export function buildTextIndex(sections: readonly Section[]): TextIndex {
  const indexed = sections.map(indexSection);
  const averageLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const holders = new Map<string, number>();
  for (const { counts } of indexed) for (const term of counts.keys()) holders.set(term, (holders.get(term) ?? 0) + 1);

  const rarity = (term: string) => {
    const held = holders.get(term) ?? 0;
    return Math.log(1 + (indexed.length - held + 0.5) / (held + 0.5));
  };
  const score = ({ counts, length }: Indexed, terms: readonly string[]) => {
    let sum = 0;
    for (const term of terms) {
      const count = counts.get(term) ?? 0;
      if (count > 0) sum += (rarity(term) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
    }
    return sum;
  };

  return {
    search(query, count) {
      const terms = [...new Set(termsOf(query))];
      return indexed
        .map((entry) => ({ section: entry.section, score: score(entry, terms) }))
        .filter((hit) => hit.score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, count);
    },
  };
}

function indexSection(section: Section): Indexed {
  const counts = new Map<string, number>();
  const terms = termsOf(section.text);
  const titleTerms = termsOf(section.title);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of titleTerms) counts.set(term, (counts.get(term) ?? 0) + TITLE_WEIGHT);
  return { section, counts, length: terms.length + titleTerms.length * TITLE_WEIGHT };
}

const STOPWORDS = new Set(
  "a an and are as at be but by do does for from has have how if in into is it its no not of on or so such that the their then there these they this to was what when where which who why will with you your".split(
    " ",
  ),
);

function termsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOPWORDS.has(word)).map(stem);
}

/** Just enough English endings for "kills", "killed" and "killing" to meet. */
function stem(word: string): string {
  const bare = word.replace(/(ing|ed|es|s)$/, "");
  return bare.length >= 3 ? bare.replace(/e$/, "") : word;
}
