"use client";

import { TextInput, type TextInputProps } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useState } from "react";
import { firstProblem } from "@/components/editor/first-problem";
import { entityKeyText } from "@/server/engine/run-context";

type Props = Omit<TextInputProps, "value" | "onChange" | "error"> & {
  /** "type:id" of an entity; null: any. */
  value: string | null;
  onChange: (key: string | null) => void;
};

/** An entity to find by. What is typed counts once it is left, or with Enter. */
export function AboutField({ value, onChange, ...props }: Props) {
  const [typed, setTyped] = useState(value ?? "");
  const [known, setKnown] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  // Changed elsewhere, as by taking its chip away.
  if (known !== value) {
    setKnown(value);
    setTyped(value ?? "");
    setProblem(null);
  }
  const take = () => {
    const key = typed.trim();
    const wrong = key === "" ? null : firstProblem(entityKeyText)(key);
    setProblem(wrong);
    if (wrong === null && (key || null) !== value) onChange(key || null);
  };
  return (
    <TextInput
      placeholder="order:4711"
      spellCheck={false}
      autoComplete="off"
      {...props}
      error={problem}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={getHotkeyHandler([["Enter", take]])}
    />
  );
}
