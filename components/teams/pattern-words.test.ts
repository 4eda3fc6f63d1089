import { expect, test } from "vitest";
import { patternSettings } from "@/server/engine/pattern-settings";
import { patternWords } from "./pattern-words";

test("a pattern is said with what becomes of the results, where that is not the supervisor's to say", () => {
  const words = (pattern: Parameters<typeof patternWords>[0]["pattern"], combine: string) =>
    patternWords({ pattern, patternSettings: patternSettings.parse({ broadcast: { combine, timeLimitMs: 90_000 } }) });
  expect(words("route", "all")).toBe("route");
  expect(words("broadcast", "supervisor")).toBe("broadcast");
  expect(words("broadcast", "majority")).toBe("broadcast: the most common");
  expect(words("broadcast", "first")).toBe("broadcast: the first that comes within 90 s");
  expect(words("debate", "all")).toBe("debate: 2 rounds, then the supervisor's model");
  expect(words("handoff", "all")).toBe("handoff: at most 10");
  expect(words("tasks", "all")).toBe("tasks");
});
