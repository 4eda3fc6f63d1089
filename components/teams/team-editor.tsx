"use client";

import { SegmentedControl } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { DraftNotes } from "@/components/editor/draft-notes";
import { jumpToField } from "@/components/editor/jump-to-field";
import { LeaveGuard } from "@/components/editor/leave-guard";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { useWhyNotEdit } from "@/components/layout/use-me";
import type { DraftProblem } from "@/server/agents/schema";
import type { TeamDetail } from "@/server/teams/schema";
import { PlaceForm } from "./place-form";
import { TeamForm } from "./team-form";
import { TeamHead } from "./team-head";
import { TeamPublishDialog } from "./team-publish-dialog";
import { TeamSees } from "./team-sees";
import { findPlace } from "./team-tree";
import { TeamTreeZone } from "./team-tree-zone";
import { placeOfField } from "./team-values";
import { TeamVersionDialog } from "./team-version-dialog";
import { useTeamAgents } from "./use-team-agents";
import { useTeamDraft } from "./use-team-draft";
import { useTeamPreview } from "./use-team-preview";
import { useTreeEdits } from "./use-tree-edits";

type Props = {
  /** Null: a new one. */
  team: TeamDetail | null;
  /** Open with the question of publishing, as after "Publish" on a new team. */
  publish?: boolean;
};
const ZONES = [
  { value: "form", label: "Form" },
  { value: "tree", label: "Tree" },
  { value: "preview", label: "Preview" },
];

/** The tree, the form of what is selected in it, and what its supervisor will be told. */
export function TeamEditor({ team, publish }: Props) {
  const router = useRouter();
  const whyNot = useWhyNotEdit();
  const draft = useTeamDraft(team);
  const { form, isDirty } = draft;
  const agents = useTeamAgents(team);
  const preview = useTeamPreview(form.values);
  const edits = useTreeEdits(form);
  const [zone, setZone] = useState("form");
  const [isPublishing, setIsPublishing] = useState(publish === true && team?.problems.length === 0);
  const [viewed, setViewed] = useState<number | null>(null);
  usePageCrumbs([{ word: team?.name ?? "New team" }]);

  const found = preview.data?.problems ?? (isDirty ? [] : (team?.problems ?? []));
  // That a supervisor is wanted is said where it is chosen: no need to call an empty form a problem.
  const problems = form.values.root ? found : [];
  const selected = findPlace(form.values.root, edits.selected);

  const jumpTo = ({ field }: DraftProblem) => {
    const path = placeOfField(field);
    setZone("form");
    if (path !== null) edits.select(path);
    // The form of that place is there after the next paint.
    requestAnimationFrame(() => jumpToField(path === null ? field : field.endsWith(".purpose") ? "purpose" : "place"));
  };
  const save = async () => {
    if (whyNot || (team && !isDirty)) return;
    const saved = await draft.save();
    if (saved && !team) router.replace(`/teams/${saved.id}`);
  };
  const startPublishing = async () => {
    const saved = isDirty || !team ? await draft.save() : team;
    if (!saved) return;
    if (!team) router.replace(`/teams/${saved.id}?publish=1`);
    else if (saved.problems[0]) jumpTo(saved.problems[0]);
    else setIsPublishing(true);
  };
  useHotkeys([["mod+S", () => void save()]], []);

  const locked = whyNot !== null;
  return (
    <div className="editor">
      <TeamHead
        team={team}
        draft={draft}
        whyNot={whyNot}
        problems={problems}
        onJump={jumpTo}
        onView={setViewed}
        onSave={() => void save()}
        onPublish={() => void startPublishing()}
      />
      <DraftNotes
        whyNot={whyNot}
        refusal={draft.refusal}
        wasKept={draft.wasKept && isDirty}
        onDiscard={draft.discard}
        conflict={
          draft.theirs && isDirty
            ? {
                savedBy: draft.theirs.draftSavedBy,
                mine: () => JSON.stringify(form.getValues(), null, 2),
                onTakeTheirs: draft.takeTheirs,
                onSaveMine: () => void draft.save(draft.theirs?.draftRevision),
              }
            : null
        }
      />
      <div className="only-m team-zones">
        <SegmentedControl fullWidth aria-label="Show" data={ZONES} value={zone} onChange={setZone} />
      </div>
      <div className="team-body" data-view={zone}>
        <TeamTreeZone
          edits={edits}
          agents={agents}
          problems={problems}
          locked={locked}
          onJump={jumpTo}
          onOpenForm={() => setZone("form")}
        />
        <div className="team-main scroll">
          <div className="team-form scroll">
            {edits.selected !== "" && selected ? (
              <PlaceForm
                key={edits.selected}
                edits={edits}
                place={selected}
                agents={agents}
                problems={problems}
                locked={locked}
              />
            ) : (
              <TeamForm form={form} edits={edits} agents={agents} problems={problems} locked={locked} />
            )}
          </div>
          <TeamSees preview={preview} root={form.values.root} selected={edits.selected} />
        </div>
      </div>
      {team && isPublishing && (
        <TeamPublishDialog
          team={team}
          onClose={() => {
            setIsPublishing(false);
            if (publish) router.replace(`/teams/${team.id}`);
          }}
        />
      )}
      {team && viewed !== null && (
        <TeamVersionDialog
          team={team}
          number={viewed}
          isDirty={isDirty}
          whyNot={whyNot}
          onRestored={draft.standOn}
          onClose={() => setViewed(null)}
        />
      )}
      <LeaveGuard
        active={isDirty && !draft.isSaving && !whyNot}
        onSave={async () => (await draft.save()) !== null}
        onDiscard={draft.discard}
      />
    </div>
  );
}
