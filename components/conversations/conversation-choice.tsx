"use client";

import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";

const SEARCH_AFTER_MS = 250;

type Props = Pick<SelectProps, "aria-label" | "className" | "comboboxProps" | "label" | "placeholder" | "size"> & {
  value: string | null;
  onChange: (conversationId: string | null) => void;
};

/** One of the workspace's conversations, found by its title, or all of them while none is chosen. */
export function ConversationChoice({ value, placeholder, ...props }: Props) {
  const trpc = useTRPC();
  const [isWanted, setIsWanted] = useState(false);
  const [typed, setTyped] = useState("");
  const [words] = useDebouncedValue(typed, SEARCH_AFTER_MS);
  const { data } = useQuery({
    ...trpc.conversations.choices.queryOptions({ ...(words && { search: words }), chosen: value }),
    enabled: isWanted || value !== null,
    placeholderData: keepPreviousData,
  });
  const options = (data?.items ?? []).map(({ id, title }) => ({ value: id, label: title }));
  const title = options.find((option) => option.value === value)?.label;
  return (
    <Select
      {...props}
      value={value}
      // Until its title is known, or where there is no such conversation, the field is not as if nothing were chosen.
      placeholder={value === null ? placeholder : data ? "unknown" : "…"}
      data={data?.more ? [{ group: `The first ${options.length}. Type to find another.`, items: options }] : options}
      // They are those that fit: the server looked.
      filter={({ options: found }) => found}
      // What is chosen stands in the field, too, and nobody looks for it.
      onSearchChange={(text) => setTyped(text === title ? "" : text)}
      onDropdownOpen={() => setIsWanted(true)}
      clearable
      searchable
      nothingFoundMessage={data ? "None of this title" : "They are being read."}
    />
  );
}
