"use client";

import { errorWords } from "@/components/ui/error-words";
import { formatDuration } from "@/components/ui/format";
import { StatusBadge } from "@/components/ui/status";

type Test = {
  data: { ok: boolean; detail: string; durationMs: number } | undefined;
  error: unknown;
  isPending: boolean;
};

/** What one tiny call to a model came to. Read out when it is there. */
export function ModelTestResult({ test }: { test: Test }) {
  return (
    <span className="model-test fs12 block" role="status">
      {test.isPending && <span className="t3">Calling it once…</span>}
      {!test.isPending && test.error !== null && <span className="problem">{errorWords(test.error).sentence}</span>}
      {!test.isPending && test.data && (
        <span className="row wrap">
          <StatusBadge
            status={test.data.ok ? "completed" : "failed"}
            word={test.data.ok ? `Works, ${formatDuration(test.data.durationMs)}` : "Does not work"}
          />
          <span className="t2">{test.data.detail}</span>
        </span>
      )}
    </span>
  );
}
