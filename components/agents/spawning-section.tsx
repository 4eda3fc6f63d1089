"use client";

import { NumberInput, Switch } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { ModelSelect } from "@/components/providers/model-select";
import { CountField } from "@/components/ui/count-field";
import type { SectionProps } from "./agent-form";
import { USUAL } from "./agent-values";
import { numberInput } from "./number-input";
import { condensingWords, summaryOf } from "./setting-words";

/** Whether it may lead others, how many, and what it reads of what they did. */
export function SpawningSection({ form, locked, changed, problems }: SectionProps) {
  const { canSpawnAgents, maxConcurrentAgents, maxAgentDepth, summarizationThreshold, summarizationModel } =
    form.values;
  const condenses = canSpawnAgents && summarizationThreshold !== null;
  return (
    <FormSection
      id="team"
      title="Team"
      changed={changed}
      folded
      summary={
        canSpawnAgents
          ? summaryOf(
              [
                `May lead other agents: ${maxConcurrentAgents} at once, ${maxAgentDepth} deep`,
                condensingWords(form.values),
              ],
              "",
            )
          : "Works alone or under a supervisor; leads nobody"
      }
    >
      <Switch
        label="May lead other agents"
        description="Needed for a supervisor: it may start the agents placed under it in a team."
        disabled={locked}
        data-field="canSpawnAgents"
        {...form.getInputProps("canSpawnAgents", { type: "checkbox" })}
      />
      <div className="grid2">
        <NumberInput
          label="Agents at once"
          description="Working for it at the same time."
          min={1}
          max={64}
          disabled={!canSpawnAgents || locked}
          data-field="maxConcurrentAgents"
          {...numberInput(form, "maxConcurrentAgents")}
        />
        <NumberInput
          label="Levels below it"
          description="How deep agents may start further agents."
          min={1}
          max={8}
          disabled={!canSpawnAgents || locked}
          data-field="maxAgentDepth"
          {...numberInput(form, "maxAgentDepth")}
        />
      </div>
      <Switch
        label="Explain how to lead"
        description="Adds guidance to its instructions on starting agents and collecting what they did."
        disabled={!canSpawnAgents || locked}
        data-field="injectSpawnInstructions"
        {...form.getInputProps("injectSpawnInstructions", { type: "checkbox" })}
      />
      <Switch
        label="Condense long results"
        description="A model call shortens a long result of one of its agents before it reads it. The whole result stays with that agent's run."
        disabled={!canSpawnAgents || locked}
        checked={summarizationThreshold !== null}
        onChange={(event) =>
          form.setFieldValue(
            "summarizationThreshold",
            event.currentTarget.checked ? USUAL.summarizationThreshold : null,
          )
        }
      />
      <div className="grid2">
        <CountField
          label="Condense from, in characters"
          description="Shorter results are read as they are."
          placeholder={summarizationThreshold === null ? "never" : undefined}
          disabled={!condenses || locked}
          data-field="summarizationThreshold"
          {...form.getInputProps("summarizationThreshold")}
        />
        <div data-field="summarizationModel">
          <ModelSelect
            label="Model that condenses"
            nullLabel="The agent's own model"
            description="A cheaper one often does."
            value={summarizationModel}
            onChange={(model) => form.setFieldValue("summarizationModel", model)}
            error={form.errors.summarizationModel}
            disabled={!condenses || locked}
          />
        </div>
      </div>
      <FieldProblems problems={problems} />
    </FormSection>
  );
}
