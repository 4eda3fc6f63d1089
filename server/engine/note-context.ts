import type { JournalUnit } from "./journal/unit";
import {
  contextOrNull,
  entityKey,
  MOST_CONTEXT_CHARACTERS,
  MOST_ENTITIES,
  MOST_VARIABLES,
  type RunContext,
  sizeOfContext,
  type TrackedEntity,
  typeOfValue,
  type ValueType,
} from "./run-context";

/** Changes of an agent run's context. Each makes a new one, which is written whole. */

export type ContextChange = { context: RunContext | null } | { refused: { code: string; message: string } };

const NOTHING: RunContext = { variables: [], entities: [] };

/** A variable keeps its place when its value changes; null takes it away. */
export function setVariable(
  context: RunContext | null,
  name: string,
  value: string | number | boolean | null,
): ContextChange {
  const { variables, entities } = context ?? NOTHING;
  if (value === null)
    return { context: contextOrNull({ variables: variables.filter((one) => one.name !== name), entities }) };
  const isKnown = variables.some((one) => one.name === name);
  if (!isKnown && variables.length >= MOST_VARIABLES) {
    return full(
      `There are ${MOST_VARIABLES} variables, which is the most. Take one away first, with null as its value.`,
    );
  }
  const next = { name, value };
  return fitting({
    variables: isKnown ? variables.map((one) => (one.name === name ? next : one)) : [...variables, next],
    entities,
  });
}

/** Of a variable that is there, and of that type where one is asked for; else undefined (INT-CTX-11). */
export function variableOf(
  context: RunContext | null,
  name: string,
  type?: ValueType,
): string | number | boolean | undefined {
  const value = context?.variables.find((one) => one.name === name)?.value;
  return value !== undefined && (type === undefined || typeOfValue(value) === type) ? value : undefined;
}

/** One that is tracked already keeps its place, and its label unless another is given. */
export function trackEntity(context: RunContext | null, entity: TrackedEntity): ContextChange {
  const { variables, entities } = context ?? NOTHING;
  const key = entityKey(entity);
  const known = entities.find((one) => entityKey(one) === key);
  if (!known && entities.length >= MOST_ENTITIES) {
    return full(`There are ${MOST_ENTITIES} entities, which is the most. Untrack one first.`);
  }
  const next = { ...known, ...entity };
  return fitting({
    variables,
    entities: known ? entities.map((one) => (one === known ? next : one)) : [...entities, next],
  });
}

/** What is not tracked stays so. */
export function untrackEntity(
  context: RunContext | null,
  entity: Pick<TrackedEntity, "type" | "id">,
): RunContext | null {
  const { variables, entities } = context ?? NOTHING;
  return contextOrNull({ variables, entities: entities.filter((one) => entityKey(one) !== entityKey(entity)) });
}

/** In words, for a model. */
export function renderContext({ variables, entities }: RunContext): string {
  return [
    ...variables.map(({ name, value }) => `- ${name} = ${JSON.stringify(value)}`),
    ...entities.map(
      ({ type, id, label }) => `- ${type} ${JSON.stringify(id)}${label ? `: ${label.replace(/\s+/g, " ")}` : ""}`,
    ),
  ].join("\n");
}

/** What an agent that begins is told of it; nothing where nothing is noted. */
export function contextNotes(context: RunContext | null): string[] {
  return context ? [`What this run is about:\n${renderContext(context)}`] : [];
}

/** The context as it now is, for the rows and for whoever watches. */
export function contextUnit(context: RunContext | null): JournalUnit {
  return { agent: { context }, events: [{ body: { kind: "agent.context", context } }] };
}

function fitting(context: RunContext): ContextChange {
  if (sizeOfContext(context) <= MOST_CONTEXT_CHARACTERS) return { context };
  return full(
    "Variables and entities may have 20,000 characters together. Take away what is not needed, or say it shorter.",
  );
}

function full(message: string): ContextChange {
  return { refused: { code: "context_full", message } };
}
