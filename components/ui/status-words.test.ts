import { describe, expect, it } from "vitest";
import { RUN_STATUSES } from "@/server/engine/state";
import { reasonSentence, statusWord, TONE_OF } from "./status-words";

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

  it("turns the code of a failure into words and leaves its sentence alone", () => {
    expect(reasonSentence("unknown_model: Check MODEL_NAME")).toBe("Unknown model: Check MODEL_NAME.");
    expect(reasonSentence("No worker has snake_case.")).toBe("No worker has snake_case.");
  });

  it("names the limit that suspended a run", () => {
    expect(statusWord("suspended", "tool_loop_limit")).toBe("Suspended: tool loop limit");
  });
});
