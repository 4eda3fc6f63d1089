"use client";

import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { DECISION_WORDS } from "@/components/runs/run-labels";
import { useTRPC } from "@/components/trpc/client";
import { FilterChoice, FilterDay, FilterSearch } from "@/components/ui/filter-fields";
import { SOURCES } from "@/components/ui/status";
import { type DecisionFilters, decisionFilters, OUTCOMES, VERDICTS } from "@/server/decisions/schema";
import { DECISION_KINDS, REASON_SOURCES } from "@/server/engine/events";
import { OUTCOME_WORDS, VERDICT_WORDS } from "./decision-words";

type Props = { filters: DecisionFilters; onFilter: (change: Partial<DecisionFilters>) => void };

/** Everything decisions are filtered by; each empty choice means all. */
export function DecisionFilterBar({ filters, onFilter }: Props) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.choices.queryOptions());
  const teams = useQuery(trpc.teams.names.queryOptions());
  const agentNames = new Set([
    ...(agents.data ?? []).map(({ name }) => name),
    ...(filters.agent ? [filters.agent] : []),
  ]);
  const choose = (field: keyof DecisionFilters) => (value: string | null) => {
    const { data } = decisionFilters.safeParse({ ...filters, [field]: value ?? "" });
    if (data) onFilter({ [field]: data[field] });
  };
  const of = (field: keyof DecisionFilters) => ({ value: filters[field] || null, onChange: choose(field) });
  return (
    <search className="filterbar filter-wrap">
      <FilterSearch
        label="Search decisions"
        placeholder="Search reasons, choices, runs"
        search={filters.search}
        onSearch={choose("search")}
      />
      <FilterChoice
        {...of("kind")}
        label="Kind"
        data={DECISION_KINDS.map((value) => ({ value, label: DECISION_WORDS[value] }))}
      />
      <FilterChoice
        {...of("source")}
        label="Source"
        data={REASON_SOURCES.map((value) => ({ value, label: SOURCES[value].word }))}
      />
      <FilterChoice {...of("agent")} label="Agent" data={[...agentNames].map((value) => ({ value, label: value }))} />
      <FilterChoice
        {...of("team")}
        label="Team"
        data={(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <FilterChoice
        {...of("outcome")}
        label="Outcome"
        data={OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] }))}
      />
      <FilterChoice
        {...of("label")}
        label="Label"
        data={[
          ...VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value] })),
          { value: "unlabelled", label: "Unlabelled" },
        ]}
      />
      <FilterDay label="From" value={filters.from} onChange={choose("from")} />
      <FilterDay label="To" value={filters.to} onChange={choose("to")} />
      {filters.option && (
        <button
          type="button"
          className="decision-only"
          onClick={() => onFilter({ option: "" })}
          title="Show every option again"
        >
          <span className="sr">Only where this was chosen:</span>
          <span className="ell">{filters.option}</span>
          <IconX size={13} aria-hidden />
          <span className="sr">. Show every option again</span>
        </button>
      )}
    </search>
  );
}
