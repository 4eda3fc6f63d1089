import { expect, it } from "vitest";
import type { Frame } from "@/server/runs/queries/inside/schema";
import { frameWords, graphAfter } from "./playback";

const frame = (seq: number, kind: Frame["kind"], more: Partial<Frame> = {}): Frame => ({
  ...{ seq, atMs: seq * 1000, kind, agentRunId: "a", word: null, toId: null, costNanoUsd: 0, tokens: 0 },
  ...more,
});
const FRAMES = [
  frame(1, "agent.created", { word: "queued" }),
  frame(2, "agent.status", { word: "running" }),
  frame(3, "agent.created", { agentRunId: "b", word: "queued" }),
  frame(4, "step.finished", { word: "general-1", costNanoUsd: 5, tokens: 10 }),
  frame(5, "mail.sent", { toId: "b" }),
  frame(6, "request.opened", { agentRunId: "b", toId: "a", word: "escalated" }),
  frame(7, "agent.status", { word: "completed" }),
];

it("shows the state of the event, not of the end", () => {
  expect(graphAfter(FRAMES, 0).nodes.size).toBe(0);
  expect([...graphAfter(FRAMES, 2).nodes]).toEqual([["a", expect.objectContaining({ status: "running", steps: 0 })]]);
  expect(graphAfter(FRAMES, 4).nodes.get("a")).toMatchObject({ costNanoUsd: 5, tokens: 10, steps: 1, untilMs: null });
  expect(graphAfter(FRAMES, 4).edges).toEqual([]);
  const end = graphAfter(FRAMES, 7);
  expect(end.nodes.get("a")).toMatchObject({ status: "completed", untilMs: 7000 });
  expect(end.edges.map(({ kind, fromId, toId, count }) => [kind, fromId, toId, count])).toEqual([
    ["mail", "a", "b", 1],
    ["escalation", "b", "a", 1],
  ]);
  expect(end.atMs).toBe(7000);
});

it("says what happened, in words", () => {
  const names = new Map([
    ["a", "Lead"],
    ["b", "Searcher"],
  ]);
  expect(FRAMES.map((each) => frameWords(each, names))).toEqual([
    "Lead is started",
    "Lead: running",
    "Searcher is started",
    "Lead: general-1 done",
    "Lead writes to Searcher",
    "Searcher asks Lead",
    "Lead: succeeded",
  ]);
});
