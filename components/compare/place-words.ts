import { decisionTitle } from "@/components/runs/run-labels";
import type { ComparedPlace } from "@/server/runs/compare/schema";

/** What a step or decision is called in a row, and what there is to know beside it. */
export function placeWords(place: ComparedPlace): { name: string; context: string | null } {
  if (place.type === "decision") return { name: decisionTitle(place), context: null };
  const { kind, turn, name, note } = place;
  if (kind === "model") return { name: `Turn ${turn}`, context: note ?? name };
  if (kind === "summary") return { name: "Condense the conversation", context: note ?? name };
  return { name, context: note };
}
