import { z } from "zod";
import type { Todo } from "../events";
import { addItem, type Changed, newTodo, progressOf, tickItem, todoUnit, whyNotText } from "../todo";
import { argumentsOf } from "../turn-decision";
import type { CallOutcome, EngineTool } from "./engine-tool";

/** Models write numbers as text, too. */
const itemId = z.union([z.int(), z.string().trim().regex(/^\d+$/).transform(Number)]);

type Properties = Record<string, { type: string; description: string }>;

/** A tool that works on the agent's own list. Serial: calls of one turn each see what the one before did. */
function todoTool(
  name: string,
  { description, properties = {} }: { description: string; properties?: Properties },
  change: (todo: Todo | null, args: Record<string, unknown>) => CallOutcome & { todo?: Todo | null },
): EngineTool {
  const parameters = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  return {
    kind: "tool",
    isSerial: true,
    offer: ({ config }) => (config.autoContinue ? { name, description, parameters } : null),
    async run(execution, { call }) {
      const { todo, ...outcome } = change(execution.todo, argumentsOf(call));
      if (todo === undefined) return outcome;
      execution.todo = todo;
      return { ...outcome, unit: todoUnit(todo) };
    },
  };
}

/** An error of these tools is data (LOK-TODO-04). */
function mistake(code: string, message: string): CallOutcome {
  return { value: { status: "error", message }, error: { code, message } };
}

function changed(change: Changed, message: (id: number) => string): CallOutcome & { todo?: Todo } {
  if ("refused" in change) return mistake(change.refused.code, change.refused.message);
  const { todo, id } = change;
  return { value: { status: "ok", id, message: message(id), progress: progressOf(todo) }, todo };
}

/** todo__init: begins a list; one that was there is gone. */
export const initTodo = todoTool(
  "todo__init",
  {
    description: "Begin a checklist for this task. A list you had before is cleared.",
    properties: { goal: { type: "string", description: "What is reached when every item is done" } },
  },
  (_, args) => {
    const goal = textOf(args.goal);
    const whyNot = whyNotText("The goal", goal);
    if (whyNot) return mistake("malformed_arguments", whyNot);
    return {
      value: { status: "ok", message: "The list is empty. Add its items with todo__add." },
      todo: newTodo(goal),
    };
  },
);

/** todo__add: one more item, open. */
export const addTodo = todoTool(
  "todo__add",
  {
    description: "Add an item to your checklist. Returns its id.",
    properties: { task: { type: "string", description: "One step of the work, in a sentence" } },
  },
  (todo, args) => {
    const text = textOf(args.task);
    const whyNot = whyNotText("The task", text);
    return whyNot ? mistake("malformed_arguments", whyNot) : changed(addItem(todo, text), () => "Added.");
  },
);

/** todo__done: ticks an item. */
export const doneTodo = todoTool(
  "todo__done",
  {
    description: "Tick an item of your checklist, as soon as it is finished.",
    properties: { id: { type: "integer", description: "Id given by todo__add" } },
  },
  (todo, args) => {
    const id = itemId.safeParse(args.id);
    if (!id.success) return mistake("malformed_arguments", "todo__done needs the id of an item, which is a number.");
    return changed(tickItem(todo, id.data), () => "Ticked.");
  },
);

/** todo__list: the list as it is. */
export const listTodo = todoTool("todo__list", { description: "Read your checklist." }, (todo) => {
  if (!todo) return { value: { status: "ok", message: "You have no list. Begin one with todo__init.", items: [] } };
  return { value: { status: "ok", goal: todo.goal, progress: progressOf(todo), items: todo.items } };
});

/** todo__clear: there is no list any more, and nothing to go on with. */
export const clearTodo = todoTool(
  "todo__clear",
  { description: "Throw your checklist away, when the work has changed direction." },
  () => ({ value: { status: "ok", message: "The list is gone." }, todo: null }),
);

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
