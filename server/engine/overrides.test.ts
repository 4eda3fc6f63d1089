import { describe, expect, it } from "vitest";
import { overrides, whyAsk } from "./overrides";

describe("why a person is asked before a call that writes", () => {
  it("is nobody's wish in a run that was started as usual", () => {
    expect(whyAsk(overrides.parse({}), "notes__write")).toBeNull();
  });

  it("is said of where the wish comes from", () => {
    expect(whyAsk(overrides.parse({ askBeforeWrites: true }), "notes__write")).toMatch(/retried from a step. It asks/);
    expect(whyAsk(overrides.parse({ since: "start", askBeforeWrites: true }), "notes__write")).toMatch(
      /started this run/,
    );
  });

  it("is always there for tools that had acted after the step a run was retried from", () => {
    expect(whyAsk(overrides.parse({ askBefore: ["notes__write"] }), "notes__write")).toMatch(
      /had acted after that step/,
    );
    expect(whyAsk(overrides.parse({ askBefore: ["notes__write"] }), "mail__send")).toBeNull();
  });
});
