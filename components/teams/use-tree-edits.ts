"use client";

import { useState } from "react";
import type { TeamPlace } from "@/server/teams/schema";
import { addUnder, findPlace, moveUnder, parentPath, shift, withPlace } from "./team-tree";
import type { TeamDraftForm } from "./use-team-draft";

/** What can be done to the tree, and which place is selected: the selection goes along with the place it is on. */
export function useTreeEdits(form: TeamDraftForm["form"]) {
  const [wanted, select] = useState("");
  const { root } = form.values;
  // What was selected may be gone, e.g. after a restore.
  const selected = findPlace(root, wanted) ? wanted : "";
  const put = (next: TeamPlace | null) => form.setFieldValue("root", next);
  const take = (change: { root: TeamPlace; path: string }) => {
    put(change.root);
    select(change.path);
  };
  const newPlace = (agentId: string): TeamPlace => ({ agentId, purpose: null, children: [] });
  return {
    root,
    selected,
    select,
    /** Under a place; without any yet, as the supervisor. */
    add: (agentId: string, parent: string) => {
      if (root) put(addUnder(root, parent, newPlace(agentId)).root);
      else take({ root: newPlace(agentId), path: "" });
    },
    /** Another agent in the same place, with the same agents under it. */
    exchange: (path: string, agentId: string) => {
      if (root) put(withPlace(root, path, (place) => ({ ...place, agentId, purpose: null })));
    },
    setPurpose: (path: string, purpose: string) => {
      if (root) put(withPlace(root, path, (place) => ({ ...place, purpose: purpose === "" ? null : purpose })));
    },
    shift: (path: string, by: -1 | 1) => root && take(shift(root, path, by)),
    moveUnder: (path: string, target: string) => root && take(moveUnder(root, path, target)),
    remove: (path: string) => {
      if (!root) return;
      put(withPlace(root, path, () => null));
      select(parentPath(path) ?? "");
    },
  };
}
export type TreeEdits = ReturnType<typeof useTreeEdits>;
