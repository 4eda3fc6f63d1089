import { expect, test } from "vitest";
import type { Told } from "../queries/read-told";
import { WEBHOOK_EVENTS } from "../schema";
import { payloadOf } from "./payload";

const SAID = "what nobody outside may hear";

const told = (also: Partial<Told> = {}): Told => ({
  ...{ kind: "run.status", body: { status: "failed", reason: SAID, answer: SAID }, workspaceName: "Acme" },
  run: {
    ...{
      id: "r1",
      title: SAID,
      input: SAID,
      status: "running",
      of: "Support desk",
      isTeam: true,
      conversationId: null,
    },
    ...{ forkedFromRunId: null, startedBy: "Mara", inputTokens: 7, outputTokens: 3, costNanoUsd: 12 },
    ...{ createdAt: "2026-11-25T03:00:00.000Z", startedAt: null, finishedAt: null },
  },
  agentRun: { id: "a1", parentId: null, name: "Lead", task: SAID, result: SAID },
  request: {
    ...{ id: "q1", kind: "question", prompt: SAID, status: "answered", answer: SAID, deadlineAt: null },
    ...{ assignee: "Jo", answeredBy: "Mara" },
  },
  ...also,
});
const telling = { occurredAt: "2026-11-25T03:40:17.309Z", linkOrigin: "https://troupe.example.com" };

test.each(WEBHOOK_EVENTS)("%s says nothing of what was said, and all of it where an owner wants it", (type) => {
  const body = { status: "failed", reason: SAID, name: "shipped", data: { order: SAID } };
  const silent = payloadOf(told({ body }), { ...telling, type, withContent: false });
  expect(JSON.stringify(silent)).not.toContain(SAID);
  expect(silent).toMatchObject({
    type,
    timestamp: telling.occurredAt,
    data: { run: { id: "r1", team: "Support desk" } },
  });
  expect(silent.text).toMatch(/^[A-Z].*\. https:\/\/troupe\.example\.com\/runs\/r1$/);
  expect(JSON.stringify(payloadOf(told({ body }), { ...telling, type, withContent: true }))).toContain(SAID);
});

test("a run's own event bears the state it moved to, any other the one the run is in", () => {
  const run = (type: (typeof WEBHOOK_EVENTS)[number]) =>
    payloadOf(told(), { ...telling, type, withContent: false }).data.run;
  expect(run("run.failed").status).toBe("failed");
  expect(run("run.created").status).toBe("running");
  expect(run("request.opened").status).toBe("running");
});

test("what was said is cut where it is long, and a sentence stays one line", () => {
  const long = `first\nsecond ${"x".repeat(30_000)}`;
  const { text, data } = payloadOf(told({ body: { status: "failed", reason: long } }), {
    ...telling,
    ...{ type: "run.failed", withContent: true },
  });
  expect(text).not.toContain("\n");
  expect(text.length).toBeLessThan(600);
  expect(data.run).toMatchObject({ reason: `${long.slice(0, 20_000)}…` });
});

test("a question keeps its own mark at the end, and an agent that runs by itself is no team", () => {
  const asked = told({
    request: { ...(told().request as NonNullable<Told["request"]>), prompt: "Which one?" },
    run: { ...told().run, isTeam: false },
  });
  const { text, data } = payloadOf(asked, { ...telling, type: "request.opened", withContent: true });
  expect(text).toContain("waits for a person: Which one? https://");
  expect(data.run).toMatchObject({ agent: "Support desk" });
});
