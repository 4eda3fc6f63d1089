"use client";

import type { NumberInputProps } from "@mantine/core";
import { DurationField } from "./duration-field";

type Props = Omit<NumberInputProps, "value" | "onChange"> & {
  /** In milliseconds; null: none. */
  value?: number | null;
  onChange: (ms: number | null) => void;
  /** What the number counts. */
  unitMs: number;
};

/** A length of time in one unit, or nothing. */
export function OptionalDurationField({ value, onChange, ...props }: Props) {
  return <DurationField {...props} value={value ?? undefined} onChange={(ms) => onChange(ms < 0 ? null : ms)} />;
}
