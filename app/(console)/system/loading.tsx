import { SystemSkeleton } from "@/components/system/system-skeleton";
import { PageHead } from "@/components/ui/page-head";

export default function SystemLoading() {
  return (
    <div className="page">
      <PageHead title="System" />
      <SystemSkeleton label="Loading the page" />
    </div>
  );
}
