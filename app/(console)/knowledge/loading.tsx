import { BasesSkeleton } from "@/components/knowledge/bases-skeleton";
import { PageHead } from "@/components/ui/page-head";

export default function KnowledgeLoading() {
  return (
    <div className="page">
      <PageHead title="Knowledge" />
      <BasesSkeleton />
    </div>
  );
}
