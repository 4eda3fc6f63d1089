import { describe, expect, test } from "vitest";
import type { Todo } from "./events";
import { addItem, newTodo, openItems, progressOf, renderTodo, tickItem, whyNotText } from "./todo";

function listOf(...texts: string[]): Todo {
  let todo = newTodo("Publish the report");
  for (const text of texts) {
    const added = addItem(todo, text);
    if ("refused" in added) throw new Error(added.refused.message);
    todo = added.todo;
  }
  return todo;
}

function ticked(todo: Todo, id: number): Todo {
  const change = tickItem(todo, id);
  if ("refused" in change) throw new Error(change.refused.message);
  return change.todo;
}

describe("a checklist", () => {
  test("gives each item the id after the highest, and begins without a goal where none was stated", () => {
    expect(listOf("Read", "Write").items).toEqual([
      { id: 1, text: "Read", done: false },
      { id: 2, text: "Write", done: false },
    ]);
    expect(addItem({ ...listOf(), items: [{ id: 7, text: "Left", done: true }] }, "Next")).toMatchObject({ id: 8 });
    expect(addItem(null, "Alone")).toEqual({
      id: 1,
      todo: { goal: "", items: [{ id: 1, text: "Alone", done: false }], continues: 0 },
    });
  });

  test("keeps how often its agent was sent on while items are added and ticked, and a new one begins at none", () => {
    const sentOn = { ...listOf("Read"), continues: 3 };
    expect(addItem(sentOn, "Write")).toMatchObject({ todo: { continues: 3 } });
    expect(ticked(sentOn, 1).continues).toBe(3);
    expect(newTodo("Again").continues).toBe(0);
  });

  test("ticks one item, as often as it is told to, and refuses an id it does not have", () => {
    const once = ticked(listOf("Read", "Write"), 2);
    expect(once.items.map(({ done }) => done)).toEqual([false, true]);
    expect(ticked(once, 2)).toEqual(once);
    expect(openItems(once)).toBe(1);
    expect(tickItem(once, 3)).toEqual({
      refused: { code: "unknown_item", message: "There is no item 3 on your list. Its items: 1, 2." },
    });
    expect(tickItem(null, 1)).toMatchObject({ refused: { message: expect.stringContaining("It is empty.") } });
    expect(openItems(null)).toBe(0);
  });

  test("holds a hundred items of 500 characters", () => {
    const full = listOf(...Array.from({ length: 100 }, (_, i) => `Step ${i}`));
    expect(addItem(full, "One more")).toMatchObject({
      refused: { code: "list_full", message: expect.stringContaining("100 items") },
    });
    expect(whyNotText("The task", "x".repeat(500))).toBeNull();
    expect(whyNotText("The task", "x".repeat(501))).toBe("The task has 501 characters; 500 are the most.");
    expect(whyNotText("The goal", "")).toBe("The goal is empty.");
  });

  test("reads as goal, progress and a line for each item", () => {
    const todo = ticked(listOf("Read", "Write"), 1);
    expect(progressOf(todo)).toBe("1/2");
    expect(renderTodo(todo)).toBe("Goal: Publish the report\nProgress: 1/2\n[x] 1. Read\n[ ] 2. Write");
    expect(renderTodo({ ...todo, goal: "", items: [] })).toBe("Progress: 0/0");
  });
});
