"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useDeferredValue, useState } from "react";
import { LoadBoundary } from "./load-boundary";
import { SearchField } from "./search-field";

const SEARCH_AFTER_MS = 250;

/** What a list is narrowed to; busy while the next one comes. */
export type ListSearch = { search: string; busy: boolean; onClear: () => void };

type Props = {
  label: string;
  placeholder: string;
  /** The shape of the list while it loads. */
  pending: ReactNode;
  /** "The teams could not be loaded". */
  failed: string;
  children: (search: ListSearch) => ReactNode;
};

/** A list that loads by itself, under the field that searches it. */
export function SearchedList({ label, placeholder, pending, failed, children }: Props) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  // The list stays until the next one is there.
  const shown = useDeferredValue(search);
  return (
    <>
      <search className="filterbar">
        <SearchField
          className="list-search"
          aria-label={label}
          placeholder={placeholder}
          value={typed}
          onType={setTyped}
        />
      </search>
      <LoadBoundary pending={pending} failed={failed}>
        {children({ search: shown, busy: shown !== search, onClear: () => setTyped("") })}
      </LoadBoundary>
    </>
  );
}
