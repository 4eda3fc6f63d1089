import { MembersSkeleton } from "@/components/members/members-skeleton";
import { PageHead } from "@/components/ui/page-head";

export default function MembersLoading() {
  return (
    <div className="page">
      <PageHead title="Members" />
      <MembersSkeleton />
    </div>
  );
}
