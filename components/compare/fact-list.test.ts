import { expect, test } from "vitest";
import { treeOf } from "@/components/runs/run-test-log";
import type { RunFacts } from "@/server/runs/compare/schema";
import { listFacts } from "./fact-list";

function facts(over: Partial<RunFacts> = {}): RunFacts {
  const { id, title, status, statusReason, target, model, input, answer, citations, createdAt, forkOf } = treeOf().run;
  return {
    ...{ id, title, status, statusReason, target, model, input, answer, citations, createdAt, forkOf },
    ...{ inputTokens: 1_000, outputTokens: 104, costNanoUsd: 8_300_000, unpricedCalls: 0 },
    ...{ elapsedMs: 60_000, activeMs: 30_000, about: null, agents: 2, decisions: 5, failedSteps: 0 },
    steps: { model: 4, tool: 12, retrieval: 0, human: 1, summary: 0 },
    reused: { steps: 0, tokens: 0, costNanoUsd: 0 },
    ...over,
  };
}
const fact = (name: string, left: RunFacts, right: RunFacts) =>
  listFacts(left, right).find((each) => each.name === name);

test("of equal runs nothing differs", () => {
  expect(listFacts(facts(), facts()).filter(({ difference }) => difference !== null)).toEqual([]);
});

test("what is more, less or fewer is told with numbers", () => {
  const right = facts({ costNanoUsd: 12_300_000, activeMs: 28_900, agents: 1 });
  expect(fact("Cost", facts(), right)).toEqual({
    ...{ name: "Cost", left: "$0.0083", right: "$0.0123" },
    difference: "+ $0.0040 more",
  });
  expect(fact("At work", facts(), right)?.difference).toBe("− 1.1 s less");
  expect(fact("Agent runs", facts(), right)?.difference).toBe("− 1 fewer");
  expect(fact("Tokens", facts(), right)).toMatchObject({ left: "1,104", difference: null });
});

test("words are the same or different", () => {
  const right = facts({ model: "house/other", status: "failed" });
  expect(fact("Model", facts(), right)).toMatchObject({ right: "house/other", difference: "different" });
  expect(fact("State", facts(), right)).toMatchObject({ right: "Failed", difference: "different" });
});

test("what runs were about at the start is told where one was about something", () => {
  const about = {
    variables: [{ name: "urgent", value: true }],
    entities: [{ type: "order", id: "4711", label: "Kettle" }],
  };
  const name = "About, at the start";
  expect(fact(name, facts(), facts())).toBeUndefined();
  expect(fact(name, facts(), facts({ about }))).toEqual({
    ...{ name, left: "nothing in particular", right: "urgent: yes; order Kettle", difference: "different" },
  });
  expect(fact(name, facts({ about }), facts({ about }))?.difference).toBeNull();
});

test("what is not known is not compared", () => {
  expect(fact("Cost", facts(), facts({ unpricedCalls: 2, costNanoUsd: 0 }))).toMatchObject({
    right: "unknown: 2 calls without a known cost",
    difference: "not known",
  });
  expect(fact("From start to end", facts(), facts({ elapsedMs: null }))).toMatchObject({
    right: "not ended",
    difference: "not known",
  });
});

test("what a fork kept is told apart, as its cost is not in the fork", () => {
  expect(fact("Kept from another run", facts(), facts())).toBeUndefined();
  const fork = facts({ reused: { steps: 3, tokens: 1_200, costNanoUsd: 1_000_000 } });
  expect(fact("Kept from another run", facts(), fork)).toMatchObject({
    left: "nothing",
    right: "3 steps, $0.0010 and 1,200 tokens there",
  });
});
