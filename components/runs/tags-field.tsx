"use client";

import { TagsInput, type TagsInputProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { MOST_TAGS, runTag, tagKey } from "@/server/runs/list-schema";

type Props = Omit<TagsInputProps, "data" | "value" | "onChange"> & {
  value: string[];
  onChange: (tags: string[]) => void;
};

/** Tags of runs, with those the workspace uses already to choose from. */
export function TagsField({ value, onChange, ...props }: Props) {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const choices = useQuery(trpc.runs.choices.queryOptions());
  const problem = value.map((tag) => runTag.safeParse(tag)).find(({ success }) => !success);
  return (
    <TagsInput
      size="xs"
      maxTags={MOST_TAGS}
      // A dialog begins in this field: its list would lie over the buttons before anybody asked for it.
      openOnFocus={false}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onClick={() => setIsOpen(true)}
      placeholder={value.length === 0 ? "Write a tag, then Enter" : undefined}
      clearButtonProps={{ "aria-label": "Clear the tags" }}
      {...props}
      data={choices.data?.tags.map(({ tag }) => tag) ?? []}
      isDuplicate={(tag, tags) => tags.some((other) => tagKey(other) === tagKey(tag))}
      value={value}
      onChange={onChange}
      error={props.error ?? problem?.error?.issues[0]?.message}
    />
  );
}
