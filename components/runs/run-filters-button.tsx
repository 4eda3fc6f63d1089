"use client";

import { Button, MultiSelect, Popover, Switch, TextInput } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { ConversationChoice } from "@/components/conversations/conversation-choice";
import { FEEDBACK_WORDS } from "@/components/feedback/feedback-words";
import type { FilterChip } from "@/components/ui/filter-chips";
import { MoneyField } from "@/components/ui/money-field";
import { OptionalDurationField } from "@/components/ui/optional-duration-field";
import { UNREADABLE_USD } from "@/components/ui/usd";
import { FEEDBACK_TYPES } from "@/server/feedback/schema";
import { MOST_CHOSEN, RUN_STATE_FILTERS, type RunChoices, type RunFilters } from "@/server/runs/list-schema";
import { AboutField } from "./about-field";
import { STATE_WORDS } from "./run-list-filters";
import { targetKey } from "./run-targets";

type Props = {
  filters: RunFilters;
  /** What is set in here. */
  chips: readonly FilterChip<RunFilters>[];
  /** Undefined while it loads. */
  choices: RunChoices | undefined;
  onChange: (change: Partial<RunFilters>) => void;
  onOpen: () => void;
};

const STATES = RUN_STATE_FILTERS.map((value) => ({ value, label: STATE_WORDS[value] }));
const MINUTE_MS = 60_000;

/** Everything the list can be narrowed to beside the search and one state. */
export function RunFiltersButton({ filters, chips, choices, onChange, onOpen }: Props) {
  return (
    <Popover
      position="bottom-end"
      width={320}
      shadow="pop"
      onOpen={onOpen}
      withinPortal
      trapFocus
      returnFocus
      middlewares={{ size: true }}
    >
      <Popover.Target>
        <Button leftSection={<IconFilter size={14} aria-hidden />}>
          Filters
          {chips.length > 0 && <span className="count">{chips.length}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters" className="scroll">
        {/* Focused itself: the first field would open its list. */}
        <div className="run-filters" tabIndex={-1} data-autofocus>
          <Several
            label="State"
            placeholder="Any"
            data={STATES}
            value={filters.status}
            onChange={(picked) => onChange({ status: RUN_STATE_FILTERS.filter((state) => picked.includes(state)) })}
          />
          <Several
            label="Team or agent"
            placeholder="Any"
            data={targetGroups(choices)}
            value={choices ? filters.targets : []}
            onChange={(targets) => onChange({ targets })}
          />
          <Several
            label="Started by"
            placeholder="Anybody"
            data={choices?.people.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            value={choices ? filters.startedBy : []}
            onChange={(startedBy) => onChange({ startedBy })}
          />
          <ConversationChoice
            label="Conversation"
            placeholder="Any or none"
            size="xs"
            comboboxProps={{ withinPortal: false, shadow: "pop" }}
            value={filters.conversation}
            onChange={(conversation) => onChange({ conversation })}
          />
          <AboutField
            size="xs"
            label="About"
            description="An entity that its agents note, as type:id"
            inputWrapperOrder={["label", "input", "description", "error"]}
            value={filters.about}
            onChange={(about) => onChange({ about })}
          />
          <Several
            label="Tags"
            placeholder="Any"
            data={[...new Set([...(choices?.tags.map(({ tag }) => tag) ?? []), ...filters.tags])]}
            value={filters.tags}
            onChange={(tags) => onChange({ tags })}
          />
          <Several
            label="Feedback on the answer"
            placeholder="Any or none"
            data={FEEDBACK_TYPES.map((value) => ({ value, label: FEEDBACK_WORDS[value] }))}
            value={filters.feedback}
            onChange={(picked) => onChange({ feedback: FEEDBACK_TYPES.filter((type) => picked.includes(type)) })}
          />
          <div className="run-filters-pair">
            <Day label="From (UTC)" value={filters.from} onChange={(from) => onChange({ from })} />
            <Day label="To (UTC)" value={filters.to} onChange={(to) => onChange({ to })} />
            <MoneyField
              label="Cost, at least"
              placeholder="Any"
              value={filters.minCostNanoUsd}
              onChange={(nanoUsd) =>
                nanoUsd !== UNREADABLE_USD && onChange({ minCostNanoUsd: nanoUsd === 0 ? null : nanoUsd })
              }
            />
            <OptionalDurationField
              label="Longer than, min"
              placeholder="Any"
              unitMs={MINUTE_MS}
              value={filters.longerThanMs}
              onChange={(ms) => onChange({ longerThanMs: ms === 0 ? null : ms })}
            />
          </div>
          <Switch
            label="Archived runs instead"
            checked={filters.archived}
            onChange={(event) => onChange({ archived: event.currentTarget.checked })}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

type Option = { value: string; label: string };
type SeveralProps = {
  label: string;
  placeholder: string;
  data: (string | Option | { group: string; items: Option[] })[];
  value: readonly string[];
  onChange: (value: string[]) => void;
};

function Several({ placeholder, value, ...props }: SeveralProps) {
  return (
    <MultiSelect
      size="xs"
      searchable
      maxValues={MOST_CHOSEN}
      hidePickedOptions
      nothingFoundMessage="Nothing matches."
      // Its list would else be outside of what is open, and a press in it would close that.
      comboboxProps={{ withinPortal: false, shadow: "pop" }}
      placeholder={value.length === 0 ? placeholder : undefined}
      value={[...value]}
      {...props}
    />
  );
}

type DayProps = { label: string; value: string | null; onChange: (day: string | null) => void };

function Day({ label, value, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}

function targetGroups(choices: RunChoices | undefined): SeveralProps["data"] {
  const of = (kind: "team" | "agent") =>
    (choices?.targets ?? [])
      .filter((target) => target.kind === kind)
      .map((target) => ({
        value: targetKey(target),
        label: target.isDeleted ? `${target.name} (deleted)` : target.name,
      }));
  return [
    { group: "Teams", items: of("team") },
    { group: "Agents by themselves", items: of("agent") },
  ].filter(({ items }) => items.length > 0);
}
