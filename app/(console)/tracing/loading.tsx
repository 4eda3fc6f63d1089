import { TracingHead } from "@/components/tracing/tracing-head";
import { TracingSkeleton } from "@/components/tracing/tracing-skeleton";

export default function TracingLoading() {
  return (
    <div className="page">
      <TracingHead />
      <TracingSkeleton />
    </div>
  );
}
