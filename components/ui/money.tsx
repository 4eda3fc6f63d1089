import { formatMoney, formatPlural } from "./format";

type Props = {
  /** Null: it is not known. */
  nanoUsd: number | null;
  /** Four digits inside a run, two in summaries. */
  digits?: 2 | 4;
  /** Calls the amount leaves out: nobody stated their price, or their provider did not say what they used. */
  unpricedCalls?: number;
  className?: string;
};

const UNKNOWN = "The cost is unknown: no price is set for the model, or its provider did not say what was used.";

/** An amount in US dollars. An amount that leaves calls out is marked, and says so on hover. */
export function Money({ nanoUsd, digits = 4, unpricedCalls = 0, className }: Props) {
  if (nanoUsd === null || (nanoUsd === 0 && unpricedCalls > 0)) {
    return (
      <span className={className} title={UNKNOWN}>
        —<span className="sr"> cost unknown: no price is set, or no usage was told</span>
      </span>
    );
  }
  if (unpricedCalls === 0) return <span className={className}>{formatMoney(nanoUsd, digits)}</span>;
  const left = `${formatPlural(unpricedCalls, "call")} without a known cost ${unpricedCalls === 1 ? "is" : "are"} not in it.`;
  return (
    <span className={className} title={left}>
      {formatMoney(nanoUsd, digits)}+<span className="sr"> or more: {left}</span>
    </span>
  );
}
