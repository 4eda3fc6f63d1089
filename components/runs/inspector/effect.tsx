import { useStepDetail } from "@/components/runs/inspector/use-detail";
import { CopyButton } from "@/components/ui/copy-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { StepDetail } from "@/server/runs/schema";

const STATUS_WORDS: Record<string, string> = {
  intended: "Written down before acting; not settled yet",
  applied: "Settled: it took effect once",
  failed: "Settled: it was refused and changed nothing",
  uncertain: "Not known here; a person answered, and it was sent again under a new key",
  given_up: "Not known: a person decided to leave it",
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
