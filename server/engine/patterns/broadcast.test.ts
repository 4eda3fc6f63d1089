import { describe, expect, test } from "vitest";
import { COMBINATIONS, type Combination } from "../pattern-settings";
import { broadcast } from "./broadcast";
import type { Move, Part, PartEnd, Standing } from "./policy";

const TASK = "Do it.";
const done = (text: string, finishedAt = "2026-01-01T00:00:01Z"): PartEnd => ({
  ...{ status: "completed", text, reason: null, finishedAt },
});
const broken: PartEnd = { status: "failed", text: "", reason: "broke", finishedAt: null };
const agentsOf = (count: number) => Array.from({ length: count }, (_, nth) => `agent ${nth}`);
const standing = (ends: (PartEnd | null)[], waitedMs = 0): Standing => ({
  ...{ task: TASK, said: [], agents: agentsOf(ends.length), waitedMs },
  phases: [ends.map((end, nth): Part => ({ agent: `agent ${nth}`, task: TASK, end }))],
});
function move(combine: Combination, at: Standing, timeLimitMs = 10_000): Move {
  const policy = broadcast({ combine, timeLimitMs });
  if (!policy) throw new Error("a model leads");
  return policy(at);
}

test("without a rule for the results the supervisor's model leads", () => {
  expect(broadcast({ combine: "supervisor", timeLimitMs: 1_000 })).toBeNull();
});

test("every agent is given the whole task, with what people said", () => {
  const begun = move("all", { ...standing([null, null]), phases: [], said: ["Ada says while you work: Hurry."] });
  const task = "Do it.\n\nAda says while you work: Hurry.";
  expect(begun).toEqual({
    ...{ do: "start", reason: "All 2 agents get the whole task at once; their answers stand side by side." },
    parts: [
      { agent: "agent 0", task },
      { agent: "agent 1", task },
    ],
  });
  expect(move("all", { ...standing([]), phases: [] })).toMatchObject({ do: "fail", code: "no_agents" });
});

describe("first", () => {
  test("whoever completed first, and not whoever comes first in the team", () => {
    const ends = [done("late", "2026-01-01T00:00:09Z"), null, done("early", "2026-01-01T00:00:02Z")];
    expect(move("first", standing(ends))).toMatchObject({ do: "answer", text: "early" });
  });

  test("waits for what is left of the time, and says when nobody came", () => {
    expect(move("first", standing([null, broken], 4_000))).toEqual({ do: "wait", atMostMs: 6_000 });
    expect(move("first", standing([null, broken], 10_000))).toMatchObject({
      do: "answer",
      text: "None of the agents came to a result within 10 s.\n\n- agent 0: it was stopped: its result was not waited for\n- agent 1: broke",
    });
  });
});

describe("majority", () => {
  test.each([
    [["Yes", "no", "yes."], "Yes", "2 of 3 results are this answer, more than any other."],
    [
      ["A", "B"],
      "A",
      "1 of 2 results are this answer, and 1 more answer is as common: a tie. The first in the order of the team stands.",
    ],
    [["x", "“B”", "**b**", "B!"], "“B”", "3 of 4 results are this answer, more than any other."],
    [["1.5", "15"], "1.5", expect.stringContaining("a tie")],
    [["a  b\nc", "A B C", "d"], "a  b\nc", expect.stringContaining("2 of 3")],
  ])("of %j it is %j", (texts, text, reason) => {
    expect(move("majority", standing(texts.map((each) => done(each))))).toMatchObject({ do: "answer", text, reason });
  });

  test("who failed has no vote", () => {
    expect(move("majority", standing([broken, broken, done("Yes")]))).toMatchObject({ do: "answer", text: "Yes" });
  });
});

describe("best", () => {
  const read = (reply: string) => {
    const asked = move("best", standing([done("first"), broken, done("third")]));
    if (asked.do !== "ask") throw new Error("nobody was asked");
    expect(asked.prompt).not.toContain("agent 1");
    return asked.read(reply);
  };

  test("the highest score wins, and all reasons are kept", () => {
    const scores = [
      { agent: "agent 0", score: 4, reason: "Thin." },
      { agent: "agent 2", score: 9, reason: "Right." },
    ];
    expect(read(`\`\`\`json\n${JSON.stringify(scores)}\n\`\`\``)).toEqual({
      ...{ text: "third", source: "model-stated", reason: "agent 0: 4 of 10. Thin.\nagent 2: 9 of 10. Right." },
      chosen: { option: "agent:agent 2", label: "agent 2", position: null, reason: "Right." },
    });
  });

  test("of equal scores the first stands, and one that was not scored loses", () => {
    const equal = [0, 2].map((nth) => ({ agent: `agent ${nth}`, score: 5, reason: "So so." }));
    expect(read(JSON.stringify(equal)).text).toBe("first");
    expect(read(JSON.stringify(equal.slice(1)))).toMatchObject({
      text: "third",
      reason: expect.stringMatching(/^agent 0: not scored\./),
    });
  });

  test.each(["", "I cannot say.", "[1, 2]", '[{"agent":"agent 2","score":11,"reason":"Eleven."}]', "]["])(
    "from %j nothing can be read, and the first result stands",
    (reply) => {
      expect(read(reply)).toMatchObject({
        text: "first",
        source: "policy",
        reason: expect.stringContaining("could not be read"),
      });
    },
  );
});

/** Park and Miller's generator: the same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

test.each(Array.from({ length: 300 }, (_, seed) => seed + 1))(
  "whatever the ends (seed %i): nothing is concluded too early, and what is concluded stays so once it is recorded",
  (seed) => {
    const random = numbers(seed);
    const combine = COMBINATIONS[1 + random(COMBINATIONS.length - 1)] ?? "all";
    const ends = Array.from({ length: 1 + random(5) }, (): PartEnd | null => {
      const kind = random(3);
      return kind === 0 ? null : kind === 1 ? broken : done(`answer ${random(3)}`, `2026-01-01T00:00:0${random(9)}Z`);
    });
    const at = standing(ends, random(20_000));
    const first = move(combine, at);
    const isOpen = ends.includes(null);
    if (first.do === "wait") {
      expect(isOpen).toBe(true);
      if (combine === "first") expect(ends.some((end) => end?.status === "completed")).toBe(false);
      return;
    }
    if (combine !== "first") expect(isOpen).toBe(false);
    if (!ends.some((end) => end?.status === "completed")) expect(first.do).toBe("answer");
    // What was open is recorded as stopped, and time goes on.
    const stopped: PartEnd = {
      ...{ status: "aborted", text: "", reason: "it was stopped: its result was not waited for", finishedAt: null },
    };
    const later = move(
      combine,
      standing(
        ends.map((end) => end ?? stopped),
        at.waitedMs + 1_000_000,
      ),
    );
    expect(later.do).toBe(first.do);
    if (first.do === "answer" && later.do === "answer") expect(later.text).toBe(first.text);
  },
);
