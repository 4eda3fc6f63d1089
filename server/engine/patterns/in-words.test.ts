import { expect, test } from "vitest";
import { agentConfig } from "@/server/agents/schema";
import type { TeamPattern } from "@/server/teams/schema";
import { patternSettings } from "../pattern-settings";
import { ledInWords } from "./in-words";

const CONFIG = agentConfig.parse({ purpose: "", instructions: "Lead." });
const words = (pattern: TeamPattern, settings: object = {}, isChild = false) =>
  ledInWords({
    ...{
      name: "Lead",
      config: CONFIG,
      pattern,
      patternSettings: patternSettings.parse(settings),
      isChild,
    },
    ...{ spawnable: ["One", "Two"].map((name) => ({ name, purpose: "" })), colleagues: [] },
  });

test("what the engine does is said with the settings of the pattern, and nothing where a model leads", () => {
  const led = "Lead is not asked how to go on: the engine leads. It gives the task to ";
  expect(words("debate")).toBe(
    `${led}One, Two at the same time; then, for up to 2 rounds, each answers again with the last answers of all. When all say the same that is the answer; else its model is asked once, to choose one of the answers.`,
  );
  expect(words("debate", { debate: { rounds: 1, judge: "majority" } })).toContain(
    "then, for one round, each answers again with the last answers of all. When all say the same that is the answer; else the most common answer is.",
  );
  expect(words("handoff", { handoff: { maxHandoffs: 3 } })).toBe(
    `${led}One; whoever has it answers, or hands it over to another of One, Two, at most 3 times in all. The answer of the last is the answer.`,
  );
  expect([words("tasks"), words("coordinate"), words("debate", {}, true)]).toEqual([null, null, null]);
});
