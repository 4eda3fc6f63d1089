import { errorFacts, errorLine } from "@/components/runs/inspector/error-facts";
import { useStepDetail } from "@/components/runs/inspector/use-detail";
import { CopyButton } from "@/components/ui/copy-button";
import type { StepRow } from "@/server/engine/events";

/** What is known of the error of a failed step, and all of it in a line to copy. */
export function ErrorDetails({ runId, step }: { runId: string; step: StepRow }) {
  const { agentRunId, position, kind, name, error } = step;
  const { data } = useStepDetail({ runId, agentRunId, position }, true);
  if (!error) return null;
  const line = errorLine({ kind, name, error });
  return (
    <section>
      <h3 className="section-label">The error</h3>
      <dl>
        {data?.errorDetails &&
          errorFacts(data.errorDetails).map(({ word, value }) => (
            <div className="kv" key={word}>
              <dt>{word}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        <div className="kv">
          <dt>In one line</dt>
          <dd>
            <span className="row">
              <span className="mono ell grow" title={line}>
                {line}
              </span>
              <CopyButton text={line} what="error in one line" />
            </span>
          </dd>
        </div>
      </dl>
    </section>
  );
}
