import { expect, test } from "vitest";
import { agentRow, openStep, uuid } from "@/components/runs/run-test-log";
import { doingNow, writtenByRoot } from "./live-words";

const root = agentRow(uuid(10), { status: "running", openSteps: [openStep(3)] });
const child = agentRow(uuid(11), { parentId: uuid(10), name: "Searcher", status: "running", createdAt: "2026-11-22" });

test("says what each working agent does, and nothing of those that ended or idle", () => {
  const agents = [
    { ...child, openSteps: [openStep(0, { kind: "tool", name: "docs__search" }), openStep(1, { kind: "tool" })] },
    { ...root, openSteps: [openStep(3, { kind: "tool", name: "agent__collect" })] },
    agentRow(uuid(15), {
      ...{ parentId: uuid(10), name: "Long", status: "running", createdAt: "2026-11-24" },
      openSteps: [openStep(6, { kind: "summary" })],
    }),
    agentRow(uuid(12), { parentId: uuid(10), name: "Done", status: "completed", openSteps: [openStep(0)] }),
    agentRow(uuid(13), { parentId: uuid(10), name: "Idle", status: "running" }),
    agentRow(uuid(14), { parentId: uuid(10), name: "Next", createdAt: "2026-11-23" }),
  ];
  expect(doingNow({ agents })).toEqual([
    { id: uuid(10), name: "Lead", words: "waits for agents" },
    { id: uuid(11), name: "Searcher", words: "calls docs__search and 1 more" },
    { id: uuid(14), name: "Next", words: "waits for a free worker" },
    { id: uuid(15), name: "Long", words: "condenses the conversation" },
  ]);
});

test("only the text of the one who was asked is the answer in the making", () => {
  const writing = { ...child, openSteps: [openStep(0)] };
  const texts = {
    [`${uuid(10)}.3`]: { text: "The answer is", early: [] },
    [`${uuid(11)}.0`]: { text: "Found it", early: [] },
  };
  expect(writtenByRoot({ agents: [writing, root], texts })).toBe("The answer is");
  expect(writtenByRoot({ agents: [writing, { ...root, openSteps: [] }], texts })).toBeNull();
  expect(writtenByRoot({ agents: [], texts })).toBeNull();
});
