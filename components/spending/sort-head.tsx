import { IconArrowDown } from "@tabler/icons-react";

type Props = { word: string; about?: string; isSorted: boolean; onSort: () => void };

/** The head of a column of numbers that the list can be sorted by, most first. */
export function SortHead({ word, about, isSorted, onSort }: Props) {
  return (
    <th className="num" aria-sort={isSorted ? "descending" : undefined} title={about}>
      <button type="button" className="sort-head" onClick={onSort}>
        {isSorted && <IconArrowDown size={12} aria-hidden />}
        {word}
      </button>
    </th>
  );
}
