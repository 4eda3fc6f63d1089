import { PageHead } from "@/components/ui/page-head";

/** The same while the page loads, so that nothing moves when it is there. */
export function TracingHead() {
  return (
    <PageHead title="Tracing and privacy" meta="Where traces of runs go, and what is taken out of what comes in" />
  );
}
