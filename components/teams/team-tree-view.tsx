"use client";

import { IconAlertTriangle } from "@tabler/icons-react";
import { type CSSProperties, type KeyboardEvent, useRef } from "react";
import { KindIcon } from "@/components/ui/status";
import type { DraftProblem } from "@/server/agents/schema";
import { findPlace, type PlaceRow, parentPath, toRows } from "./team-tree";
import { placeOfField } from "./team-values";
import type { TeamAgents } from "./use-team-agents";
import type { TreeEdits } from "./use-tree-edits";

type Props = {
  edits: TreeEdits;
  agents: TeamAgents;
  problems: readonly DraftProblem[];
  locked: boolean;
  onRemove: (path: string) => void;
  onOpenForm: () => void;
};

const INDENT_PX = 20;

/** The tree by keyboard: arrows select, Alt with arrows moves, Delete removes, Enter goes to the form. */
export function TeamTree({ edits, agents, problems, locked, onRemove, onOpenForm }: Props) {
  const tree = useRef<HTMLDivElement>(null);
  const rows = toRows(edits.root);
  const troubled = new Set(problems.map(({ field }) => placeOfField(field)));

  const go = (path: string | null | undefined) => {
    if (path === null || path === undefined) return;
    edits.select(path);
    tree.current?.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex((row) => row.path === edits.selected);
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(rows[at + 1]?.path),
      ArrowUp: () => go(rows[at - 1]?.path),
      ArrowLeft: () => go(parentPath(edits.selected)),
      ArrowRight: () => findPlace(edits.root, edits.selected)?.children.length && go(rows[at + 1]?.path),
      Home: () => go(rows[0]?.path),
      End: () => go(rows.at(-1)?.path),
      Enter: onOpenForm,
    };
    const changes: Record<string, () => void> = {
      "Alt+ArrowDown": () => edits.shift(edits.selected, 1),
      "Alt+ArrowUp": () => edits.shift(edits.selected, -1),
      Delete: () => onRemove(edits.selected),
    };
    const key = event.altKey ? `Alt+${event.key}` : event.key;
    const act = moves[key] ?? (locked ? undefined : changes[key]);
    if (!act) return;
    event.preventDefault();
    act();
  };

  return (
    <div ref={tree} role="tree" aria-label="Team" className="tt" onKeyDown={onKeyDown}>
      {rows.map((row, index) => (
        <TreeItem
          key={row.path}
          row={row}
          span={index - rows.findIndex((above) => above.path === hangsOn(row))}
          agents={agents}
          isSelected={row.path === edits.selected}
          isTroubled={troubled.has(row.path)}
          onSelect={() => edits.select(row.path)}
        />
      ))}
    </div>
  );
}

/** What the line beside a row begins at: the row before it under the same supervisor, else the supervisor. */
function hangsOn({ path, isFirst }: PlaceRow): string | null {
  const parent = parentPath(path);
  if (isFirst || parent === null) return parent;
  const before = Number(path.split(".").at(-1)) - 1;
  return parent === "" ? String(before) : `${parent}.${before}`;
}

type ItemProps = {
  row: PlaceRow;
  /** Rows from the one its line begins at. */
  span: number;
  agents: TeamAgents;
  isSelected: boolean;
  isTroubled: boolean;
  onSelect: () => void;
};

function TreeItem({ row, span, agents, isSelected, isTroubled, onSelect }: ItemProps) {
  const { path, place, depth } = row;
  const agent = agents.byId.get(place.agentId);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it listens to the keys
    <div
      role="treeitem"
      className="tt-row"
      data-path={path}
      aria-level={depth + 1}
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      style={{ paddingLeft: 8 + depth * INDENT_PX }}
      onClick={onSelect}
    >
      {depth > 0 && (
        <span
          className="tt-elbow"
          style={
            { left: depth * INDENT_PX - 5, "--span": span, "--gap": row.isFirst ? "8px" : "-4px" } as CSSProperties
          }
          aria-hidden
        />
      )}
      <KindIcon kind={depth === 0 ? "team" : "agent"} />
      <span className={`ell grow${depth === 0 ? " b" : ""}${agent?.isDeleted ? " tt-gone" : ""}`} title={agent?.name}>
        {agent?.name ?? (agents.isLoaded ? "An agent that is gone" : "…")}
      </span>
      {isTroubled && <IconAlertTriangle className="tt-problem" size={14} role="img" aria-label="has a problem" />}
      {agent && !agent.isDeleted && (
        <span className="t3 fs12">{agent.version === null ? "draft" : `v${agent.version}`}</span>
      )}
    </div>
  );
}
