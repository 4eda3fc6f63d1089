"use client";

import { Textarea, TextInput } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import type { DraftProblem } from "@/server/agents/schema";
import { AlsoAllowed } from "./also-allowed";
import { BroadcastFields } from "./broadcast-fields";
import { ChooseSupervisor } from "./choose-supervisor";
import { DebateFields } from "./debate-fields";
import { HandoffFields } from "./handoff-fields";
import { PatternCards } from "./pattern-cards";
import { patternWords } from "./pattern-words";
import { PlaceAgent } from "./place-agent";
import { PlaceChildren } from "./place-children";
import { TeamLimits } from "./team-limits";
import { placeOfField } from "./team-values";
import type { TeamAgents } from "./use-team-agents";
import type { TeamDraftForm } from "./use-team-draft";
import type { TreeEdits } from "./use-tree-edits";

type Props = {
  form: TeamDraftForm["form"];
  edits: TreeEdits;
  agents: TeamAgents;
  problems: readonly DraftProblem[];
  locked: boolean;
};

/** The team as a whole, and its supervisor. */
export function TeamForm({ form, edits, agents, problems, locked }: Props) {
  const { root } = form.values;
  const ofRoot = problems.filter(({ field }) => placeOfField(field) === "");
  return (
    <>
      <FormSection id="team" title="Team" summary={form.values.name}>
        <TextInput
          label="Name"
          placeholder="e.g. Customer refunds"
          maxLength={60}
          readOnly={locked}
          autoComplete="off"
          data-field="name"
          {...form.getInputProps("name")}
        />
        <Textarea
          label="Description"
          description="For people who choose a team. Models do not see it."
          minRows={2}
          maxRows={6}
          maxLength={500}
          readOnly={locked}
          data-field="description"
          {...form.getInputProps("description")}
        />
        <Textarea
          label="Example request"
          description="A first request to try, offered where the team is started."
          minRows={2}
          maxRows={8}
          maxLength={2000}
          readOnly={locked}
          data-field="example"
          {...form.getInputProps("example")}
        />
      </FormSection>
      <FormSection id="supervisor" title="Supervisor">
        {root ? (
          <>
            <PlaceAgent path="" agentId={root.agentId} agents={agents} edits={edits} locked={locked} />
            <PlaceChildren path="" place={root} agents={agents} edits={edits} locked={locked} />
            <AlsoAllowed form={form} agents={agents} locked={locked} />
            <FieldProblems problems={problems.filter(({ field }) => field === "alsoAllowed")} />
          </>
        ) : (
          <ChooseSupervisor edits={edits} agents={agents} locked={locked} />
        )}
        <FieldProblems problems={ofRoot} />
      </FormSection>
      <FormSection id="pattern" title="How they work together" summary={patternWords(form.values)}>
        <PatternCards
          value={form.values.pattern}
          onChange={(pattern) => form.setFieldValue("pattern", pattern)}
          locked={locked}
        />
        {form.values.pattern === "broadcast" && <BroadcastFields form={form} locked={locked} />}
        {form.values.pattern === "debate" && <DebateFields form={form} locked={locked} />}
        {form.values.pattern === "handoff" && <HandoffFields form={form} locked={locked} />}
        <FieldProblems problems={problems.filter(({ field }) => field === "pattern")} />
      </FormSection>
      <TeamLimits form={form} locked={locked} />
    </>
  );
}
