"use client";

import { NumberInput, type NumberInputProps } from "@mantine/core";

type Props = Omit<NumberInputProps, "value" | "onChange"> & {
  /** A share of 1. */
  value?: number;
  /** Not a number while the field is empty, so that it is refused rather than taken for a share nobody chose. */
  onChange: (share: number) => void;
};

/** A share in whole per cent. */
export function PercentField({ value = Number.NaN, onChange, ...props }: Props) {
  return (
    <NumberInput
      suffix=" %"
      allowDecimal={false}
      allowNegative={false}
      hideControls
      {...props}
      value={Number.isNaN(value) ? "" : Math.round(value * 100)}
      onChange={(typed) => onChange(typed === "" ? Number.NaN : Number(typed) / 100)}
    />
  );
}
