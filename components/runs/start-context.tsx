"use client";

import "./start-context.css";
import { Button, Select, TextInput } from "@mantine/core";
import { IconChevronRight, IconPlus, IconTrash } from "@tabler/icons-react";
import { MOST_ENTITIES, MOST_VARIABLES, VALUE_TYPES, type ValueType } from "@/server/engine/run-context";
import { anEntityRow, aVariableRow, isBlankEntity, isBlankVariable } from "./context-draft";
import { contextCounts, VALUE_TYPE_WORDS } from "./context-words";
import type { StartRunDraft } from "./start-run-draft";

type Form = StartRunDraft["form"];

const TYPES = VALUE_TYPES.map((value) => ({ value, label: VALUE_TYPE_WORDS[value] }));
const YES_NO = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

/** What this run is about, folded away: most runs say it in their task alone. */
export function StartContext({ form }: { form: Form }) {
  const { variables, entities } = form.values.context;
  const words = contextCounts({
    variables: variables.filter((row) => !isBlankVariable(row)),
    entities: entities.filter((row) => !isBlankEntity(row)),
  });
  return (
    <details className="start-limits">
      <summary className="fs12">
        <IconChevronRight size={13} aria-hidden />
        Context
        {words && <span className="t3">{words}</span>}
      </summary>
      <div className="col start-context" data-field="context">
        <p className="t3 fs12">
          What this run is about. Its agents are told, it is part of each state of the run, and the run is found by its
          entities.
        </p>
        {form.errors.context && (
          <p className="start-context-error fs12" role="alert">
            {form.errors.context}
          </p>
        )}
        <Variables form={form} />
        <Entities form={form} />
      </div>
    </details>
  );
}

function Variables({ form }: { form: Form }) {
  const { variables } = form.values.context;
  return (
    <fieldset className="context-rows">
      <legend>Variables</legend>
      {variables.map((row, at) => {
        const what = row.name.trim() || `variable ${at + 1}`;
        return (
          <div className="context-row of-variable" key={row.key}>
            <TextInput
              className="first"
              aria-label={`Name of ${what}`}
              placeholder="priority"
              spellCheck={false}
              autoComplete="off"
              data-field={`context.variables.${at}.name`}
              {...form.getInputProps(`context.variables.${at}.name`)}
            />
            <Select
              className="second"
              aria-label={`Type of ${what}`}
              data={TYPES}
              value={row.type}
              allowDeselect={false}
              onChange={(type) => changeType(form, at, type as ValueType)}
            />
            <VariableValue form={form} at={at} type={row.type} what={what} />
            <Remove what={what} onPress={() => removeRow(form, "variables", at)} />
          </div>
        );
      })}
      <Add
        words="Add a variable"
        isFull={variables.length >= MOST_VARIABLES}
        onPress={() => form.insertListItem("context.variables", aVariableRow())}
      />
    </fieldset>
  );
}

type ValueProps = { form: Form; at: number; type: ValueType; what: string };

function VariableValue({ form, at, type, what }: ValueProps) {
  const path = `context.variables.${at}.value`;
  const shared = { className: "third", "aria-label": `Value of ${what}`, "data-field": path };
  if (type === "boolean")
    return <Select {...shared} data={YES_NO} allowDeselect={false} {...form.getInputProps(path)} />;
  return (
    <TextInput
      {...shared}
      placeholder={type === "number" ? "1" : "Value"}
      inputMode={type === "number" ? "decimal" : undefined}
      autoComplete="off"
      {...form.getInputProps(path)}
    />
  );
}

/** What was typed stays where it can be a value of the new type. */
function changeType(form: Form, at: number, type: ValueType) {
  const row = form.values.context.variables[at];
  if (!row || row.type === type) return;
  const isYesOrNo = type === "boolean" || row.type === "boolean";
  const value = type === "boolean" ? "true" : isYesOrNo ? "" : row.value;
  form.replaceListItem("context.variables", at, { ...row, type, value });
  form.clearFieldError(`context.variables.${at}.value`);
}

const PLACES = { type: "first", id: "second", label: "third" } as const;

function Entities({ form }: { form: Form }) {
  const { entities } = form.values.context;
  return (
    <fieldset className="context-rows">
      <legend>Entities</legend>
      {entities.map((row, at) => {
        const what = row.id.trim() || `entity ${at + 1}`;
        const field = (name: keyof typeof PLACES, label: string, placeholder: string) => (
          <TextInput
            className={PLACES[name]}
            aria-label={`${label} of ${what}`}
            placeholder={placeholder}
            spellCheck={false}
            autoComplete="off"
            data-field={`context.entities.${at}.${name}`}
            {...form.getInputProps(`context.entities.${at}.${name}`)}
          />
        );
        return (
          <div className="context-row of-entity" key={row.key}>
            {field("type", "Type", "order")}
            {field("id", "Id", "4711")}
            {field("label", "Label", "Label, if it has one")}
            <Remove what={what} onPress={() => removeRow(form, "entities", at)} />
          </div>
        );
      })}
      <Add
        words="Add an entity"
        isFull={entities.length >= MOST_ENTITIES}
        onPress={() => form.insertListItem("context.entities", anEntityRow())}
      />
    </fieldset>
  );
}

/** What was wrong with rows below it would else stand beside others. */
function removeRow(form: Form, list: "variables" | "entities", at: number) {
  form.removeListItem(`context.${list}`, at);
  for (const field of Object.keys(form.errors)) if (field.startsWith(`context.${list}.`)) form.clearFieldError(field);
}

function Remove({ what, onPress }: { what: string; onPress: () => void }) {
  return (
    <button type="button" className="icon-btn" aria-label={`Remove ${what}`} onClick={onPress}>
      <IconTrash size={15} stroke={1.75} aria-hidden />
    </button>
  );
}

function Add({ words, isFull, onPress }: { words: string; isFull: boolean; onPress: () => void }) {
  return (
    <div>
      <Button variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} disabled={isFull} onClick={onPress}>
        {words}
      </Button>
    </div>
  );
}
