"use client";

import "./agents.css";
import "@/components/editor/editor.css";
import { IconRobot } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { EditorSkeleton } from "@/components/editor/editor-skeleton";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { AgentEditor } from "./agent-editor";

/** One agent; without an id, a new one. */
export function AgentPage({ agentId, publish }: { agentId?: string; publish?: boolean }) {
  const skeleton = <EditorSkeleton label="Loading the agent" />;
  // Text typed into a form that the browser has not taken over yet would be lost.
  if (!useHydrated()) return skeleton;
  return (
    <LoadBoundary pending={skeleton} failed="The agent could not be loaded" missing={<NoSuchAgent />}>
      {agentId ? <StoredAgent key={agentId} agentId={agentId} publish={publish} /> : <AgentEditor agent={null} />}
    </LoadBoundary>
  );
}

function NoSuchAgent() {
  return (
    <EmptyState
      icon={IconRobot}
      title="There is no such agent"
      action={<LinkButton href="/agents">All agents</LinkButton>}
    >
      It may have been deleted, or it belongs to another workspace.
    </EmptyState>
  );
}

function StoredAgent({ agentId, publish }: { agentId: string; publish?: boolean }) {
  const trpc = useTRPC();
  const { data: agent } = useSuspenseQuery(trpc.agents.get.queryOptions({ agentId }));
  return <AgentEditor agent={agent} publish={publish} />;
}
