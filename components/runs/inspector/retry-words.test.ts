import { describe, expect, test } from "vitest";
import type { RetryPlan } from "@/server/runs/step-schema";
import { alwaysAskedWords, effectLines, keptWords } from "./retry-words";

const PLAN: RetryPlan = {
  ...{ agentName: "Writer", stepName: "gpt", keptSteps: 0, reusedCostNanoUsd: 0 },
  ...{ effects: [], effectsTotal: 0, tools: [] },
};

describe("what a retry from a step says", () => {
  test("what it keeps, and what that cost", () => {
    expect(keptWords(PLAN)).toContain("all of it is done anew");
    expect(keptWords({ ...PLAN, keptSteps: 1 })).toContain("It keeps 1 step. What was");
    expect(keptWords({ ...PLAN, keptSteps: 2, reusedCostNanoUsd: 5_000_000 })).toContain(
      "It keeps 2 steps. They cost $0.0050, which is not counted again.",
    );
  });

  test("what already happened, and which tools are asked about in any case", () => {
    const effect = { agentName: "Writer", agentRunId: "", position: 2, tool: "send", at: "" };
    const lines = (statuses: string[]) => effectLines(statuses.map((status) => ({ ...effect, status })));
    expect(lines(["applied"])).toEqual(["Writer: send took effect"]);
    expect(lines(["intended"])).toEqual(["Writer: send was under way"]);
    expect(alwaysAskedWords(PLAN)).toBe("Nothing had been written after this step.");
    expect(alwaysAskedWords({ ...PLAN, tools: ["send", "pay"] })).toContain("about send, pay in any case");
  });

  test("calls of one agent that came to the same are one line, however many they are", () => {
    const effects = Array.from({ length: 1_200 }, (_, position) => ({
      ...{ agentName: position === 3 ? "Lead" : "Writer", agentRunId: "", position, tool: "send", at: "" },
      status: "applied",
    }));
    expect(effectLines(effects)).toEqual(["Writer: send took effect, 1,199 times", "Lead: send took effect"]);
  });
});
