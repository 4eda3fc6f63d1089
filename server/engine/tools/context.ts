import { z } from "zod";
import { type ContextChange, contextUnit, setVariable, trackEntity, untrackEntity, variableOf } from "../note-context";
import { contextName, entityId, entityLabel, type RunContext, textValue, VALUE_TYPES } from "../run-context";
import { argumentsOf } from "../turn-decision";
import { type CallOutcome, type EngineTool, mistake, problemOf } from "./engine-tool";

type Noted = CallOutcome & { context?: RunContext | null };
type Described = { description: string; properties: Record<string, object>; required: string[] };

/** A tool that works on the agent's own context. Serial: calls of one turn each see what the one before did. */
function contextTool<Args>(
  name: string,
  { description, properties, required }: Described,
  args: z.ZodType<Args>,
  change: (context: RunContext | null, args: Args) => Noted,
): EngineTool {
  const parameters = { type: "object", properties, required, additionalProperties: false };
  return {
    kind: "tool",
    isSerial: true,
    offer: ({ config }) => (config.notesContext ? { name, description, parameters } : null),
    async run(execution, { call }) {
      const parsed = args.safeParse(argumentsOf(call));
      if (!parsed.success) return mistake("malformed_arguments", problemOf(parsed.error));
      const { context, ...outcome } = change(execution.context, parsed.data);
      if (context === undefined) return outcome;
      execution.context = context;
      return { ...outcome, unit: contextUnit(context) };
    },
  };
}

function changed(change: ContextChange): Noted {
  if ("refused" in change) return mistake(change.refused.code, change.refused.message);
  return { value: { status: "ok" }, context: change.context };
}

const NAME = { type: "string", description: "A letter, then letters, digits, _ . or -" };
const TYPE = { type: "string", description: "What kind of thing it is, such as customer, order or ticket" };
const ID = { type: "string", description: "What it is known by outside" };

/** context__set: notes a variable, or takes it away. */
export const setContextVariable = contextTool(
  "context__set",
  {
    description:
      "Note a variable this run goes by, such as a priority. Replaces the one of that name; null takes it away.",
    properties: { name: NAME, value: { type: ["string", "number", "boolean", "null"], description: "Its value" } },
    required: ["name", "value"],
  },
  z.object({
    name: contextName,
    value: z.union([textValue, z.number(), z.boolean(), z.null()], {
      error: "A text of 1 to 2,000 characters, a number, true, false or null.",
    }),
  }),
  (context, { name, value }) => changed(setVariable(context, name, value)),
);

/** context__get: reads a variable; nothing where there is none, or none of that type (INT-CTX-11). */
export const getContextVariable = contextTool(
  "context__get",
  {
    description:
      "Read a variable of this run. Comes back without a value when there is none, or none of the type asked for.",
    properties: { name: NAME, type: { type: "string", enum: VALUE_TYPES, description: "Only a value of this type" } },
    required: ["name"],
  },
  z.object({ name: z.string().trim(), type: z.enum(VALUE_TYPES).nullish() }),
  (context, { name, type }) => {
    const value = variableOf(context, name, type ?? undefined);
    return { value: { status: "ok", name, ...(value === undefined ? { found: false } : { found: true, value }) } };
  },
);

/** Models write numbers for ids, too. */
const anyId = z.union([z.number().transform(String), z.string()]).pipe(entityId);

/** context__track: this agent run is about something outside. */
export const trackContextEntity = contextTool(
  "context__track",
  {
    description: "Note something outside that this run is about, so that people find the run by it.",
    properties: { type: TYPE, id: ID, label: { type: "string", description: "How people call it" } },
    required: ["type", "id"],
  },
  z.object({ type: contextName, id: anyId, label: entityLabel.nullish() }),
  (context, { type, id, label }) => changed(trackEntity(context, { type, id, ...(label ? { label } : {}) })),
);

/** context__untrack: it is not about that any more. */
export const untrackContextEntity = contextTool(
  "context__untrack",
  {
    description: "This run is not about that any more.",
    properties: { type: TYPE, id: ID },
    required: ["type", "id"],
  },
  z.object({ type: contextName, id: anyId }),
  (context, entity) => changed({ context: untrackEntity(context, entity) }),
);
