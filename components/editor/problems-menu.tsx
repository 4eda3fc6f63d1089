"use client";

import { Button, Menu } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useRef } from "react";
import { formatPlural } from "@/components/ui/format";
import type { DraftProblem } from "@/server/agents/schema";

type Props = { problems: readonly DraftProblem[]; onJump: (problem: DraftProblem) => void };

/** What stands in the way of publishing; each leads to its field. */
export function ProblemsMenu({ problems, onJump }: Props) {
  const chosen = useRef<DraftProblem | null>(null);
  if (problems.length === 0) return null;
  // The closing menu takes the focus back to its button: the field gets it again after that.
  const onClosed = () => {
    if (chosen.current) onJump(chosen.current);
    chosen.current = null;
  };
  return (
    <Menu position="bottom-end" width={360} onExitTransitionEnd={onClosed}>
      <Menu.Target>
        <Button data-danger leftSection={<IconAlertTriangle size={15} aria-hidden />}>
          {formatPlural(problems.length, "problem")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>To put right before publishing</Menu.Label>
        {problems.map((problem) => (
          <Menu.Item
            key={`${problem.field} ${problem.message}`}
            onClick={() => {
              chosen.current = problem;
              onJump(problem);
            }}
          >
            <span className="problem-item block">{problem.message}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
