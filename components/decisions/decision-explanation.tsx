"use client";

import { useQuery } from "@tanstack/react-query";
import { Loaded } from "@/components/runs/inspector/loaded";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";

/** Whether there were earlier ones like it is worked out seconds after a decision was taken. */
const REREAD_MS = 5_000;

/** The decision in plain words. */
export function DecisionExplanation({ decisionId }: { decisionId: string }) {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.decisions.explain.queryOptions({ decisionId }),
    refetchInterval: ({ state }) => (state.data?.isWaiting ? REREAD_MS : false),
  });
  return (
    <section>
      <header className="row between">
        <h3 className="section-label">In plain words</h3>
        {query.data && <CopyButton text={query.data.sentences.join("\n")} what="the explanation" />}
      </header>
      <Loaded query={query} what="The explanation">
        {({ sentences }) => (
          <ul className="decision-sentences">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </Loaded>
      <p className="t3 fs12">Put together from the record only. No model wrote any of it.</p>
    </section>
  );
}
