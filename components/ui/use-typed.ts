"use client";

import { useState } from "react";

/** The text of a field whose value is kept in another unit: what was typed stays for as long as it means that value. */
export function useTyped<Value>(value: Value, read: (typed: string) => Value, write: (value: Value) => string) {
  const [typed, setTyped] = useState(() => write(value));
  return [read(typed) === value ? typed : write(value), setTyped] as const;
}
