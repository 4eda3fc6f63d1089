"use client";

import { Switch, Tooltip } from "@mantine/core";

type Props = {
  value: "" | "likeness";
  onChange: (rank: "" | "likeness") => void;
  /** What the words are compared with: "the task and the answer". */
  comparedWith: string;
  /** The model that compares meanings, "provider/model"; null: words are compared, here; undefined: which it is, is not known yet. */
  meaningModel: string | null | undefined;
};

/** How a search finds: by the very words, or what is most like them first. */
export function RankSwitch({ value, onChange, comparedWith, meaningModel }: Props) {
  return (
    <Tooltip
      multiline
      w={300}
      label={
        !meaningModel
          ? `Compares what you search for with ${comparedWith}: the most alike first. Words and parts of words count, in any order; not their meaning.`
          : `Compares the meaning of what you search for with that of ${comparedWith}: the most alike first, in whatever words. What you search for is sent to ${meaningModel}.`
      }
    >
      {/* Around it, as the switch keeps its tooltip to its track. */}
      <div className="rank-switch">
        <Switch
          size="xs"
          label={meaningModel === undefined ? "Most alike" : meaningModel === null ? "By likeness" : "By meaning"}
          checked={value === "likeness"}
          onChange={(event) => onChange(event.currentTarget.checked ? "likeness" : "")}
        />
      </div>
    </Tooltip>
  );
}
