import { expect, test } from "vitest";
import { whyNotAsk } from "./rules";

const target = { kind: "team" as const, name: "Desk", isDeleted: false };
const idle = { target, status: null, openRequests: 0, unread: [] };

test("a question can be asked at first, and when the last one has ended in whatever way", () => {
  expect(whyNotAsk(idle)).toBeNull();
  for (const status of ["completed", "failed", "aborted"] as const) expect(whyNotAsk({ ...idle, status })).toBeNull();
});

test("one question at a time, and the sentence says what the last one needs", () => {
  for (const status of ["queued", "running"] as const) {
    expect(whyNotAsk({ ...idle, status })).toBe("The last question is still being answered. Wait for it or stop it.");
  }
  for (const status of ["paused", "suspended"] as const) {
    expect(whyNotAsk({ ...idle, status })).toBe("The last question stands still. Resume it or stop it.");
  }
  expect(whyNotAsk({ ...idle, status: "waiting", openRequests: 1 })).toMatch(/waits for your answer/);
  expect(whyNotAsk({ ...idle, status: "interrupted" })).toMatch(/Stop it, then ask again/);
});

test("attachments that are still being read are named", () => {
  expect(whyNotAsk({ ...idle, unread: ["a.pdf"] })).toMatch(/“a\.pdf” is still being read/);
  expect(whyNotAsk({ ...idle, unread: ["a.pdf", "b.md"] })).toMatch(/2 files .*a\.pdf, b\.md/);
});

test("whom nobody can ask any more is named before anything else", () => {
  const sentence = whyNotAsk({ ...idle, target: { ...target, isDeleted: true }, status: "running", unread: ["a.pdf"] });
  expect(sentence).toMatch(/team “Desk” was deleted/);
});
