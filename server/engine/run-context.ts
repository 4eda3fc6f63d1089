import { z } from "zod";

/** What an agent run is about: typed values, and things outside that it has to do with (INT-CTX-10, INT-CTX-11). */

export const MOST_VARIABLES = 50;
export const MOST_ENTITIES = 100;
/** Of names, values, ids and labels together: each event tells all of it, and each child is given a copy. */
export const MOST_CONTEXT_CHARACTERS = 20_000;

/** Of a variable; also the type of an entity, which thus has no colon in it. */
export const contextName = z
  .string()
  .trim()
  .min(1, "Give it a name.")
  .max(64, "At most 64 characters.")
  .regex(/^[A-Za-z][A-Za-z0-9_.-]*$/, "A letter first, then letters, digits, “_”, “.” or “-”.");
export const textValue = z.string().min(1, "Give it a value.").max(2_000, "At most 2,000 characters.");
export const entityId = z.string().trim().min(1, "Give it an id.").max(200, "At most 200 characters.");
export const entityLabel = z.string().trim().max(200, "At most 200 characters.");

/** As it is stored and told: what was taken out of a text may have made it longer than it may be when it is given. */
export const contextVariable = z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) });
export const trackedEntity = z.object({ type: z.string(), id: z.string(), label: z.string().optional() });
export const runContext = z.object({ variables: z.array(contextVariable), entities: z.array(trackedEntity) });
export type ContextVariable = z.infer<typeof contextVariable>;
export type TrackedEntity = z.infer<typeof trackedEntity>;
export type RunContext = z.infer<typeof runContext>;

export const VALUE_TYPES = ["string", "number", "boolean"] as const;
export type ValueType = (typeof VALUE_TYPES)[number];
export const typeOfValue = (value: ContextVariable["value"]) => typeof value as ValueType;

/** "order:4711", as entities are found by. */
export const entityKey = ({ type, id }: Pick<TrackedEntity, "type" | "id">) => `${type}:${id}`;

/** An entity's key as it is written in an address. */
export const entityKeyText = z
  .string()
  .max(265)
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}:.{1,200}$/s, "Write it as type:id, like order:4711.");

/** The entity of a key that is one. */
export function entityOfKey(key: string): Pick<TrackedEntity, "type" | "id"> {
  const colon = key.indexOf(":");
  return { type: key.slice(0, colon), id: key.slice(colon + 1) };
}

/** Null where nothing is noted, so that "nothing" is told in one way. */
export function contextOrNull(context: RunContext): RunContext | null {
  return context.variables.length + context.entities.length > 0 ? context : null;
}

export function sizeOfContext({ variables, entities }: RunContext): number {
  const texts = [
    ...variables.flatMap(({ name, value }) => [name, String(value)]),
    ...entities.flatMap(({ type, id, label = "" }) => [type, id, label]),
  ];
  return texts.reduce((all, text) => all + text.length, 0);
}

/** Places in a list of what an earlier entry says already. */
export function repeatedPlaces(keys: readonly string[]): number[] {
  return keys.flatMap((key, at) => (key !== "" && keys.indexOf(key) < at ? [at] : []));
}

const MOST_SAYS = "20,000";

/** As people give it to a run. */
export const startContext = z
  .strictObject({
    variables: z
      .array(z.strictObject({ name: contextName, value: z.union([textValue, z.number(), z.boolean()]) }))
      .max(MOST_VARIABLES, `At most ${MOST_VARIABLES} variables.`)
      .default([]),
    entities: z
      .array(z.strictObject({ type: contextName, id: entityId, label: entityLabel.optional() }))
      .max(MOST_ENTITIES, `At most ${MOST_ENTITIES} entities.`)
      .default([]),
  })
  .superRefine((context, check) => {
    const { variables, entities } = context;
    for (const at of repeatedPlaces(variables.map(({ name }) => name))) {
      check.addIssue({ code: "custom", path: ["variables", at, "name"], message: "There is a variable of this name." });
    }
    for (const at of repeatedPlaces(entities.map(entityKey))) {
      check.addIssue({ code: "custom", path: ["entities", at, "id"], message: "This entity is there already." });
    }
    if (sizeOfContext(context) > MOST_CONTEXT_CHARACTERS) {
      check.addIssue({ code: "custom", path: [], message: `At most ${MOST_SAYS} characters in all.` });
    }
  });
export type StartContext = z.infer<typeof startContext>;
