"use client";

import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { CitedMarkdown } from "@/components/knowledge/cited-markdown";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import type { RunComparison, RunFacts } from "@/server/runs/compare/schema";
import { SideMark, type SideName } from "./side-mark";
import { diffTexts } from "./text-diff";

const VIEWS = [
  { value: "words", label: "By words" },
  { value: "lines", label: "By lines" },
  { value: "whole", label: "Whole" },
] as const;
type View = (typeof VIEWS)[number]["value"];

/** Both answers: what is only in one of them, or each as it was given. */
export function CompareAnswers({ left, right }: Pick<RunComparison, "left" | "right">) {
  const [view, setView] = useState<View>("words");
  const hasBoth = left.answer !== null && right.answer !== null;
  const areEqual = hasBoth && left.answer === right.answer;
  return (
    <Panel
      title="Answers"
      count={areEqual ? "the same" : undefined}
      actions={
        hasBoth &&
        !areEqual && (
          <SegmentedControl
            aria-label="How to show the answers"
            data={VIEWS.map((each) => ({ ...each }))}
            value={view}
            onChange={(value) => setView(value as View)}
          />
        )
      }
    >
      {areEqual ? (
        <Answer run={left} />
      ) : hasBoth && view !== "whole" ? (
        <AnswerDiff left={left.answer ?? ""} right={right.answer ?? ""} by={view} />
      ) : (
        <div className="sides">
          <Side side="A" run={left} />
          <Side side="B" run={right} />
        </div>
      )}
    </Panel>
  );
}

function Side({ side, run }: { side: SideName; run: RunFacts }) {
  return (
    <section className="side" aria-label={`Answer of run ${side}`}>
      <SideMark side={side} />
      {run.answer === null ? <p className="t2">It gave no answer.</p> : <Answer run={run} />}
    </section>
  );
}

function Answer({ run }: { run: RunFacts }) {
  return <CitedMarkdown runId={run.id} text={run.answer ?? ""} citations={run.citations} />;
}

function AnswerDiff({ left, right, by }: { left: string; right: string; by: "words" | "lines" }) {
  const parts = useMemo(() => diffTexts(left, right, by), [left, right, by]);
  if (parts === null)
    return <Note tone="info">The answers are too long to find what differs. Choose “Whole” to read both.</Note>;
  return (
    <>
      <p className="t3 fs12 diff-legend">
        <del>only in A</del> <ins>only in B</ins>
      </p>
      <div className="text-diff">
        {parts.map((part, at) => {
          const Tag = part.in === "left" ? "del" : part.in === "right" ? "ins" : "span";
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
          return <Tag key={at}>{part.text}</Tag>;
        })}
      </div>
    </>
  );
}
