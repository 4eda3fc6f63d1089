"use client";

import { NumberInput, Switch } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { CountField } from "@/components/ui/count-field";
import { DurationField } from "@/components/ui/duration-field";
import { OptionalDurationField } from "@/components/ui/optional-duration-field";
import { OptionalText } from "@/components/ui/optional-text";
import type { SectionProps } from "./agent-form";
import { numberInput } from "./number-input";
import {
  contextWords,
  deadlineWords,
  escalationWords,
  guardWords,
  publishingWords,
  summaryOf,
  todoWords,
} from "./setting-words";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** For people. */
const MOST_DAYS = 14;

/** What keeps it at its work, and whom it asks when it cannot go on. */
export function AloneSection({ form, locked, changed, problems }: SectionProps) {
  const { autoContinue } = form.values;
  const noList = !autoContinue || locked;
  return (
    <FormSection
      id="alone"
      title="Working on its own"
      changed={changed}
      folded
      summary={summaryOf(
        [
          todoWords(form.values),
          contextWords(form.values),
          publishingWords(form.values),
          escalationWords(form.values),
          deadlineWords(form.values),
          guardWords(form.values),
        ],
        "As usual, without a todo list",
      )}
    >
      <Switch
        label="Keep a todo list"
        description="For work of several steps: it writes down what is to be done, ticks it off, and is sent on while something is open."
        disabled={locked}
        data-field="autoContinue"
        {...form.getInputProps("autoContinue", { type: "checkbox" })}
      />
      <div className="grid2">
        <NumberInput
          label="Sent on at most"
          description="Times for one list. After that its answer counts as it is."
          min={1}
          max={100}
          disabled={noList}
          data-field="maxAutoContinues"
          {...numberInput(form, "maxAutoContinues")}
        />
        <Switch
          label="Explain the todo list"
          description="Adds guidance to its instructions on making a list and ticking it off."
          disabled={noList}
          data-field="injectTodoInstructions"
          {...form.getInputProps("injectTodoInstructions", { type: "checkbox" })}
        />
      </div>
      <OptionalText
        label="What it is told when it is sent on"
        description="The list as it stands is added. Empty: the built-in words."
        placeholder="the built-in words"
        disabled={!autoContinue}
        readOnly={locked}
        data-field="continuationPrompt"
        {...form.getInputProps("continuationPrompt")}
      />
      <Switch
        label="Notes variables and entities"
        description="It is given tools to note what its run is about: typed values, and things outside such as an order or a customer. They are part of each state of the run, and the run is found by its entities."
        disabled={locked}
        data-field="notesContext"
        {...form.getInputProps("notesContext", { type: "checkbox" })}
      />
      <Switch
        label="Publishes events"
        description="It is given a tool to tell of things in events of its own: a name, and data. They are kept with the run, beside the events of the run itself."
        disabled={locked}
        data-field="publishesEvents"
        {...form.getInputProps("publishesEvents", { type: "checkbox" })}
      />
      <div className="grid2">
        <DurationField
          label="Minutes the agents above may take"
          description="Below others its questions go to them first, then to a person. 0: to a person at once."
          suffix=" min"
          unitMs={MINUTE_MS}
          max={DAY_MINUTES}
          disabled={locked}
          data-field="escalationTimeoutMs"
          {...form.getInputProps("escalationTimeoutMs")}
        />
        <CountField
          label="Same call in a row, at most"
          description="The next one with the same arguments is refused. Empty: 2 for the agent that leads a run, else 4."
          placeholder="2, or 4 below others"
          max={100}
          disabled={locked}
          data-field="maxRepeatedCalls"
          {...form.getInputProps("maxRepeatedCalls")}
        />
      </div>
      <div className="grid2">
        <OptionalDurationField
          label="Minutes people may take to answer"
          description="Then it goes on by its own judgement. Empty: any time."
          placeholder="any time"
          suffix=" min"
          unitMs={MINUTE_MS}
          max={MOST_DAYS * DAY_MINUTES}
          disabled={locked}
          data-field="questionTimeoutMs"
          {...form.getInputProps("questionTimeoutMs")}
        />
        <OptionalDurationField
          label="Minutes people may take to allow a call"
          description="Of a tool it must ask about. Then the call is refused. Empty: any time."
          placeholder="any time"
          suffix=" min"
          unitMs={MINUTE_MS}
          max={MOST_DAYS * DAY_MINUTES}
          disabled={locked}
          data-field="approvalTimeoutMs"
          {...form.getInputProps("approvalTimeoutMs")}
        />
      </div>
      <FieldProblems problems={problems} />
    </FormSection>
  );
}
