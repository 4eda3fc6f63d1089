import { expect, test } from "vitest";
import { keyHint } from "@/server/providers/rules";
import { keyWords, storedKeyWords } from "./key-words";

test("a key is told by its end, one too short for that as such, and none as none", () => {
  const long = { apiKeyHint: keyHint("sk-0123456789-k3Xq") };
  const short = { apiKeyHint: keyHint("ollama") };
  expect([keyWords(long), keyWords(short), keyWords({ apiKeyHint: null })]).toEqual([
    "Key …k3Xq",
    "Key stored, too short to show its end",
    "No key",
  ]);
  expect([storedKeyWords(long), storedKeyWords(short)]).toEqual(["the stored key …k3Xq", "the stored key"]);
});
