"use client";

import { TagsInput, type TagsInputProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { MOST_TAGS, runTag, tagKey } from "@/server/runs/schema";

type Props = Omit<TagsInputProps, "data" | "value" | "onChange"> & {
  value: string[];
  onChange: (tags: string[]) => void;
};

/** Tags of runs, with those the workspace uses already to choose from. */
export function TagsField({ value, onChange, ...props }: Props) {
  const trpc = useTRPC();
  const choices = useQuery(trpc.runs.choices.queryOptions());
  const problem = value.map((tag) => runTag.safeParse(tag)).find(({ success }) => !success);
  return (
    <TagsInput
      size="xs"
      maxTags={MOST_TAGS}
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
