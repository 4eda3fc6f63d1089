"use client";

import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { FilterChoice, FilterDay, FilterFold } from "@/components/ui/filter-fields";
import { formatExactMoney, formatSpan } from "@/components/ui/format";
import { readUsd } from "@/components/ui/usd";
import { DIMENSIONS, ENDS, type SpendingFilters, spendingFilters } from "@/server/spending/schema";
import { DIMENSION_WORDS, END_WORDS, PERIOD_WORDS } from "./spending-words";

/** What is behind a press on a phone. */
const CHOICES = ["agent", "model", "end", "slower", "dearer"] as const;

/** An empty text stands for these; a choice needs a value of its own. */
const USUAL = { period: "30", by: "agent" };
const PERIODS = (["today", "7", "", "90", "custom"] as const).map((period) => ({
  value: period || USUAL.period,
  label: PERIOD_WORDS[period],
}));
const GROUPINGS = [
  ...DIMENSIONS.map((value) => ({ value: value as string, label: `By ${DIMENSION_WORDS[value].one.toLowerCase()}` })),
  { value: "call", label: "Each call" },
];
const SECONDS = ["1", "2", "5", "10", "30", "60"];
const DOLLARS = ["0.001", "0.01", "0.05", "0.1", "0.5", "1"];

type Props = { filters: SpendingFilters; onFilter: (change: Partial<SpendingFilters>) => void };

/** The period, what calls are grouped by, and which of them; each empty choice means all. */
export function SpendingFilterBar({ filters, onFilter }: Props) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.choices.queryOptions());
  const models = useQuery(trpc.providers.models.queryOptions());
  const choose = (field: keyof SpendingFilters) => (value: string | null) => {
    const { data } = spendingFilters.safeParse({ ...filters, [field]: value ?? "" });
    if (data) onFilter({ [field]: data[field] });
  };
  const of = (field: keyof SpendingFilters) => ({ value: filters[field] || null, onChange: choose(field) });
  return (
    <search className="filterbar filter-wrap spending-filters">
      <Select
        className="filter-choice"
        aria-label="Period"
        data={PERIODS}
        allowDeselect={false}
        value={filters.period || USUAL.period}
        onChange={(period) => choose("period")(period === USUAL.period ? "" : period)}
      />
      {filters.period === "custom" && (
        <>
          <FilterDay label="From" value={filters.from} onChange={choose("from")} />
          <FilterDay label="To" value={filters.to} onChange={choose("to")} />
        </>
      )}
      <Select
        className="spending-by"
        aria-label="Grouped by"
        data={GROUPINGS}
        allowDeselect={false}
        value={filters.by || USUAL.by}
        onChange={(by) => choose("by")(by === USUAL.by ? "" : by)}
      />
      <FilterFold chosen={CHOICES.filter((field) => filters[field] !== "").length}>
        <FilterChoice
          {...of("agent")}
          label="Agent"
          data={withChosen(
            (agents.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            filters.agent,
            "An agent",
          )}
        />
        <FilterChoice
          {...of("model")}
          label="Model"
          data={withChosen(
            (models.data ?? []).filter(({ kind }) => kind === "chat").map(({ ref }) => ({ value: ref, label: ref })),
            filters.model,
            filters.model,
          )}
        />
        <FilterChoice {...of("end")} label="Ended" data={ENDS.map((value) => ({ value, label: END_WORDS[value] }))} />
        <FilterChoice {...of("slower")} label="Took at least" data={amounts(SECONDS, filters.slower, secondsWord)} />
        <FilterChoice {...of("dearer")} label="Cost at least" data={amounts(DOLLARS, filters.dearer, dollarsWord)} />
      </FilterFold>
    </search>
  );
}

type Option = { value: string; label: string };

/** What is chosen is among the choices, also when it is there no more. */
function withChosen(options: readonly Option[], chosen: string, label: string): Option[] {
  const isThere = chosen === "" || options.some(({ value }) => value === chosen);
  return isThere ? [...options] : [...options, { value: chosen, label }];
}

function amounts(usual: readonly string[], chosen: string, word: (amount: string) => string): Option[] {
  return withChosen(
    usual.map((value) => ({ value, label: word(value) })),
    chosen,
    word(chosen),
  );
}

const secondsWord = (seconds: string) => formatSpan(Number(seconds) * 1_000);
const dollarsWord = (dollars: string) => formatExactMoney(readUsd(dollars) ?? 0);
