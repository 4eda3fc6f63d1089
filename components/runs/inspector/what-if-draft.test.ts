import { describe, expect, it } from "vitest";
import type { DecisionRow, RequestView, StepRow } from "@/server/engine/events";
import type { StepDetail } from "@/server/runs/step-schema";
import {
  draftOf,
  editFrom,
  editsOf,
  fieldOf,
  isChoosable,
  OWN_WORDS,
  stepOfDecision,
  type WhatIfDraft,
} from "./what-if-draft";

const tool = (name: string) => ({ name, description: "", parameters: {} });
const message = (role: "system" | "assistant", content: string | null, args?: object) => ({
  ...{ role, content, callId: null },
  calls: args ? [{ id: "1", name: "agent__spawn", arguments: JSON.stringify(args) }] : [],
});
const was = (tools: string[], args?: object): StepDetail =>
  ({
    request: { model: "m", temperature: null, messages: [message("system", "Be kind.")], tools: tools.map(tool) },
    reply: message("assistant", args ? null : "Done.", args),
    call: null,
  }) as unknown as StepDetail;

describe("a what-if", () => {
  const step = was(["agent__spawn", "lookup"], { agent: "Searcher", prompt: "Find it." });
  const draft = (changed: Partial<WhatIfDraft>): WhatIfDraft => ({ ...draftOf("reply", step, "Do it."), ...changed });

  it("begins with what was", () => {
    expect(draftOf("instructions", step, "Do it.")).toMatchObject({
      instructions: "Be kind.",
      prompt: "Find it.",
      option: null,
    });
    expect(draftOf("reply", was([]), "")).toMatchObject({ answer: "Done.", args: "{}" });
  });

  it("asks for the agent, the tool or the answer that was chosen", () => {
    expect(editFrom(draft({ option: "agent:Writer" }), step, "Do it.")).toEqual({
      ...{ kind: "reply", text: "" },
      calls: [
        {
          name: "agent__spawn",
          arguments: '{"agent":"Writer","prompt":"Find it.","reason":"A person asked what would have happened."}',
        },
      ],
    });
    expect(editFrom(draft({ option: "agent:Writer" }), was(["agent__handoff"]), "Do it.")).toMatchObject({
      calls: [{ name: "agent__handoff" }],
    });
    expect(editFrom(draft({ option: "lookup", args: '{"id": 4}' }), step, "Do it.")).toMatchObject({
      calls: [{ name: "lookup", arguments: '{"id": 4}' }],
    });
    expect(editFrom(draft({ option: "answer", answer: "No." }), step, "Do it.")).toEqual({
      kind: "reply",
      text: "No.",
      calls: [],
    });
  });

  it("says what is missing", () => {
    expect(editFrom(draft({}), step, "Do it.")).toBe("Choose one of the options.");
    expect(editFrom(draft({ option: "lookup", args: "[]" }), step, "Do it.")).toMatch(/no JSON object/);
    expect(editFrom(draft({ option: "agent:Writer", prompt: " " }), step, "Do it.")).toBe(
      "Say what the agent is to do.",
    );
    expect(editFrom(draft({ kind: "model" }), step, "Do it.")).toBe("Choose a model.");
    expect(editFrom(draft({ kind: "instructions", instructions: "" }), step, "Do it.")).toBe(
      "Say what the agent is told.",
    );
  });

  it("asks for another answer among those offered, or in other words", () => {
    const asked = (answerKind: string) => ({ ...was([]), humanRequest: { answerKind } }) as unknown as StepDetail;
    const answered = (changed: Partial<WhatIfDraft>, answerKind = "choice") =>
      editFrom(draft({ kind: "answer", ...changed }), asked(answerKind), "Do it.");
    expect(answered({ said: "short" })).toEqual({ kind: "answer", answer: "short" });
    expect(answered({ said: OWN_WORDS, words: " In rhymes. " })).toEqual({ kind: "answer", answer: "In rhymes." });
    expect(answered({ ticked: ["b", "a"] }, "several")).toEqual({ kind: "answer", answer: ["b", "a"] });
    expect([answered({}), answered({ said: OWN_WORDS })]).toEqual(["Choose an answer.", "Write the answer."]);
  });

  it("changes the task only when it is another one", () => {
    const told = (task: string) => editFrom(draft({ kind: "instructions", task }), step, "Do it.");
    expect(told("Do it.")).toEqual({ kind: "instructions", content: "Be kind." });
    expect(told("Do it twice.")).toMatchObject({ task: "Do it twice." });
    expect(told(" ")).toBe("Say what it is asked to do.");
  });

  it("is offered for what a step has", () => {
    const asked = (kind: string, status = "answered") => ({ kind, status }) as RequestView;
    const call = { kind: "tool", status: "completed" } as const;
    expect(editsOf(call, asked("approval"))).toEqual(["answer", "result"]);
    expect(editsOf(call, asked("question", "expired"))).toEqual(["answer", "result"]);
    expect(editsOf(call, asked("question", "withdrawn"))).toEqual(["result"]);
    expect(editsOf(call, asked("uncertain_effect"))).toEqual(["result"]);
    expect(editsOf({ kind: "model", status: "failed" })).toEqual(["instructions", "model"]);
    expect(editsOf({ kind: "tool", status: "completed" })).toEqual(["result"]);
    expect(editsOf({ kind: "summary", status: "completed" })).toEqual([]);
    const steps = [
      { agentRunId: "a", position: 3, kind: "tool" },
      { agentRunId: "b", position: 3, kind: "model" },
    ] as StepRow[];
    const taken = (agentRunId: string, position: number, ordinal: number) =>
      stepOfDecision({ steps }, { agentRunId, position, ordinal } as DecisionRow);
    // Whatever was decided about a call lies there, a model's choice and a rule's retry alike.
    expect([taken("a", 3, 0)?.kind, taken("a", 3, 12)?.kind, taken("b", 3, 1)?.kind]).toEqual([
      "tool",
      "tool",
      "model",
    ]);
    expect(taken("a", 4, 0)).toBeUndefined();
    expect(isChoosable({ key: "agent:Writer" }, step)).toBe(true);
    expect(isChoosable({ key: "agent:Writer" }, was(["agent__task_create"]))).toBe(false);
    expect(isChoosable({ key: "lookup" }, was([]))).toBe(true);
    expect(fieldOf({ key: "answer", kind: "action" })).toBe("answer");
  });
});
