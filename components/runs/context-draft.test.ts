import { expect, test } from "vitest";
import { startContext } from "@/server/engine/run-context";
import {
  anEntityRow,
  aVariableRow,
  contextDraftOf,
  contextProblems,
  NO_CONTEXT,
  toStartContext,
} from "./context-draft";
import { aboutHref, contextCounts, contextLine } from "./context-words";

const DRAFT = {
  variables: [
    aVariableRow({ name: " priority ", type: "number", value: " 2.5 " }),
    aVariableRow({ name: "urgent", type: "boolean", value: "false" }),
    aVariableRow({ name: "desk", value: " as typed " }),
    aVariableRow(),
  ],
  entities: [
    anEntityRow({ type: "order", id: " 4711 ", label: " Kettle " }),
    anEntityRow({ type: "user", id: "u" }),
    anEntityRow(),
  ],
};

test("what was typed is sent as values of their types, and rows left empty are not", () => {
  expect(contextProblems(DRAFT)).toEqual({});
  const sent = toStartContext(DRAFT);
  expect(sent).toEqual({
    variables: [
      { name: "priority", value: 2.5 },
      { name: "urgent", value: false },
      { name: "desk", value: " as typed " },
    ],
    entities: [
      { type: "order", id: "4711", label: "Kettle" },
      { type: "user", id: "u" },
    ],
  });
  expect(startContext.parse(sent)).toEqual(sent);
  expect(toStartContext(NO_CONTEXT)).toEqual({ variables: [], entities: [] });
});

test("what a run began with comes back into the form, and out of it as it was", () => {
  const sent = toStartContext(DRAFT);
  const draft = contextDraftOf(sent);
  expect(draft.variables.map(({ type, value }) => [type, value])).toEqual([
    ...[
      ["number", "2.5"],
      ["boolean", "false"],
      ["string", " as typed "],
    ],
  ]);
  expect(toStartContext(draft)).toEqual(sent);
  expect(contextDraftOf(null)).toEqual(NO_CONTEXT);
});

test("what is wrong is said beside its field", () => {
  const problems = contextProblems({
    variables: [
      aVariableRow({ name: "priority", type: "number", value: "soon" }),
      aVariableRow({ name: "priority", type: "number", value: "1" }),
      aVariableRow({ name: "no name!", value: "x" }),
      aVariableRow({ name: "empty" }),
      aVariableRow({ value: "nameless" }),
      aVariableRow({ name: "nothing", type: "number", value: " " }),
    ],
    entities: [
      anEntityRow({ type: "order", id: "1" }),
      anEntityRow({ type: "order", id: "1", label: "Again" }),
      anEntityRow({ label: "Only a label" }),
    ],
  });
  expect(Object.keys(problems).map((field) => field.replace("context.", ""))).toEqual([
    ...["variables.0.value", "variables.1.name", "variables.2.name", "variables.3.value", "variables.4.name"],
    ...["variables.5.value", "entities.1.id", "entities.2.type", "entities.2.id"],
  ]);
  expect(problems["context.variables.1.name"]).toBe("There is a variable of this name.");
});

test("more than a run may be about is said of the whole", () => {
  const long = Array.from({ length: 11 }, (_, at) => aVariableRow({ name: `v${at}`, value: "x".repeat(1_900) }));
  expect(contextProblems({ variables: long, entities: [] })).toEqual({ context: "At most 20,000 characters in all." });
});

test("it is counted and told in words", () => {
  expect(contextCounts(toStartContext(DRAFT))).toBe("3 variables, 2 entities");
  expect(contextCounts(NO_CONTEXT)).toBe("");
  expect(contextLine(toStartContext(DRAFT))).toBe("priority: 2.5; urgent: no; desk:  as typed ; order Kettle; user u");
  expect(aboutHref({ type: "order", id: "47&11" })).toBe("/runs?about=order%3A47%2611");
});
