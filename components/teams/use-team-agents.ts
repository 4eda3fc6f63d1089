"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import type { TeamDetail } from "@/server/teams/schema";

/** What the editor shows of an agent. */
export type TeamAgent = {
  id: string;
  name: string;
  purpose: string;
  /** Newest published version; null: never published. */
  version: number | null;
  /** The one the newest team version holds; null when it holds none. */
  heldVersion: number | null;
  isDeleted: boolean;
  /** It may have agents placed under it. */
  mayLead: boolean;
};

/** Every agent that can be placed, and those placed already, also deleted ones. */
export function useTeamAgents(team: TeamDetail | null) {
  const trpc = useTRPC();
  const { data: choices } = useQuery(
    // An agent made in another tab is there when somebody comes back to this one.
    trpc.agents.choices.queryOptions(undefined, { staleTime: 0 }),
  );
  return useMemo(() => {
    const known = new Map<string, TeamAgent>();
    for (const { id, name, purpose, version, mayLead } of choices ?? []) {
      known.set(id, { id, name, purpose, version, mayLead, heldVersion: null, isDeleted: false });
    }
    for (const { id, name, purpose, version, heldVersion, isDeleted, canSpawnAgents } of team?.agents ?? []) {
      // What a supervisor is told is the published purpose, which the list of agents does not know.
      known.set(id, {
        mayLead: canSpawnAgents,
        ...(known.get(id) ?? { id, name, version }),
        purpose,
        heldVersion,
        isDeleted,
      });
    }
    return {
      byId: known,
      choices: [...known.values()].filter((agent) => !agent.isDeleted),
      isLoaded: choices !== undefined,
    };
  }, [choices, team]);
}
export type TeamAgents = ReturnType<typeof useTeamAgents>;
