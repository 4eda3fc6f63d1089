import type { ReactNode } from "react";
import { Loaded } from "@/components/runs/inspector/loaded";
import { useModelCall } from "@/components/runs/inspector/use-detail";
import { formatCount, formatDuration, formatPlural } from "@/components/ui/format";
import type { ModelCall } from "@/server/runs/step-schema";

/** In plain words, where we know the endpoint's word. */
const FINISH_WORDS: Record<string, string> = {
  stop: "It had said all",
  length: "The most it may write was reached, so the reply is cut off",
  tool_calls: "It asked for tools",
  content_filter: "The provider's filter held the reply back",
};

type Place = { runId: string; agentRunId: string; position: number };

/** How a model call was answered: by which model, how it ended and arrived, what its tokens were for, at which rates (LLM-OBS-01 to -11). */
export function CallRecord(place: Place) {
  const query = useModelCall(place, true);
  return (
    <section>
      <h3 className="section-label">Model call</h3>
      <Loaded query={query} what="The record of the call">
        {(record) => <RecordFacts record={record} />}
      </Loaded>
    </section>
  );
}

function RecordFacts({ record }: { record: ModelCall }) {
  const { responseModel, finishReason, stream, usage, retryAttempt, error, endpoint, ofToday } = record;
  if (error !== null && responseModel === null && !usage?.isKnown && retryAttempt === 0) {
    return <p className="t3">It failed before anything came back.</p>;
  }
  return (
    <dl>
      {responseModel !== null && (
        <Row name="Answered by">
          <span className="mono">{responseModel}</span>
          {record.provider !== null && <span className="t3"> at {record.provider}</span>}
        </Row>
      )}
      {endpoint !== "" && (
        <Row name="Sent to">
          <span className="mono">{endpoint}</span>
          {ofToday.endpoint && <span className="t3 block fs12">as it is set today</span>}
        </Row>
      )}
      <LongestReply {...record.parameters} />
      {error === null && (
        <>
          <Row name="Ended with">
            {finishReason === null ? (
              <span className="t3">not told</span>
            ) : (
              <>
                <span className="mono">{finishReason}</span>
                {FINISH_WORDS[finishReason] && <span className="t3 block fs12">{FINISH_WORDS[finishReason]}</span>}
              </>
            )}
          </Row>
          <Row name="First token">{arrival(stream)}</Row>
        </>
      )}
      {usage?.isKnown && (
        <Row name="Of its tokens">
          {formatCount(usage.cached)} read from the cache
          <span className="block">
            {usage.reasoning === null ? (
              <span className="t3">reasoning: none, or not told</span>
            ) : (
              <>{formatCount(usage.reasoning)} for reasoning</>
            )}
          </span>
        </Row>
      )}
      {retryAttempt > 0 && <Row name="Before it">{formatPlural(retryAttempt, "failed call")} in a row</Row>}
    </dl>
  );
}

/** Of a request from before it was kept nothing is said. */
function LongestReply({ maxOutputTokens }: ModelCall["parameters"]) {
  if (maxOutputTokens === undefined) return null;
  return (
    <Row name="Longest reply">
      {maxOutputTokens === null ? (
        <span className="t3">as the provider has it</span>
      ) : (
        formatPlural(maxOutputTokens, "token")
      )}
    </Row>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="kv">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** When the first piece came and how many came (LLM-OBS-08). */
function arrival(stream: ModelCall["stream"]): ReactNode {
  if (stream === null) return <span className="t3">not told, or the reply was not streamed</span>;
  const pieces = `${formatPlural(stream.pieces, "piece")} in all`;
  return stream.firstPieceMs === null ? pieces : `after ${formatDuration(stream.firstPieceMs)}, ${pieces}`;
}
