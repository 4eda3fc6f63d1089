// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's layout cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the treegrid keeps the focus and names its active row
import {
  type Icon,
  IconChevronDown,
  IconChevronRight,
  IconEqual,
  IconEqualNot,
  IconMinus,
  IconPlus,
} from "@tabler/icons-react";
import type { CSSProperties, ReactNode } from "react";
import { formatPlural } from "@/components/ui/format";
import { KindIcon, StatusBadge } from "@/components/ui/status";
import type { ComparedPair, ComparedPlace, PairState } from "@/server/runs/compare/schema";
import type { CompareRow } from "./compare-rows";
import { placeWords } from "./place-words";
import type { SideName } from "./side-mark";

const INDENT_PX = 14;

export const compareRowId = (key: string) => `compared-${key}`;

type Props = {
  row: CompareRow;
  rowIndex: number;
  selected: boolean;
  onToggle: (key: string) => void;
  onOpen: (key: string) => void;
};

/** One row: what A did, whether B did the same, what B did. */
export function CompareTreeRow({ row, rowIndex, selected, onToggle, onOpen }: Props) {
  const opens = row.type === "entry" || row.type === "agent";
  const press = () => (opens ? onOpen(row.key) : row.type === "stretch" && onToggle(row.key));
  const differs = "isDifference" in row && row.isDifference;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the treegrid around it holds the focus, and the page handles the keys
    <div
      id={compareRowId(row.key)}
      role="row"
      tabIndex={-1}
      className={`crow c-${row.type}${differs ? " differs" : ""}${selected ? " on" : ""}`}
      aria-level={row.depth + 1}
      aria-rowindex={rowIndex + 1}
      aria-selected={selected}
      aria-expanded={"unfolded" in row && (row.type !== "agent" || row.hides > 0) ? row.unfolded : undefined}
      onClick={press}
      style={{ "--indent": `${row.depth * INDENT_PX}px` } as CSSProperties}
    >
      <Cells row={row} onToggle={onToggle} />
    </div>
  );
}

function Cells({ row, onToggle }: Pick<Props, "row" | "onToggle">) {
  if (row.type === "left-out") {
    const { same, different } = row.entries;
    const words = [same > 0 && `${formatPlural(same, "row")} the same`, different > 0 && `${different} that differ`];
    return (
      <span role="gridcell" className="c-whole t3">
        {words.filter(Boolean).join(" and ")}, not listed here
      </span>
    );
  }
  if (row.type === "stretch") {
    return (
      <span role="gridcell" className="c-whole t2">
        <Twist unfolded={row.unfolded} />
        {formatPlural(row.count, row.of === "same" ? "same step" : "step")}
        {row.of === "ahead" && " the run at work has not come to yet"}
      </span>
    );
  }
  if (row.type === "agent") {
    const { pair, hides, unfolded } = row;
    const twist = hides > 0 && (
      <button
        type="button"
        className="twist"
        tabIndex={-1}
        aria-label={unfolded ? "Fold" : "Unfold"}
        onClick={(event) => {
          event.stopPropagation();
          onToggle(row.key);
        }}
      >
        <Twist unfolded={unfolded} />
      </button>
    );
    return (
      <>
        <span role="gridcell" className="c-side">
          {pair.left && twist}
          <AgentName agent={pair.left} isRoot={pair.parent === null} side="A" />
        </span>
        <StateCell
          state={pair.state}
          ahead={pair.ahead}
          note={hides > 0 && !unfolded ? formatPlural(hides, "row") : null}
        />
        <span role="gridcell" className="c-side">
          {!pair.left && twist}
          <AgentName agent={pair.right} isRoot={pair.parent === null} side="B" />
        </span>
      </>
    );
  }
  const { entry } = row;
  return (
    <>
      <span role="gridcell" className="c-side">
        <Place place={entry.left} side="A" />
      </span>
      <StateCell state={entry.state} ahead={entry.ahead} note={null} />
      <span role="gridcell" className="c-side">
        <Place place={entry.right} side="B" />
      </span>
    </>
  );
}

function Twist({ unfolded }: { unfolded: boolean }) {
  const Glyph = unfolded ? IconChevronDown : IconChevronRight;
  return <Glyph size={12} aria-hidden />;
}

const STATES: Record<PairState, { word: string; icon: Icon }> = {
  same: { word: "same", icon: IconEqual },
  changed: { word: "different", icon: IconEqualNot },
  "only-left": { word: "only in A", icon: IconMinus },
  "only-right": { word: "only in B", icon: IconPlus },
};

function StateCell({ state, ahead, note }: { state: PairState; ahead: boolean; note: string | null }) {
  const { word, icon: Glyph } = STATES[state];
  const other = state === "only-left" ? "B" : "A";
  return (
    <span role="gridcell" className={`c-state s-${ahead ? "ahead" : state}`}>
      <Glyph size={13} aria-hidden />
      <span>
        {ahead ? `${other} is not there yet` : word}
        {note && <span className="t3">, {note}</span>}
      </span>
    </span>
  );
}

function AgentName({ agent, isRoot, side }: { agent: ComparedPair["left"]; isRoot: boolean; side: SideName }) {
  if (!agent) return <Nothing side={side} />;
  return (
    <Told side={side}>
      <KindIcon kind={isRoot ? "team" : "agent"} />
      <span className="b ell">{agent.name}</span>
      <StatusBadge status={agent.status} reason={agent.statusReason} />
    </Told>
  );
}

function Place({ place, side }: { place: ComparedPlace | null; side: SideName }) {
  if (!place) return <Nothing side={side} />;
  const { name, context } = placeWords(place);
  return (
    <Told side={side}>
      <KindIcon kind={place.type === "decision" ? "decision" : place.kind} />
      <span className="ell" title={context ? `${name} · ${context}` : name}>
        {name}
        {context && <span className="t3"> {context}</span>}
      </span>
      {place.type === "step" && place.status !== "completed" && <StatusBadge status={place.status} />}
    </Told>
  );
}

/** Where the columns lie below each other, each says whose it is. */
function Told({ side, children }: { side: SideName; children: ReactNode }) {
  return (
    <>
      <span className="only-m t3 fs11">{side}</span>
      {children}
    </>
  );
}

function Nothing({ side }: { side: SideName }) {
  return (
    <span className="t3 hide-m">
      <span aria-hidden>–</span>
      <span className="sr">not in {side}</span>
    </span>
  );
}
