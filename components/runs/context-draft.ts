import { firstProblem } from "@/components/editor/first-problem";
import {
  type ContextVariable,
  contextName,
  entityId,
  entityLabel,
  MOST_CONTEXT_CHARACTERS,
  type RunContext,
  type StartContext,
  sizeOfContext,
  textValue,
  typeOfValue,
  type ValueType,
} from "@/server/engine/run-context";

/** What a run is to be about, as a form holds it: every value is what was typed. */
export type VariableRow = { key: string; name: string; type: ValueType; value: string };
export type EntityRow = { key: string; type: string; id: string; label: string };
export type ContextDraft = { variables: VariableRow[]; entities: EntityRow[] };

export const NO_CONTEXT: ContextDraft = { variables: [], entities: [] };

let keys = 0;
const key = () => `row-${++keys}`;
export const aVariableRow = (row: Partial<VariableRow> = {}): VariableRow => ({
  ...{ key: key(), name: "", type: "string", value: "" },
  ...row,
});
export const anEntityRow = (row: Partial<EntityRow> = {}): EntityRow => ({
  ...{ key: key(), type: "", id: "", label: "" },
  ...row,
});

/** Rows left empty are not sent, and nothing is wrong with them. */
export const isBlankVariable = ({ name, type, value }: VariableRow) =>
  name.trim() === "" && (value === "" || type === "boolean");
export const isBlankEntity = ({ type, id, label }: EntityRow) => `${type}${id}${label}`.trim() === "";

export function contextDraftOf(context: RunContext | null): ContextDraft {
  return {
    variables: (context?.variables ?? []).map(({ name, value }) =>
      aVariableRow({ name, type: typeOfValue(value), value: String(value) }),
    ),
    entities: (context?.entities ?? []).map(({ type, id, label = "" }) => anEntityRow({ type, id, label })),
  };
}

export function toStartContext({ variables, entities }: ContextDraft): StartContext {
  return {
    variables: variables.flatMap((row) =>
      isBlankVariable(row) ? [] : [{ name: row.name.trim(), value: typedValue(row) ?? row.value }],
    ),
    entities: entities.flatMap((row) => {
      if (isBlankEntity(row)) return [];
      const label = row.label.trim();
      return [{ type: row.type.trim(), id: row.id.trim(), ...(label ? { label } : {}) }];
    }),
  };
}

/** Null: what was typed is no value of that type. */
function typedValue({ type, value }: VariableRow): ContextVariable["value"] | null {
  if (type === "string") return value;
  if (type === "boolean") return value === "true";
  const number = Number(value);
  return value.trim() !== "" && Number.isFinite(number) ? number : null;
}

/** What is wrong with a draft, by field. Mantine's rules for lists look at one row at a time: two of a name are seen here. */
export function contextProblems(draft: ContextDraft): Record<string, string> {
  const { variables, entities } = draft;
  const problems: Record<string, string> = {};
  const tell = (field: string, problem: string | null) => {
    if (problem !== null) problems[`context.${field}`] ??= problem;
  };
  variables.forEach((row, at) => {
    if (isBlankVariable(row)) return;
    tell(`variables.${at}.name`, firstProblem(contextName)(row.name));
    tell(`variables.${at}.value`, problemOfValue(row));
    const isRepeated = variables.slice(0, at).some(({ name }) => name.trim() === row.name.trim());
    tell(`variables.${at}.name`, isRepeated ? "There is a variable of this name." : null);
  });
  entities.forEach((row, at) => {
    if (isBlankEntity(row)) return;
    tell(`entities.${at}.type`, firstProblem(contextName)(row.type));
    tell(`entities.${at}.id`, firstProblem(entityId)(row.id));
    tell(`entities.${at}.label`, firstProblem(entityLabel)(row.label));
    const keyOf = ({ type, id }: EntityRow) => `${type.trim()}:${id.trim()}`;
    const isRepeated = entities.slice(0, at).some((one) => keyOf(one) === keyOf(row));
    tell(`entities.${at}.id`, isRepeated ? "This entity is there already." : null);
  });
  if (sizeOfContext(toStartContext(draft)) > MOST_CONTEXT_CHARACTERS) {
    problems.context = "At most 20,000 characters in all.";
  }
  return problems;
}

function problemOfValue(row: VariableRow): string | null {
  if (row.type === "string") return firstProblem(textValue)(row.value);
  return typedValue(row) === null ? "Write a number, such as 3 or 0.5." : null;
}
