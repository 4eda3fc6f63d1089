"use client";

import { SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { FilterChoice, FilterDay, FilterFold, FilterSearch } from "@/components/ui/filter-fields";
import { formatCount } from "@/components/ui/format";
import { FEEDBACK_TYPES, type FeedbackFilters, feedbackFilters } from "@/server/feedback/schema";
import { SHORT_WORDS } from "./feedback-words";

const ALL = "all";
/** What is behind a press on a phone. */
const CHOICES = ["agent", "team", "from", "to"] as const;

type Props = { filters: FeedbackFilters; onFilter: (change: Partial<FeedbackFilters>) => void };

/** Everything feedback is filtered by; the types with how many there are of each. */
export function FeedbackFilterBar({ filters, onFilter }: Props) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.choices.queryOptions());
  const teams = useQuery(trpc.teams.names.queryOptions());
  const isHydrated = useHydrated();
  const { data } = useQuery(
    trpc.feedback.counts.queryOptions({ ...filters, type: "" }, { placeholderData: keepPreviousData }),
  );
  // What was read ahead may arrive between the page and its script.
  const counts = isHydrated ? data : undefined;
  const agentNames = new Set([
    ...(agents.data ?? []).map(({ name }) => name),
    ...(filters.agent ? [filters.agent] : []),
  ]);
  const choose = (field: keyof FeedbackFilters) => (value: string | null) => {
    const { data: known } = feedbackFilters.safeParse({ ...filters, [field]: value ?? "" });
    if (known) onFilter({ [field]: known[field] });
  };
  return (
    <search className="filterbar filter-wrap feedback-filters">
      <SegmentedControl
        className="feedback-types"
        aria-label="Type"
        value={filters.type || ALL}
        onChange={(value) => choose("type")(value === ALL ? "" : value)}
        data={[
          { value: ALL, label: "All" },
          ...FEEDBACK_TYPES.map((value) => ({
            value,
            // A phone has room for the words only: the last of them would be cut off.
            label: (
              <>
                {SHORT_WORDS[value]}
                {counts && <span className="hide-m"> {formatCount(counts[value])}</span>}
              </>
            ),
          })),
        ]}
      />
      <FilterSearch
        label="Search feedback"
        placeholder="Search feedback, runs"
        search={filters.search}
        onSearch={choose("search")}
      />
      <FilterFold chosen={CHOICES.filter((field) => filters[field] !== "").length}>
        <FilterChoice
          label="Agent"
          data={[...agentNames].map((value) => ({ value, label: value }))}
          value={filters.agent || null}
          onChange={choose("agent")}
        />
        <FilterChoice
          label="Team"
          data={(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={filters.team || null}
          onChange={choose("team")}
        />
        <FilterDay label="From" value={filters.from} onChange={choose("from")} />
        <FilterDay label="To" value={filters.to} onChange={choose("to")} />
      </FilterFold>
    </search>
  );
}
