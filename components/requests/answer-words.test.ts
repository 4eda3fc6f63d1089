import { describe, expect, it } from "vitest";
import type { RequestView } from "@/server/engine/events";
import {
  aftermathSentence,
  answerLabels,
  closedSentence,
  deadlineOutcome,
  escalationSentence,
  isUnanswered,
} from "./answer-words";

const request: RequestView = {
  id: "019aa6f0-0000-7000-8000-000000000001",
  runId: "019aa6f0-0000-7000-8000-000000000002",
  agentRunId: "019aa6f0-0000-7000-8000-000000000003",
  agentName: "Supervisor",
  position: 4,
  kind: "question",
  prompt: "How detailed should it be?",
  options: [
    { value: "short", label: "Short" },
    { value: "long", label: "In detail" },
  ],
  answerKind: "choice",
  call: null,
  deadlineAt: null,
  defaultAnswer: null,
  status: "open",
  answer: null,
  answeredBy: null,
  answeredByAgentId: null,
  escalatedUntil: null,
  assignee: null,
  answeredAt: null,
  createdAt: "2026-11-21T08:15:00.000Z",
};

describe("words about an answer", () => {
  it("shows the option's label, or the words somebody wrote", () => {
    expect(answerLabels(request, "long")).toEqual(["In detail"]);
    expect(answerLabels(request, "As a table")).toEqual(["As a table"]);
  });

  it("says who answered what", () => {
    expect(closedSentence({ ...request, status: "answered", answer: "short", answeredBy: "Mara Lind" })).toBe(
      "Mara Lind answered “Short”",
    );
    expect(closedSentence(request)).toBeNull();
  });

  it("names every option that was ticked, and says so when none was", () => {
    const answered = (answer: string[]) =>
      closedSentence({ ...request, answerKind: "several", status: "answered", answer, answeredBy: "Mara Lind" });
    expect(answered(["short", "long"])).toBe("Mara Lind answered “Short”, “In detail”");
    expect(answered(["long"])).toBe("Mara Lind answered “In detail”");
    expect(answered([])).toBe("Mara Lind answered “None of these”");
  });

  it("does not blame a person for what the deadline did", () => {
    expect(closedSentence({ ...request, status: "expired", answer: "short" })).toContain("the default “Short” counts");
    expect(closedSentence({ ...request, status: "expired" })).toBe("The deadline passed without an answer");
    expect(closedSentence({ ...request, kind: "approval", status: "expired" })).toBe(
      "The deadline passed, so the call was not allowed",
    );
    expect(aftermathSentence({ ...request, status: "expired" }, false)).toMatch(/closed before your answer arrived/);
  });

  it("says how long the agents above are asked, and who is asked then", () => {
    const until = new Date(2026, 10, 21, 12, 3, 5);
    const escalated = { ...request, status: "escalated", escalatedUntil: until.toISOString() } as const;
    expect(escalationSentence(escalated, until.getTime() - 185_000)).toBe(
      "Asked of the agents above until 12:03:05, 3 min from now; then a person is asked",
    );
    expect(escalationSentence(escalated, null)).toBe(
      "Asked of the agents above until 12:03:05; then a person is asked",
    );
    expect(escalationSentence(escalated, until.getTime())).toBe(
      "No agent above answered in time; a person is asked next",
    );
    expect([isUnanswered(escalated), closedSentence(escalated)]).toEqual([true, null]);
  });

  it("tells an agent's answer from a person's", () => {
    const byAgent: RequestView = {
      ...{ ...request, status: "answered", answer: "short", answeredBy: "Lead" },
      answeredByAgentId: "019aa6f0-0000-7000-8000-000000000009",
    };
    expect(closedSentence(byAgent)).toBe("Lead answered “Short”");
    expect(aftermathSentence(byAgent, null)).toBe("An agent above answered, so no person was asked.");
    expect(aftermathSentence(byAgent, false)).toMatch(/closed before your answer arrived/);
    expect(aftermathSentence({ ...byAgent, answeredByAgentId: null }, null)).toBe("Answering again changes nothing.");
    expect(aftermathSentence({ ...byAgent, status: "withdrawn" }, null)).toBeNull();
  });

  it("names the default of a deadline", () => {
    expect(deadlineOutcome({ ...request, defaultAnswer: "long" })).toBe("then “In detail” counts");
    expect(deadlineOutcome(request)).toBe("then it goes on without an answer");
    expect(deadlineOutcome({ ...request, kind: "approval" })).toBe("then the call is not allowed");
  });
});
