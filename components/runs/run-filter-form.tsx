import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { FILTER_KINDS, isFiltering, NO_FILTER, type RunFilter } from "@/components/runs/run-filter";
import type { RunView } from "@/components/runs/use-run-view";
import { MoneyField } from "@/components/ui/money-field";
import { OptionalDurationField } from "@/components/ui/optional-duration-field";
import { KINDS } from "@/components/ui/status";

const KIND_DATA = FILTER_KINDS.map((value) => ({ value, label: KINDS[value].word }));

type Props = { filter: RunFilter; index: RunView["index"]; change: (changed: Partial<RunFilter>) => void };

/** The conditions behind the menu. */
export function RunFilterForm({ filter, index, change }: Props) {
  const agents = useMemo(() => namesOfAgents(index), [index]);
  return (
    <div className="run-filter-form">
      <Select
        label="Agent"
        placeholder="Any"
        data={agents}
        value={filter.agent}
        onChange={(agent) => change({ agent })}
        clearable
        searchable={agents.length > 8}
        comboboxProps={{ withinPortal: false }}
      />
      <Select
        label="Kind"
        placeholder="Any"
        data={KIND_DATA}
        value={filter.kind}
        onChange={(kind) => change({ kind: FILTER_KINDS.find((known) => known === kind) ?? null })}
        clearable
        comboboxProps={{ withinPortal: false }}
      />
      {/* On wide screens beside the menu. */}
      <TextInput
        className="only-m"
        label="Name, or reason of a decision"
        placeholder="Any"
        value={filter.text}
        maxLength={200}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <MoneyField
        label="Cost at least"
        description="Of the row itself, without what is below it"
        value={filter.minCostNanoUsd}
        onChange={(minCostNanoUsd) => (minCostNanoUsd ?? 0) >= 0 && change({ minCostNanoUsd })}
      />
      <OptionalDurationField
        label="Took at least (seconds)"
        description="Rows that still go on are shown, too"
        unitMs={1_000}
        value={filter.minMs}
        onChange={(minMs) => change({ minMs })}
      />
      <Checkbox
        label="Only what matches"
        description="One list, without the rows above"
        checked={filter.only}
        onChange={(event) => change({ only: event.currentTarget.checked })}
      />
      <Button variant="default" disabled={!isFiltering(filter) && !filter.only} onClick={() => change(NO_FILTER)}>
        Clear all
      </Button>
    </div>
  );
}

function namesOfAgents(index: RunView["index"]): string[] {
  const names = new Set(index.rows.agents.map(({ name }) => name));
  return [...names].sort((a, b) => a.localeCompare(b));
}
