import { useStepDetail } from "@/components/runs/inspector/use-detail";
import { CopyButton } from "@/components/ui/copy-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { StepDetail } from "@/server/runs/schema";

const STATUS_WORDS: Record<string, string> = {
  intended: "Intended, not settled: it is not known whether it happened",
  settled: "Settled: it happened once",
  done: "Settled: it happened once",
  succeeded: "Settled: it happened once",
  failed: "Settled: it changed nothing",
  refused: "Settled: it changed nothing",
  uncertain: "Uncertain: a person has to say what happened",
};

type Place = { runId: string; agentRunId: string; position: number };

/** The side effect of a writing call: written down before the tool acted, settled after. Silent for calls that only read. */
export function Effect(place: Place) {
  const { data } = useStepDetail(place, true);
  return data?.effect ? <EffectFacts effect={data.effect} /> : null;
}

export function EffectFacts({ effect }: { effect: NonNullable<StepDetail["effect"]> }) {
  return (
    <section>
      <h3 className="section-label">Side effect</h3>
      <dl>
        <div className="kv">
          <dt>State</dt>
          <dd>{STATUS_WORDS[effect.status] ?? effect.status}</dd>
        </div>
        <div className="kv">
          <dt>Intended</dt>
          <dd>
            <RelativeTime at={effect.intendedAt} />
          </dd>
        </div>
        <div className="kv">
          <dt>Settled</dt>
          <dd>{effect.settledAt ? <RelativeTime at={effect.settledAt} /> : "Not yet"}</dd>
        </div>
        <div className="kv">
          <dt>Key</dt>
          <dd>
            <span className="row">
              <span className="mono ell grow" title={effect.key}>
                {effect.key}
              </span>
              <CopyButton text={effect.key} what="idempotency key" />
            </span>
            <span className="t3 fs12 block">
              {effect.honoursKey
                ? "The far side honours it: repeating the call under this key happens once."
                : "The far side does not honour it: the call is never repeated without asking a person."}
            </span>
          </dd>
        </div>
      </dl>
    </section>
  );
}
