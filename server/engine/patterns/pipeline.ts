import { asMaterial, MATERIAL_RULE, withSaid } from "./material";
import type { Policy } from "./policy";

/**
 * One agent after the other, in the order of the team: each is given the task and what the one before it came to. The last one's
 * result is the answer; the first that does not complete ends it all, and what was done before stays in the record.
 */
export const pipeline: Policy = ({ task, said, agents, phases }) => {
  const last = phases.at(-1)?.[0];
  const place = (nth: number) => `${nth} of ${agents.length}`;
  if (last && !last.end) return { do: "wait" };
  if (last?.end && last.end.status !== "completed") {
    return {
      do: "fail",
      code: "agent_failed",
      message: `${last.agent}, agent ${place(phases.length)} in the pipeline, did not complete: ${last.end.reason ?? last.end.status}`,
    };
  }
  const next = agents[phases.length];
  if (next !== undefined) {
    const before = last?.end
      ? [`${last.agent} worked on it before you. ${MATERIAL_RULE}`, asMaterial(last.agent, last.end.text)]
      : [];
    return {
      do: "start",
      parts: [{ agent: next, task: [withSaid(task, said), ...before].join("\n\n") }],
      reason: `${next} is agent ${place(phases.length + 1)} in the order of the team.`,
    };
  }
  if (!last?.end) return { do: "fail", code: "no_agents", message: "There are no agents in this pipeline." };
  return {
    do: "answer",
    text: last.end.text,
    reason: `${last.agent} is the last in the pipeline: its result is the answer.`,
    source: "policy",
  };
};
