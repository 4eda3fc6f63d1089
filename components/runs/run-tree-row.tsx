// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's layout cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the treegrid keeps the focus and names its active row
import { IconChevronDown, IconChevronRight, IconListCheck } from "@tabler/icons-react";
import { memo } from "react";
import { OutcomeMark } from "@/components/decisions/outcome-word";
import { rowKindOf } from "@/components/runs/row-kind";
import type { Axis } from "@/components/runs/run-axis";
import { RunBar, RunGaps } from "@/components/runs/run-bar";
import type { RunNode } from "@/components/runs/run-nodes";
import { CostByThen, RowCost, RowTime, RowTokens } from "@/components/runs/run-numbers";
import type { RunRow } from "@/components/runs/run-rows";
import { firstLine } from "@/components/runs/run-step-words";
import { countDone, doneWords } from "@/components/runs/run-tasks";
import { KINDS, KindIcon, type RowKind, SourceBadge, StatusBadge, StatusIcon } from "@/components/ui/status";
import { statusWord } from "@/components/ui/status-words";

const INDENT_PX = 14;

type Props = {
  row: RunRow;
  rowIndex: number;
  axis: Axis;
  nowMs: number;
  live: boolean;
  touch: boolean;
  selected: boolean;
  /** Only decisions are looked for: each says why it was taken, and what the run had cost by then. */
  lens: boolean;
  onSelect: (key: string) => void;
  onToggle: (key: string) => void;
};

export const rowId = (key: string) => `row-${key}`;

/** One row: guides, twist, kind, name and context, state, bar, time, tokens, own and tree cost. */
export const RunTreeRow = memo(function RunTreeRow(props: Props) {
  const { row, rowIndex, axis, nowMs, live, touch, selected, lens, onSelect } = props;
  const { node, depth, childCount, unfolded } = row;
  const kind = rowKindOf(node);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the treegrid around it holds the focus and handles the keys
    <div
      id={rowId(node.key)}
      className={`trow k-${kind}${selected ? " on" : ""}`}
      role="row"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-rowindex={rowIndex + 2}
      aria-selected={selected}
      aria-expanded={childCount > 0 ? unfolded : undefined}
      onClick={() => onSelect(node.key)}
    >
      <NameCell {...props} kind={kind} />
      <span role="gridcell" className="tstate">
        <RowState node={node} />
      </span>
      <span className="tl" role="presentation">
        {!touch && <RunGaps axis={axis} />}
        {live && axis.shows(nowMs, nowMs) && <span className="now-line" style={{ left: axis.at(nowMs) }} />}
        <RunBar node={node} axis={axis} nowMs={nowMs} />
      </span>
      <span role="gridcell" className="num t2 m-dur">
        <RowTime node={node} nowMs={nowMs} />
      </span>
      <span role="gridcell" className="num t2 m-tok">
        <RowTokens node={node} />
      </span>
      <span role="gridcell" className="num t2 m-own">
        <RowCost spent={node.own} />
      </span>
      <span role="gridcell" className="num m-tree">
        {lens && node.item.type === "decision" ? (
          <CostByThen decision={node.item.decision} />
        ) : (
          <RowCost spent={node.tree} />
        )}
      </span>
      {touch && (
        <span role="gridcell" className="m-line">
          <MetaLine node={node} nowMs={nowMs} kind={kind} lens={lens} />
        </span>
      )}
    </div>
  );
});

function NameCell({ row, onToggle, kind, lens }: Props & { kind: RowKind }) {
  const { node, depth, childCount, unfolded } = row;
  const Twist = unfolded ? IconChevronDown : IconChevronRight;
  return (
    <span role="gridcell" className="tname" style={{ paddingLeft: depth * INDENT_PX + 4 }}>
      {depth > 0 && <i className="guides" style={{ width: depth * INDENT_PX }} />}
      {childCount > 0 ? (
        <button
          type="button"
          className="twist"
          aria-label={unfolded ? "Fold" : "Unfold"}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(node.key);
          }}
        >
          <Twist size={12} aria-hidden />
        </button>
      ) : (
        <span className="twist" />
      )}
      <KindIcon kind={kind} />
      <span className="tlabel ell" title={titleOf(row)}>
        <span className={node.item.type === "agent" ? "b" : "tlabel-name"}>{node.name}</span>
        {node.context && node.item.type === "decision" && (
          <>
            <span className="t3"> → </span>
            <span>{node.context}</span>
            {lens && node.item.decision.reason && <span className="t3"> {firstLine(node.item.decision.reason)}</span>}
          </>
        )}
        {node.context && node.item.type !== "decision" && <span className="t3"> {node.context}</span>}
        {row.agent !== null && <span className="t3"> · {row.agent}</span>}
      </span>
      <Progress node={node} />
      {node.degraded !== undefined && (
        <span className="tag" title={node.degraded}>
          degraded
        </span>
      )}
      {!unfolded && <span className="tag">{childCount}</span>}
    </span>
  );
}

/** The whole label, which may be cut; of a decision the reason, too. */
function titleOf({ node: { name, context, item }, agent }: RunRow): string {
  const label = [name, context, agent].filter((part) => part !== null).join(" · ");
  return item.type === "decision" && item.decision.reason ? `${label}\n${item.decision.reason}` : label;
}

/** How far an agent's todo list is: "2/5". */
function Progress({ node: { item } }: { node: RunNode }) {
  const items = item.type === "agent" ? item.agent.todo?.items : undefined;
  if (!items || items.length === 0) return null;
  return (
    <span className="tag num tprogress" title={`Todo list: ${doneWords(items)}`}>
      <IconListCheck size={11} aria-hidden />
      <span aria-hidden>
        {countDone(items)}/{items.length}
      </span>
      <span className="sr">Todo list: {doneWords(items)}</span>
    </span>
  );
}

/** A step that went well shows its icon only: silence is success. */
function RowState({ node }: { node: RunNode }) {
  if (node.item.type === "decision") return <OutcomeMark outcome={node.item.outcome} />;
  const reason = node.item.type === "agent" ? node.item.agent.statusReason : null;
  // The card under the row says that it waits for a person, and for what.
  const hasCard = node.item.type === "step" && node.item.request?.status === "open";
  if (node.item.type === "agent" || node.status !== "completed") {
    return (
      <span className="ell">
        <StatusBadge status={node.status} reason={reason} word={hasCard ? null : node.word} />
      </span>
    );
  }
  return (
    <span className="row" title={statusWord(node.status)}>
      <StatusIcon status={node.status} />
      <span className="sr">{statusWord(node.status)}</span>
    </span>
  );
}

function MetaLine({ node, nowMs, kind, lens }: { node: RunNode; nowMs: number; kind: RowKind; lens: boolean }) {
  if (node.item.type === "decision") {
    const { decision } = node.item;
    return (
      <>
        <SourceBadge source={decision.source} />
        {lens && (
          <span className="num t3">
            <CostByThen decision={decision} sign="$" />
          </span>
        )}
      </>
    );
  }
  const spent = node.tree ?? node.own;
  return (
    <>
      <span className="t3">{KINDS[kind].word}</span>
      <span className="num t3">
        <RowTime node={node} nowMs={nowMs} />
      </span>
      {spent && (
        <span className="num t3">
          <RowCost spent={spent} sign="$" />
        </span>
      )}
    </>
  );
}
