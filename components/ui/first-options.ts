import type { ComboboxItem, OptionsFilter } from "@mantine/core";
import { formatCount } from "./format";

/** Options listed at once: a list of all would be slow to open. */
const MOST = 100;

/** The options that fit what was typed, and above the first of them how many there are, where not all are listed. Groups are not listed. */
export const firstOptions: OptionsFilter = ({ options, search }) => {
  const words = search.trim().toLowerCase();
  const fitting = options.filter(
    (option): option is ComboboxItem => "value" in option && option.label.toLowerCase().includes(words),
  );
  if (fitting.length <= MOST) return fitting;
  return [
    {
      group: `The first ${MOST} of ${formatCount(fitting.length)}. Type to find another.`,
      items: fitting.slice(0, MOST),
    },
  ];
};
