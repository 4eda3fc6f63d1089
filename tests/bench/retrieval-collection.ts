import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Judgements } from "./retrieval-figures";

const document = z.object({ _id: z.coerce.string(), title: z.string().default(""), text: z.string() });
const query = z.object({ _id: z.coerce.string(), text: z.string() });
const judgement = z.object({ query: z.coerce.string(), doc: z.coerce.string(), rel: z.number() });

export type Collection = {
  name: string;
  documents: { id: string; text: string }[];
  queries: { id: string; text: string; judged: Judgements }[];
};

/** Reads corpus.jsonl, queries.jsonl and qrels.jsonl of a folder; null where there is no such folder. */
export function readCollection(folder: string, name: string): Collection | null {
  const at = join(folder, name);
  if (!existsSync(join(at, "corpus.jsonl"))) return null;
  const lines = <T>(file: string, shape: z.ZodType<T>): T[] =>
    readFileSync(join(at, file), "utf8")
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => shape.parse(JSON.parse(line)));

  const judged = new Map<string, Map<string, number>>();
  for (const { query: of, doc, rel } of lines("qrels.jsonl", judgement)) {
    if (rel > 0) judged.set(of, (judged.get(of) ?? new Map()).set(doc, rel));
  }
  return {
    name,
    documents: lines("corpus.jsonl", document).map(({ _id, title, text }) => ({
      id: _id,
      text: `${title}\n\n${text}`,
    })),
    queries: lines("queries.jsonl", query).flatMap(({ _id, text }) => {
      const of = judged.get(_id);
      return of ? [{ id: _id, text, judged: of }] : [];
    }),
  };
}
