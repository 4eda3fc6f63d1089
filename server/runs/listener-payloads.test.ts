import { expect, test } from "vitest";
import { parseDelta, parseRunHint } from "./listener-payloads";

test("a run's notification says how far it is and what moved", () => {
  expect(parseRunHint("w:r:12:rs")).toEqual({
    type: "run",
    workspaceId: "w",
    runId: "r",
    lastSeq: 12,
    requests: true,
    status: true,
  });
  expect(parseRunHint("w:r:12:")).toMatchObject({ lastSeq: 12, requests: false, status: false });
});

test("a piece of text keeps its place", () => {
  expect(parseDelta(JSON.stringify({ w: "w", r: "r", a: "a", p: 3, o: 7, t: "text:" }))).toEqual({
    type: "delta",
    workspaceId: "w",
    delta: { runId: "r", agentRunId: "a", position: 3, offset: 7, text: "text:" },
  });
});

test.each(["", "w:r", "not json", "{}", '{"w":1}'])("the notification %j of somebody else is ignored", (payload) => {
  expect(parseRunHint(payload)).toBeNull();
  expect(parseDelta(payload)).toBeNull();
});
