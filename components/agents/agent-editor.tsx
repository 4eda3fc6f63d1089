"use client";

import { useHotkeys } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { DraftNotes } from "@/components/editor/draft-notes";
import { jumpToField } from "@/components/editor/jump-to-field";
import { LeaveGuard } from "@/components/editor/leave-guard";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { useWhyNotEdit } from "@/components/layout/use-me";
import type { AgentDetail, DraftProblem } from "@/server/agents/schema";
import { AgentForm } from "./agent-form";
import { AgentHead } from "./agent-head";
import { AgentPublishDialog } from "./agent-publish-dialog";
import { AgentSide } from "./agent-side";
import { changedSections, sectionOfField, standingProblems } from "./agent-values";
import { AgentVersionDialog } from "./agent-version-dialog";
import { useAgentDraft } from "./use-agent-draft";

type Props = {
  /** Null: a new one. */
  agent: AgentDetail | null;
  /** Open with the question of publishing, as after "Publish" on a new agent. */
  publish?: boolean;
};

/** Draft, problems, versions: everything about one agent on one page. */
export function AgentEditor({ agent, publish }: Props) {
  const router = useRouter();
  const whyNot = useWhyNotEdit();
  const draft = useAgentDraft(agent);
  const [isPublishing, setIsPublishing] = useState(publish === true && agent?.problems.length === 0);
  const [viewed, setViewed] = useState<number | null>(null);
  const { form, isDirty } = draft;
  usePageCrumbs([{ word: agent?.name ?? "New agent" }]);

  const changed = changedSections(form.values, agent?.published ?? null);
  const problems = standingProblems(agent?.problems ?? [], form.values, draft.saved);

  const save = async () => {
    if (whyNot || (agent && !isDirty)) return;
    const saved = await draft.save();
    if (saved && !agent) router.replace(`/agents/${saved.id}`);
  };
  const startPublishing = async () => {
    const saved = isDirty || !agent ? await draft.save() : agent;
    if (!saved) return;
    if (!agent) router.replace(`/agents/${saved.id}?publish=1`);
    else if (saved.problems[0]) jumpTo(saved.problems[0]);
    else setIsPublishing(true);
  };
  useHotkeys([["mod+S", () => void save()]], []);

  return (
    <div className="editor">
      <AgentHead
        agent={agent}
        draft={draft}
        whyNot={whyNot}
        problems={problems}
        changed={changed.size}
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
      <div className="ag-body">
        <AgentForm draft={draft} locked={whyNot !== null} changed={changed} problems={problems} />
        <AgentSide agent={agent} onView={setViewed} />
      </div>
      {agent && isPublishing && (
        <AgentPublishDialog
          agent={agent}
          onClose={() => {
            setIsPublishing(false);
            if (publish) router.replace(`/agents/${agent.id}`);
          }}
        />
      )}
      {agent && viewed !== null && (
        <AgentVersionDialog
          agent={agent}
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

function jumpTo({ field }: DraftProblem): void {
  const [first = ""] = field.split(".");
  if (jumpToField(field) || jumpToField(first)) return;
  document.getElementById(`section-${sectionOfField(field)}`)?.scrollIntoView({ block: "center" });
}
