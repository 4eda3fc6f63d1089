import { expect, test } from "vitest";
import { FINISH_REASONS } from "@/tests/support/gen-ai-conventions";
import { MOST_CONTENT } from "../constants";
import { outputMessages, toolDefinitions } from "./content";

const reply = (calls: { id: string; name: string; arguments: string }[] = []) =>
  ({ role: "assistant", content: "So.", calls, callId: null }) as const;
const reasonOf = (word: string | null, calls?: Parameters<typeof reply>[0]) =>
  JSON.parse(outputMessages({ ...reply(calls), calls: calls ?? [] }, word))[0].finish_reason;

test("why a reply ended is told in the words of the conventions, whatever the endpoint's are", () => {
  const words = [
    "stop",
    "length",
    "tool_calls",
    "function_call",
    "tool_use",
    "content_filter",
    "end_turn",
    "max_tokens",
  ];
  for (const word of words) expect(FINISH_REASONS).toContain(reasonOf(word));
  expect(reasonOf("tool_calls")).toBe("tool_call");
  expect(reasonOf("max_tokens")).toBe("length");
  // One that has no other word there stays.
  expect(reasonOf("insufficient_system_resource")).toBe("insufficient_system_resource");
  // Not told: then all of it came.
  expect(reasonOf(null)).toBe("stop");
  expect(reasonOf(null, [{ id: "1", name: "look", arguments: "{}" }])).toBe("tool_call");
});

test("definitions of tools are left out as wholes, so that the rest can be read", () => {
  const tool = (name: string, length: number) => ({ name, description: "x".repeat(length), parameters: {} });
  const { json, leftOut } = toolDefinitions([tool("short", 10), tool("huge", MOST_CONTENT), tool("last", 20)]);
  expect(JSON.parse(json).map(({ name }: { name: string }) => name)).toEqual(["short", "last"]);
  expect(leftOut).toBe(1);
  expect(json.length).toBeLessThanOrEqual(MOST_CONTENT);
});
