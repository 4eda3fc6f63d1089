"use client";

import { Button } from "@mantine/core";
import { DraftState } from "@/components/editor/draft-state";
import { ProblemsMenu } from "@/components/editor/problems-menu";
import { ReasonButton } from "@/components/editor/reason-button";
import { VersionsMenu } from "@/components/editor/versions-menu";
import { formatPlural } from "@/components/ui/format";
import { KindIcon } from "@/components/ui/status";
import type { AgentDetail, DraftProblem } from "@/server/agents/schema";
import { AgentMore } from "./agent-more";
import { AgentStart } from "./agent-start";
import type { AgentDraft } from "./use-agent-draft";

type Props = {
  agent: AgentDetail | null;
  draft: AgentDraft;
  whyNot: string | null;
  problems: readonly DraftProblem[];
  /** Sections that differ from the published version. */
  changed: number;
  onJump: (problem: DraftProblem) => void;
  onView: (number: number) => void;
  onSave: () => void;
  onPublish: () => void;
};

export function AgentHead({ agent, draft, whyNot, problems, changed, onJump, onView, onSave, onPublish }: Props) {
  const { isDirty, isSaving } = draft;
  const newest = agent?.versions[0]?.number ?? null;
  const nothingNew = newest !== null && changed === 0;
  const whyNotPublish =
    whyNot ??
    (problems.length > 0
      ? "First put right what stands in the way: see the problems."
      : nothingNew
        ? `Nothing differs from v${newest}.`
        : null);
  return (
    <header className="ed-head">
      <span className="ed-mark" aria-hidden>
        <KindIcon kind="agent" size={18} />
      </span>
      <div className="ed-title">
        <h1 className="ell">{draft.form.values.name.trim() || "New agent"}</h1>
        <div className="ed-facts">
          <span>{usedBy(agent)}</span>
          <DraftState
            isNew={agent === null}
            isDirty={isDirty}
            isSaving={isSaving}
            savedAt={agent?.updatedAt ?? null}
            savedBy={agent?.draftSavedBy ?? null}
            difference={difference(newest, changed)}
          />
        </div>
      </div>
      <div className="ed-actions">
        <ProblemsMenu problems={problems} onJump={onJump} />
        <VersionsMenu versions={agent?.versions ?? []} onView={onView} />
        {!whyNot && (
          <Button onClick={onSave} loading={isSaving} disabled={agent !== null && !isDirty}>
            Save draft
          </Button>
        )}
        <ReasonButton variant={nothingNew ? "default" : "filled"} whyNot={whyNotPublish} onClick={onPublish}>
          Publish v{(newest ?? 0) + 1}…
        </ReasonButton>
        {agent && <AgentStart agent={agent} filled={nothingNew} />}
        {agent && !whyNot && <AgentMore agent={agent} onDeleted={draft.discard} />}
      </div>
    </header>
  );
}

function usedBy(agent: AgentDetail | null): string {
  if (!agent) return "In no team";
  return agent.teams.length === 0 ? "In no team" : `Used by ${formatPlural(agent.teams.length, "team")}`;
}

function difference(newest: number | null, changed: number): string {
  if (newest === null) return "never published";
  if (changed === 0) return `same as v${newest}`;
  return `${formatPlural(changed, "section")} ${changed === 1 ? "differs" : "differ"} from v${newest}`;
}
