"use client";

import { TextInput, type TextInputProps } from "@mantine/core";
import { readUsd, UNREADABLE_USD, UNREADABLE_USD_WORDS, writeUsd } from "./usd";
import { useTyped } from "./use-typed";

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  /** Integer nano-USD; null: none; `UNREADABLE_USD`: what was typed is no amount, and is told once there is an error. */
  value?: number | null;
  onChange: (nanoUsd: number | null) => void;
};

/** An amount in US dollars, or nothing. */
export function MoneyField({ value = null, onChange, error, ...props }: Props) {
  const [typed, setTyped] = useTyped(value, readUsd, writeUsd);
  return (
    <TextInput
      leftSection={<span aria-hidden>$</span>}
      leftSectionWidth={24}
      inputMode="decimal"
      autoComplete="off"
      {...props}
      error={error && value === UNREADABLE_USD ? UNREADABLE_USD_WORDS : error}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(readUsd(event.currentTarget.value));
      }}
    />
  );
}
