import { IconAlertTriangle, IconCircleX } from "@tabler/icons-react";
import { FULL_WORDS, fullness } from "@/components/runs/inspector/fullness";
import { partsOfRequest } from "@/components/runs/inspector/request-parts";
import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes, formatCount } from "@/components/ui/format";
import { Meter } from "@/components/ui/meter";
import type { ModelCall, StepDetail } from "@/server/runs/step-schema";

type Props = {
  request: NonNullable<StepDetail["request"]>;
  /** Undefined until it is read. */
  record: ModelCall | undefined;
};

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** What filled a request, by part, and how much of its model's context window that is (TID-TOK-01 to -03). */
export function ContextMeter({ request, record }: Props) {
  const parts = partsOfRequest(request, record?.isCondensed ?? false);
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const counted = record?.usage?.isKnown ? record.usage.prompt : null;
  const window = record?.contextTokens ?? null;
  const full = window === null ? null : fullness(counted ?? tokens, window);
  return (
    <section>
      <div className="row between">
        <span className="b">
          About {formatCount(tokens)} tokens, {formatBytes(bytes)}
        </span>
        <span className="t3 fs12">
          <span className="mono">{request.model}</span>
          {request.temperature !== null && `, temperature ${request.temperature}`}
          {request.maxOutputTokens != null && `, replies of at most ${formatCount(request.maxOutputTokens)} tokens`}
        </span>
      </div>
      <div className="meter-wrap">
        <Meter
          label="What was sent, by part"
          height={10}
          max={window === null ? tokens : Math.max(window, tokens)}
          parts={parts.map(({ tokens: value, color }) => ({ value, color }))}
        />
      </div>
      <ul className="legend-list">
        {parts.map((part) => (
          <li key={part.name} title={formatBytes(part.bytes)}>
            <i style={{ background: part.color }} />
            <span>{part.name}</span>
            <span className="num t2">{formatCount(part.tokens)}</span>
            <span className="num t3">{percent(tokens === 0 ? 0 : part.tokens / tokens)}</span>
          </li>
        ))}
      </ul>
      {record && (
        <dl className="call-facts">
          <div className="kv">
            <dt>Context window</dt>
            <dd>
              {window === null || full === null ? (
                <span className="t3">not known: set it under Models</span>
              ) : (
                <span className={`context-${full.level}`}>
                  {full.level === "warning" && <IconAlertTriangle size={13} aria-hidden />}
                  {full.level === "danger" && <IconCircleX size={13} aria-hidden />}
                  {percent(full.share)} of {formatCount(window)} tokens{FULL_WORDS[full.level]}
                  {record.ofToday.contextTokens && <span className="t3">, as it is set today</span>}
                </span>
              )}
            </dd>
          </div>
          <div className="kv">
            <dt>Counted</dt>
            <dd>
              <Counted record={record} />
            </dd>
          </div>
          {record.tools && (
            <div className="kv">
              <dt>Tools’ hash</dt>
              <dd>
                <span className="row">
                  <span className="mono ell grow" title={`SHA-256 of names and schemas: ${record.tools.hash}`}>
                    {record.tools.hash.slice(0, 16)}…
                  </span>
                  <CopyButton text={record.tools.hash} what="hash of the tools" />
                </span>
                <span className="t3 fs12 block">
                  {record.sameRequests === 1
                    ? "No other call of the run was sent these tools and settings."
                    : `${formatCount(record.sameRequests)} calls of the run were sent the same tools and settings.`}
                </span>
              </dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}

/** What the provider said it was sent and sent back. Nothing said is not nothing used (LLM-OBS-11). */
function Counted({ record: { usage, isReused } }: { record: ModelCall }) {
  if (usage === null) {
    return <span className="t3">{isReused ? "in the run it was taken over from" : "it was not answered"}</span>;
  }
  if (!usage.isKnown) return <span className="t3">no usage data: the provider did not say</span>;
  return (
    <>
      {formatCount(usage.prompt)} in
      {usage.cached > 0 && <span className="t2">, {formatCount(usage.cached)} of them cached</span>},{" "}
      {formatCount(usage.completion)} out
      {usage.reasoning !== null && <span className="t2">, {formatCount(usage.reasoning)} of them for reasoning</span>}
    </>
  );
}
