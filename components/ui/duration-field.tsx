"use client";

import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useTyped } from "./use-typed";

/** Stands for an emptied field: shorter than any duration that can be asked for, so it is refused. */
const EMPTY = -1;

type Props = Omit<NumberInputProps, "value" | "onChange"> & {
  /** In milliseconds. */
  value?: number;
  onChange: (ms: number) => void;
  /** What the number counts. */
  unitMs: number;
};

/** A length of time in one unit, with up to two decimals. */
export function DurationField({ value = EMPTY, onChange, unitMs, ...props }: Props) {
  const read = (typed: string) => (typed === "" ? EMPTY : Math.round(Number(typed) * unitMs));
  const write = (ms: number) => (ms < 0 ? "" : String(Math.round((ms / unitMs) * 100) / 100));
  const [typed, setTyped] = useTyped(value, read, write);
  return (
    <NumberInput
      decimalScale={2}
      allowNegative={false}
      hideControls
      {...props}
      value={typed}
      onChange={(next) => {
        setTyped(String(next));
        onChange(read(String(next)));
      }}
    />
  );
}
