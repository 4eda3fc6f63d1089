import { IconX } from "@tabler/icons-react";

/** A filter that is set, in words, and what is left without it. */
export type FilterChip<F> = { key: string; word: string; without: Partial<F> };

type Props<F> = {
  chips: readonly FilterChip<F>[];
  onChange: (change: Partial<F>) => void;
  onClear: () => void;
};

/** The filters that are set, each to be taken away with a press. */
export function FilterChips<F>({ chips, onChange, onClear }: Props<F>) {
  if (chips.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label="Filters that are set">
      {chips.map(({ key, word, without }) => (
        <li key={key}>
          <button type="button" className="filter-chip" onClick={() => onChange(without)}>
            <span className="ell">{word}</span>
            <IconX size={13} aria-hidden />
            <span className="sr">. Take this filter away</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="linkbtn fs12" onClick={onClear}>
          Clear all
        </button>
      </li>
    </ul>
  );
}
