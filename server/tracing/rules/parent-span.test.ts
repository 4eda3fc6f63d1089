import { expect, test } from "vitest";
import { deriveId } from "@/server/engine/ids";
import { parentSpanOf } from "./parent-span";
import { agentSpanId, stepSpanId, traceIdOf } from "./span-ids";

const PARENT = "018f3e5c-7b1a-7c3e-9a1b-2f3c4d5e6f70";
const choice = (position: number | null) => ({ option: "agent:A", label: "A", position, reason: null });
const by = (chosen: (number | null)[], recorded: number[], position = 4) => ({
  ...{ agentRunId: PARENT, position, recorded, chosen: chosen.map(choice) },
});
const child = (place: string) => ({ id: deriveId(PARENT, place), parentId: PARENT });

test("a root hangs on nothing, and who was started in an unknown way on its parent", () => {
  expect(parentSpanOf({ id: PARENT, parentId: null }, null)).toBeNull();
  expect(parentSpanOf(child("child 5"), null)).toBe(agentSpanId(PARENT));
});

test("of several children of one turn each hangs on its own call, whoever leads", () => {
  expect(parentSpanOf(child("child 6"), by([5, 6], [4, 5, 6]))).toBe(stepSpanId(PARENT, 6));
  expect(parentSpanOf(child("pattern 5"), by([5, 6], [5, 6]))).toBe(stepSpanId(PARENT, 5));
});

test("one whose call is not known hangs on the step that decided, where there is one", () => {
  expect(parentSpanOf(child("task 2"), by([null], [4]))).toBe(stepSpanId(PARENT, 4));
  expect(parentSpanOf(child("task 2"), by([null], []))).toBe(agentSpanId(PARENT));
  expect(parentSpanOf(child("elsewhere"), by([5, 6], [4, 5, 6]))).toBe(stepSpanId(PARENT, 4));
});

test("ids are what OpenTelemetry takes, and another for each", () => {
  expect(traceIdOf(PARENT)).toMatch(/^[0-9a-f]{32}$/);
  const ids = [agentSpanId(PARENT), stepSpanId(PARENT, 0), stepSpanId(PARENT, 1)];
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(ids).size).toBe(ids.length);
});
