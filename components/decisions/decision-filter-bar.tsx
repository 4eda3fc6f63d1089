"use client";

import { Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DECISION_WORDS } from "@/components/runs/run-labels";
import { useTRPC } from "@/components/trpc/client";
import { SearchField } from "@/components/ui/search-field";
import { SOURCES } from "@/components/ui/status";
import { type DecisionFilters, decisionFilters, OUTCOMES, VERDICTS } from "@/server/decisions/schema";
import { DECISION_KINDS, REASON_SOURCES } from "@/server/engine/events";
import { OUTCOME_WORDS, VERDICT_WORDS } from "./decision-words";

const SEARCH_AFTER_MS = 250;

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
    <search className="filterbar decision-filters">
      <Search search={filters.search} onSearch={choose("search")} />
      <Choice
        {...of("kind")}
        label="Kind"
        data={DECISION_KINDS.map((value) => ({ value, label: DECISION_WORDS[value] }))}
      />
      <Choice
        {...of("source")}
        label="Source"
        data={REASON_SOURCES.map((value) => ({ value, label: SOURCES[value].word }))}
      />
      <Choice {...of("agent")} label="Agent" data={[...agentNames].map((value) => ({ value, label: value }))} />
      <Choice
        {...of("team")}
        label="Team"
        data={(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Choice
        {...of("outcome")}
        label="Outcome"
        data={OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] }))}
      />
      <Choice
        {...of("label")}
        label="Label"
        data={[
          ...VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value] })),
          { value: "unlabelled", label: "Unlabelled" },
        ]}
      />
      <Day label="From" value={filters.from} onChange={choose("from")} />
      <Day label="To" value={filters.to} onChange={choose("to")} />
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

type Field = { label: string; onChange: (value: string | null) => void };

function Choice({
  label,
  data,
  value,
  onChange,
}: Field & { data: { value: string; label: string }[]; value: string | null }) {
  return (
    <Select
      className="decision-choice"
      aria-label={label}
      placeholder={label}
      data={data}
      value={value}
      onChange={onChange}
      clearable
      searchable
      nothingFoundMessage="None of this name"
    />
  );
}

/** A day of UTC. */
function Day({ label, value, onChange }: Field & { value: string }) {
  return (
    <TextInput
      className="decision-day"
      aria-label={`${label}, a day in UTC`}
      leftSection={<span className="fs12">{label}</span>}
      leftSectionWidth={42}
      type="date"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Search({ search, onSearch }: { search: string; onSearch: (value: string) => void }) {
  const [typed, setTyped] = useState(search);
  const tell = useDebouncedCallback((value: string) => onSearch(value.trim()), SEARCH_AFTER_MS);
  return (
    <SearchField
      className="list-search"
      aria-label="Search decisions"
      placeholder="Search reasons, choices, runs"
      value={typed}
      onType={(value) => {
        setTyped(value);
        tell(value);
      }}
    />
  );
}
