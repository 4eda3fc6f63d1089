"use client";

import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { AgentPicker } from "./agent-picker";
import type { TeamAgents } from "./use-team-agents";
import type { TreeEdits } from "./use-tree-edits";

type Props = { edits: TreeEdits; agents: TeamAgents; locked: boolean };

/** Where every team begins. */
export function ChooseSupervisor({ edits, agents, locked }: Props) {
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <div className="tt-empty">
      <p className="t2">A team begins with its supervisor: the agent that gets the task and hands out work.</p>
      {!locked && (
        <Button leftSection={<IconPlus size={15} aria-hidden />} data-field="place" onClick={() => setIsChoosing(true)}>
          Choose a supervisor
        </Button>
      )}
      {isChoosing && (
        <AgentPicker
          title="Choose a supervisor"
          parent={null}
          root={null}
          agents={agents}
          onPick={(agentId) => edits.add(agentId, "")}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  );
}
