"use client";

import { LoadBoundary } from "@/components/ui/load-boundary";
import type { DraftProblem } from "@/server/agents/schema";
import { AGENT_SECTIONS, type AgentSectionId, sectionOfField } from "./agent-values";
import { AloneSection } from "./alone-section";
import { ConversationSection } from "./conversation-section";
import { IdentitySection } from "./identity-section";
import { InstructionsSection } from "./instructions-section";
import { KnowledgeSection } from "./knowledge-section";
import { LimitsSection } from "./limits-section";
import { ModelSection } from "./model-section";
import { SpawningSection } from "./spawning-section";
import { ToolPolicySection } from "./tool-policy-section";
import { ToolsSection } from "./tools-section";
import type { AgentDraft } from "./use-agent-draft";

type Props = {
  draft: AgentDraft;
  locked: boolean;
  changed: ReadonlySet<AgentSectionId>;
  problems: readonly DraftProblem[];
};
/** What every section of the form is given. */
export type SectionProps = {
  form: AgentDraft["form"];
  /** Read only. */
  locked: boolean;
  changed: boolean;
  problems: readonly DraftProblem[];
};

export function AgentForm({ draft, locked, changed, problems }: Props) {
  const { form } = draft;
  const of = (id: AgentSectionId): SectionProps => ({
    form,
    locked,
    changed: changed.has(id),
    problems: problems.filter(({ field }) => sectionOfField(field) === id),
  });
  return (
    <>
      <nav className="ag-nav" aria-label="Sections">
        {AGENT_SECTIONS.map(({ id, title }) => (
          <a key={id} href={`#section-${id}`} onClick={() => unfold(id)}>
            {title}
            {changed.has(id) && <span className="ag-changed" role="img" aria-label="changed" />}
          </a>
        ))}
      </nav>
      <div className="ag-form scroll">
        <IdentitySection {...of("identity")} />
        <ModelSection {...of("model")} />
        <InstructionsSection {...of("instructions")} />
        <LoadBoundary pending={<div className="fsec" />} failed="The tools could not be loaded">
          <ToolsSection {...of("tools")} />
          <ToolPolicySection {...of("toolPolicy")} />
        </LoadBoundary>
        <LoadBoundary pending={<div className="fsec" />} failed="The knowledge bases could not be loaded">
          <KnowledgeSection {...of("knowledge")} />
        </LoadBoundary>
        <SpawningSection {...of("team")} />
        <LimitsSection {...of("limits")} />
        <AloneSection {...of("alone")} />
        <ConversationSection {...of("conversation")} />
      </div>
    </>
  );
}

function unfold(id: AgentSectionId): void {
  const section = document.getElementById(`section-${id}`);
  if (section instanceof HTMLDetailsElement) section.open = true;
}
