import { describe, expect, it } from "vitest";
import type { RemovalPlan } from "@/server/runs/list-schema";
import { addPlans, NOTHING_PLANNED, refusalsByReason, whatGoes, whatStays } from "./removal-words";

const plan = (parts: Partial<RemovalPlan>): RemovalPlan => ({ ...NOTHING_PLANNED, ...parts });

describe("what a removal says", () => {
  it("goes with one run", () => {
    expect(whatGoes(plan({ runs: 1, steps: 1, decisions: 2, bytes: 8_200 }))).toEqual([
      "1 run with its input, answer, events and costs",
      "1 step and 2 decisions, with what was said in them",
      "8.2 kB in the database, and large values nothing else names",
    ]);
  });

  it("names open questions, turns and what was made from it only where there are any", () => {
    expect(whatGoes(plan({ runs: 3, openRequests: 2 }))[2]).toBe("2 open questions nobody answered");
    expect(whatGoes(plan({ runs: 3, knownCalls: 1 }))[2]).toMatch(/^What 1 call of a tool came to: .* acts again$/);
    expect(whatStays(plan({ runs: 3 }))).toHaveLength(2);
    expect(whatStays(plan({ runs: 1, descendants: 2 }))).toEqual([
      "2 other runs made from it, without the link",
      "What it cost, in what the workspace spent today and in its limits",
      "Who deleted it, and when",
    ]);
    const lines = whatStays(plan({ runs: 3, turns: 1, descendants: 1 }));
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^The conversation it is a turn of/);
    expect(lines[1]).toMatch(/^1 other run made from/);
    expect(whatStays(plan({ turns: 4 }))[0]).toMatch(/^The conversations 4 turns of which/);
  });

  it("adds up over its parts", () => {
    const refused = (runId: string) => [{ runId, title: null, why: "no" }];
    expect(
      addPlans(plan({ runs: 2, bytes: 10, refused: refused("a") }), plan({ runs: 1, bytes: 5, refused: refused("b") })),
    ).toEqual(plan({ runs: 3, bytes: 15, refused: [...refused("a"), ...refused("b")] }));
  });

  it("gathers refusals by reason and names the first few", () => {
    const refused = [..."abcdefg"].map((runId) => ({ runId, title: runId, why: runId === "g" ? "gone" : "at work" }));
    expect(refusalsByReason(refused)).toEqual([
      { why: "at work", count: 6, titles: ["a", "b", "c", "d", "e"] },
      { why: "gone", count: 1, titles: ["g"] },
    ]);
  });
});
