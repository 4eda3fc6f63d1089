import type { ModelReply, ToolCall } from "@/server/models/model";
import type { ChosenOption, DecisionKind, ReasonSource } from "./events";
import { HANDOFF_TOOL } from "./handoffs";
import { reasonIn } from "./reasoning";

const LONGEST_REASON = 2_000;

export type TurnDecision = {
  kind: DecisionKind;
  chosen: ChosenOption[];
  reason: string | null;
  source: ReasonSource;
};

/**
 * The decision a model took with one reply. Its reason is what the model said in that very reply: the `reason` arguments
 * of its calls, else the text beside them, else the end of what it thought before, where its provider sends that. The answer itself is no reason.
 * @param firstPosition step position of the first call
 */
export function decisionOf(
  reply: Pick<ModelReply, "text" | "reasoning">,
  calls: readonly ToolCall[],
  firstPosition: number,
): TurnDecision {
  if (calls.length === 0) {
    return {
      kind: "finish",
      chosen: [{ option: "answer", label: "Answer", position: null, reason: null }],
      ...unstated(reply),
    };
  }
  const chosen = calls.map((call, i) => chosenOf(call, firstPosition + i));
  const stated = chosen.flatMap(({ label, reason }) =>
    reason ? [chosen.length > 1 ? `${label}: ${reason}` : reason] : [],
  );
  const said = reply.text?.trim();
  const reason = stated.length ? stated.join("\n") : said ? said.slice(0, LONGEST_REASON) : null;
  return { kind: kindOf(calls), chosen, ...(reason ? { reason, source: "model-stated" } : unstated(reply)) };
}

function unstated({ reasoning }: Pick<ModelReply, "reasoning">): Pick<TurnDecision, "reason" | "source"> {
  const reason = reasonIn(reasoning);
  return { reason, source: reason ? "provider-reasoning" : "not-stated" };
}

function kindOf(calls: readonly ToolCall[]): DecisionKind {
  if (calls.some(({ name }) => name === "agent__spawn")) return "delegate";
  return calls.some(({ name }) => name === HANDOFF_TOOL) ? "handoff" : "tool_choice";
}

function chosenOf(call: ToolCall, position: number): ChosenOption {
  const args = argumentsOf(call);
  const reason =
    typeof args.reason === "string" && args.reason.trim() ? args.reason.trim().slice(0, LONGEST_REASON) : null;
  if ((call.name === "agent__spawn" || call.name === HANDOFF_TOOL) && typeof args.agent === "string") {
    return { option: `agent:${args.agent}`, label: args.agent, position, reason };
  }
  return { option: call.name, label: call.name, position, reason };
}

/** The call's arguments as an object; empty when they are no JSON object. */
export function argumentsOf(call: ToolCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(call.arguments || "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
