import { expect, test } from "vitest";
import { type AgentConfig, agentConfig } from "@/server/agents/schema";
import {
  compactionWords,
  condensingWords,
  deadlineWords,
  escalationWords,
  guardWords,
  percent,
  publishingWords,
  summaryOf,
  todoWords,
} from "./setting-words";

type Change = Omit<Partial<AgentConfig>, "compaction"> & { compaction?: Partial<AgentConfig["compaction"]> };
const config = ({ compaction = {}, ...change }: Change = {}) =>
  agentConfig.parse({ purpose: "", instructions: "", ...change, compaction });

test("nothing is said about what is as usual", () => {
  const usual = config();
  expect([
    condensingWords(usual),
    todoWords(usual),
    escalationWords(usual),
    deadlineWords(usual),
    guardWords(usual),
    publishingWords(usual),
    compactionWords(usual),
  ]).toEqual(Array(7).fill(null));
});

test.each<[string, string | null, string]>([
  ["results never", condensingWords(config({ summarizationThreshold: null })), "long results never condensed"],
  [
    "results by another model",
    condensingWords(config({ summarizationThreshold: 12_000, summarizationModel: "acme/small" })),
    "results condensed from 12,000 characters by acme/small",
  ],
  ["a todo list", todoWords(config({ autoContinue: true })), "keeps a todo list, sent on up to 10 times"],
  [
    "a todo list in its own words",
    todoWords(
      config({ autoContinue: true, maxAutoContinues: 1, continuationPrompt: "Go on.", injectTodoInstructions: false }),
    ),
    "keeps a todo list, sent on up to 1 time, in words of its own, without guidance",
  ],
  ["a person at once", escalationWords(config({ escalationTimeoutMs: 0 })), "asks a person at once"],
  [
    "a longer wait for the agents above",
    escalationWords(config({ escalationTimeoutMs: 90_000 })),
    "agents above have 1 min 30 s to answer",
  ],
  ["a deadline of questions", deadlineWords(config({ questionTimeoutMs: 90_000 })), "people have 1 min 30 s to answer"],
  [
    "both deadlines",
    deadlineWords(config({ questionTimeoutMs: 1_800_000, approvalTimeoutMs: 60_000 })),
    "people have 30 min to answer, calls refused after 1 min without an answer",
  ],
  ["events of its own", publishingWords(config({ publishesEvents: true })), "publishes events"],
  ["a stricter guard", guardWords(config({ maxRepeatedCalls: 1 })), "same call at most 1 time in a row"],
  ["no condensing", compactionWords(config({ compaction: { enabled: false } })), "never condensed"],
  [
    "all of condensing",
    compactionWords(
      config({
        compaction: {
          ...{ thresholdRatio: 0.6, preserveLastN: 8, minMessages: 20, model: "acme/small", maxSummaryTokens: 800 },
          prompt: "Shorten: {messages}",
        },
      }),
    ),
    "condensed at 60 %, keeping the newest 8 messages, from 20 messages, by acme/small, into 800 tokens, in words of its own",
  ],
])("%s reads as people say it", (_, words, expected) => {
  expect(words).toBe(expected);
});

test("settings of what is switched off are not told", () => {
  expect(todoWords(config({ maxAutoContinues: 3, continuationPrompt: "Go on." }))).toBeNull();
  expect(compactionWords(config({ compaction: { enabled: false, model: "acme/small" } }))).toBe("never condensed");
});

test("a field that is empty while it is typed in does not break the words", () => {
  expect(todoWords({ ...config({ autoContinue: true }), maxAutoContinues: Number.NaN })).toBe(
    "keeps a todo list, sent on up to 0 times",
  );
  expect(percent(Number.NaN)).toBe("0 %");
});

test("a section says what differs, and what is usual where nothing does", () => {
  expect(summaryOf([null, "asks a person at once", "never condensed"], "As usual")).toBe(
    "Asks a person at once; never condensed",
  );
  expect(summaryOf([null, null], "as usual")).toBe("As usual");
});
