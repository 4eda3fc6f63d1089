import { contextName, contextOrNull, entityKey, type RunContext, type StartContext } from "@/server/engine/run-context";
import { storable } from "@/server/engine/stored-json";
import { AppError } from "@/server/errors";
import type { Redact } from "@/server/secrets/pii";

/**
 * What people say a run is about, as it is kept: without what is secret, and of entities that are one then the first. Null: nothing.
 * Throws INVALID where a name or a type was one.
 */
export function keptContext(given: StartContext, redact: Redact): RunContext | null {
  const { variables, entities } = redact(given);
  for (const name of [...variables.map((one) => one.name), ...entities.map((one) => one.type)]) {
    if (contextName.safeParse(name).success) continue;
    throw new AppError(
      "INVALID",
      "The name of a variable or the type of an entity is something that is kept secret. Choose another.",
    );
  }
  const kept = entities.map(({ type, id, label }) => ({
    ...{ type, id: storable(id) },
    ...(label ? { label: storable(label) } : {}),
  }));
  return contextOrNull({
    variables: variables.map(({ name, value }) => ({
      name,
      value: typeof value === "string" ? storable(value) : value,
    })),
    entities: [...new Map(kept.toReversed().map((entity) => [entityKey(entity), entity])).values()].reverse(),
  });
}
