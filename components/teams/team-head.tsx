"use client";

import { Button } from "@mantine/core";
import { DraftState } from "@/components/editor/draft-state";
import { ProblemsMenu } from "@/components/editor/problems-menu";
import { ReasonButton } from "@/components/editor/reason-button";
import { VersionsMenu } from "@/components/editor/versions-menu";
import { formatPlural } from "@/components/ui/format";
import { KindIcon } from "@/components/ui/status";
import type { DraftProblem } from "@/server/agents/schema";
import type { TeamDetail, TeamPlace } from "@/server/teams/schema";
import { BehindNote } from "./behind-note";
import { TeamMore } from "./team-more";
import { TeamStart } from "./team-start";
import { countBelow, toRows } from "./team-tree";
import { changedParts } from "./team-values";
import type { TeamDraftForm } from "./use-team-draft";

type Props = {
  team: TeamDetail | null;
  draft: TeamDraftForm;
  whyNot: string | null;
  problems: readonly DraftProblem[];
  onJump: (problem: DraftProblem) => void;
  onView: (number: number) => void;
  onSave: () => void;
  onPublish: () => void;
};

export function TeamHead({ team, draft, whyNot, problems, onJump, onView, onSave, onPublish }: Props) {
  const { isDirty, isSaving } = draft;
  const { name, root } = draft.form.values;
  const newest = team?.versions[0]?.number ?? null;
  const changed = changedParts(draft.form.values, team?.published ?? null);
  const behind = team ? countBehind(team) : 0;
  const nothingNew = newest !== null && changed.length === 0;
  const whyNotPublish =
    whyNot ??
    (root === null ? "Choose a supervisor first." : null) ??
    (problems.length > 0
      ? "First put right what stands in the way: see the problems."
      : nothingNew && behind === 0
        ? `Nothing differs from v${newest}.`
        : null);
  return (
    <header className="ed-head">
      <span className="ed-mark" aria-hidden>
        <KindIcon kind="team" size={18} />
      </span>
      <div className="ed-title">
        <h1 className="ell">{name.trim() || "New team"}</h1>
        <div className="ed-facts">
          <span>{sizeWords(root)}</span>
          <DraftState
            isNew={team === null}
            isDirty={isDirty}
            isSaving={isSaving}
            savedAt={team?.updatedAt ?? null}
            savedBy={team?.draftSavedBy ?? null}
            difference={difference(newest, changed)}
          />
          {team && behind > 0 && <BehindNote teamId={team.id} name={team.name} behind={behind} />}
        </div>
      </div>
      <div className="ed-actions">
        <ProblemsMenu problems={problems} onJump={onJump} />
        <VersionsMenu versions={team?.versions ?? []} onView={onView} />
        {!whyNot && (
          <Button onClick={onSave} loading={isSaving} disabled={team !== null && !isDirty}>
            Save draft
          </Button>
        )}
        <ReasonButton variant={whyNotPublish ? "default" : "filled"} whyNot={whyNotPublish} onClick={onPublish}>
          Publish v{(newest ?? 0) + 1}…
        </ReasonButton>
        {team && <TeamStart team={team} filled={whyNotPublish !== null} />}
        {team && !whyNot && <TeamMore team={team} onDeleted={draft.discard} />}
      </div>
    </header>
  );
}

function sizeWords(root: TeamPlace | null): string {
  if (!root) return "No supervisor yet";
  const levels = Math.max(...toRows(root).map((row) => row.depth));
  const below = countBelow(root);
  return below === 0
    ? "A supervisor alone"
    : `${formatPlural(below, "agent")} under the supervisor, ${formatPlural(levels, "level")}`;
}

function countBehind({ agents }: TeamDetail): number {
  return agents.filter(
    ({ heldVersion, version, isDeleted }) =>
      !isDeleted && heldVersion !== null && version !== null && heldVersion < version,
  ).length;
}

function difference(newest: number | null, changed: readonly string[]): string {
  if (newest === null) return "never published";
  if (changed.length === 0) return `same as v${newest}`;
  return `${changed.join(", ")} ${changed.length === 1 ? "differs" : "differ"} from v${newest}`;
}
