"use client";

import { CountField } from "@/components/ui/count-field";
import { MoneyField } from "@/components/ui/money-field";

type Props = {
  label: string;
  description: string;
  placeholder?: string;
  /** Of a number. */
  suffix?: string;
  isMoney?: boolean;
  disabled: boolean;
  /** "" where there is none, as the form holds it. */
  value?: number | "";
  onChange: (value: number | "") => void;
};

/** One limit, of money or of a number of things. */
export function LimitField({ isMoney, suffix, value = "", onChange, ...props }: Props) {
  const field = {
    ...props,
    value: value === "" ? null : value,
    onChange: (next: number | null) => onChange(next ?? ""),
  };
  return isMoney ? <MoneyField {...field} /> : <CountField {...field} suffix={suffix} />;
}
