import { ProvidersSkeleton } from "@/components/providers/providers-skeleton";
import { PageHead } from "@/components/ui/page-head";

export default function ProvidersLoading() {
  return (
    <div className="page">
      <PageHead title="Models" />
      <ProvidersSkeleton />
    </div>
  );
}
