import type { CSSProperties } from "react";
import {
  countOf,
  ENTRIES_SHOWN,
  type EntryRow,
  isContainer,
  type JsonRow,
  scalarWords,
} from "@/components/runs/inspector/json-tree";
import { formatCount, formatPlural } from "@/components/ui/format";

type Props = {
  row: JsonRow;
  /** Where the tab key leads. */
  isStop: boolean;
  onFocus: () => void;
  onAct: () => void;
};

/** Deeper ones are not set in further: there would be no room for what they say. */
const MOST_INDENTS = 12;

/** One line of a value: an entry with what it holds, or the way to more of them. */
export function JsonLine({ row, isStop, onFocus, onAct }: Props) {
  const isText = row.type === "entry" && typeof row.value === "string";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to the keys of all its lines
    <div
      role="treeitem"
      className="json-line"
      tabIndex={isStop ? 0 : -1}
      aria-level={row.depth + 1}
      aria-selected={false}
      aria-expanded={row.type === "entry" ? (row.isOpen ?? undefined) : undefined}
      {...(row.type === "entry" && { "aria-posinset": row.at, "aria-setsize": row.of })}
      style={{ "--indents": Math.min(row.depth, MOST_INDENTS) } as CSSProperties}
      onFocus={onFocus}
      // Text is there to be marked: only its "Show all" is pressed.
      onClick={isText ? undefined : onAct}
    >
      {row.type === "more" ? (
        <span className="json-more">
          Show {formatCount(Math.min(row.hidden, ENTRIES_SHOWN))} more
          {row.hidden > ENTRIES_SHOWN && ` of ${formatCount(row.hidden)}`}
        </span>
      ) : (
        <Entry row={row} onAct={onAct} />
      )}
    </div>
  );
}

function Entry({ row, onAct }: { row: EntryRow; onAct: () => void }) {
  const { label, value, isOpen } = row;
  return (
    <>
      <span className="json-twist" aria-hidden>
        {isContainer(value) && isOpen !== null && "›"}
      </span>
      <span className="j-key">{label}</span>
      {": "}
      {isContainer(value) && isOpen !== null ? (
        <span className="t3">
          {Array.isArray(value) ? "[" : "{"} {formatPlural(countOf(value), "entry", "entries")}{" "}
          {Array.isArray(value) ? "]" : "}"}
        </span>
      ) : (
        <span className={COLOURS[typeof value]}>{scalarWords(value, isOpen === true)}</span>
      )}
      {typeof value === "string" && isOpen !== null && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the line it stands in has the focus and the keys
        // biome-ignore lint/a11y/noStaticElementInteractions: so it does
        <span className="json-more" onClick={onAct}>
          {isOpen ? "Show less" : `Show all ${formatCount(value.length)} characters`}
        </span>
      )}
    </>
  );
}

const COLOURS: Partial<Record<string, string>> = {
  string: "j-str",
  number: "j-num",
  boolean: "j-num",
  object: "j-num",
};
