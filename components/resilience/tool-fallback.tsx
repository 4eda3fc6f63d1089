"use client";

import { Select, Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import type { FallbackPart } from "@/server/engine/resilience/policy";

type Props = {
  value: FallbackPart | undefined;
  onChange: (value: FallbackPart | undefined) => void;
  /** Names of tools that may stand in: they only read. */
  tools: readonly string[];
  error: ReactNode;
  disabled?: boolean;
};

const NOTHING = "";
/** No tool has such a name. */
const TEXT = "a fixed text";
const START = "There is no answer at the moment.";

/** What answers when a tool fails for good (AGT-RES-09): another tool that only reads, or a text. */
export function ToolFallback({ value, onChange, tools, error, disabled = false }: Props) {
  const chosen = value ? (value.use ?? TEXT) : NOTHING;
  const options = [
    { value: NOTHING, label: "Nothing: the agent is told of the failure" },
    { value: TEXT, label: "A fixed text" },
    ...[...new Set([...tools, ...(value?.use ? [value.use] : [])])].map((name) => ({ value: name, label: name })),
  ];
  const choose = (next: string | null) => {
    if (next === NOTHING || next === null) return onChange(undefined);
    const on = value?.on ?? [];
    onChange(next === TEXT ? { use: null, text: START, on } : { use: next, text: null, on });
  };
  return (
    <div className="grid2">
      <Select
        label="Stands in when a call fails for good"
        description="A tool is called with the same arguments, and only if it reads. Nothing stands in while nobody knows whether a call took effect."
        data={options}
        value={chosen}
        onChange={choose}
        allowDeselect={false}
        error={error}
        disabled={disabled}
      />
      {value && value.text !== null && (
        <Textarea
          label="Text"
          autosize
          minRows={2}
          value={value.text}
          onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
          disabled={disabled}
        />
      )}
    </div>
  );
}
