"use client";

import "./teams.css";
import "@/components/editor/editor.css";
import { IconUsersGroup } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { EditorSkeleton } from "@/components/editor/editor-skeleton";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { TeamEditor } from "./team-editor";

/** One team; without an id, a new one. */
export function TeamPage({ teamId, publish }: { teamId?: string; publish?: boolean }) {
  const skeleton = <EditorSkeleton label="Loading the team" />;
  // Text typed into a form that the browser has not taken over yet would be lost.
  if (!useHydrated()) return skeleton;
  return (
    <LoadBoundary pending={skeleton} failed="The team could not be loaded" missing={<NoSuchTeam />}>
      {teamId ? <StoredTeam key={teamId} teamId={teamId} publish={publish} /> : <TeamEditor team={null} />}
    </LoadBoundary>
  );
}

function NoSuchTeam() {
  return (
    <EmptyState
      icon={IconUsersGroup}
      title="There is no such team"
      action={<LinkButton href="/teams">All teams</LinkButton>}
    >
      It may have been deleted, or it belongs to another workspace.
    </EmptyState>
  );
}

function StoredTeam({ teamId, publish }: { teamId: string; publish?: boolean }) {
  const trpc = useTRPC();
  const { data: team } = useSuspenseQuery(trpc.teams.get.queryOptions({ teamId }));
  return <TeamEditor team={team} publish={publish} />;
}
