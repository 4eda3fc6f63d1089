import { IconHistory } from "@tabler/icons-react";
import Link from "next/link";
import { useStepDetail } from "@/components/runs/inspector/use-detail";
import { textKey } from "@/components/runs/run-live-text";
import { CopyButton } from "@/components/ui/copy-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { StepDetail } from "@/server/runs/step-schema";

const STATUS_WORDS: Record<string, string> = {
  intended: "Written down before acting; not settled yet",
  applied: "Settled: it took effect once",
  failed: "Settled: it was refused and changed nothing",
  uncertain: "Not known here; a person answered, and it was sent again under a new key",
  given_up: "Not known: a person decided to leave it",
  repeated: "Not made: answered from the same call before",
  refused: "Not made: the same call was made before, or is under way",
};
/** What makes two calls of the tool the same call, as it was set when this one was made. */
const STRATEGY_WORDS: Record<string, string> = {
  none: "None: each call is made",
  hash_input: "With the same arguments",
  explicit: "With the same fields of their arguments",
  uuid: "None: each call has a random key",
};

type Place = { runId: string; agentRunId: string; position: number };

/** The side effect of a writing call: written down before the tool acted, settled after. Silent for calls that only read. */
export function Effect(place: Place) {
  const { data } = useStepDetail(place, true);
  return data?.effect ? <EffectFacts effect={data.effect} runId={place.runId} /> : null;
}

type EffectDetail = NonNullable<StepDetail["effect"]>;

function EffectFacts({ effect, runId }: { effect: EffectDetail; runId: string }) {
  const { repeats } = effect;
  const key = effect.sentKey ?? effect.key;
  return (
    <section>
      <h3 className="section-label">Side effect</h3>
      <dl>
        <div className="kv">
          <dt>State</dt>
          <dd>{STATUS_WORDS[effect.status] ?? effect.status}</dd>
        </div>
        {repeats && (
          <div className="kv">
            <dt>Repeats</dt>
            <dd>
              <FirstCall repeats={repeats} runId={runId} isReplay={effect.status === "repeated"} />
            </dd>
          </div>
        )}
        {effect.strategy && (
          <div className="kv">
            <dt>Same call</dt>
            <dd>
              {STRATEGY_WORDS[effect.strategy] ?? effect.strategy}
              {effect.callKey && <Key text={effect.callKey} what="key of the same calls" />}
            </dd>
          </div>
        )}
        {!repeats && (
          <>
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
                <Key text={key} what="idempotency key" />
                <span className="t3 fs12 block">
                  {effect.honoursKey
                    ? "The far side honours it: repeating the call under this key happens once."
                    : "The far side does not honour it: the call is never repeated without asking a person."}
                </span>
              </dd>
            </div>
          </>
        )}
      </dl>
    </section>
  );
}

function Key({ text, what }: { text: string; what: string }) {
  return (
    <span className="row">
      <span className="mono ell grow" title={text}>
        {text}
      </span>
      <CopyButton text={text} what={what} />
    </span>
  );
}

type FirstCallProps = { repeats: NonNullable<EffectDetail["repeats"]>; runId: string; isReplay: boolean };

/** The way to the step that was made. */
function FirstCall({ repeats, runId, isReplay }: FirstCallProps) {
  const where = repeats.runId === runId ? "a step of this run" : "a step of another run";
  const words = (
    <>
      <IconHistory size={12} aria-hidden /> {isReplay ? "Replayed from cache" : "Made before"}
    </>
  );
  // Its run was removed.
  if (repeats.runId === null) return <span className="tag">{words}</span>;
  const at = encodeURIComponent(textKey(repeats.agentRunId, repeats.position));
  return (
    <Link href={`/runs/${repeats.runId}?at=${at}`} prefetch={false} className="linkbtn">
      <span className="tag">{words}</span> {where}
    </Link>
  );
}
