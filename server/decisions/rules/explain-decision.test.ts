import { describe, expect, it } from "vitest";
import { formatMoney } from "@/components/ui/format";
import { SOURCES } from "@/components/ui/status";
import { statusWord } from "@/components/ui/status-words";
import type { DecisionRecord, Precedents } from "@/server/decisions/schema";
import { DECISION_KINDS, REASON_SOURCES } from "@/server/engine/events";
import { RUN_STATUSES } from "@/server/engine/state";
import { explainDecision } from "./explain-decision";

const ID = "019aa6f0-0000-7000-8000-000000000001";
const option = (key: string, label = key) => ({ key, kind: "tool" as const, label, description: "Does something." });

const RECORD: DecisionRecord = {
  ...{ id: ID, runId: ID, agentRunId: ID, runTitle: "Damaged parcel", agentName: "Desk lead", agentVersion: 3 },
  ...{ model: "openai/general-1", kind: "delegate", task: "Say whether it\n may be returned.", source: "model-stated" },
  options: [option("agent:Searcher", "Searcher"), option("agent:Writer", "Writer"), option("answer", "Answer")],
  chosen: [
    { option: "agent:Searcher", label: "Searcher", position: 1, reason: null, status: "completed" },
    { option: "agent:Writer", label: "Writer", position: 2, reason: null, status: "failed" },
  ],
  ...{
    reason: "Both are needed.",
    outcome: "failed",
    costSoFarNanoUsd: 1_230_000,
    unpricedCalls: 0,
    at: "2026-11-21T14:03:12.345Z",
  },
  labels: [],
};
const NONE: Precedents = { state: "prepared", items: [], total: 0, compared: 4, isCut: false };

describe("the explanation of a decision", () => {
  it("says who, when, asked what, choosing from what, what, why, at which cost, with which end", () => {
    expect(explainDecision(RECORD, NONE)).toEqual([
      "Desk lead (version 3) decided this in the run “Damaged parcel” on 2026-11-21 at 14:03:12 UTC, with the model openai/general-1.",
      "It was asked: “Say whether it may be returned.”",
      "It could choose from 3 options: Searcher, Writer and Answer.",
      "It started other agents: Searcher and Writer.",
      "The reason given then: “Both are needed.” The model gave this reason when it chose. It is a claim.",
      "The run had cost $0.0012 by then.",
      "What came of it: Searcher: succeeded; Writer: failed.",
      "No earlier decision was like it (at least 70 % alike).",
    ]);
  });

  it.each(DECISION_KINDS)("tells a %s in whole sentences, whoever decided it and whatever is missing", (kind) => {
    for (const source of REASON_SOURCES) {
      for (const record of [
        { ...RECORD, kind, source },
        { ...RECORD, kind, source, model: null, task: " ", options: [], chosen: [], reason: null },
      ]) {
        const sentences = explainDecision(record, null);
        expect(sentences).toHaveLength(8);
        for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[.”]$/s);
        expect(sentences.join(" ")).not.toMatch(/undefined|null|NaN|\[object|: \.|: $/);
      }
    }
  });

  it("tells each kind in words of its own", () => {
    const told = DECISION_KINDS.map((kind) => explainDecision({ ...RECORD, kind }, null)[3]);
    expect(new Set(told).size).toBe(DECISION_KINDS.length);
  });

  it("makes up no reason, and says of each source what it is worth", () => {
    const why = (change: Partial<DecisionRecord>) => explainDecision({ ...RECORD, ...change }, null)[4];
    const nothing = "No reason was given when the choice was made, and none is made up afterwards.";
    expect(why({ source: "not-stated", reason: null })).toBe(nothing);
    expect(why({ source: "model-stated", reason: null })).toBe(nothing);
    expect(why({ source: "human", reason: "Ada stopped it." })).toBe(
      "The reason given then: “Ada stopped it.” A person decided.",
    );
    expect(why({ source: "policy" })).toMatch(/A rule of this workspace decided\. It is certain\.$/);
    const chosen = RECORD.chosen.map((choice) => ({ ...choice, reason: `For ${choice.label}.` }));
    expect(why({ reason: null, chosen })).toContain("“For Searcher. and For Writer.”");
  });

  it("says of a source and an end what the screens say", () => {
    for (const source of REASON_SOURCES) {
      expect(explainDecision({ ...RECORD, source }, null)[4]).toContain(SOURCES[source].means);
    }
    for (const status of RUN_STATUSES) {
      const chosen = RECORD.chosen.slice(0, 1).map((choice) => ({ ...choice, status }));
      expect(explainDecision({ ...RECORD, chosen }, null)[6]).toContain(
        `Searcher: ${statusWord(status).toLowerCase()}.`,
      );
    }
    for (const costSoFarNanoUsd of [0, 1, 49_999, 50_000, 1_230_000, 2_345_678_900_000]) {
      const told = explainDecision({ ...RECORD, costSoFarNanoUsd }, null)[5];
      expect(told).toBe(`The run had cost ${formatMoney(costSoFarNanoUsd)} by then.`);
    }
  });

  it("says who decided by the source", () => {
    const who = (source: DecisionRecord["source"]) => explainDecision({ ...RECORD, source }, null)[0];
    expect(who("human")).toMatch(/^A person decided this about Desk lead \(version 3\)/);
    expect(who("runtime-rule")).toMatch(/^A fixed rule of the engine/);
    expect(who("policy")).toMatch(/^A rule of this workspace/);
  });

  it("repeats what people say of it now, not what they said before", () => {
    const label = {
      id: ID,
      userId: ID,
      by: "Ada",
      option: null,
      words: null,
      note: null,
      at: RECORD.at,
      endedAt: null,
    };
    const told = explainDecision(
      {
        ...RECORD,
        labels: [
          { ...label, verdict: "better", option: "answer", note: "It knew it already." },
          { ...label, verdict: "better", words: "Asking the customer", by: "Eve" },
          { ...label, verdict: "right", by: "Kim" },
          { ...label, verdict: "wrong", by: "Kim", endedAt: RECORD.at },
        ],
      },
      NONE,
    );
    expect(told.slice(7, -1)).toEqual([
      "Ada says that “Answer” would have been better: “It knew it already.”.",
      "Eve says that “Asking the customer” would have been better.",
      "Kim says that it was right.",
    ]);
  });

  it("says no cost as known that leaves calls out", () => {
    expect(explainDecision({ ...RECORD, unpricedCalls: 2 }, null)).toContain(
      "The run had cost $0.0012 or more by then: no price is known for some of its calls.",
    );
    expect(explainDecision({ ...RECORD, costSoFarNanoUsd: 0, unpricedCalls: 2 }, null)).toContain(
      "What the run had cost by then is not known: no price is known for some of its calls.",
    );
  });

  it("names a few of many options, and cuts what is long", () => {
    const many = Array.from({ length: 30 }, (_, at) => option(`tool_${at}`));
    const told = explainDecision(
      { ...RECORD, options: many, task: "word ".repeat(500), reason: "x".repeat(5_000) },
      null,
    );
    expect(told[1]?.length).toBeLessThan(330);
    expect(told[2]).toBe(
      "It could choose from 30 options: tool_0, tool_1, tool_2, tool_3, tool_4, tool_5, tool_6, tool_7 and 22 more.",
    );
    expect(told[4]?.length).toBeLessThan(1_100);
  });

  it("does not call it a choice where one thing alone was on offer", () => {
    expect(explainDecision({ ...RECORD, options: [option("resume", "Resume")] }, null)[2]).toBe(
      "Nothing but Resume was on offer.",
    );
  });

  it("counts precedents, and says so while they are not known", () => {
    const last = (precedents: Precedents | null) => explainDecision(RECORD, precedents).at(-1);
    expect(last(null)).toBe("Whether there were earlier decisions like it is not known yet.");
    expect(last({ ...NONE, state: "waiting" })).toBe(last(null));
    expect(last({ ...NONE, total: 1 })).toBe("1 earlier decision was like it (at least 70 % alike).");
    expect(last({ ...NONE, total: 12 })).toBe("12 earlier decisions were like it (at least 70 % alike).");
  });
});
