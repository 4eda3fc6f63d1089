"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";

const SEARCH_AFTER_MS = 250;

/** What a view is searched for, a moment after it was typed, and the field for it. */
export function useLookSearch() {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  return { search, field: { value: typed, onType: setTyped } };
}
