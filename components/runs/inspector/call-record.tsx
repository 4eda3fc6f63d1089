import type { ReactNode } from "react";
import { Loaded } from "@/components/runs/inspector/loaded";
import { useModelCall } from "@/components/runs/inspector/use-detail";
import { formatCount, formatDuration, formatExactMoney, formatPlural } from "@/components/ui/format";
import type { ModelCall } from "@/server/runs/schema";

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
  const { responseModel, finishReason, stream, usage, retryAttempt, error } = record;
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
        <>
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
          <Rates record={record} />
        </>
      )}
      {retryAttempt > 0 && <Row name="Before it">{formatPlural(retryAttempt, "failed call")} in a row</Row>}
    </dl>
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

/** What the call was billed at and what that comes to (LLM-OBS-01, LLM-OBS-06). */
function Rates({ record: { cost, isReused } }: { record: ModelCall }) {
  if (cost === null || cost.nanoUsd === null) {
    return (
      <Row name="Rates">
        <span className="t3">no price was set for this model</span>
      </Row>
    );
  }
  const { rates, parts } = cost;
  if (rates === null || parts === null) {
    return (
      <Row name="Rates">
        <span className="t3">not kept: the call is from before rates were kept with each call</span>
      </Row>
    );
  }
  const own = (word: string, nanoUsd: number | null) =>
    nanoUsd === null ? "" : ` (${word} ${formatExactMoney(nanoUsd)})`;
  return (
    <>
      <Row name="Rates">
        {formatExactMoney(rates.inputNanoUsdPerMtok)} in{own("cached", rates.cachedNanoUsdPerMtok)},{" "}
        {formatExactMoney(rates.outputNanoUsdPerMtok)} out{own("reasoning", rates.reasoningNanoUsdPerMtok)} for a
        million tokens
        <span className="t3 block fs12">
          Price version <span className="mono">{rates.version}</span>
        </span>
      </Row>
      <Row name="Cost">
        <CostPart name="What was sent" nanoUsd={parts.promptNanoUsd} />
        {parts.cachedDiscountNanoUsd !== 0 && (
          <CostPart
            name={parts.cachedDiscountNanoUsd > 0 ? "Less for cached" : "More for cached"}
            nanoUsd={-parts.cachedDiscountNanoUsd}
          />
        )}
        <CostPart name="What it said" nanoUsd={parts.completionNanoUsd} />
        {parts.reasoningNanoUsd > 0 && <CostPart name="Its reasoning" nanoUsd={parts.reasoningNanoUsd} />}
        <CostPart name="In all" nanoUsd={cost.nanoUsd} />
        {isReused && <span className="t3 block fs12">Spent in the run it was copied from, and not counted again.</span>}
      </Row>
    </>
  );
}

function CostPart({ name, nanoUsd }: { name: string; nanoUsd: number }) {
  return (
    <span className="row between">
      <span className="t2">{name}</span>
      <span className="num">
        {nanoUsd < 0 && "−"}
        {formatExactMoney(Math.abs(nanoUsd))}
      </span>
    </span>
  );
}
