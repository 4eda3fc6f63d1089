import type { AgentConfig } from "@/server/agents/schema";
import type { ModelMessage, ToolCall } from "@/server/models/model";
import { canonicalJson, isRecord } from "./canonical-json";
import { hashOf } from "./ids";

/** How long a row of repeated calls may be: of one call, and of two that alternate (a round is one of each). */
export type RepeatLimits = { calls: number; rounds: number };

/** A call the agent run asked for before the one that is judged. `wasNews`: to ask again is to go on waiting, not to repeat it. */
export type PastCall = { call: ToolCall; isThisTurn: boolean; wasNews: boolean };

export type Repetition = {
  pattern: "same" | "alternating";
  /** Calls in the row before the judged one. */
  calls: number;
};
export type Verdict = { do: "run" } | { do: "refuse" | "ask"; repetition: Repetition };

/** Limits of LOK-TOOL-09. A configured number of repetitions also widens how often two calls may alternate. */
export function repeatLimits(
  { maxRepeatedCalls }: Pick<AgentConfig, "maxRepeatedCalls">,
  isRoot: boolean,
): RepeatLimits {
  return {
    calls: maxRepeatedCalls ?? (isRoot ? 2 : 4),
    rounds: Math.max(maxRepeatedCalls ?? 0, isRoot ? 3 : 10),
  };
}

/** Calls asked for before the one whose result belongs at `messageIndex`, newest first, of its own turn only those before it. */
export function callsBefore(messages: ReadonlyMap<number, ModelMessage>, messageIndex: number): PastCall[] {
  const past: PastCall[] = [];
  let isThisTurn = true;
  for (let index = messageIndex - 1; index >= 0; index--) {
    const message = messages.get(index);
    if (message?.role !== "assistant" || message.calls.length === 0) continue;
    // Results follow their reply in the order of its calls.
    const asked = isThisTurn ? message.calls.slice(0, messageIndex - index - 1) : message.calls;
    const made = asked.map((call, i) => {
      return { call, isThisTurn, wasNews: !isThisTurn && cameBackEarly(call, messages.get(index + 1 + i)) };
    });
    past.push(...made.toReversed());
    isThisTurn = false;
  }
  return past;
}

/** A wait for an agent that ended because somebody below asked something. */
function cameBackEarly({ name }: ToolCall, result: ModelMessage | undefined): boolean {
  return name === "agent__collect" && result?.role === "tool" && result.content.startsWith('{"status":"pending"');
}

/**
 * Whether a call goes on a row that is long enough (LOK-TOOL-09): the same call again and again, or two in turn. It is refused at
 * first. Asked again although an earlier turn was told so, a person decides; of several such calls in one turn about the first.
 * @param past newest first
 */
export function judgeCall(call: ToolCall, past: readonly PastCall[], limits: RepeatLimits): Verdict {
  const patterns = [
    { pattern: "same", period: 1, most: limits.calls },
    { pattern: "alternating", period: 2, most: 2 * limits.rounds },
  ] as const;
  for (const { pattern, period, most } of patterns) {
    const calls = rowBefore(call, past, period);
    if (calls < most) continue;
    const wasTold = calls > most && !past[0]?.isThisTurn;
    return { do: wasTold ? "ask" : "refuse", repetition: { pattern, calls } };
  }
  return { do: "run" };
}

/** How many of the newest calls form a row with this one, in which each equals the one `period` before it. */
function rowBefore(call: ToolCall, past: readonly PastCall[], period: number): number {
  const at = (place: number) => (place === 0 ? call : past[place - 1]?.wasNews ? undefined : past[place - 1]?.call);
  let equal = 0;
  while (isSameCall(at(equal), at(equal + period))) equal += 1;
  return equal && equal + period - 1;
}

/** A question to a person never repeats another: who is asked can put an end to it. */
function isSameCall(one: ToolCall | undefined, other: ToolCall | undefined): boolean {
  if (!one || one.name !== other?.name || one.name.startsWith("user__")) return false;
  return one.arguments === other.arguments || canonicalArguments(one) === canonicalArguments(other);
}

/** The arguments with keys in order and without the stated reason, which differs while the call does not. What is no JSON stays text. */
function canonicalArguments({ arguments: text }: ToolCall): string {
  let value: unknown;
  try {
    value = JSON.parse(text || "{}");
  } catch {
    return text;
  }
  return canonicalJson(isRecord(value) ? { ...value, reason: undefined } : value);
}

/** Tells by which agent what was called, the stated reason aside: sha256 of agent name, tool and arguments. */
export function callHash(agentName: string, call: ToolCall): string {
  return hashOf(JSON.stringify([agentName, call.name, canonicalArguments(call)]));
}
