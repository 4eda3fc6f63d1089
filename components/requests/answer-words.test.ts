import { describe, expect, it } from "vitest";
import type { RequestView } from "@/server/engine/events";
import { answerLabel, closedSentence, deadlineOutcome } from "./answer-words";

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
  call: null,
  deadlineAt: null,
  defaultAnswer: null,
  status: "open",
  answer: null,
  answeredBy: null,
  answeredAt: null,
  createdAt: "2026-11-21T08:15:00.000Z",
};

describe("words about an answer", () => {
  it("shows the option's label, or the words somebody wrote", () => {
    expect(answerLabel(request, "long")).toBe("In detail");
    expect(answerLabel(request, "As a table")).toBe("As a table");
  });

  it("says who answered what", () => {
    expect(closedSentence({ ...request, status: "answered", answer: "short", answeredBy: "Mara Lind" })).toBe(
      "Mara Lind answered “Short”",
    );
    expect(closedSentence(request)).toBeNull();
  });

  it("does not blame a person for what the deadline did", () => {
    expect(closedSentence({ ...request, status: "expired", answer: "short" })).toContain("the default “Short” counts");
    expect(closedSentence({ ...request, status: "expired" })).toBe("The deadline passed without an answer");
  });

  it("names the default of a deadline", () => {
    expect(deadlineOutcome({ ...request, defaultAnswer: "long" })).toBe("then “In detail” counts");
    expect(deadlineOutcome(request)).toBe("then it goes on without an answer");
  });
});
