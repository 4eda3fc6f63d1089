"use client";

import { useQuery } from "@tanstack/react-query";
import { ConversationChoice } from "@/components/conversations/conversation-choice";
import { useMeaningModel } from "@/components/finding/use-finding";
import { AboutField } from "@/components/runs/about-field";
import { DECISION_WORDS } from "@/components/runs/run-labels";
import { useTRPC } from "@/components/trpc/client";
import { FilterChoice, FilterDay, FilterFold, FilterSearch } from "@/components/ui/filter-fields";
import { RankSwitch } from "@/components/ui/rank-switch";
import { SOURCES } from "@/components/ui/status";
import { type DecisionFilters, decisionFilters, OUTCOMES, VERDICTS } from "@/server/decisions/schema";
import { DECISION_KINDS, REASON_SOURCES } from "@/server/engine/events";
import { OUTCOME_WORDS, VERDICT_WORDS } from "./decision-words";

/** What is behind a press on a phone. */
const CHOICES = [
  ...(["kind", "source", "agent", "version", "team", "conversation", "about"] as const),
  ...(["outcome", "label", "option", "from", "to"] as const),
];

type Props = { filters: DecisionFilters; onFilter: (change: Partial<DecisionFilters>) => void };

/** Everything decisions are filtered by; each empty choice means all. */
export function DecisionFilterBar({ filters, onFilter }: Props) {
  const trpc = useTRPC();
  const meaningModel = useMeaningModel();
  const agents = useQuery(trpc.agents.choices.queryOptions());
  const tools = useQuery(trpc.agents.tools.queryOptions());
  const teams = useQuery(trpc.teams.names.queryOptions());
  const agentNames = new Set([
    ...(agents.data ?? []).map(({ name }) => name),
    ...(filters.agent ? [filters.agent] : []),
  ]);
  const isKnown =
    filters.option === "" ||
    [...(tools.data ?? []).map(({ name }) => name), ...[...agentNames].map((name) => `agent:${name}`)].includes(
      filters.option,
    );
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
      <RankSwitch
        value={filters.rank}
        onChange={(rank) => onFilter({ rank })}
        meaningModel={meaningModel}
        comparedWith="what the agent was asked, what was said last before the decision, and the options"
      />
      <FilterFold chosen={CHOICES.filter((field) => filters[field] !== "").length}>
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
        {(filters.agent || filters.version) && (
          <FilterChoice
            {...of("version")}
            label="Version"
            data={versionsOf(agents.data?.find(({ name }) => name === filters.agent)?.version ?? null, filters.version)}
          />
        )}
        <FilterChoice
          {...of("team")}
          label="Team"
          data={(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        <ConversationChoice
          {...of("conversation")}
          className="filter-choice"
          aria-label="Conversation"
          placeholder="Conversation"
          // Titles are longer than the field is wide.
          comboboxProps={{ width: 320, position: "bottom-start" }}
        />
        <AboutField
          className="filter-choice"
          aria-label="About an entity, as type:id"
          placeholder="About type:id"
          value={filters.about || null}
          onChange={choose("about")}
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
        <FilterChoice
          {...of("option")}
          label="Chosen"
          data={[
            { group: "Tools", items: named((tools.data ?? []).map(({ name }) => ({ value: name, label: name }))) },
            {
              group: "Agents",
              items: named((agents.data ?? []).map(({ name }) => ({ value: `agent:${name}`, label: name }))),
            },
            ...(isKnown ? [] : [{ group: "Others", items: [{ value: filters.option, label: filters.option }] }]),
          ]}
        />
        <FilterDay label="From" value={filters.from} onChange={choose("from")} />
        <FilterDay label="To" value={filters.to} onChange={choose("to")} />
      </FilterFold>
    </search>
  );
}

type Option = { value: string; label: string };

/** Each once, by value. */
function named(options: readonly Option[]): Option[] {
  return [...new Map(options.map((option) => [option.value, option])).values()];
}

/** The versions an agent has had, the newest first, and the chosen one whatever it is. */
function versionsOf(newest: number | null, chosen: string): Option[] {
  const numbers = Array.from({ length: newest ?? 0 }, (_, at) => String((newest ?? 0) - at));
  return [...new Set([...numbers, ...(chosen ? [chosen] : [])])].map((value) => ({ value, label: `v${value}` }));
}
