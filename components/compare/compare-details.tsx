"use client";

import { Modal } from "@mantine/core";
import { IconArrowDown, IconArrowRight, IconArrowUp } from "@tabler/icons-react";
import Link from "next/link";
import { CodeBox } from "@/components/runs/inspector/code-box";
import { DecisionOptions, DecisionReason } from "@/components/runs/inspector/decision-parts";
import { StepInput } from "@/components/runs/inspector/input-tab";
import { Loaded } from "@/components/runs/inspector/loaded";
import { StepOutput } from "@/components/runs/inspector/output-tab";
import { Part } from "@/components/runs/inspector/part";
import { useAgentDetail, useDecisionDetail } from "@/components/runs/inspector/use-detail";
import { Note } from "@/components/ui/note";
import { StatusBadge } from "@/components/ui/status";
import type { ComparedPair, ComparedPlace, RunComparison, RunFacts } from "@/server/runs/compare/schema";
import type { CompareRow } from "./compare-rows";
import { placeHref } from "./place-href";
import { placeWords } from "./place-words";
import { SideMark, type SideName } from "./side-mark";
import type { CompareViewState } from "./use-compare-view";

type Props = {
  comparison: RunComparison;
  /** Null: closed. */
  row: CompareRow | null;
  view: CompareViewState;
  onClose: () => void;
};

/** Everything about one row, A and B side by side; what they were given and gave is loaded now. */
export function CompareDetails({ comparison, row, view, onClose }: Props) {
  const shown = row?.type === "agent" || row?.type === "entry" ? row : null;
  return (
    <Modal opened={shown !== null} onClose={onClose} title={<DetailsTitle view={view} />} size="min(1240px, 96vw)">
      {shown && (
        <div className="sides details" tabIndex={-1} data-autofocus key={shown.key}>
          <Side side="A" run={comparison.left} agent={shown.pair.left} row={shown} of="left" />
          <Side side="B" run={comparison.right} agent={shown.pair.right} row={shown} of="right" />
        </div>
      )}
    </Modal>
  );
}

function DetailsTitle({ view }: Pick<Props, "view">) {
  return (
    <span className="row">
      Side by side
      <button type="button" className="icon-btn" aria-label="Previous difference" onClick={() => view.step(-1)}>
        <IconArrowUp size={15} aria-hidden />
      </button>
      <button type="button" className="icon-btn" aria-label="Next difference" onClick={() => view.step(1)}>
        <IconArrowDown size={15} aria-hidden />
      </button>
    </span>
  );
}

type SideProps = {
  side: SideName;
  of: "left" | "right";
  run: RunFacts;
  agent: ComparedPair["left"];
  row: Extract<CompareRow, { type: "agent" | "entry" }>;
};

function Side({ side, of, run, agent, row }: SideProps) {
  const place = row.type === "entry" ? row.entry[of] : null;
  const isThere = agent !== null && (row.type === "agent" || place !== null);
  return (
    <section className="side" aria-label={`Run ${side}, in full`}>
      <header className="row between">
        <span className="row ell">
          <SideMark side={side} />
          <span className="b ell">
            {place ? placeWords(place).name : isThere ? agent.name : "Nothing at this place"}
          </span>
          {place?.type === "step" && <StatusBadge status={place.status} />}
        </span>
        {isThere && (
          <Link href={placeHref(run.id, agent.id, place)} className="linkbtn row" prefetch={false}>
            Open there <IconArrowRight size={13} aria-hidden />
          </Link>
        )}
      </header>
      {isThere ? (
        <Details run={run} agent={agent} place={place} />
      ) : (
        <Note tone="info">Run {side} has no counterpart of this.</Note>
      )}
    </section>
  );
}

type DetailsProps = { run: RunFacts; agent: NonNullable<ComparedPair["left"]>; place: ComparedPlace | null };

function Details({ run, agent, place }: DetailsProps) {
  if (!place) return <AgentDetails run={run} agent={agent} />;
  if (place.type === "decision") return <DecisionDetails runId={run.id} decisionId={place.id} />;
  return (
    <>
      <StepInput runId={run.id} agentRunId={agent.id} position={place.position} />
      <StepOutput run={run} agentRunId={agent.id} position={place.position} />
    </>
  );
}

function DecisionDetails(place: { runId: string; decisionId: string }) {
  const query = useDecisionDetail(place);
  return (
    <Loaded query={query} what="The decision">
      {({ decision, options }) => (
        <>
          <DecisionReason decision={decision} />
          <DecisionOptions options={options} decision={decision} />
        </>
      )}
    </Loaded>
  );
}

function AgentDetails({ run, agent }: Omit<DetailsProps, "place">) {
  const query = useAgentDetail({ runId: run.id, agentRunId: agent.id }, agent.status);
  return (
    <Loaded query={query} what="The agent run">
      {({ task, result }) => (
        <>
          <Part title="Task given" copy={task} what="task">
            <CodeBox>{task}</CodeBox>
          </Part>
          {result === null ? (
            <Note tone="info">It has given no result.</Note>
          ) : (
            <Part title="Result" copy={result} what="result">
              <CodeBox>{result}</CodeBox>
            </Part>
          )}
        </>
      )}
    </Loaded>
  );
}
