import { describe, expect, it } from "vitest";
import { mergeWaiting, type Waiting } from "./waiting-order";

function request(id: string, status: Waiting["status"] = "open"): Waiting {
  return {
    id,
    runId: "run",
    agentRunId: "agent",
    agentName: "Writer",
    position: 1,
    kind: "question",
    prompt: "?",
    options: [],
    answerKind: "choice",
    call: null,
    deadlineAt: null,
    defaultAnswer: null,
    status,
    answer: null,
    answeredBy: null,
    answeredByAgentId: null,
    escalatedUntil: null,
    assignee: null,
    answeredAt: null,
    createdAt: "2026-11-21T08:15:00.000Z",
    runTitle: "A run",
    isHeld: false,
  };
}
const ids = (items: readonly Waiting[]) => items.map((item) => (item.gone ? `${item.id}-gone` : item.id)).join(" ");

describe("the list of what waits", () => {
  it("keeps places when a nearer deadline arrives", () => {
    expect(
      ids(mergeWaiting([request("a"), request("b")], [request("urgent"), request("b"), request("a")], false)),
    ).toBe("a b urgent");
  });

  it("keeps what was answered here, with its answer, where it was", () => {
    const merged = mergeWaiting([request("a", "answered"), request("b")], [request("b")], false);
    expect(ids(merged)).toBe("a b");
    expect(merged[0]?.status).toBe("answered");
  });

  it("drops what was closed elsewhere, unless somebody points at the list", () => {
    expect(ids(mergeWaiting([request("a"), request("b")], [request("b")], false))).toBe("b");
    expect(ids(mergeWaiting([request("a"), request("b")], [request("b")], true))).toBe("a-gone b");
  });

  it("keeps what was assigned here to somebody whose requests it does not show", () => {
    const assigned = { ...request("a"), assignee: { id: "ada", name: "Ada" }, stays: true };
    for (const held of [true, false]) {
      const merged = mergeWaiting([assigned, request("b")], [request("b")], held);
      expect(ids(merged)).toBe("a b");
      expect(merged[0]?.assignee?.name).toBe("Ada");
    }
    // Also after an older reading that still has it.
    expect(ids(mergeWaiting(mergeWaiting([assigned], [request("a")], false), [], false))).toBe("a");
  });

  it("takes a request back that was only away for a moment", () => {
    const away = mergeWaiting([request("a")], [], true);
    expect(ids(mergeWaiting(away, [request("a")], true))).toBe("a");
  });
});
