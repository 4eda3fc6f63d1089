import { stemmer } from "stemmer";
import type { ChunkDraft } from "./embedder";

/**
 * Text as BM25 sees it (RAG-BM25-02 to 05): lower-case words of letters, digits and underscores, without English stop words and
 * words of one character, cut to their Porter stem. Chinese, Japanese and Korean are not written in words apart: they are taken
 * as pairs of neighbouring characters.
 */

export type TermCounts = {
  frequencies: ReadonlyMap<string, number>;
  /** Terms in all. */
  length: number;
};

/** A term of a query and how much it counts. */
export type QueryTerm = { term: string; weight: number };

const STOPWORDS = new Set(
  (
    "a about after all also am an and any are as at be because been before being between both but by can could did do does doing " +
    "during each for from further had has have having he her here hers him his how i if in into is it its itself just me more most " +
    "my no nor not of on once only or other our ours out over own same she should so some such than that the their theirs them then " +
    "there these they this those through to too under until up very was we were what when where which while who whom why will with " +
    "would you your yours"
  ).split(" "),
);

/** A longer "word" is a hash, a key or a picture in letters; its beginning tells it apart well enough, and keys stay short. */
const LONGEST_TERM = 64;

const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORDS)) {
    if (isPlain(word)) addWord(terms, word);
    else addMixed(terms, word);
  }
  return terms;
}

const isPlain = (word: string) => /^[\p{Script=Latin}\p{N}_]+$/u.test(word);

/** A run of letters may hold both: "PostgreSQL入門". */
function addMixed(terms: string[], run: string): void {
  let end = 0;
  for (const match of run.matchAll(CJK)) {
    addWord(terms, run.slice(end, match.index));
    addPairs(terms, [...match[0]]);
    end = match.index + match[0].length;
  }
  addWord(terms, run.slice(end));
}

function addPairs(terms: string[], characters: readonly string[]): void {
  if (characters.length === 1) terms.push(characters.join(""));
  for (let i = 0; i + 1 < characters.length; i++) terms.push(characters.slice(i, i + 2).join(""));
}

function addWord(terms: string[], word: string): void {
  if (word.length > 1 && !STOPWORDS.has(word)) terms.push(stem(word).slice(0, LONGEST_TERM));
}

/** Names with digits or underscores are kept as they are: "http2", "max_tokens". */
function stem(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

export function countTerms(text: string): TermCounts {
  const terms = termsOf(text);
  const frequencies = new Map<string, number>();
  for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return { frequencies, length: terms.length };
}

/** What of a chunk can be found: its headings say what it is about, so they count too. */
export function indexedText({ heading, text }: Pick<ChunkDraft, "heading" | "text">): string {
  return heading ? `${heading}\n${text}` : text;
}

/** Short and long forms of one word (RAG-BM25-05); each finds the others. */
const SYNONYMS = [
  "db database",
  "auth authentication authorization",
  "config configuration",
  "perf performance",
  "impl implementation",
  "req request",
  "res response",
  "err error",
  "msg message",
  "fn function",
  "param parameter",
  "repo repository",
  "env environment",
  "async asynchronous",
  "sync synchronous",
].map((group) => group.split(" "));

/** A synonym is a guess: what was asked for in so many words comes first. */
const SYNONYM_WEIGHT = 0.5;

/**
 * The query's terms, each once: a word said twice in a question is not asked for twice. Synonyms are looked up by the word as
 * it was written, because stems say too little ("author" is the stem of "authorization").
 */
export function queryTerms(query: string): QueryTerm[] {
  const weights = new Map(termsOf(query).map((term) => [term, 1]));
  const words = new Set(query.toLowerCase().match(WORDS));
  for (const group of SYNONYMS) {
    if (!group.some((word) => words.has(word))) continue;
    for (const term of group.flatMap(termsOf)) if (!weights.has(term)) weights.set(term, SYNONYM_WEIGHT);
  }
  return [...weights].map(([term, weight]) => ({ term, weight }));
}
