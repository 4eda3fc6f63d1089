import { TeamListSkeleton } from "@/components/teams/team-list-skeleton";
import { PageHead } from "@/components/ui/page-head";

export default function TeamsLoading() {
  return (
    <div className="page">
      <PageHead title="Teams" />
      <TeamListSkeleton />
    </div>
  );
}
