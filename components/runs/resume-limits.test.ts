import { describe, expect, it } from "vitest";
import { UNREADABLE_USD } from "@/components/ui/usd";
import { resumeProblems, usedWords } from "./resume-limits";

const used = { costNanoUsd: 98_000_000, tokens: 12_400 };
const NONE = { maxCostNanoUsd: null, maxTokens: null };

describe("limits a run goes on under", () => {
  it("may be lifted, or be above what is used", () => {
    expect(resumeProblems({ maxCostNanoUsd: null, maxTokens: null }, used)).toEqual(NONE);
    expect(resumeProblems({ maxCostNanoUsd: 98_000_001, maxTokens: 12_401 }, used)).toEqual(NONE);
  });

  it("are refused up to what is spent or reserved, with the amount", () => {
    const problems = resumeProblems({ maxCostNanoUsd: 98_000_000, maxTokens: 12_400 }, used);
    expect(problems.maxCostNanoUsd).toMatch(/^\$0\.0980 are spent or reserved already\./);
    expect(problems.maxTokens).toMatch(/^12,400 are used or reserved already\./);
  });

  it("are refused when they are no amount", () => {
    const problems = resumeProblems({ maxCostNanoUsd: UNREADABLE_USD, maxTokens: 0 }, { costNanoUsd: 0, tokens: 0 });
    expect(problems.maxCostNanoUsd).toMatch(/no limit/);
    expect(problems.maxTokens).toMatch(/no limit/);
  });

  it("stand beside what was spent, and reserved where anything is", () => {
    expect(usedWords(used, { costNanoUsd: 0, tokens: 0 })).toBe("Spent so far: $0.0980 and 12,400 tokens.");
    expect(usedWords(used, { costNanoUsd: 0, tokens: 900 })).toContain("; $0.0000 and 900 tokens are reserved for");
  });
});
