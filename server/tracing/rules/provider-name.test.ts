import { expect, test } from "vitest";
import { providerName } from "./provider-name";

test.each([
  ["ours", "api.openai.com", "openai"],
  ["ours", "acme.openai.azure.com", "azure.ai.openai"],
  ["ours", "generativelanguage.googleapis.com", "gcp.gemini"],
  ["ours", "llm.example.com", "ours"],
  ["api.mistral.ai", null, "mistral_ai"],
  ["127.0.0.1:8080", null, "127.0.0.1:8080"],
  ["rehearsal", null, "rehearsal"],
  // Somebody else's host that only ends alike.
  ["ours", "notx.ai", "ours"],
])("%s at %s is %s", (name, host, expected) => {
  expect(providerName(name, host)).toBe(expected);
});
