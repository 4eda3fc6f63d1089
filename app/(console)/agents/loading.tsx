import { AgentListSkeleton } from "@/components/agents/agent-list-skeleton";
import { PageHead } from "@/components/ui/page-head";

export default function AgentsLoading() {
  return (
    <div className="page">
      <PageHead title="Agents" />
      <div className="filterbar" />
      <AgentListSkeleton />
    </div>
  );
}
