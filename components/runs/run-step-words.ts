import { requestOutcome } from "@/components/runs/run-labels";
import type { OpenStep, RequestView, StepRow } from "@/server/engine/events";

type Parts = {
  step: StepRow | null;
  open: OpenStep | null;
  request: RequestView | null;
};

/** A call of the agent's own, or one of the engine's that condenses. */
export function isModelCall(kind: StepRow["kind"]): boolean {
  return kind === "model" || kind === "summary";
}

/** What a step's row says: its name, and beside it what went wrong or what more there is to know. */
export function stepWords({ kind, step, open, request }: Parts & { kind: StepRow["kind"] }) {
  const name = step?.name ?? open?.name ?? "";
  const turn = step?.turn ?? open?.turn;
  const failure = step?.error?.message ?? null;
  if (kind === "human") {
    return {
      name: request ? firstLine(request.prompt) : name,
      context: failure ?? (request ? requestOutcome(request) : null),
    };
  }
  if (kind === "model") return { name: turn === undefined ? "Model call" : `Turn ${turn}`, context: failure ?? name };
  if (kind === "summary") return { name: "Condense the conversation", context: failure ?? name };
  return { name: name || (request?.call?.tool ?? "Tool call"), context: failure };
}

export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
