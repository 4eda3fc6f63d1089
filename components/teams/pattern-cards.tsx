"use client";

import { Radio } from "@mantine/core";
import { TEAM_PATTERNS, type TeamPattern } from "@/server/teams/schema";

const MEANS: Record<TeamPattern, { word: string; does: string }> = {
  coordinate: {
    word: "Coordinate",
    does: "The supervisor splits the task, gives each part to the agent it fits, and joins the results into one answer.",
  },
  route: {
    word: "Route",
    does: "The supervisor gives the whole task to the one agent that fits; that agent's answer is the answer.",
  },
  broadcast: {
    word: "Broadcast",
    does: "Every agent gets the same task. The supervisor compares their answers, or a fixed rule combines them.",
  },
  pipeline: {
    word: "Pipeline",
    does: "One agent after the other, in the order of the tree: each gets the task and the result of the one before it. The last result is the answer. No model leads.",
  },
  debate: {
    word: "Debate",
    does: "Every agent answers; then each sees what the others said and changes or defends its answer, round by round. Where they do not come to agree, a judge decides.",
  },
  handoff: {
    word: "Handoff",
    does: "One agent at a time has the task, first the first in the tree. It answers, or hands over to another that fits better. No model leads.",
  },
  tasks: {
    word: "Tasks",
    does: "The supervisor writes the work down as tasks, which may wait for one another; each starts its agent by itself. It is sent on while tasks are open.",
  },
};

type Props = { value: TeamPattern; onChange: (pattern: TeamPattern) => void; locked: boolean };

/** How the agents of a team work together. */
export function PatternCards({ value, onChange, locked }: Props) {
  return (
    <Radio.Group
      aria-label="Pattern"
      data-field="pattern"
      value={value}
      onChange={(chosen) => {
        const pattern = TEAM_PATTERNS.find((each) => each === chosen);
        if (pattern) onChange(pattern);
      }}
    >
      <div className="patterns">
        {TEAM_PATTERNS.map((pattern) => (
          // The label belongs to the radio inside it.
          // biome-ignore lint/a11y/noLabelWithoutControl: the control is Mantine's Radio
          <label key={pattern} className="pattern" data-chosen={value === pattern || undefined}>
            <Radio value={pattern} size="xs" disabled={locked} aria-label={MEANS[pattern].word} />
            <span className="b">{MEANS[pattern].word}</span>
            <span className="t2">{MEANS[pattern].does}</span>
          </label>
        ))}
      </div>
    </Radio.Group>
  );
}
