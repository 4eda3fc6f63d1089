import type { Combination, PatternSettings } from "../pattern-settings";
import { combineAll } from "./combine-all";
import { judgeBest } from "./combine-best";
import { takeMajority } from "./combine-majority";
import { writeSynthesis } from "./combine-synthesis";
import { withSaid } from "./material";
import { isDone, noResult } from "./outcome";
import type { Move, Part, Policy } from "./policy";

const GIVEN: Record<Exclude<Combination, "supervisor">, string> = {
  all: "their answers stand side by side",
  first: "the first result counts",
  majority: "the most common answer counts",
  best: "the one that is scored highest counts",
  synthesis: "one answer is written from all results",
};

/** Every agent is given the whole task at once (AGT-ADV-12…16). Null where the supervisor's model leads. */
export function broadcast({ combine, timeLimitMs }: PatternSettings["broadcast"]): Policy | null {
  if (combine === "supervisor") return null;
  return ({ task, said, agents, phases, waitedMs }) => {
    const [parts] = phases;
    if (!parts) {
      if (agents.length === 0)
        return { do: "fail", code: "no_agents", message: "There are no agents to give the task to." };
      const whole = withSaid(task, said);
      return {
        do: "start",
        parts: agents.map((agent) => ({ agent, task: whole })),
        reason: `All ${agents.length} agents get the whole task at once; ${GIVEN[combine]}.`,
      };
    }
    const isOpen = parts.some(({ end }) => end === null);
    if (combine === "first") return race(parts, { isOpen, leftMs: timeLimitMs - waitedMs, timeLimitMs });
    return isOpen ? { do: "wait" } : combined(combine, parts, withSaid(task, said));
  };
}

/** What ended parts come to. */
function combined(combine: Exclude<Combination, "supervisor" | "first">, parts: readonly Part[], task: string): Move {
  if (!parts.some(isDone)) return noResult(parts, "None of the agents came to a result.");
  switch (combine) {
    case "all":
      return combineAll(parts);
    case "majority":
      return takeMajority(parts.filter(isDone));
    case "best":
      return judgeBest(parts.filter(isDone), task);
    case "synthesis":
      return writeSynthesis(parts.filter(isDone), task);
    default:
      return combine satisfies never;
  }
}

/** The first that completes is the answer; that none does in time is an outcome like any other (AGT-ADV-13). */
function race(
  parts: readonly Part[],
  { isOpen, leftMs, timeLimitMs }: { isOpen: boolean; leftMs: number; timeLimitMs: number },
): Move {
  const finishedAt = ({ end }: Part) => end?.finishedAt ?? "";
  const [first] = parts
    .filter(isDone)
    .toSorted((a, b) => (finishedAt(a) < finishedAt(b) ? -1 : finishedAt(a) > finishedAt(b) ? 1 : 0));
  if (first) {
    return {
      ...{ do: "answer", text: first.end?.text ?? "", source: "policy" },
      reason: `${first.agent} was the first to complete.`,
      chosen: { option: `agent:${first.agent}`, label: first.agent, position: null, reason: null },
    };
  }
  if (isOpen && leftMs > 0) return { do: "wait", atMostMs: leftMs };
  return noResult(parts, `None of the agents came to a result within ${timeLimitMs / 1_000} s.`);
}
