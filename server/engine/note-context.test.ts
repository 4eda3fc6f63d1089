import { expect, test } from "vitest";
import {
  contextNotes,
  contextUnit,
  renderContext,
  setVariable,
  trackEntity,
  untrackEntity,
  variableOf,
} from "./note-context";
import { entityKeyText, entityOfKey, type RunContext, startContext } from "./run-context";

const CONTEXT: RunContext = {
  variables: [
    { name: "desk", value: "support" },
    { name: "priority", value: 5 },
    { name: "seen", value: false },
  ],
  entities: [{ type: "order", id: "4711", label: "Kettle" }],
};
const contextOf = (change: ReturnType<typeof setVariable>) => {
  if ("refused" in change) throw new Error(change.refused.message);
  return change.context;
};

test("a variable keeps its place when its value changes, and null takes it away", () => {
  const changed = contextOf(setVariable(CONTEXT, "priority", "high"));
  expect(changed?.variables).toEqual([
    { name: "desk", value: "support" },
    { name: "priority", value: "high" },
    { name: "seen", value: false },
  ]);
  expect(contextOf(setVariable(CONTEXT, "new", 0))?.variables.at(-1)).toEqual({ name: "new", value: 0 });
  expect(contextOf(setVariable(CONTEXT, "desk", null))?.variables.map(({ name }) => name)).toEqual([
    "priority",
    "seen",
  ]);
  expect(contextOf(setVariable(CONTEXT, "unknown", null))).toEqual(CONTEXT);
});

test("what says nothing any more is null, in whichever way it came to that", () => {
  expect(contextOf(setVariable({ variables: [{ name: "a", value: 1 }], entities: [] }, "a", null))).toBeNull();
  expect(untrackEntity({ variables: [], entities: CONTEXT.entities }, { type: "order", id: "4711" })).toBeNull();
  expect(untrackEntity(null, { type: "order", id: "4711" })).toBeNull();
  expect(contextOf(setVariable(null, "a", null))).toBeNull();
});

test("a variable is read where it is there, and of the type that is asked for (INT-CTX-11)", () => {
  expect(variableOf(CONTEXT, "priority")).toBe(5);
  expect(variableOf(CONTEXT, "priority", "number")).toBe(5);
  expect(variableOf(CONTEXT, "priority", "string")).toBeUndefined();
  expect(variableOf(CONTEXT, "seen", "boolean")).toBe(false);
  expect(variableOf(CONTEXT, "absent")).toBeUndefined();
  expect(variableOf(null, "priority")).toBeUndefined();
});

test("an entity is tracked once, by type and id, and keeps its label unless another is given", () => {
  const same = contextOf(trackEntity(CONTEXT, { type: "order", id: "4711" }));
  expect(same).toEqual(CONTEXT);
  expect(contextOf(trackEntity(CONTEXT, { type: "order", id: "4711", label: "Pot" }))?.entities).toEqual([
    { type: "order", id: "4711", label: "Pot" },
  ]);
  expect(contextOf(trackEntity(CONTEXT, { type: "customer", id: "4711" }))?.entities).toHaveLength(2);
  expect(untrackEntity(CONTEXT, { type: "customer", id: "4711" })).toEqual(CONTEXT);
});

test("there are at most 50 variables and 100 entities, with 20,000 characters together", () => {
  let context: RunContext | null = null;
  for (let at = 0; at < 50; at++) context = contextOf(setVariable(context, `v${at}`, at));
  expect(setVariable(context, "one-more", 1)).toMatchObject({ refused: { code: "context_full" } });
  expect(contextOf(setVariable(context, "v7", "other"))?.variables).toHaveLength(50);
  for (let at = 0; at < 100; at++) context = contextOf(trackEntity(context, { type: "order", id: String(at) }));
  expect(trackEntity(context, { type: "order", id: "100" })).toMatchObject({ refused: { code: "context_full" } });
  const long = "x".repeat(2_000);
  let full: RunContext | null = null;
  for (let at = 0; at < 9; at++) full = contextOf(setVariable(full, `v${at}`, long));
  expect(setVariable(full, "v9", long)).toMatchObject({ refused: { code: "context_full" } });
  expect(trackEntity(full, { type: "order", id: "1" })).toMatchObject({ context: {} });
});

test("a model is told values as they are, and nothing where there is nothing", () => {
  expect(renderContext(CONTEXT)).toBe('- desk = "support"\n- priority = 5\n- seen = false\n- order "4711": Kettle');
  expect(renderContext({ variables: [], entities: [{ type: "order", id: "1", label: "Two\nlines" }] })).toBe(
    '- order "1": Two lines',
  );
  expect(contextNotes(null)).toEqual([]);
  expect(contextNotes(CONTEXT)[0]).toMatch(/^What this run is about:\n- desk/);
  expect(contextUnit(null)).toEqual({
    agent: { context: null },
    events: [{ body: { kind: "agent.context", context: null } }],
  });
});

test("what people give is judged field by field", () => {
  const problemsOf = (given: unknown) =>
    startContext.safeParse(given).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
  expect(problemsOf({ variables: [{ name: "a", value: "b" }], entities: [{ type: "order", id: "1" }] })).toEqual([]);
  expect(problemsOf({ variables: [{ name: "1st", value: "b" }] })[0]).toMatch(/^variables.0.name: A letter first/);
  expect(problemsOf({ variables: [{ name: "a", value: "" }] })).toHaveLength(1);
  expect(problemsOf({ variables: [{ name: "a", value: "x".repeat(2_001) }] })).toHaveLength(1);
  expect(problemsOf({ variables: [{ name: "a", value: Number.POSITIVE_INFINITY }] })).toHaveLength(1);
  expect(problemsOf({ variables: [{ name: "a", value: null }] })).toHaveLength(1);
  expect(
    problemsOf({
      entities: [
        { type: "an order", id: "1" },
        { type: "order", id: " " },
      ],
    }),
  ).toHaveLength(2);
  const twice = { name: "a", value: 1 };
  expect(problemsOf({ variables: [twice, twice] })).toEqual(["variables.1.name: There is a variable of this name."]);
  expect(
    problemsOf({
      entities: [
        { type: "o", id: "1" },
        { type: "o", id: " 1 " },
      ],
    }),
  ).toEqual(["entities.1.id: This entity is there already."]);
  const long = Array.from({ length: 10 }, (_, at) => ({ name: `v${at}`, value: "x".repeat(2_000) }));
  expect(problemsOf({ variables: long })).toEqual([": At most 20,000 characters in all."]);
  expect(problemsOf({ variables: Array.from({ length: 51 }, (_, at) => ({ name: `v${at}`, value: 1 })) })).toHaveLength(
    1,
  );
});

test("an entity's key is its type and its id, whatever is in the id", () => {
  for (const id of ["4711", "a:b", "Ünï cöde", "https://x.test/?a=b&c", "line\nbreak"]) {
    expect(entityKeyText.safeParse(`order:${id}`).success).toBe(true);
    expect(entityOfKey(`order:${id}`)).toEqual({ type: "order", id });
  }
  for (const odd of ["", "order", "order:", ":1", "an order:1", `order:${"x".repeat(201)}`]) {
    expect(entityKeyText.safeParse(odd).success).toBe(false);
  }
});
