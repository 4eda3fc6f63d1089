"use client";

import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { SearchField } from "./search-field";

const SEARCH_AFTER_MS = 250;

/** The rarer filters: beside the others, or on a phone behind a press, so that the list begins on the first screen. */
export function FilterFold({ chosen, children }: { chosen: number; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        className="filter-fold"
        leftSection={<IconFilter size={14} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Filters
        {chosen > 0 && <span className="count">{chosen}</span>}
      </Button>
      <div className="filter-more" data-open={isOpen || undefined}>
        {children}
      </div>
    </>
  );
}

type Field = { label: string; onChange: (value: string | null) => void };
type ChoiceProps = Field & {
  data: ({ value: string; label: string } | { group: string; items: { value: string; label: string }[] })[];
  value: string | null;
};

/** One of several, or all of them while none is chosen. */
export function FilterChoice({ label, data, value, onChange }: ChoiceProps) {
  return (
    <Select
      className="filter-choice"
      aria-label={label}
      placeholder={label}
      data={data}
      value={value}
      onChange={onChange}
      clearable
      searchable
      nothingFoundMessage="None of this name"
      // The field is narrow, names are not.
      comboboxProps={{ shadow: "pop", width: 240, position: "bottom-start" }}
    />
  );
}

/** A day of UTC. */
export function FilterDay({ label, value, onChange }: Field & { value: string }) {
  return (
    <TextInput
      className="filter-day"
      aria-label={`${label}, a day in UTC`}
      leftSection={<span className="fs12">{label}</span>}
      leftSectionWidth={42}
      type="date"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type SearchProps = { label: string; placeholder: string; search: string; onSearch: (value: string) => void };

/** Tells what was typed once the typing rests. */
export function FilterSearch({ label, placeholder, search, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(search);
  const tell = useDebouncedCallback((value: string) => onSearch(value.trim()), SEARCH_AFTER_MS);
  return (
    <SearchField
      className="list-search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      onType={(value) => {
        setTyped(value);
        tell(value);
      }}
    />
  );
}
