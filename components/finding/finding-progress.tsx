"use client";

import { Button } from "@mantine/core";
import { useWhyNotOwn } from "@/components/providers/use-why-not-own";
import { errorWords } from "@/components/ui/error-words";
import { Meter } from "@/components/ui/meter";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { FindingView, PreparedCount } from "@/server/finding/schema";
import { doneWords } from "./finding-words";
import { useChooseFinding } from "./use-choose-finding";

/** How many runs and decisions the chosen model can find by now, and what keeps it from the others. */
export function FindingProgress({ finding }: { finding: FindingView }) {
  if (!finding.prepared) return null;
  const { runs, decisions } = finding.prepared;
  return (
    <>
      <div className="finding-progress" role="status">
        <Progress word="Runs that have ended" counted={runs} />
        <Progress word="Decisions" counted={decisions} />
      </div>
      {finding.refusal && runs.refused + decisions.refused > 0 && (
        <Note tone="warn">
          Some texts were refused, and are passed over. What the model said last: {finding.refusal}
        </Note>
      )}
      {finding.problem && <Problem finding={finding} />}
    </>
  );
}

function Progress({ word, counted }: { word: string; counted: PreparedCount }) {
  const words = doneWords(counted);
  return (
    <div className="finding-count">
      <span>{word}</span>
      <span className="num t2">{words}</span>
      <Meter
        label={`${word}: ${words}`}
        max={Math.max(1, counted.total)}
        height={4}
        parts={[{ value: counted.ready + counted.refused, color: "var(--st-running)" }]}
      />
    </div>
  );
}

function Problem({ finding: { embeddingModel, problem, nextTryAt } }: { finding: FindingView }) {
  const again = useChooseFinding();
  const whyNot = useWhyNotOwn();
  return (
    <Note
      tone="bad"
      aside={
        whyNot === null && (
          <Button size="xs" loading={again.isPending} onClick={() => again.mutate({ embeddingModel })}>
            Try now
          </Button>
        )
      }
    >
      Nothing is prepared for now: {problem} {nextTryAt && <Next at={nextTryAt} />}
      {again.error && <span className="block">{errorWords(again.error).sentence}</span>}
    </Note>
  );
}

function Next({ at }: { at: string }) {
  return (
    <>
      It is tried again <RelativeTime at={at} />.
    </>
  );
}
