import { PageHead } from "@/components/ui/page-head";

/** The same while the list loads, so that nothing moves when it is there. */
export function DeadLettersHead() {
  return (
    <PageHead title="Dead letters" meta="Calls of models and tools that failed for good, after retries and stand-ins" />
  );
}
