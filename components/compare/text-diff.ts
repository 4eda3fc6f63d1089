import { diffLines, diffWordsWithSpace } from "diff";

/** A stretch of text: in both, or only in one of them. */
export type TextPart = { text: string; in: "both" | "left" | "right" };

/** A page that waits longer than this seems stuck; by lines it is quicker. */
const MOST_MS = 300;

/** What of two texts is in both; by words, or by lines where that takes too long or is asked for. Null: too much to tell. */
export function diffTexts(left: string, right: string, by: "words" | "lines"): TextPart[] | null {
  const options = { timeout: MOST_MS };
  const words = by === "words" ? diffWordsWithSpace(left, right, options) : undefined;
  const changes = words ?? diffLines(left, right, options);
  return changes
    ? changes.map(({ value, added, removed }) => ({ text: value, in: added ? "right" : removed ? "left" : "both" }))
    : null;
}
