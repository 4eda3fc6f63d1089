import { describe, expect, it } from "vitest";
import { RUN_STATUSES } from "@/server/engine/state";
import { statusWord, TONE_OF } from "./status-words";

describe("status words", () => {
  it("has a word and a tone for every state of the engine", () => {
    for (const status of RUN_STATUSES) {
      expect(statusWord(status)).toMatch(/^[A-Z][a-z]+$/);
      expect(TONE_OF[status]).toBeTruthy();
    }
  });

  it("tells an end by a person from an end by a policy", () => {
    expect(statusWord("aborted", "stopped")).toBe("Stopped");
    expect(statusWord("aborted", "Stopped by Mara Lind")).toBe("Stopped");
    expect(statusWord("aborted", "max_duration")).toBe("Aborted: maximum duration");
  });

  it("names the limit that suspended a run", () => {
    expect(statusWord("suspended", "tool_loop_limit")).toBe("Suspended: tool loop limit");
  });
});
