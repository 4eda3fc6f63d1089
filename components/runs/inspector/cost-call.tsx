import { costLines } from "@/components/runs/inspector/cost-lines";
import { Loaded } from "@/components/runs/inspector/loaded";
import { useModelCall } from "@/components/runs/inspector/use-detail";
import { formatCount, formatExactMoney, formatMoney } from "@/components/ui/format";
import { Money } from "@/components/ui/money";
import { Note } from "@/components/ui/note";
import type { ModelCall, StepInput } from "@/server/runs/step-schema";

/** What one model call cost: tokens by kind, the rates they were billed at, and what of it counts against limits. */
export function CallCost(place: StepInput) {
  const query = useModelCall(place, true);
  return (
    <Loaded query={query} what="The cost of the call">
      {(record) => (
        <>
          <Billed record={record} />
          {record.reservation && (
            <Reservation reservation={record.reservation} isPriced={record.cost?.nanoUsd !== null} />
          )}
          {record.reservation === null && record.usage && (
            <p className="t3 fs12">Nothing was reserved for it: no limit on spending held when it was made.</p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Billed({ record: { usage, cost, error, provider, model, isReused } }: { record: ModelCall }) {
  if (!usage || !cost) {
    return (
      <Note tone="info">
        {error ? "It was not answered: nobody said what it used, and no cost is counted." : "No usage is recorded."}
      </Note>
    );
  }
  if (!usage.isKnown) {
    return <Note tone="warn">No usage data: the provider did not say, so the cost is unknown. It was not free.</Note>;
  }
  const lines = costLines(usage, cost);
  return (
    <section>
      <h3 className="section-label">What it was billed for</h3>
      <table className="cost-table">
        <thead>
          <tr>
            <th>Tokens</th>
            <th className="num">Count</th>
            <th className="num">A million</th>
            <th className="num">Cost</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name}>
              <td>{line.name}</td>
              <td className="num">{formatCount(line.tokens)}</td>
              <td className="num">{line.perMtok === null ? "—" : formatExactMoney(line.perMtok)}</td>
              <td className="num">{line.nanoUsd === null ? "—" : signedMoney(line.nanoUsd)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th>In all</th>
            <td className="num">{formatCount(usage.total)}</td>
            <td />
            <td className="num b">
              {cost.nanoUsd === null ? <Money nanoUsd={null} /> : formatExactMoney(cost.nanoUsd)}
            </td>
          </tr>
        </tfoot>
      </table>
      <p className="t3 fs12 cost-note">
        {cost.nanoUsd === null
          ? "No price is set for this model: see the page Models."
          : cost.rates === null
            ? "The rates were not kept: the call is from before they were kept with each call."
            : "Rounded up to a billionth of a dollar, in all."}
        {cost.rates && (
          <>
            {" "}
            Price version <span className="mono">{cost.rates.version}</span>.
          </>
        )}
        {isReused && " Spent in the run it was copied from, and not counted again."}
      </p>
      <p className="t3 fs12">
        {provider !== null && `${provider}/`}
        {model}
        {usage.reasoning === null && ". Reasoning: none, or the provider did not say."}
      </p>
    </section>
  );
}

const signedMoney = (nanoUsd: number) => `${nanoUsd < 0 ? "−" : ""}${formatExactMoney(Math.abs(nanoUsd))}`;

const STATUS_WORDS: Record<NonNullable<ModelCall["reservation"]>["status"], string> = {
  reserved: "Reserved until it is known what it used",
  settled: "Settled: what it used counts, the rest of what was reserved before it was given back",
  released: "Given back: it failed before it could cost anything",
  unconfirmed: "Counted as reserved: nobody knows what it used",
};

type ReservationProps = { reservation: NonNullable<ModelCall["reservation"]>; isPriced: boolean };

function Reservation({ reservation, isPriced }: ReservationProps) {
  const { status, costNanoUsd, tokens } = reservation;
  return (
    <section>
      <h3 className="section-label">Against the limits on spending</h3>
      <dl>
        <div className="kv">
          <dt>Reserved</dt>
          <dd>{STATUS_WORDS[status]}</dd>
        </div>
        {status !== "released" && (
          <div className="kv">
            <dt>Counts as</dt>
            <dd>
              {isPriced && `${formatMoney(costNanoUsd)}, `}
              {formatCount(tokens)} tokens
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
