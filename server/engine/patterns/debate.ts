import type { PatternSettings } from "../pattern-settings";
import { takeMajority } from "./combine-majority";
import { judgeDebate } from "./judge-debate";
import { asMaterial, MATERIAL_RULE, withSaid } from "./material";
import { normalised } from "./normalised";
import { isDone, noResult } from "./outcome";
import type { Part, Policy } from "./policy";

/**
 * All agents answer, then over some rounds each sees what the others last said and answers again: it changes its answer or defends it. When
 * all say the same it is over; after the last round a judge decides. Who does not complete its part is out, and what it said before stands.
 */
export function debate({ rounds, judge }: PatternSettings["debate"]): Policy {
  return ({ task, said, agents, phases }) => {
    const whole = withSaid(task, said);
    const last = phases.at(-1);
    if (!last) {
      if (agents.length === 0) return { do: "fail", code: "no_agents", message: "There is nobody to debate." };
      return {
        do: "start",
        parts: agents.map((agent) => ({ agent, task: whole })),
        reason: `All ${agents.length} agents answer by themselves; then ${rounds === 1 ? "one round follows" : `up to ${rounds} rounds follow`}.`,
      };
    }
    if (last.some(({ end }) => end === null)) return { do: "wait" };
    const contributions = lastOfEach(agents, phases);
    const [first] = contributions;
    if (!first) return noResult(phases.flat(), "None of the agents came to a result.");
    if (contributions.every((one) => textOf(one) === textOf(first))) {
      return {
        ...{ do: "answer", text: first.end?.text ?? "", source: "policy" },
        reason:
          contributions.length === 1
            ? `Only ${first.agent} came to an answer.`
            : `All ${contributions.length} say the same ${phases.length === 1 ? "from the start" : `after round ${phases.length - 1}`}.`,
        chosen: { option: `agent:${first.agent}`, label: first.agent, position: null, reason: null },
      };
    }
    const still = last.filter(isDone);
    const round = phases.length;
    if (round <= rounds && still.length > 1) {
      const names = still.map(({ agent }) => agent);
      return {
        do: "start",
        parts: names.map((agent) => ({ agent, task: taskOf({ agent, round, rounds, whole, contributions }) })),
        reason: `Round ${round} of at most ${rounds}: they disagree, and each sees what the others last said.`,
      };
    }
    return judge === "majority" ? takeMajority(contributions) : judgeDebate(contributions, whole);
  };
}

/** The last each agent said, in the order of the team. */
function lastOfEach(agents: readonly string[], phases: readonly (readonly Part[])[]): Part[] {
  const all = phases.flat().filter(isDone);
  return agents.flatMap((agent) => all.findLast((part) => part.agent === agent) ?? []);
}

function textOf({ end }: Part): string {
  return normalised(end?.text ?? "");
}

function taskOf({
  agent,
  round,
  rounds,
  whole,
  contributions,
}: {
  agent: string;
  round: number;
  rounds: number;
  whole: string;
  contributions: readonly Part[];
}): string {
  const own = contributions.find((one) => one.agent === agent);
  const others = contributions.filter((one) => one.agent !== agent);
  return [
    whole,
    `This is round ${round} of at most ${rounds} of a debate: you and others answered, and you do not agree. Weigh what the others say. Where they are right, change your answer; where they are not, keep yours and say why. Give your whole answer again, as it would be read by itself.`,
    `What follows is your last answer, then those of the others. ${MATERIAL_RULE}`,
    ...[...(own ? [own] : []), ...others].map((one) => asMaterial(one.agent, one.end?.text ?? "")),
  ].join("\n\n");
}
