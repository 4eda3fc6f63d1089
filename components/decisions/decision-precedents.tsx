"use client";

import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useFinding } from "@/components/finding/use-finding";
import { Loaded } from "@/components/runs/inspector/loaded";
import { decisionTitle } from "@/components/runs/run-labels";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { DEFAULT_SIMILARITY, type Precedents } from "@/server/decisions/schema";
import { decisionPlace } from "./decision-filters";
import { OutcomeWord } from "./outcome-word";
import { VerdictBadges } from "./verdict-badge";

const THRESHOLDS = [0.5, 0.6, DEFAULT_SIMILARITY, 0.8, 0.9].map((value) => ({
  value: String(value),
  label: `at least ${percent(value)} alike`,
}));

/** Earlier decisions like this one (INT-CTX-09). */
export function DecisionPrecedents({ decisionId }: { decisionId: string }) {
  const trpc = useTRPC();
  const [threshold, setThreshold] = useState(DEFAULT_SIMILARITY);
  const query = useQuery({
    ...trpc.decisions.precedents.queryOptions({ decisionId, threshold }),
    placeholderData: (previous) => previous,
  });
  return (
    <section>
      <header className="row between">
        <h3 className="section-label">Earlier decisions like it</h3>
        <Select
          className="decision-alike"
          aria-label="How much alike"
          data={THRESHOLDS}
          value={String(threshold)}
          onChange={(value) => setThreshold(Number(value ?? DEFAULT_SIMILARITY))}
          allowDeselect={false}
        />
      </header>
      <Loaded query={query} what="Earlier decisions">
        {(found) => <Found found={found} threshold={threshold} />}
      </Loaded>
    </section>
  );
}

function Found({ found, threshold }: { found: Precedents; threshold: number }) {
  const finding = useFinding();
  const { state, items, total, compared, isCut } = found;
  if (state === "refused") {
    return <Note tone="warn">The model that finds by meaning would not take the words of this decision.</Note>;
  }
  if (state === "waiting") {
    if (finding?.problem) return <Note tone="warn">It cannot be compared for now: {finding.problem}</Note>;
    return (
      <Note tone="info">
        Being prepared: a worker compares new decisions a few seconds after they are taken
        {finding?.prepared && ", and older ones after the model that compares them was changed"}. It appears here by
        itself.
      </Note>
    );
  }
  const among = `${isCut ? "the newest " : ""}${formatPlural(compared, "earlier decision")} of its kind`;
  if (compared === 0) return <Note tone="info">There is no earlier decision of its kind.</Note>;
  if (items.length === 0) {
    return (
      <Note tone="info">
        None of {among} is {percent(threshold)} alike.
      </Note>
    );
  }
  return (
    <>
      <ul className="precedents">
        {items.map((precedent) => (
          <li key={precedent.id} className="precedent">
            <span className="precedent-what">
              <Link href={decisionPlace(precedent)} prefetch={false} className="ell">
                {decisionTitle({ ...precedent, reason: null })}
              </Link>
              <span className="t3 fs12 ell">
                {precedent.agentName} in {precedent.runTitle}, <RelativeTime at={precedent.at} />
              </span>
            </span>
            <span className="precedent-end">
              <span className="num fs12">{percent(precedent.similarity)} alike</span>
              <OutcomeWord outcome={precedent.outcome} />
              <VerdictBadges labels={precedent.labels} />
            </span>
          </li>
        ))}
      </ul>
      <p className="t3 fs12">
        {total > items.length && `The ${items.length} most alike of ${formatCount(total)}. `}
        Compared with {among}: by the {finding?.byMeaning ? "meaning" : "words"} of the task, of what was said last, and
        of the options.{" "}
        {finding?.byMeaning ? `${finding.embeddingModel} tells how alike they are.` : "It knows no meanings."}
      </p>
    </>
  );
}

function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)} %`;
}
