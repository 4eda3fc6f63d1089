import type { TextDelta } from "@/server/engine/events";

/** The text of a reply that is still streaming, and the pieces that arrived before the one they follow. */
export type LiveText = { text: string; early: readonly TextPiece[] };
type TextPiece = { offset: number; text: string };

export const textKey = (agentRunId: string, position: number) => `${agentRunId}.${position}`;

/** True while a piece is missing in between: only a fresh snapshot can fill it. */
export const hasGap = (live: LiveText) => live.early.length > 0;

/**
 * Adds one piece. Pieces may come twice, overlap what a snapshot already held, or come before the one they follow;
 * offsets count UTF-16 units.
 */
export function addPiece(live: LiveText | undefined, { offset, text }: Pick<TextDelta, "offset" | "text">): LiveText {
  // A retried call writes its reply anew from the first unit: what the first attempt said is void.
  const known = live?.text ?? "";
  const restarted = offset === 0 && !known.startsWith(text) && !text.startsWith(known);
  return settle(restarted ? "" : known, [...(restarted ? [] : (live?.early ?? [])), { offset, text }]);
}

/** What a snapshot read from the database, joined with what had streamed in meanwhile. */
export function joinSnapshot(live: LiveText | undefined, stored: string): LiveText {
  if (!live) return { text: stored, early: [] };
  return settle(live.text.startsWith(stored) ? live.text : stored, live.early);
}

function settle(start: string, pieces: readonly TextPiece[]): LiveText {
  let text = start;
  const early: TextPiece[] = [];
  for (const piece of [...pieces].sort((a, b) => a.offset - b.offset)) {
    if (piece.offset > text.length) early.push(piece);
    else if (piece.offset + piece.text.length > text.length) text += piece.text.slice(text.length - piece.offset);
  }
  return { text, early };
}
