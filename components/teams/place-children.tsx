"use client";

import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { KindIcon } from "@/components/ui/status";
import type { TeamPlace } from "@/server/teams/schema";
import { AgentPicker } from "./agent-picker";
import { parentPath, toRows } from "./team-tree";
import type { TeamAgents } from "./use-team-agents";
import type { TreeEdits } from "./use-tree-edits";

type Props = { path: string; place: TeamPlace; agents: TeamAgents; edits: TreeEdits; locked: boolean };

/** The agents that work under a place, and what their supervisor is told about each. */
export function PlaceChildren({ path, place, agents, edits, locked }: Props) {
  const [isAdding, setIsAdding] = useState(false);
  const name = agents.byId.get(place.agentId)?.name ?? "it";
  const below = toRows(edits.root).filter((row) => parentPath(row.path) === path);
  return (
    <div>
      <h3 className="section-label">Agents under {name}</h3>
      {place.children.length === 0 && <p className="t2 fs12">None. It does the work itself.</p>}
      <ul className="place-children">
        {below.map((child) => {
          const agent = agents.byId.get(child.place.agentId);
          return (
            <li key={child.path}>
              <KindIcon kind="agent" />
              <button type="button" className="linkbtn" onClick={() => edits.select(child.path)}>
                {agent?.name ?? "An agent that is gone"}
              </button>
              <span className="t2 fs12 ell grow">{child.place.purpose ?? agent?.purpose}</span>
            </li>
          );
        })}
      </ul>
      {!locked && (
        <Button mt={8} maw="100%" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setIsAdding(true)}>
          <span className="ell">Add agent under {name}</span>
        </Button>
      )}
      {isAdding && (
        <AgentPicker
          title={`Add an agent under ${name}`}
          parent={path}
          root={edits.root}
          agents={agents}
          onPick={(agentId) => edits.add(agentId, path)}
          onClose={() => setIsAdding(false)}
        />
      )}
    </div>
  );
}
