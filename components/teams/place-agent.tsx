"use client";

import { Button } from "@mantine/core";
import { IconExternalLink, IconReplace } from "@tabler/icons-react";
import Link from "next/link";
import { useState } from "react";
import { KindIcon } from "@/components/ui/status";
import { AgentPicker } from "./agent-picker";
import { parentPath } from "./team-tree";
import type { TeamAgent, TeamAgents } from "./use-team-agents";
import type { TreeEdits } from "./use-tree-edits";

type Props = { path: string; agentId: string; agents: TeamAgents; edits: TreeEdits; locked: boolean };

/** Which agent stands in a place, in which version, and the way to it. */
export function PlaceAgent({ path, agentId, agents, edits, locked }: Props) {
  const [isChoosing, setIsChoosing] = useState(false);
  const agent = agents.byId.get(agentId);
  const name = agent?.name ?? "An agent that is gone";
  return (
    <div className="row wrap" data-field="place">
      <KindIcon kind="agent" />
      <span className="b ell" title={name}>
        {name}
      </span>
      <span className="t2 fs12">{versionWords(agent)}</span>
      <span className="grow" />
      {!locked && (
        <Button leftSection={<IconReplace size={15} aria-hidden />} onClick={() => setIsChoosing(true)}>
          Replace…
        </Button>
      )}
      {agent && !agent.isDeleted && (
        <Link className="linkbtn row" href={`/agents/${agentId}`} target="_blank">
          Open agent <IconExternalLink size={13} aria-hidden />
        </Link>
      )}
      {isChoosing && (
        <AgentPicker
          title={`Put another agent in the place of ${name}`}
          parent={parentPath(path)}
          root={edits.root}
          agents={agents}
          onPick={(chosen) => edits.exchange(path, chosen)}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  );
}

/** The version the live team holds against the newest; publishing the team takes the newest. */
function versionWords(agent: TeamAgent | undefined): string {
  if (!agent) return "";
  if (agent.isDeleted) return "deleted";
  if (agent.version === null) return "draft, never published";
  if (agent.heldVersion === null) return `v${agent.version}`;
  if (agent.heldVersion === agent.version) return `v${agent.version}, the newest`;
  return `v${agent.heldVersion} in the live team; the newest is v${agent.version}`;
}
