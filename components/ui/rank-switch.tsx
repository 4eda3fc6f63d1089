"use client";

import { Switch, Tooltip } from "@mantine/core";

type Props = {
  value: "" | "likeness";
  onChange: (rank: "" | "likeness") => void;
  /** What the words are compared with: "the task and the answer". */
  comparedWith: string;
};

/** How a search finds: by the very words, or what is most like them first. */
export function RankSwitch({ value, onChange, comparedWith }: Props) {
  return (
    <Tooltip
      multiline
      w={300}
      label={`Compares what you search for with ${comparedWith}: the most alike first. Words and parts of words count, in any order; not their meaning.`}
    >
      {/* Around it, as the switch keeps its tooltip to its track. */}
      <div className="rank-switch">
        <Switch
          size="xs"
          label="By likeness"
          checked={value === "likeness"}
          onChange={(event) => onChange(event.currentTarget.checked ? "likeness" : "")}
        />
      </div>
    </Tooltip>
  );
}
