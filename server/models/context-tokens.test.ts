import { expect, test } from "vitest";
import { contextTokensIn } from "./context-tokens";

test.each([
  ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", 8192, 9000],
  [
    "gpt-4-0613: maximum context length is 128,000 tokens. However, your messages resulted in 150,000 tokens.",
    128_000,
    150_000,
  ],
  ["prompt is too long: 210000 tokens > 200000 maximum", 200_000, 210_000],
  ["The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576, 1_100_000],
  ["This model's maximum prompt length is 131072 but the request contains 150000 tokens.", 131_072, 150_000],
  ["the request exceeds the available context size, try increasing it", undefined, undefined],
  ["Please reduce the length of the 20 messages or completion.", undefined, undefined],
])("AGT-ERR-05: %s", (message, allowedTokens, actualTokens) => {
  expect(contextTokensIn(message)).toEqual({
    ...(allowedTokens ? { allowedTokens } : {}),
    ...(actualTokens ? { actualTokens } : {}),
  });
});
