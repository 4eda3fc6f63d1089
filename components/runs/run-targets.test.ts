import { expect, test } from "vitest";
import type { RunTarget } from "@/server/runs/schema";
import { describeTarget, targetInput, targetKey, targetOptions } from "./run-targets";

const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const team: RunTarget = {
  kind: "team",
  id: id(1),
  name: "Desk",
  purpose: "Answers.",
  version: 1,
  agents: ["Lead", "Searcher", "Writer"],
  example: null,
};
const agent: RunTarget = { ...team, kind: "agent", id: id(2), name: "Clerk", agents: [] };

test("a start names the team or the agent, never both", () => {
  expect(targetInput(team)).toEqual({ teamId: id(1) });
  expect(targetInput(agent)).toEqual({ agentId: id(2) });
});

test("teams and agents stand under headings only when there are both", () => {
  expect(targetOptions([team, agent])).toEqual([
    { group: "Teams", items: [{ value: targetKey(team), label: "Desk" }] },
    { group: "Agents", items: [{ value: targetKey(agent), label: "Clerk" }] },
  ]);
  expect(targetOptions([agent])).toEqual([{ value: `agent:${id(2)}`, label: "Clerk" }]);
  expect(targetOptions([])).toEqual([]);
});

test("a team is described by who is in it, an agent by its purpose", () => {
  expect(describeTarget(team)).toBe("Lead, with Searcher and Writer");
  expect(describeTarget({ purpose: "", agents: ["Lead"] })).toBe("Lead");
  expect(describeTarget(agent)).toBe("Answers.");
});
