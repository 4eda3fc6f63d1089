import type { Todo } from "./events";
import type { JournalUnit } from "./journal/unit";

/** An agent's checklist (LOK-TODO-05). Every change makes a new one, which is written whole. */

const MOST_ITEMS = 100;
const LONGEST_TEXT = 500;

export type Changed = { todo: Todo; id: number } | { refused: { code: string; message: string } };

/** A new list, whatever was there before: what counts how often the agent was sent on begins anew. */
export function newTodo(goal: string): Todo {
  return { goal, items: [], continues: 0 };
}

/** Adds an open item under the id after the highest. An agent may begin without stating a goal. */
export function addItem(todo: Todo | null, text: string): Changed {
  const { goal, items, continues } = todo ?? newTodo("");
  if (items.length >= MOST_ITEMS) {
    const message = `The list has ${MOST_ITEMS} items, which is the most. Work through them, or begin a new list with todo__init.`;
    return { refused: { code: "list_full", message } };
  }
  const id = Math.max(0, ...items.map((item) => item.id)) + 1;
  return { todo: { goal, items: [...items, { id, text, done: false }], continues }, id };
}

/** Ticks an item; one that is ticked already stays so. */
export function tickItem(todo: Todo | null, id: number): Changed {
  if (!todo?.items.some((item) => item.id === id)) {
    const ids = todo?.items.map((item) => item.id).join(", ");
    const message = `There is no item ${id} on your list. ${ids ? `Its items: ${ids}.` : "It is empty."}`;
    return { refused: { code: "unknown_item", message } };
  }
  return { todo: { ...todo, items: todo.items.map((item) => (item.id === id ? { ...item, done: true } : item)) }, id };
}

/** Why a goal or an item cannot be as it is; null when it can. */
export function whyNotText(what: string, text: string): string | null {
  if (!text) return `${what} is empty.`;
  return text.length > LONGEST_TEXT ? `${what} has ${text.length} characters; ${LONGEST_TEXT} are the most.` : null;
}

export function openItems(todo: Todo | null): number {
  return todo?.items.filter(({ done }) => !done).length ?? 0;
}

/** "2/5" */
export function progressOf({ items }: Todo): string {
  return `${items.filter(({ done }) => done).length}/${items.length}`;
}

/** The list in words, for a model: goal, progress and a line for each item. */
export function renderTodo(todo: Todo): string {
  const lines = todo.items.map(({ id, text, done }) => `${done ? "[x]" : "[ ]"} ${id}. ${text}`);
  return [...(todo.goal ? [`Goal: ${todo.goal}`] : []), `Progress: ${progressOf(todo)}`, ...lines].join("\n");
}

/** The list as it now is, for the rows and for whoever watches; null: it was cleared. */
export function todoUnit(todo: Todo | null): JournalUnit {
  return { agent: { todo }, events: [{ body: { kind: "agent.todo", todo } }] };
}
