import { beforeEach, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "@/server/engine/run-limits";
import { getStep } from "@/server/runs/queries/get-step";
import { resumeRun } from "@/server/runs/service/control-run";
import type { MessageView } from "@/server/runs/step-schema";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { ChatRequest, Script } from "@/tests/support/scripted-model";

type Turn = ReturnType<Script>;
/** What an agent's model answers to its nth call, what the condensing one answers to its nth. */
type Story = {
  agent: (request: ChatRequest, nth: number) => Turn;
  condense?: (request: ChatRequest, nth: number) => Turn;
};

/** Tokens the model takes; a page of the book has some 500 by the engine's estimate. */
const WINDOW = 4_000;
const PAGE = "sheep ".repeat(250);
const SPENT = { prompt_tokens: 900, completion_tokens: 90 };
const tooLong: Turn = { fault: "status", status: 400, message: "This model's maximum context length is 4000 tokens." };

const isCondensing = ({ messages }: ChatRequest) => messages[0]?.content?.startsWith("You condense the conversation");
const page = (nth: number) => ({ calls: [call("read", { page: nth })] });
const pagesThen =
  (pages: number, text = "Done.") =>
  (_: ChatRequest, nth: number): Turn =>
    nth < pages ? page(nth) : { text };

/** A message of the wire as the inspector shows it. */
const asView = (message: ChatRequest["messages"][number]): MessageView => ({
  role: message.role,
  content: message.content,
  calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
    id,
    name,
    arguments: args,
  })),
  callId: message.tool_call_id ?? null,
});

describe.each(DATABASE_KINDS)("condensed conversations on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const record = (runId: string) => soundRecord(scope(), runId);
  beforeEach(() => {
    desk().model = desk().scripted({ contextTokens: WINDOW });
    desk().tools.set(
      "read",
      aTool("read", async () => ({ text: PAGE })),
    );
  });

  /** Starts an agent that reads a book; what its model and the condensing one were sent is kept. */
  const start = async (
    { agent, condense = () => ({ text: "Many sheep so far [book#1].", usage: SPENT }) }: Story,
    config: Partial<AgentConfig> = {},
    limits: Partial<RunLimits> = {},
  ) => {
    const sent: ChatRequest[] = [];
    const condensing: ChatRequest[] = [];
    // Once condensed, a request no longer begins with words the desk knows.
    desk().fallback = (request) => {
      const list = isCondensing(request) ? condensing : sent;
      list.push(request);
      return (list === sent ? agent : condense)(request, list.length - 1);
    };
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["read"], ...config },
      agents: [],
    });
    const task = desk().words("Count all sheep in the book");
    const runId = await desk().start(team, task, { limits: { ...DEFAULT_RUN_LIMITS, ...limits } });
    return { runId, task, sent, condensing };
  };
  const ended = async (runId: string) => {
    const end = await desk().ended(runId);
    const kept = await record(runId);
    const summaries = kept.steps.filter((step) => step.kind === "summary");
    const compactions = kept.decisions.filter((one) => one.kind === "compaction");
    return { end, ...kept, summaries, compactions };
  };
  const compactionOf = async (agentRunId: string) =>
    (await pool().query("select compaction from agent_runs where id = $1", [agentRunId])).rows[0]?.compaction;
  const requestAt = async (runId: string, agentRunId: string, position: number) =>
    (await getStep(scope().workspaceId, { runId, agentRunId, position })).request;

  test("before a call that would fill the context older messages are condensed, and every request is kept exactly", async () => {
    const { runId, task, sent, condensing } = await start({ agent: pagesThen(7) });
    const { end, steps, root, summaries, compactions, events, run } = await ended(runId);
    expect(end).toMatchObject({ status: "completed", answer: "Done." });
    expect(condensing).toHaveLength(1);
    expect(condensing[0]).toMatchObject({ model: "scripted", max_tokens: 2_000, messages: [{}, { role: "user" }] });
    expect(condensing[0]?.messages[1]?.content).toMatch(
      new RegExp(`^The conversation, oldest first:\n\nTold: ${task.slice(0, 20)}`),
    );
    expect(condensing[0]?.tools).toBeUndefined();

    // Of the newest five messages the first is a result: its call is kept with it.
    const condensed = sent.find(({ messages }) => messages[1]?.content?.includes("were condensed"));
    expect(condensed?.messages.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "assistant", "tool", "assistant", "tool"],
    ]);
    expect(condensed?.messages[1]?.content).toBe(
      `Your task, word for word:\n${task}\n\nEarlier messages of this conversation were condensed:\nMany sheep so far [book#1].`,
    );

    const [summary] = summaries;
    expect(summaries).toMatchObject([{ status: "completed", name: "scripted", inputTokens: 900, outputTokens: 90 }]);
    expect(run.inputTokens).toBe(sent.length * 100 + 900);
    expect(compactions).toMatchObject([
      {
        position: summary?.position,
        source: "runtime-rule",
        chosen: [{ option: "condense" }],
        reason: expect.stringMatching(
          /^About 3,\d{3} of the 4,000 tokens scripted takes would be sent; 80 % are the most\. \d+ messages were condensed by scripted to 27 characters; the newest 6 are kept as they are\.$/,
        ),
      },
    ]);
    // The call that was announced at that place turned out to be another.
    const begun = events.flatMap(({ body }) => (body.kind === "steps.started" ? body.steps : []));
    expect(begun.filter(({ position }) => position === summary?.position).map((step) => step.kind)).toEqual([
      "model",
      "summary",
    ]);

    const calls = steps.filter((step) => step.kind === "model");
    expect(calls).toHaveLength(sent.length);
    for (const [nth, { position }] of calls.entries()) {
      const request = await requestAt(runId, root.id, position);
      expect(request?.messages).toEqual(sent[nth]?.messages.map(asView));
    }
    const ofSummary = await getStep(scope().workspaceId, {
      runId,
      agentRunId: root.id,
      position: summary?.position ?? 0,
    });
    expect(ofSummary.request?.messages).toEqual(condensing[0]?.messages.map(asView));
    expect(ofSummary.reply).toMatchObject({ role: "system", content: condensed?.messages[1]?.content });
    expect(ofSummary.decisionId).toBe(compactions[0]?.id);
  });

  test("below the share, with few messages, switched off, or where nobody knows the context, nothing is condensed", async () => {
    const settings: [Partial<AgentConfig["compaction"]>, number | undefined][] = [
      [{}, 40_000],
      [{ minMessages: 100 }, WINDOW],
      [{ enabled: false }, WINDOW],
      [{}, undefined],
    ];
    for (const [compaction, contextTokens] of settings) {
      desk().model = desk().scripted(contextTokens ? { contextTokens } : {});
      const { runId, condensing } = await start({ agent: pagesThen(7) }, { compaction: configured(compaction) });
      expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
      expect(condensing).toEqual([]);
      expect((await record(runId)).decisions.filter((one) => one.kind === "compaction")).toEqual([]);
    }
  });

  test("it is condensed again and again, each summary with the one before it, and the task is never lost", async () => {
    const condense = (_: ChatRequest, nth: number) => ({ text: `Summary number ${nth}.`, usage: SPENT });
    const { runId, task, sent, condensing } = await start({ agent: pagesThen(16), condense });
    const { end, root, summaries, steps } = await ended(runId);
    expect(end).toMatchObject({ status: "completed", answer: "Done." });
    expect(condensing.length).toBeGreaterThan(2);
    expect(summaries).toHaveLength(condensing.length);
    for (const [nth, request] of condensing.entries()) {
      const told = request.messages[1]?.content ?? "";
      expect(told.match(/Summary number \d+\./g)).toEqual(nth === 0 ? null : [`Summary number ${nth - 1}.`]);
    }
    for (const { messages } of sent) expect(JSON.stringify(messages).split(task)).toHaveLength(2);
    expect(sent.at(-1)?.messages[1]?.content).toContain(`Summary number ${condensing.length - 1}.`);
    const last = steps.findLast((step) => step.kind === "model");
    const request = await requestAt(runId, root.id, last?.position ?? 0);
    expect(request?.messages).toEqual(sent.at(-1)?.messages.map(asView));
  });

  test("the model that is named condenses, in the words that are configured", async () => {
    desk().models.set("acme/small", desk().scripted({ name: "small", provider: "acme" }));
    const compaction = configured({
      model: "acme/small",
      prompt: "Say it in short: {messages}",
      maxSummaryTokens: 80,
      preserveLastN: 2,
    });
    const { runId, condensing, sent } = await start({ agent: pagesThen(7) }, { compaction });
    const { summaries } = await ended(runId);
    expect(summaries).toMatchObject([{ name: "small" }]);
    expect(condensing[0]).toMatchObject({ model: "small", max_tokens: 2_000 });
    expect(condensing[0]?.messages[0]?.content).toContain("at most 60 words");
    expect(condensing[0]?.messages[1]?.content).toMatch(/^Say it in short: Told: /);
    expect(sent.find(({ messages }) => messages[1]?.content?.includes("were condensed"))?.messages).toHaveLength(4);
  });

  test("refused by the provider as too long, a conversation is condensed and the call made again", async () => {
    desk().model = desk().scripted();
    const agent = (request: ChatRequest, nth: number) =>
      request.messages.length > 10 ? tooLong : pagesThen(7)(request, nth);
    const { runId, sent } = await start({ agent });
    const { end, steps, decisions, summaries, compactions } = await ended(runId);
    expect(end).toMatchObject({ status: "completed", answer: "Done." });
    const refused = steps.find(({ status }) => status === "failed");
    expect(refused).toMatchObject({
      kind: "model",
      error: { code: "context_too_long", message: expect.stringContaining("maximum context length is 4000 tokens") },
    });
    const position = refused?.position ?? 0;
    expect(summaries).toMatchObject([{ position: position + 1, status: "completed" }]);
    expect(compactions).toMatchObject([
      {
        position,
        chosen: [{ option: "condense", position: position + 1 }],
        reason: /^context_too_long: about \d,\d{3} tokens/,
      },
      {
        position: position + 1,
        reason: /^scripted refused about \d,\d{3} tokens as too long\. \d+ messages were condensed/,
      },
    ]);
    expect(decisions.filter((one) => one.kind === "retry")).toEqual([]);
    const again = sent[sent.findIndex(({ messages }) => messages.length > 10) + 1];
    expect(again?.messages.map(({ role }) => role).slice(0, 3)).toEqual(["system", "user", "assistant"]);
  });

  test("what is refused and cannot be condensed fails as any call does", async () => {
    const unable: [Partial<AgentConfig>, Story][] = [
      // Nothing to condense.
      [{}, { agent: () => tooLong }],
      [{ compaction: configured({ enabled: false }) }, { agent: (_, nth) => (nth < 5 ? page(nth) : tooLong) }],
      // Condensed it is still too long.
      [{}, { agent: (_, nth) => (nth < 5 ? page(nth) : tooLong) }],
      [{}, { agent: (_, nth) => (nth < 5 ? page(nth) : tooLong), condense: () => tooLong }],
    ];
    const made: number[] = [];
    for (const [config, story] of unable) {
      desk().model = desk().scripted();
      const { runId, condensing } = await start(story, config);
      const { end, decisions } = await ended(runId);
      expect(end).toMatchObject({
        status: "failed",
        reason: expect.stringMatching(/^context_too_long: The conversation is longer/),
      });
      expect(decisions.at(-1)?.chosen).toMatchObject([{ option: expect.stringMatching(/^(give_up|go_on)$/) }]);
      made.push(condensing.length);
    }
    expect(made).toEqual([0, 0, 1, 1]);
  });

  test("what fails for good leaves the conversation as it is, and is not tried again until five more messages are there", async () => {
    const condense = (_: ChatRequest, nth: number): Turn =>
      nth === 0 ? { fault: "status", status: 400, message: "not today" } : { text: "Sheep." };
    const { runId, sent, condensing } = await start({ agent: pagesThen(11), condense });
    const { end, summaries, compactions } = await ended(runId);
    expect(end).toMatchObject({ status: "completed", answer: "Done." });
    expect(condensing).toHaveLength(2);
    expect(summaries).toMatchObject([
      { status: "failed", error: { code: "bad_request" }, inputTokens: 0 },
      { status: "completed" },
    ]);
    expect(compactions).toMatchObject([
      { chosen: [{ option: "go_on" }], reason: expect.stringMatching(/are left as they are: .*not today/) },
      { chosen: [{ option: "condense" }] },
    ]);
    const lengths = sent.map(({ messages }) => messages.length);
    const longest = Math.max(...lengths);
    // One call right after the failure, then two messages for each of two turns more.
    expect(lengths.slice(0, lengths.indexOf(longest) + 1)).toEqual(
      Array.from({ length: longest / 2 }, (_, i) => 2 + 2 * i),
    );
    expect((summaries[1]?.position ?? 0) - (summaries[0]?.position ?? 0)).toBe(7);
  });

  test("an answer that is empty or no shorter is paid for and not taken", async () => {
    for (const text of ["", PAGE.repeat(20)]) {
      const { runId } = await start({ agent: pagesThen(7), condense: () => ({ text, usage: SPENT }) });
      const { end, summaries, root } = await ended(runId);
      expect(end).toMatchObject({ status: "completed" });
      expect(summaries[0]).toMatchObject({
        status: "failed",
        inputTokens: 900,
        error: { code: text ? "not_shorter" : "empty_reply" },
      });
      expect(await compactionOf(root.id)).toBeNull();
    }
  });

  test("a condensing model that is away for a moment is asked again", async () => {
    const condense = (_: ChatRequest, nth: number): Turn =>
      nth === 0 ? { fault: "status", status: 503 } : { text: "Sheep." };
    const { runId } = await start({ agent: pagesThen(7), condense });
    const { summaries, decisions } = await ended(runId);
    expect(summaries).toMatchObject([{ status: "completed" }]);
    expect(decisions.filter((one) => one.kind === "retry")).toMatchObject([{ position: summaries[0]?.position }]);
  });

  test("an open list survives beside the summary, and the agent is sent on as before (LOK-TODO-08)", async () => {
    const agent = (request: ChatRequest, nth: number): Turn => {
      if (nth === 0)
        return {
          calls: [call("todo__init", { goal: "The whole flock" }), call("todo__add", { task: "Count the lambs" })],
        };
      if (nth < 8) return page(nth);
      const told = request.messages.at(-1);
      if (nth === 8) return { text: "I think that is all." };
      if (told?.role === "user") return { calls: [call("todo__done", { id: 1 })] };
      return { text: "All counted." };
    };
    const { runId, sent, condensing } = await start({ agent }, { autoContinue: true });
    const { end, decisions } = await ended(runId);
    expect(end).toMatchObject({ status: "completed", answer: "All counted." });
    expect(condensing.length).toBeGreaterThan(0);
    const condensed = sent.find(({ messages }) => messages[1]?.content?.includes("were condensed"));
    expect(condensed?.messages[1]?.content).toMatch(
      /Goal: The whole flock\nProgress: 0\/1\n\[ \] 1\. Count the lambs$/,
    );
    expect(decisions.filter((one) => one.kind === "continue")).toMatchObject([{ chosen: [{ option: "send_on" }] }]);
  });

  test("cut off while it condenses it is condensed anew; cut off later the condensed conversation goes on", async () => {
    const condense = (_: ChatRequest, nth: number): Turn =>
      nth === 0 ? { fault: "hang" } : { text: "Sheep.", usage: SPENT };
    let hangs = true;
    const agent = (request: ChatRequest, nth: number): Turn => {
      if (!request.messages[1]?.content?.includes("were condensed") || !hangs) return pagesThen(8)(request, nth);
      hangs = false;
      return { fault: "hang" };
    };
    const { runId, sent, condensing } = await start({ agent, condense });
    await eventually(() => expect(condensing).toHaveLength(1));
    await desk().shut();
    await desk().open();
    await eventually(() => expect(hangs).toBe(false));
    const calls = sent.length;
    await desk().shut();
    await desk().open();
    const { end, summaries, run, steps, root } = await ended(runId);
    expect(end).toMatchObject({ status: "completed", answer: "Done." });
    expect(condensing).toHaveLength(2);
    expect(condensing[1]).toEqual(condensing[0]);
    expect(sent[calls]).toEqual(sent[calls - 1]);
    expect(summaries).toMatchObject([{ inputTokens: 900 }]);
    expect(run.inputTokens).toBe(900 + 100 * steps.filter((step) => step.kind === "model").length);
    const last = steps.findLast((step) => step.kind === "model");
    expect((await requestAt(runId, root.id, last?.position ?? 0))?.messages).toEqual(sent.at(-1)?.messages.map(asView));
  });

  test("a budget it does not fit leaves the conversation as it is", async () => {
    desk().models.set("acme/unpriced", desk().scripted({ price: undefined }));
    const config = { compaction: configured({ model: "acme/unpriced" }) };
    const { runId, condensing } = await start({ agent: pagesThen(7) }, config, { maxCostNanoUsd: 10_000_000_000 });
    const { end, summaries, compactions, decisions, run } = await ended(runId);
    expect(end).toMatchObject({ status: "completed", answer: "Done." });
    expect(condensing).toEqual([]);
    expect(summaries[0]).toMatchObject({ status: "failed", error: { code: "budget_exhausted" } });
    expect(compactions[0]).toMatchObject({
      chosen: [{ option: "go_on" }],
      reason: expect.stringContaining("nobody said what acme/unpriced costs"),
    });
    expect(decisions.filter((one) => one.kind === "budget")).toEqual([]);
    expect(run.reserved).toEqual({ costNanoUsd: 0, tokens: 0 });
  });

  test("where the provider takes nothing longer a budget it does not fit suspends the run, which goes on with more", async () => {
    desk().model = desk().scripted();
    desk().models.set("acme/unpriced", desk().scripted({ price: undefined }));
    const agent = (request: ChatRequest, nth: number) =>
      request.messages.length > 10 ? tooLong : pagesThen(7)(request, nth);
    const config = { compaction: configured({ model: "acme/unpriced" }) };
    const { runId, condensing } = await start({ agent }, config, { maxCostNanoUsd: 10_000_000_000 });
    await eventually(async () => expect(await desk().statusOf(runId)).toMatchObject({ status: "suspended" }));
    const held = await record(runId);
    expect(held.decisions.at(-1)).toMatchObject({ kind: "budget", reason: /nobody said what acme\/unpriced costs/ });
    expect(condensing).toEqual([]);

    desk().models.delete("acme/unpriced");
    await resumeRun({ scope: scope(), runId });
    const { end, summaries } = await ended(runId);
    expect(end).toMatchObject({ status: "completed", answer: "Done." });
    expect(condensing).toHaveLength(1);
    expect(summaries).toMatchObject([{ status: "completed" }]);
    const { rows } = await pool().query("select status from reservations where run_id = $1 and position = $2", [
      runId,
      summaries[0]?.position,
    ]);
    expect(rows).toEqual([{ status: "settled" }]);
  });
});

function configured(compaction: Partial<AgentConfig["compaction"]>): AgentConfig["compaction"] {
  return {
    ...{
      enabled: true,
      thresholdRatio: 0.8,
      preserveLastN: 5,
      minMessages: 10,
      model: null,
      maxSummaryTokens: 500,
      prompt: null,
    },
    ...compaction,
  };
}
