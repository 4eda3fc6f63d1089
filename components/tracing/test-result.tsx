import { IconCircleCheck } from "@tabler/icons-react";
import { CopyButton } from "@/components/ui/copy-button";
import { Note } from "@/components/ui/note";
import type { SinkTest } from "@/server/tracing/schema";

/** What came back for a test span. */
export function TestResult({ test }: { test: SinkTest }) {
  const { ok, code, says, tookMs, traceId } = test;
  if (!ok) {
    return (
      <Note
        tone={code === "partial" ? "warn" : "bad"}
        role="alert"
        aside={<CopyButton text={says} what="the problem" />}
      >
        {says}
      </Note>
    );
  }
  return (
    <div className="tracing-ok" role="status">
      <IconCircleCheck size={16} stroke={1.75} aria-hidden />
      <span>
        {says} After {tookMs} ms. Look there for trace <span className="mono">{traceId}</span>.
      </span>
      <CopyButton text={traceId} what="the trace id" />
    </div>
  );
}
