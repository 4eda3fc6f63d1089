import { formatPlural } from "@/components/ui/format";
import type { ContextVariable, RunContext, TrackedEntity, ValueType } from "@/server/engine/run-context";
import { entityKey } from "@/server/engine/run-context";

/** What agent runs are about, in words. */

export const VALUE_TYPE_WORDS: Record<ValueType, string> = { string: "Text", number: "Number", boolean: "Yes or no" };

export function valueWords(value: ContextVariable["value"]): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** As people know it. */
export const entityName = ({ id, label }: TrackedEntity) => label ?? id;

/** Runs that are about the same. */
export const aboutHref = (entity: Pick<TrackedEntity, "type" | "id">) =>
  `/runs?${new URLSearchParams({ about: entityKey(entity) })}`;

/** "2 variables, 1 entity"; empty where there are none. */
export function contextCounts({
  variables,
  entities,
}: {
  variables: readonly unknown[];
  entities: readonly unknown[];
}): string {
  return [
    ...(variables.length > 0 ? [formatPlural(variables.length, "variable")] : []),
    ...(entities.length > 0 ? [formatPlural(entities.length, "entity", "entities")] : []),
  ].join(", ");
}

/** All of it in a line. */
export function contextLine(context: RunContext | null): string {
  if (!context) return "nothing in particular";
  return [
    ...context.variables.map(({ name, value }) => `${name}: ${valueWords(value)}`),
    ...context.entities.map((entity) => `${entity.type} ${entityName(entity)}`),
  ].join("; ");
}
