import fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelMessage, ToolCall } from "@/server/models/model";
import {
  compactionRequest,
  failedLately,
  messagesToSend,
  type Plan,
  planCompaction,
  summaryMessage,
} from "./compaction";
import { estimateTokens } from "./estimate-tokens";
import type { Compaction } from "./journal/opened";
import type { Progress } from "./next-step";

const TASK = "Count the sheep.";
const system: ModelMessage = { role: "system", content: "You are Ada." };
const told = (content: string): ModelMessage => ({ role: "user", content });
const said = (content: string): ModelMessage => ({ role: "assistant", content, calls: [] });
/** A turn with so many calls, and their results. */
const turn = (name: string, calls: number): ModelMessage[] => {
  const made: ToolCall[] = Array.from({ length: calls }, (_, i) => ({
    id: `${name}${i}`,
    name: "count",
    arguments: "{}",
  }));
  return [
    { role: "assistant", content: null, calls: made },
    ...made.map(({ id }): ModelMessage => ({ role: "tool", callId: id, content: `result of ${id}` })),
  ];
};
const opening = [system, told(TASK)];

/** Appends the summary as the engine does. */
function condense(stored: ModelMessage[], inForce: Compaction | null, last: number, words: string): Compaction {
  const plan = planCompaction(stored, inForce, last) as Plan;
  expect(plan).not.toBeNull();
  const summary = summaryMessage({ task: TASK, summary: words, todo: null, context: null }, stored.slice(plan.from));
  return { from: plan.from, summary: stored.push(summary) - 1 };
}

const isOrphaned = (sent: readonly ModelMessage[]) =>
  sent.some(
    (message, index) =>
      message.role === "tool" &&
      !sent
        .slice(0, index)
        .some((one) => one.role === "assistant" && one.calls.some(({ id }) => id === message.callId)),
  );

test("without a compaction everything is sent", () => {
  const stored = [...opening, ...turn("a", 2)];
  expect(messagesToSend(stored, null)).toEqual(stored);
});

test("the newest messages are kept, and sent after the system message and the summary (INT-CTX-04)", () => {
  const stored = [...opening, ...turn("a", 1), ...turn("b", 1), ...turn("c", 1)];
  const kept = stored.slice(-4);
  const inForce = condense(stored, null, 4, "Two were counted.");
  expect(inForce).toEqual({ from: 4, summary: 8 });
  const sent = messagesToSend(stored, inForce);
  // The summary goes as the user's: providers take one system message, and a user's before the first call.
  expect(sent).toEqual([system, { ...stored[8], role: "user" }, ...kept]);
  const after = turn("d", 1);
  expect(messagesToSend([...stored, ...after], inForce)).toEqual([...sent, ...after]);
});

test("a tail that would begin with a result begins with its call instead", () => {
  const stored = [...opening, ...turn("a", 1), ...turn("b", 3)];
  expect(planCompaction(stored, null, 2)).toMatchObject({ from: 4, kept: 4 });
});

test("where the call is too far back the tail begins with the next turn", () => {
  const stored = [...opening, ...turn("a", 20), ...turn("b", 1)];
  expect(planCompaction(stored, null, 5)).toMatchObject({ from: 23, kept: 2 });
});

test("what the model has not answered yet is never condensed", () => {
  expect(planCompaction([...opening, ...turn("a", 30)], null, 5)).toBeNull();
  const stored = [...opening, ...turn("a", 1), ...turn("b", 6), told("Hurry up."), told("Please.")];
  expect(planCompaction(stored, null, 1)).toMatchObject({ from: 4 });
});

test("few messages are left alone", () => {
  expect(planCompaction([...opening, ...turn("a", 1)], null, 5)).toBeNull();
  expect(planCompaction([...opening, said("One.")], null, 1)).toBeNull();
  expect(planCompaction([], null, 1)).toBeNull();
  // What was just condensed is not condensed further for one message that was kept with its call.
  const stored = [...opening, ...turn("a", 1), ...turn("b", 1), ...turn("c", 1), ...turn("d", 1)];
  expect(planCompaction(stored, condense(stored, null, 5, "Counted."), 5)).toBeNull();
});

test("a second compaction condenses the first summary too, and only the newest is sent", () => {
  const stored = [...opening, ...turn("a", 1), ...turn("b", 1), ...turn("c", 1)];
  const first = condense(stored, null, 2, "First words.");
  stored.push(...turn("d", 1), ...turn("e", 1));
  const plan = planCompaction(stored, first, 4);
  expect(plan?.condensed.map(({ role }) => role)).toEqual(["system", "assistant", "tool"]);
  expect(plan?.condensed[0]?.content).toContain("First words.");
  const second = condense(stored, first, 4, "Second words.");
  const sent = messagesToSend(stored, second);
  expect(sent[1]?.content).toContain("Second words.");
  expect(JSON.stringify(sent)).not.toContain("First words.");
  expect(sent).toHaveLength(6);
});

test("a kept tail may reach back beyond an earlier summary, which is then not sent", () => {
  const stored = [...opening, ...turn("a", 1), ...turn("b", 1), ...turn("c", 1), ...turn("d", 1)];
  const first = condense(stored, null, 6, "First words.");
  const second = condense(stored, first, 2, "Second words.");
  stored.push(...turn("e", 1));
  expect(second.from).toBeLessThan(first.summary);
  const sent = messagesToSend(stored, second);
  expect(sent.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "assistant", "tool"]);
  expect(sent[1]?.content).toContain("Second words.");
});

test("the task survives word for word, once: also through a second compaction", () => {
  const stored = [...opening, ...turn("a", 1), ...turn("b", 1)];
  const first = condense(stored, null, 2, "Counted.");
  stored.push(...turn("c", 1), ...turn("d", 1));
  const second = condense(stored, first, 2, "Counted more.");
  for (const inForce of [first, second]) {
    const sent = JSON.stringify(messagesToSend(stored, inForce));
    expect(sent.split(TASK)).toHaveLength(2);
  }
  const followUp = [system, told("Hello?"), said("Hello."), told(TASK), said("Three.")];
  const summary = summaryMessage({ task: TASK, summary: "Greeted.", todo: null, context: null }, followUp.slice(3));
  expect(summary.content).not.toContain(TASK);
});

test("an open list is kept beside the summary, a finished one is not (LOK-TODO-08)", () => {
  const todo = (done: boolean) => ({ goal: "Wool", items: [{ id: 1, text: "Shear", done }], continues: 0 });
  const content = (done: boolean) =>
    summaryMessage({ task: TASK, summary: "S", todo: todo(done), context: null }, []).content;
  expect(content(false)).toMatch(/Goal: Wool\nProgress: 0\/1\n\[ \] 1\. Shear$/);
  expect(content(true)).not.toContain("Wool");
});

test("what the agent noted of what the run is about is kept beside the summary (INT-CTX-10)", () => {
  const context = { variables: [{ name: "flock", value: 12 }], entities: [{ type: "farm", id: "f-1" }] };
  const { content } = summaryMessage({ task: TASK, summary: "S", todo: null, context }, []);
  expect(content).toMatch(/\n\nWhat this run is about, as it was noted then:\n- flock = 12\n- farm "f-1"$/);
});

test("whatever the conversation, no result is sent without its call, and what is condensed or kept is everything", () => {
  const conversation = fc.array(
    fc.oneof(
      fc.nat(4).map((calls) => (index: number) => turn(`t${index}_`, calls + 1)),
      fc.constant((index: number) => [told(`steer ${index}`)]),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(
      fc.array(conversation, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 12 }),
      (parts, last) => {
        const stored: ModelMessage[] = [...opening];
        let inForce: Compaction | null = null;
        for (const [nth, part] of parts.entries()) {
          stored.push(...part.flatMap((make, index) => make(100 * nth + index)));
          const plan = planCompaction(stored, inForce, last);
          const before = messagesToSend(stored, inForce);
          if (!plan) continue;
          const kept = stored.slice(plan.from).filter(({ role }) => role !== "system");
          expect(kept).toHaveLength(plan.kept);
          expect([...plan.condensed, ...kept].map(({ content }) => content)).toEqual(
            before.slice(1).map(({ content }) => content),
          );
          inForce = condense(stored, inForce, last, `summary ${nth}`);
          const sent = messagesToSend(stored, inForce);
          expect(isOrphaned(sent)).toBe(false);
          expect(sent.length).toBeLessThan(before.length);
        }
      },
    ),
  );
});

test("the condensing model is sent the transcript in the words of the configuration, also when a text looks like a pattern", () => {
  const messages = [told("Pay $& and $1"), ...turn("a", 1)];
  const words = { prompt: "Shorten:\n{messages}\nThat was all.", maxSummaryTokens: 500, room: null };
  const [instructions, request] = compactionRequest(messages, words);
  expect(instructions).toMatchObject({ role: "system", content: expect.stringContaining("at most 375 words") });
  expect(request).toEqual({
    role: "user",
    content: "Shorten:\nTold: Pay $& and $1\n\nCall: count {}\n\nResult: result of a0\nThat was all.",
  });
});

test("where not all fits, the longest texts lose their middle and the others nothing", () => {
  const long = `begin ${"ä🧩".repeat(5_000)} end`;
  const messages = [told("Short."), told(long), told(long)];
  const request = compactionRequest(messages, { prompt: "{messages}", maxSummaryTokens: 500, room: 1_000 });
  const { content } = request[1] as { content: string };
  expect(Buffer.byteLength(content)).toBeLessThan(3_100);
  expect(content).toContain("Told: Short.");
  expect(content.match(/begin/g)).toHaveLength(2);
  expect(content.match(/\[… cut …\]/g)).toHaveLength(2);
  expect(content).toMatch(/ end$/);
  expect(estimateTokens(request.slice(1), [])).toBeLessThan(1_100);
});

test("after a failure it is left alone until five more messages are there", () => {
  const step = (position: number, kind: "summary" | "tool", status: "failed" | "completed", reply: number | null) =>
    ({ position, kind, status, replyMessage: reply }) as Progress["steps"][number];
  const after = (count: number, status: "failed" | "completed") => [
    step(0, "summary", status, null),
    ...Array.from({ length: count }, (_, i) => step(i + 1, "tool", "failed", i)),
  ];
  expect(failedLately(after(4, "failed"))).toBe(true);
  expect(failedLately(after(5, "failed"))).toBe(false);
  expect(failedLately(after(0, "completed"))).toBe(false);
  expect(failedLately([])).toBe(false);
});
