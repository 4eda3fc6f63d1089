import type { PatternSettings } from "../pattern-settings";
import { asMaterial, MATERIAL_RULE, withSaid } from "./material";
import type { Part, Policy } from "./policy";

/** What is passed on of what each before the last said, in characters. */
const SHORT = 600;

/**
 * One agent at a time has the task, first the first of the team. Who is at work answers, which is the answer of the run, or hands over to
 * another, who is given the task, what it was told, and in short what was said so far. Whether a handoff may be made is judged where it is
 * asked for (judgeHandoff), so that whoever may not can still answer.
 */
export function handoff({ maxHandoffs }: PatternSettings["handoff"]): Policy {
  return ({ task, said, agents, phases }) => {
    const whole = withSaid(task, said);
    const parts = phases.flat();
    const last = parts.at(-1);
    if (!last) {
      const [first] = agents;
      if (first === undefined) return { do: "fail", code: "no_agents", message: "There is nobody to begin." };
      return {
        do: "start",
        parts: [{ agent: first, task: whole }],
        reason: `${first} is the first in the order of the team: it begins. At most ${maxHandoffs} handoffs may follow.`,
      };
    }
    if (!last.end) return { do: "wait" };
    if (last.end.status !== "completed") {
      const message = `${last.agent} had the task and did not complete: ${last.end.reason ?? last.end.status}`;
      return { do: "fail", code: "agent_failed", message };
    }
    const { handoff } = last.end;
    if (!handoff) {
      return {
        ...{ do: "answer", text: last.end.text, source: "policy" },
        reason: `${last.agent} answered and handed over to nobody: its answer is the answer.`,
        chosen: { option: `agent:${last.agent}`, label: last.agent, position: null, reason: null },
      };
    }
    return {
      do: "start",
      parts: [{ agent: handoff.agent, task: [whole, ...soFar(parts)].join("\n\n") }],
      reason: `${last.agent} handed over: ${handoff.reason}`,
    };
  };
}

/** What the next one is told. */
function soFar(parts: readonly Part[]): string[] {
  const last = parts.at(-1);
  const words = parts.flatMap(({ agent, end }) => (end?.text ? [asMaterial(agent, shortened(end.text))] : []));
  const names = parts.map(({ agent }) => agent).join(", then ");
  return [
    `Before you it was with ${names}.${words.length ? ` What follows is what each said, in short. ${MATERIAL_RULE}` : ""}`,
    ...words,
    `${last?.agent} now hands it to you, because: ${last?.end?.handoff?.reason}`,
    `It tells you: ${last?.end?.handoff?.told}`,
  ];
}

function shortened(text: string): string {
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}
