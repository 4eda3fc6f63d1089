"use client";

import { NumberInput, type NumberInputProps } from "@mantine/core";

type Props = Omit<NumberInputProps, "value" | "onChange"> & {
  /** Null: none. */
  value?: number | null;
  onChange: (count: number | null) => void;
};

/** A whole number, or nothing. */
export function CountField({ value, onChange, ...props }: Props) {
  return (
    <NumberInput
      thousandSeparator=","
      allowDecimal={false}
      allowNegative={false}
      hideControls
      {...props}
      value={value ?? ""}
      onChange={(typed) => onChange(typed === "" ? null : Number(typed))}
    />
  );
}
