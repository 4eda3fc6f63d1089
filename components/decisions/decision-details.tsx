"use client";

import "./decisions.css";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "@/components/runs/inspector/loaded";
import { useTRPC } from "@/components/trpc/client";
import { DecisionExplanation } from "./decision-explanation";
import { DecisionLabels } from "./decision-labels";
import { DecisionPrecedents } from "./decision-precedents";

/** What is known of a decision besides the choice itself: in plain words, what people say of it, and earlier ones like it. */
export function DecisionDetails({ decisionId }: { decisionId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.decisions.get.queryOptions({ decisionId }));
  return (
    <Loaded query={query} what="What is known of this decision">
      {(record) => (
        <>
          <DecisionLabels record={record} />
          <DecisionExplanation decisionId={record.id} />
          <DecisionPrecedents decisionId={decisionId} />
        </>
      )}
    </Loaded>
  );
}
