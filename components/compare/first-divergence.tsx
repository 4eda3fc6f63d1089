import { IconArrowRight } from "@tabler/icons-react";
import Link from "next/link";
import { DecisionOptions, DecisionReason } from "@/components/runs/inspector/decision-parts";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { StatusBadge } from "@/components/ui/status";
import { isTerminal } from "@/server/engine/state";
import type { DivergingSide, RunComparison } from "@/server/runs/compare/schema";
import { placeHref } from "./place-href";
import { placeWords } from "./place-words";
import { SideMark, type SideName } from "./side-mark";

/** Where both runs part: what each did there, from which options, and why. */
export function FirstDivergence({ comparison, onShow }: { comparison: RunComparison; onShow: () => void }) {
  const { left, right, divergence, different } = comparison;
  if (!divergence) return <NoDivergence comparison={comparison} />;
  return (
    <Panel
      title="Where they part"
      count={different === 1 ? "the only difference" : `the first of ${formatPlural(different, "difference")}`}
      actions={
        <button type="button" className="linkbtn" onClick={onShow}>
          Show it below
        </button>
      }
      className="divergence"
    >
      <div className="sides">
        <Side side="A" runId={left.id} told={divergence.left} wholeAgent={divergence.entry === null} />
        <Side side="B" runId={right.id} told={divergence.right} wholeAgent={divergence.entry === null} />
      </div>
    </Panel>
  );
}

function NoDivergence({ comparison: { left, right, same } }: { comparison: RunComparison }) {
  const atWork = [left, right].some(({ status }) => !isTerminal(status));
  if (left.id === right.id)
    return <Note tone="info">This is one run, beside itself. Choose another one for A or B.</Note>;
  if (same === 0) return <Note tone="info">Nothing is recorded in either run that could be compared.</Note>;
  return (
    <Note tone="info">
      <span className="b block">{atWork ? "They do not differ so far." : "They do not differ."}</span>
      Every step, choice and outcome of one is in the other. What was written may still read otherwise: open a step to
      see both texts.
    </Note>
  );
}

type SideProps = { side: SideName; runId: string; told: DivergingSide | null; wholeAgent: boolean };

function Side({ side, runId, told, wholeAgent }: SideProps) {
  const place = told?.place ?? null;
  return (
    <section className="side" aria-label={`Run ${side}`}>
      <header className="row between">
        <span className="row ell">
          <SideMark side={side} />
          <span className="t2 ell">{told?.agentName ?? "no such agent run"}</span>
        </span>
        {told && (
          <Link href={placeHref(runId, told.agentRunId, place)} className="linkbtn row" prefetch={false}>
            Open there <IconArrowRight size={13} aria-hidden />
          </Link>
        )}
      </header>
      {told?.isNext && place && <p className="t2">It did nothing at this place. What it did next of this kind:</p>}
      {place && (
        <p className="b">
          {placeWords(place).name} {place.type === "step" && <StatusBadge status={place.status} />}
        </p>
      )}
      {place?.type === "step" && place.note && <p className="t2 wrap-any">{place.note}</p>}
      {told?.decision && (
        <>
          <DecisionReason decision={told.decision.decision} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section className="divergence-options scroll" tabIndex={0} aria-label={`Options offered in run ${side}`}>
            <DecisionOptions options={told.decision.options} decision={told.decision.decision} />
          </section>
        </>
      )}
      {!place && <p className="t2">{nothingWords(told, wholeAgent)}</p>}
    </section>
  );
}

function nothingWords(told: DivergingSide | null, wholeAgent: boolean): string {
  if (!told) return "This agent run is only in the other run.";
  return wholeAgent
    ? "The agent run as a whole; what it did is below."
    : "It did nothing here, nor later, of this kind.";
}
