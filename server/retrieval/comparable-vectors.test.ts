import { expect, test } from "vitest";
import { ModelError } from "@/server/models/model";
import { makeVectors } from "./comparable-vectors";
import type { Embedder } from "./embedder";

const NEVER = new AbortController().signal;

/** Two numbers a text: how long it is, and 1. Refuses what holds "bad". */
function anEmbedder(asked: string[][], code: "bad_request" | "unauthorized" = "bad_request"): Embedder {
  return {
    model: "local/embed",
    dims: 2,
    async embed(texts) {
      asked.push([...texts]);
      if (texts.some((text) => text.includes("bad"))) throw new ModelError(code, "Not this one.");
      return texts.map((text) => [text.length, 1]);
    },
  };
}
const rowsOf = (...texts: string[]) =>
  new Map(
    texts.map(
      (text, at) =>
        [
          `row ${at}`,
          [
            { text, weight: 0.5 },
            { text: "the same for all", weight: 0.5 },
          ],
        ] as const,
    ),
  );

test("a text that comes again is sent once, an empty one never", async () => {
  const asked: string[][] = [];
  const { made, refusal } = await makeVectors(anEmbedder(asked), rowsOf("one", "", "one"), NEVER);
  expect(asked).toEqual([["one", "the same for all"]]);
  expect(refusal).toBeNull();
  expect(made.map(({ id }) => id)).toEqual(["row 0", "row 1", "row 2"]);
  for (const { vector } of made) expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
});

test("one text the model will not take does not keep the others back", async () => {
  const { made, refusal } = await makeVectors(anEmbedder([]), rowsOf("good", "bad", "fine"), NEVER);
  expect(made.map(({ vector }) => vector === null)).toEqual([false, true, false]);
  expect(refusal).toBe("Not this one.");
});

test("where every text is refused, or the key is, nothing is called made", async () => {
  await expect(makeVectors(anEmbedder([]), rowsOf("bad", "very bad"), NEVER)).rejects.toThrow("Not this one.");
  const asked: string[][] = [];
  await expect(makeVectors(anEmbedder(asked, "unauthorized"), rowsOf("good", "bad"), NEVER)).rejects.toThrow(
    ModelError,
  );
  expect(asked).toHaveLength(1);
});
