"use client";

import { Button } from "@mantine/core";
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconFolderSymlink,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { formatPlural } from "@/components/ui/format";
import type { DraftProblem } from "@/server/agents/schema";
import { AgentPicker } from "./agent-picker";
import { MoveDialog } from "./move-dialog";
import { canMoveUnder, countBelow, findPlace, shift, toRows } from "./team-tree";
import { TeamTree } from "./team-tree-view";
import type { TeamAgents } from "./use-team-agents";
import type { TreeEdits } from "./use-tree-edits";

type Props = {
  edits: TreeEdits;
  agents: TeamAgents;
  problems: readonly DraftProblem[];
  locked: boolean;
  onJump: (problem: DraftProblem) => void;
  onOpenForm: () => void;
};

/** The tree and what can be done to the selected place. */
export function TeamTreeZone({ edits, agents, problems, locked, onJump, onOpenForm }: Props) {
  const [asks, setAsks] = useState<"add" | "move" | "remove" | null>(null);
  const { root, selected } = edits;
  const place = findPlace(root, selected);
  const nameOf = (agentId: string | undefined) => agents.byId.get(agentId ?? "")?.name ?? "this agent";
  const name = nameOf(place?.agentId);
  const below = place ? countBelow(place) : 0;
  const remove = (path: string) => {
    const target = findPlace(root, path);
    edits.select(path);
    if (target && countBelow(target) > 0) setAsks("remove");
    else edits.remove(path);
  };
  const canShift = (by: -1 | 1) => root !== null && shift(root, selected, by).path !== selected;
  const canMove = toRows(root).some((row) => canMoveUnder(selected, row.path));

  return (
    <section className="team-tree scroll" aria-label="Tree of the team">
      {!locked && root && (
        <div className="tt-tools" role="toolbar" aria-label={`Change the place of ${name}`}>
          <Button
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => setAsks("add")}
            title={`Add an agent under ${name}`}
          >
            Add agent
          </Button>
          <span className="grow" />
          <IconButton
            icon={IconArrowUp}
            label="Move up"
            disabled={!canShift(-1)}
            onClick={() => edits.shift(selected, -1)}
          />
          <IconButton
            icon={IconArrowDown}
            label="Move down"
            disabled={!canShift(1)}
            onClick={() => edits.shift(selected, 1)}
          />
          <IconButton
            icon={IconFolderSymlink}
            label="Move under another…"
            disabled={!canMove}
            onClick={() => setAsks("move")}
          />
          <IconButton
            icon={IconTrash}
            label={`Remove ${name} from the team`}
            disabled={false}
            onClick={() => remove(selected)}
          />
        </div>
      )}
      {root ? (
        <TeamTree
          edits={edits}
          agents={agents}
          problems={problems}
          locked={locked}
          onRemove={remove}
          onOpenForm={onOpenForm}
        />
      ) : (
        <p className="t2 tt-none">No supervisor yet.</p>
      )}
      {problems.length > 0 && (
        <ul className="tt-problems" aria-label="Problems">
          {problems.map((problem) => (
            <li key={`${problem.field} ${problem.message}`} className="field-problem">
              <IconAlertTriangle size={13} aria-hidden />
              <button type="button" onClick={() => onJump(problem)}>
                {problem.message}
              </button>
            </li>
          ))}
        </ul>
      )}
      {asks === "add" && (
        <AgentPicker
          title={`Add an agent under ${name}`}
          parent={selected}
          root={root}
          agents={agents}
          onPick={(agentId) => edits.add(agentId, selected)}
          onClose={() => setAsks(null)}
        />
      )}
      {asks === "move" && root && (
        <MoveDialog
          root={root}
          path={selected}
          nameOf={nameOf}
          onPick={(target) => edits.moveUnder(selected, target)}
          onClose={() => setAsks(null)}
        />
      )}
      <ConfirmDialog
        opened={asks === "remove"}
        onClose={() => setAsks(null)}
        title={`Remove ${name} from the team?`}
        action="Remove"
        onConfirm={() => {
          edits.remove(selected);
          setAsks(null);
        }}
      >
        <p>
          {formatPlural(below, "agent")} below it {below === 1 ? "goes" : "go"} too. The agents themselves stay, and
          nothing changes for runs until you publish.
        </p>
      </ConfirmDialog>
    </section>
  );
}

type IconButtonProps = { icon: typeof IconPlus; label: string; disabled: boolean; onClick: () => void };

function IconButton({ icon: Glyph, label, disabled, onClick }: IconButtonProps) {
  return (
    <button type="button" className="icon-btn" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <Glyph size={15} stroke={1.75} aria-hidden />
    </button>
  );
}
