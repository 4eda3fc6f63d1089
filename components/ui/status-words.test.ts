import { describe, expect, it } from "vitest";
import { RUN_STATUSES } from "@/server/engine/state";
import { reasonSentence, statusHelp, statusInFull, statusWord, TONE_OF } from "./status-words";

describe("status words", () => {
  it("has a word and a tone for every state of the engine", () => {
    for (const status of RUN_STATUSES) {
      expect(statusWord(status)).toMatch(/^[A-Z][a-z]+$/);
      expect(TONE_OF[status]).toBeTruthy();
      expect(statusHelp(status)).toMatch(/^[A-Z][a-z]+\. [A-Z].+\.$/);
    }
  });

  it("tells an end by a person from an end by a policy", () => {
    expect(statusWord("aborted", "stopped")).toBe("Stopped");
    expect(statusWord("aborted", "Stopped by Mara Lind")).toBe("Stopped");
    expect(statusWord("aborted", "max_duration")).toBe("Aborted: maximum duration");
    expect(statusWord("aborted", "progress_timeout")).toBe("Aborted: no progress");
  });

  it("turns the code of a failure into words and leaves its sentence alone", () => {
    expect(reasonSentence("unknown_model: Check MODEL_NAME")).toBe("Unknown model: Check MODEL_NAME.");
    expect(reasonSentence("No worker has snake_case.")).toBe("No worker has snake_case.");
  });

  it("names the limit that suspended a run", () => {
    expect(statusWord("suspended", "tool_loop_limit")).toBe("Suspended: tool loop limit");
  });

  it("leaves a sentence out of the word and tells it where there is room", () => {
    const spent = "This run may cost $0.10: $0.098 are spent or reserved, and the next call may cost up to $0.003.";
    expect(statusWord("suspended", spent)).toBe("Suspended");
    expect(statusInFull("suspended", spent)).toBe(`Suspended. ${spent.slice(0, -1)}`);
    expect(statusHelp("suspended", spent)).toContain(`${spent} A limit stopped it.`);
    expect(statusWord("aborted", `budget_exhausted: ${spent}`)).toBe("Aborted: budget used up");
    expect(statusInFull("aborted", `budget_exhausted: ${spent}`)).toBe(
      `Aborted: budget used up. ${spent.slice(0, -1)}`,
    );
    expect(reasonSentence(`budget_exhausted: ${spent}`)).toBe(`Budget used up: ${spent}`);
    expect(statusInFull("failed", "Nothing answered.")).toBe("Failed");
  });
});
