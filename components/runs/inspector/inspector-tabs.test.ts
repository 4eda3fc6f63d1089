import { expect, test } from "vitest";
import { indexRun } from "@/components/runs/run-index";
import { buildRunNodes } from "@/components/runs/run-nodes";
import { placesOf } from "@/components/runs/run-places";
import { agentRow, decisionRow, mailView, stepRow, taskRow, treeOf, uuid } from "@/components/runs/run-test-log";
import { tabFor, tabsOf, tabWord } from "./inspector-tabs";

const ROOT = uuid(10);
const CHILD = uuid(11);
const DECISION = uuid(20);
const tree = treeOf({
  agents: [agentRow(ROOT), agentRow(CHILD, { parentId: ROOT })],
  steps: [stepRow(ROOT, 0)],
  decisions: [decisionRow(DECISION, ROOT, { kind: "finish" })],
});
const full = { ...tree, tasks: [taskRow(ROOT, 1)], mails: [mailView(uuid(40), ROOT, CHILD)] };
const index = indexRun(tree);
const places = placesOf(buildRunNodes(index), index);
const tabs = (key: string, of = full) => {
  const node = places.get(key)?.node;
  if (!node) throw new Error(`no row ${key}`);
  return tabsOf(of, node);
};
const ALWAYS = ["overview", "input", "output", "decision", "cost", "events", "raw"];

test("tasks and letters have tabs where there are any, after all others", () => {
  expect(tabs(`agent:${ROOT}`, tree)).toEqual(ALWAYS);
  expect(tabs(`agent:${ROOT}`)).toEqual([...ALWAYS, "tasks", "mail"]);
  expect(tabs(`agent:${CHILD}`)).toEqual([...ALWAYS, "mail"]);
  expect(tabs(`${ROOT}.0`)).toEqual(ALWAYS);
  expect(tabs(`decision:${DECISION}`)).toEqual(["decision", "events", "raw"]);
});

test("a tab the row does not have gives way to its first", () => {
  expect(tabFor(tabs(`agent:${ROOT}`), "mail")).toBe("mail");
  expect(tabFor(tabs(`${ROOT}.0`), "mail")).toBe("overview");
  expect(tabFor(tabs(`decision:${DECISION}`), null)).toBe("decision");
});

test("what a model call was given is called its prompt", () => {
  const word = (key: string) => {
    const node = places.get(key)?.node;
    return node && tabWord("input", node);
  };
  expect(word(`${ROOT}.0`)).toBe("Prompt");
  expect(word(`agent:${ROOT}`)).toBe("Input");
});
