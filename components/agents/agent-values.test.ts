import { expect, test } from "vitest";
import { agentConfig } from "@/server/agents/schema";
import {
  AGENT_SECTIONS,
  agentValues,
  changedSections,
  sectionOfField,
  standingProblems,
  toAgentInput,
  toAgentValues,
  USUAL,
} from "./agent-values";

const config = agentConfig.parse({ purpose: "Finds things", instructions: "Look.", tools: ["a", "b"] });

test("a form goes to the server as it came from it", () => {
  expect(toAgentInput(toAgentValues({ name: "Finder", draft: config }))).toEqual({ name: "Finder", config });
});

test("a section counts as changed when one of its settings differs from the published ones", () => {
  expect([...changedSections({ ...config, temperature: 0.4, maxToolRounds: 3 }, config)]).toEqual(["model", "limits"]);
});

test("a limit on spending belongs to the limits, and lifting it is a change", () => {
  const limited = { ...config, maxCostNanoUsd: 250_000_000, maxOutputTokens: 2000 };
  expect([...changedSections(limited, config), ...changedSections(config, limited)]).toEqual(["limits", "limits"]);
  expect(["maxCostNanoUsd", "maxTokens", "maxOutputTokens"].map(sectionOfField)).toEqual([
    "limits",
    "limits",
    "limits",
  ]);
});

test("every setting belongs to one section of the form", () => {
  const held = AGENT_SECTIONS.flatMap(({ fields }) => [...fields]);
  expect(held.toSorted()).toEqual(Object.keys(config).toSorted());
});

test("condensing, the todo list and the loop guard are in the sections people are led to", () => {
  const changed = changedSections(
    {
      ...config,
      summarizationThreshold: null,
      maxRepeatedCalls: 3,
      compaction: { ...config.compaction, minMessages: 4 },
    },
    config,
  );
  expect([...changed]).toEqual(["team", "alone", "conversation"]);
  expect(["summarizationModel", "continuationPrompt", "compaction.model"].map(sectionOfField)).toEqual([
    "team",
    "alone",
    "conversation",
  ]);
});

test("what the form starts with is what the schema takes without being told", () => {
  expect(toAgentInput(toAgentValues(null)).config).toEqual(USUAL);
  expect(agentValues.safeParse({ ...toAgentValues(null), name: "Finder" }).success).toBe(true);
});

test("what is wrong with a nested setting is said at its field", () => {
  const values = {
    ...toAgentValues({ name: "Finder", draft: config }),
    compaction: { ...config.compaction, prompt: "All." },
  };
  const [issue] = agentValues.safeParse(values).error?.issues ?? [];
  expect([issue?.path.join("."), issue?.message]).toEqual([
    "compaction.prompt",
    "It must hold {messages}, where the conversation goes.",
  ]);
});

test("the order of tools is no change", () => {
  expect([...changedSections({ ...config, tools: ["b", "a"] }, config)]).toEqual([]);
});

test("nothing differs from what was never published", () => {
  expect([...changedSections(config, null)]).toEqual([]);
});

test("a problem leads to the section its field is in", () => {
  expect([sectionOfField("name"), sectionOfField("tools.2"), sectionOfField("nothing")]).toEqual([
    "identity",
    "tools",
    null,
  ]);
});

test("a problem whose field was changed since the save is not claimed any more", () => {
  const saved = toAgentValues({ name: "Finder", draft: config });
  const problems = [
    { field: "instructions", message: "Empty." },
    { field: "tools", message: "Gone." },
  ];
  expect(standingProblems(problems, { ...saved, instructions: "New" }, saved).map(({ field }) => field)).toEqual([
    "tools",
  ]);
});
