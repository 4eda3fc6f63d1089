import { expect, test } from "vitest";
import { createEntryInput } from "@/server/knowledge/entry-schema";
import { entryOfDecision, entryOfText } from "./entry-of-run";

const runId = "0193a1b2-0000-7000-8000-000000000001";
const decision = {
  ...{ id: "0193a1b2-0000-7000-8000-000000000002", runId, agentRunId: runId, position: 0, ordinal: 0 },
  ...{ kind: "delegate", costSoFarNanoUsd: 0, unpricedSoFar: 0, at: "2026-11-25T10:00:00.000Z", imported: false },
  chosen: [{ option: "agent:Searcher", label: "Searcher", position: 1, reason: null }],
} as unknown as Parameters<typeof entryOfDecision>[1];

test("a title is one line that the form takes, however long or odd the text it is made of", () => {
  for (const title of ["x".repeat(500), "Two\nlines\tand a \u200bhidden one", `${"word ".repeat(40)}`]) {
    const start = entryOfText({ runId, place: null, title, text: "It." });
    expect(createEntryInput.shape.title.safeParse(start.title).success).toBe(true);
  }
  expect(entryOfText({ runId, place: null, title: "Two\nlines", text: "It." })).toEqual({
    ...{ title: "Two lines", text: "It.", entryKind: "", from: { runId, place: null } },
  });
});

test("a decision is written down with whose words its reason is in", () => {
  const start = entryOfDecision(runId, { ...decision, source: "model-stated", reason: "It knows.\nBest." });
  expect(start).toEqual({
    title: "Delegate → Searcher",
    text: "Chosen: Searcher\n\nReason (model-stated):\n\n> It knows.\n> Best.",
    ...{ entryKind: "decision", from: { runId, place: `decision:${decision.id}` } },
  });
});

test("a decision without a reason says so, and none is made up", () => {
  const { text } = entryOfDecision(runId, { ...decision, source: "not-stated", reason: null });
  expect(text).toBe("Chosen: Searcher\n\nReason: not stated.");
});

test("reasons of several choices stay with them, told once", () => {
  const chosen = [
    { ...decision.chosen[0], label: "Searcher", reason: "It finds." },
    { ...decision.chosen[0], label: "Writer", reason: "It writes." },
  ] as typeof decision.chosen;
  const stated = { ...decision, chosen, source: "model-stated" as const };
  const each = "> Searcher: It finds.\n>\n> Writer: It writes.";
  expect(entryOfDecision(runId, { ...stated, reason: "It finds. It writes." }).text).toBe(
    `Chosen: Searcher, Writer\n\nReason (model-stated):\n\n${each}`,
  );
  expect(entryOfDecision(runId, { ...stated, reason: "Two sides." }).text).toContain(`> Two sides.\n>\n${each}`);
});

test("a title is cut inside no character, wherever the cut falls", () => {
  for (const before of ["", "x"]) {
    const { title } = entryOfText({ runId, place: null, title: before + "🜁".repeat(300), text: "It." });
    expect(title).toMatch(/🜁…$/u);
    expect(title).not.toMatch(/\p{Cs}/u);
  }
});
