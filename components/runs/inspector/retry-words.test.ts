import { describe, expect, test } from "vitest";
import type { RetryPlan } from "@/server/runs/step-schema";
import { alwaysAskedWords, effectWords, keptWords } from "./retry-words";

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
    expect(effectWords({ ...effect, status: "applied" })).toBe("Writer: send took effect");
    expect(effectWords({ ...effect, status: "intended" })).toBe("Writer: send was under way");
    expect(alwaysAskedWords(PLAN)).toBe("Nothing had been written after this step.");
    expect(alwaysAskedWords({ ...PLAN, tools: ["send", "pay"] })).toContain("about send, pay in any case");
  });
});
