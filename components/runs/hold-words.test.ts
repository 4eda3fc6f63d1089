import { describe, expect, it } from "vitest";
import { HELD_STATUSES, RUN_STATUSES } from "@/server/engine/state";
import { holdWords } from "./hold-words";

const held: readonly string[] = HELD_STATUSES;

describe("why a run stands still", () => {
  it("is said of what is held, with what Resume does, and of nothing else", () => {
    for (const status of RUN_STATUSES) {
      const words = holdWords({ status, reason: null });
      if (held.includes(status)) expect(words).toMatch(/^[A-Z].*\. Resume lets it go on .*\.$/);
      else expect(words).toBeNull();
    }
  });

  it("names who or what held it", () => {
    expect(holdWords({ status: "paused", reason: "paused by Mara Lind" })).toMatch(/^Paused by Mara Lind\. /);
    expect(holdWords({ status: "suspended", reason: "budget" })).toMatch(/^A limit stopped it: budget\. /);
    expect(holdWords({ status: "suspended", reason: "This run may cost $0.10." })).toMatch(
      /^This run may cost \$0\.10\. Resume lets it go on /,
    );
    expect(
      holdWords({ status: "suspended", reason: "This workspace may cost $1 a day (UTC): $1 are spent or reserved." }),
    ).toMatch(/^This workspace may cost \$1 a day \(UTC\): .*raise it under Usage/);
    expect(holdWords({ status: "interrupted", reason: "20 executions in a row were cut off" })).toMatch(
      /^No worker could carry it on: 20 executions in a row were cut off\. /,
    );
  });
});
