"use client";

import { Textarea } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import type { DraftProblem } from "@/server/agents/schema";
import type { TeamPlace } from "@/server/teams/schema";
import { PlaceAgent } from "./place-agent";
import { PlaceChildren } from "./place-children";
import { placeOfField } from "./team-values";
import type { TeamAgents } from "./use-team-agents";
import type { TreeEdits } from "./use-tree-edits";

type Props = {
  edits: TreeEdits;
  place: TeamPlace;
  agents: TeamAgents;
  problems: readonly DraftProblem[];
  locked: boolean;
};

/** One place under a supervisor. */
export function PlaceForm({ edits, place, agents, problems, locked }: Props) {
  const path = edits.selected;
  const agent = agents.byId.get(place.agentId);
  const name = agent?.name ?? "This agent";
  const own = problems.filter(({ field }) => placeOfField(field) === path);
  return (
    <>
      <FormSection id="place" title={`${name} in this team`}>
        <PlaceAgent path={path} agentId={place.agentId} agents={agents} edits={edits} locked={locked} />
        <Textarea
          label="Purpose in this team"
          description="What its supervisor is told it is for. Overrides the agent's own purpose, only here; empty means the agent's own."
          placeholder={agent?.purpose || "One or two sentences"}
          minRows={2}
          maxRows={6}
          maxLength={500}
          readOnly={locked}
          data-field="purpose"
          value={place.purpose ?? ""}
          onChange={(event) => edits.setPurpose(path, event.currentTarget.value)}
        />
        <FieldProblems problems={own} />
      </FormSection>
      <FormSection id="below" title="Below it">
        <PlaceChildren path={path} place={place} agents={agents} edits={edits} locked={locked} />
      </FormSection>
    </>
  );
}
