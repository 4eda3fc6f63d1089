"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import type { DecisionRecord } from "@/server/decisions/schema";
import { explainDecision } from "./explain-decision";

/** The decision in plain words. */
export function DecisionExplanation({ record }: { record: DecisionRecord }) {
  const trpc = useTRPC();
  const precedents = useQuery(trpc.decisions.precedents.queryOptions({ decisionId: record.id }));
  const sentences = explainDecision(record, precedents.data ?? null);
  return (
    <section>
      <header className="row between">
        <h3 className="section-label">In plain words</h3>
        <CopyButton text={sentences.join("\n")} what="the explanation" />
      </header>
      <ul className="decision-sentences">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="t3 fs12">Put together from the record only. No model wrote any of it.</p>
    </section>
  );
}
