"use client";

import { Textarea, type TextareaProps } from "@mantine/core";

type Props = Omit<TextareaProps, "value" | "onChange"> & {
  /** Null: none. */
  value?: string | null;
  onChange: (text: string | null) => void;
};

/** A text, or nothing. */
export function OptionalText({ value, onChange, ...props }: Props) {
  return (
    <Textarea
      minRows={2}
      maxRows={10}
      {...props}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? null : currentTarget.value)}
    />
  );
}
