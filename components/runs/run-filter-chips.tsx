import "@/components/runs/run-list.css";
import { IconX } from "@tabler/icons-react";
import type { RunFilters } from "@/server/runs/schema";
import type { FilterChip } from "./run-list-filters";

type Props = { chips: readonly FilterChip[]; onChange: (change: Partial<RunFilters>) => void; onClear: () => void };

/** The filters that are set, each to be taken away with a press. */
export function RunFilterChips({ chips, onChange, onClear }: Props) {
  if (chips.length === 0) return null;
  return (
    <ul className="run-chips" aria-label="Filters that are set">
      {chips.map(({ key, word, without }) => (
        <li key={key}>
          <button type="button" className="run-chip" onClick={() => onChange(without)}>
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
