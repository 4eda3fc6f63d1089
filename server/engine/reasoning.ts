import type { ModelReply } from "@/server/models/model";
import type { JournalUnit } from "./journal/unit";

/** Characters kept of what a model thought in one call: its beginning, and more of its end than a reason takes. */
const KEPT = { beginning: 24_000, end: 8_000 };
const LONGEST_REASON = 500;

/** What is recorded of the reasoning of a reply, with the call at this position. */
export function reasoningUnit(position: number, { reasoning }: Pick<ModelReply, "reasoning">): JournalUnit {
  return reasoning?.trim() ? { reasonings: [{ position, text: keptReasoning(reasoning) }] } : {};
}

/** A long one is cut in its middle, and says so. */
export function keptReasoning(reasoning: string): string {
  const left = reasoning.length - KEPT.beginning - KEPT.end;
  if (left <= 0) return reasoning;
  return `${reasoning.slice(0, KEPT.beginning)}\n\n[… ${left} characters are left out here …]\n\n${reasoning.slice(-KEPT.end)}`;
}

/**
 * What a model came to, in its own words: the last sentences of its reasoning, of one paragraph, as many as are short enough for a reason.
 * Null where it thought nothing.
 */
export function reasonIn(reasoning: string | undefined): string | null {
  const last = reasoning
    ?.trim()
    .split(/\n\s*\n/)
    .at(-1)
    ?.replace(/\s+/g, " ")
    .trim();
  if (!last) return null;
  if (last.length <= LONGEST_REASON) return last;
  const end = last.slice(-LONGEST_REASON);
  // After the first end of a sentence in it; one endless sentence is cut between words.
  const from = /[.!?…]["”’)]?\s+/.exec(end) ?? /\s+/.exec(end);
  const whole = from ? end.slice(from.index + from[0].length) : "";
  return `… ${whole || end}`;
}
