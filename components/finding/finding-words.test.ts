import { expect, test } from "vitest";
import { doneWords, estimateWords, missingWords, sentWords } from "./finding-words";

test("what is done counts what the model refused, and says so", () => {
  expect(doneWords({ ready: 412, refused: 0, total: 9_800 })).toBe("412 of 9,800 done");
  expect(doneWords({ ready: 8, refused: 2, total: 10 })).toBe("10 of 10 done, 2 of them refused by the model");
});

test("a list says what it cannot show, and nothing when it shows all", () => {
  const run = { noun: "run", byMeaning: true } as const;
  expect(missingWords({ ready: 3, refused: 0, total: 3 }, run)).toBeNull();
  expect(missingWords({ ready: 2, refused: 0, total: 3 }, run)).toBe("1 run of 3 cannot be found by meaning yet.");
  expect(missingWords({ ready: 0, refused: 1, total: 3 }, { noun: "decision", byMeaning: false })).toBe(
    "2 decisions of 3 cannot be found by likeness yet. 1 decision cannot be found this way: the model would not take the words.",
  );
});

test("an estimate names its price, or that nobody knows it", () => {
  const estimate = { runs: 2, decisions: 1, texts: 6, tokens: 1_200, costNanoUsd: 24_000_000 };
  expect(estimateWords(estimate)).toContain("2 runs and 1 decision, about 6 texts");
  expect(estimateWords(estimate)).toContain("about $0.024");
  expect(estimateWords({ ...estimate, costNanoUsd: 0 })).toContain("free");
  expect(estimateWords({ ...estimate, costNanoUsd: null })).toContain("not known");
  expect(estimateWords({ ...estimate, runs: 0, decisions: 0 })).toContain("nothing to send");
});

test("what was sent is told only of a provider's model", () => {
  const view = {
    ...{
      embeddingModel: "local/embed",
      byMeaning: true,
      prepared: null,
      problem: null,
      nextTryAt: null,
      refusal: null,
    },
    sent: { texts: 5, tokens: 100, costNanoUsd: null },
  };
  expect(sentWords(view)).toContain("“local” so far: 5 texts");
  expect(sentWords(view)).toContain("unknown price");
  expect(sentWords({ ...view, byMeaning: false })).toBeNull();
});
