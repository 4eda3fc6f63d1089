"use client";

import { Button, Modal, Select } from "@mantine/core";
import { useState } from "react";
import type { TeamPlace } from "@/server/teams/schema";
import { canMoveUnder, findPlace, toRows } from "./team-tree";

type Props = {
  root: TeamPlace;
  path: string;
  nameOf: (agentId: string | undefined) => string;
  onPick: (target: string) => void;
  onClose: () => void;
};

const ROOT_VALUE = "root";

/** Which supervisor a place is to come under. */
export function MoveDialog({ root, path, nameOf, onPick, onClose }: Props) {
  const [target, setTarget] = useState<string | null>(null);
  const name = nameOf(findPlace(root, path)?.agentId);
  const targets = toRows(root)
    .filter((row) => canMoveUnder(path, row.path))
    .map((row) => ({
      value: row.path || ROOT_VALUE,
      label: `${"\u2003".repeat(row.depth)}${nameOf(row.place.agentId)}`,
    }));
  return (
    <Modal opened onClose={onClose} title={`Move ${name}`} size={420}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (target === null) return;
          onPick(target === ROOT_VALUE ? "" : target);
          onClose();
        }}
      >
        <Select
          label="Under"
          placeholder="Choose who leads it"
          data={targets}
          value={target}
          onChange={setTarget}
          searchable={targets.length > 8}
          data-autofocus
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" disabled={target === null}>
            Move
          </Button>
        </div>
      </form>
    </Modal>
  );
}
