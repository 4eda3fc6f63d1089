"use client";

import { Slider, Switch } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { ModelSelect } from "@/components/providers/model-select";
import type { SectionProps } from "./agent-form";

const USUAL_TEMPERATURE = 0.7;

export function ModelSection({ form, locked, changed, problems }: SectionProps) {
  const { model, fallbackModel, temperature } = form.values;
  return (
    <FormSection
      id="model"
      title="Model"
      changed={changed}
      summary={`${model ?? "Workspace default"}${temperature === null ? "" : `, temperature ${temperature}`}`}
    >
      <div className="grid2">
        <div data-field="model">
          <ModelSelect
            label="Model"
            value={model}
            onChange={(value) => form.setFieldValue("model", value)}
            error={form.errors.model}
            disabled={locked}
          />
        </div>
        <div data-field="fallbackModel">
          <ModelSelect
            label="Stands in when it cannot answer"
            nullLabel="Whoever the provider of its model names"
            description="Asked after the retries; each time its own model is asked first again."
            value={fallbackModel}
            onChange={(value) => form.setFieldValue("fallbackModel", value)}
            error={form.errors.fallbackModel}
            disabled={locked}
          />
        </div>
        <div data-field="temperature">
          <Switch
            label="Set the temperature"
            description="Off: what the model's provider takes as usual."
            disabled={locked}
            checked={temperature !== null}
            onChange={(event) =>
              form.setFieldValue("temperature", event.currentTarget.checked ? USUAL_TEMPERATURE : null)
            }
          />
          {temperature !== null && (
            <div className="temperature">
              <Slider
                size="xs"
                min={0}
                max={2}
                step={0.1}
                label={null}
                thumbLabel="Temperature"
                disabled={locked}
                value={temperature}
                onChange={(value) => form.setFieldValue("temperature", Math.round(value * 10) / 10)}
              />
              <span className="num">{temperature.toFixed(1)}</span>
            </div>
          )}
        </div>
      </div>
      <FieldProblems problems={problems} />
    </FormSection>
  );
}
