import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { demo } from "@/prisma/seed/scenarios/demo";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { rehearsalModel } from "@/server/models/rehearsal";
import { answerRequest } from "@/server/requests/service/answer";
import { startRun } from "@/server/runs/service/start-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import { researchDesk } from "@/tests/support/scripted-model-scripts";

describe.each(DATABASE_KINDS)("model calls on the %s database", (kind) => {
  const desk = useDesk(kind);
  let demoTeamId = "";
  beforeAll(async () => {
    await demo();
    const team = await db().team.findFirstOrThrow({ where: { name: "Research desk" }, select: { id: true } });
    demoTeamId = team.id;
  });
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const record = (runId: string) => soundRecord(desk().scope, runId);

  /** Runs the demo team and answers the one thing it asks. */
  async function runDemo() {
    const { scope } = desk();
    const input = { teamId: demoTeamId, input: "What happens to a run when the process is killed?" };
    const { runId } = await startRun({ scope, input });
    const request = await desk().openRequest(runId);
    expect(await desk().statusOf(runId)).toMatchObject({ status: "waiting" });
    expect(await answerRequest({ scope, input: { requestId: request.id, answer: "Detailed" } })).toMatchObject({
      counted: true,
    });
    const end = await desk().ended(runId);
    const kept = await record(runId);
    const delegates = kept.decisions.filter((decision) => decision.kind === "delegate");
    expect(delegates.map(({ chosen }) => chosen.map(({ option }) => option))).toEqual([
      ["agent:Searcher", "agent:Fact-checker"],
      ["agent:Writer"],
    ]);
    expect(delegates.map(({ source }) => source)).toEqual(["model-stated", "model-stated"]);
    expect(kept.agents.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      "Fact-checker completed",
      "Searcher completed",
      "Supervisor completed",
      "Writer completed",
    ]);
    expect(kept.requests).toMatchObject([{ status: "answered", answer: "Detailed", answeredBy: scope.userName }]);
    const kinds = kept.events.map(({ body }) => body.kind);
    expect(kinds.indexOf("request.opened")).toBeLessThan(kinds.indexOf("request.closed"));
    expect(kinds.filter((name) => name.startsWith("request."))).toEqual(["request.opened", "request.closed"]);
    return { end, ...kept };
  }

  test("the seeded demo team comes to a cited answer in rehearsal, after one question to a person", async () => {
    desk().model = rehearsalModel({ pauseMs: 0 });
    try {
      const { end, run, decisions } = await runDemo();
      expect(end).toMatchObject({ status: "completed", answer: expect.stringMatching(/\[[a-z-]+\.md#\d+\]/) });
      expect(run).toMatchObject({ costNanoUsd: 0, unpricedCalls: 0 });
      expect(decisions.filter(({ kind: what }) => what === "retry")).toEqual([]);
    } finally {
      desk().model = desk().scripted();
    }
  });

  test("the demo team comes to the same end over HTTP with awkward deltas, a 429 and a broken connection", async () => {
    desk().fallback = researchDesk;
    const { end, steps, decisions, offered, agents } = await runDemo();
    expect(end).toMatchObject({
      status: "completed",
      answer: expect.stringMatching(/“déjà vu” is avoided ✓ \[[a-z-]+\.md#\d+\]/),
    });
    const failed = steps.filter(({ status }) => status === "failed");
    expect(failed.map(({ kind: what, error }) => `${what} ${error?.code}`).sort()).toEqual([
      "model connection_lost",
      "model rate_limited",
    ]);
    const retries = decisions.filter(({ kind: what }) => what === "retry");
    expect(retries.map(({ source, chosen }) => [source, chosen[0]?.option])).toEqual([
      ["runtime-rule", "retry"],
      ["runtime-rule", "retry"],
    ]);
    const nameOf = (id: string) => agents.find((agent) => agent.id === id)?.name;
    const reasons = Object.fromEntries(retries.map(({ agentRunId, reason }) => [nameOf(agentRunId), reason]));
    expect(reasons.Supervisor).toBe("rate_limited; the provider asked to wait 1.0 s; retry 1 of 3");
    expect(reasons.Writer).toMatch(/^connection_lost; waiting 0\.[2-5] s; retry 1 of 3$/);
    for (const { id } of retries) expect(offered.get(id)?.map(({ key }) => key)).toEqual(["retry", "give_up"]);
    // The wait was kept: the call after the 429 began a second after it.
    const limited = failed.find(({ error }) => error?.code === "rate_limited");
    const next = steps.find(
      (step) => step.agentRunId === limited?.agentRunId && step.position === limited.position + 1,
    );
    expect(Date.parse(next?.startedAt ?? "") - Date.parse(limited?.finishedAt ?? "")).toBeGreaterThanOrEqual(950);
  });

  test("an error that is not worth a retry fails the run under its code after one call", async () => {
    const input = desk().words("be refused", turns({ fault: "status", status: 400, message: "too long" }));
    const runId = await desk().start(await solo(), input);
    expect(await desk().ended(runId)).toMatchObject({
      status: "failed",
      answer: null,
      reason: expect.stringMatching(/^bad_request: .*too long/),
    });
    const { decisions, steps, root } = await record(runId);
    expect(steps).toMatchObject([{ status: "failed", error: { code: "bad_request" } }]);
    expect(decisions).toMatchObject([
      {
        kind: "retry",
        chosen: [{ option: "give_up" }],
        source: "runtime-rule",
        reason: "bad_request is not worth a retry",
      },
    ]);
    expect(root).toMatchObject({ status: "failed" });
    expect(desk().callsOf(input).requested).toBe(1);
  });

  test("a model that stays away is called once and three times more, each call a step, and then the run fails", async () => {
    const fault = { fault: "status", status: 503, headers: { "retry-after-ms": "30" } } as const;
    const input = desk().words("stay away", turns(fault));
    const runId = await desk().start(await solo(), input);
    expect(await desk().ended(runId)).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^unavailable: /),
    });
    const { decisions, steps } = await record(runId);
    expect(steps.map(({ position, turn, status }) => [position, turn, status])).toEqual(
      [0, 1, 2, 3].map((position) => [position, 1, "failed"]),
    );
    expect(decisions.map(({ chosen }) => chosen[0]?.option)).toEqual(["retry", "retry", "retry", "give_up"]);
    expect(decisions.at(-1)?.reason).toBe("unavailable: 3 retries were used");
    expect(desk().callsOf(input).requested).toBe(4);
  });

  test("failures are counted per call: after an answer the next call has its three retries again", async () => {
    desk().tools.set(
      "noop",
      aTool("noop", async () => "ok"),
    );
    const flaky = { fault: "status", status: 503, headers: { "retry-after-ms": "20" } } as const;
    const runId = await desk().play(await solo({ tools: ["noop"] }), "be flaky", (_request, { step, attempt }) => {
      if (attempt < 3) return flaky;
      return step === 0 ? { calls: [call("noop")] } : { text: "At last." };
    });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "At last." });
    const { steps } = await record(runId);
    expect(steps.filter(({ status }) => status === "failed")).toHaveLength(6);
  });

  test("the pieces a reader is told add up to the text, and the live text is gone after the step", async () => {
    const listener = new pg.Client({ connectionString: desk().database.url });
    await listener.connect();
    try {
      const pieces: { a: string; o: number; t: string }[] = [];
      listener.on("notification", ({ payload }) => pieces.push(JSON.parse(payload ?? "{}")));
      await listener.query("listen troupe_delta");
      const text = `${'Ein Stück – piece 🧩 by piece, "quoted"\n'.repeat(60)}the end`;
      const seen: string[] = [];
      const runId = await desk().play(await solo(), "stream", turns({ text, gapMs: 2 }));
      const { id: root } = await db().agentRun.findFirstOrThrow({ where: { runId }, select: { id: true } });
      const look = setInterval(async () => {
        const { rows } = await pool().query("select text from live_texts where agent_run_id = $1", [root]);
        if (rows[0]) seen.push(rows[0].text);
      }, 50);
      expect(await desk().ended(runId)).toMatchObject({ answer: text });
      clearInterval(look);
      await expect
        .poll(() =>
          pieces
            .filter(({ a }) => a === root)
            .map(({ t }) => t)
            .join(""),
        )
        .toBe(text);
      let at = 0;
      for (const { o, t } of pieces.filter(({ a }) => a === root)) {
        expect(o).toBe(at);
        at += t.length;
      }
      expect(seen.length).toBeGreaterThan(0);
      for (const part of seen) expect(text.startsWith(part)).toBe(true);
      await record(runId);
    } finally {
      await listener.end();
    }
  });

  test("a reply that holds a NUL or half a character is kept, and the run goes on", async () => {
    desk().tools.set(
      "nul",
      aTool("nul", async () => ({ bytes: "a\u0000b", half: "\ud83e!" })),
    );
    const text = "before \u0000 after";
    const runId = await desk().play(
      await solo({ tools: ["nul"] }),
      "odd characters",
      turns({ text, calls: [call("nul", { reason: "\u0000 why \ud83e" })] }, { text: "Fine \u0000." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Fine \ufffd." });
    const { root, decisions } = await record(runId);
    expect(decisions[0]?.reason).toBe("\ufffd why \ufffd");
    // JSON inside of text is only text: its escapes stay as they were.
    expect(await toolResults(desk().scope, root.id)).toEqual([{ bytes: "a\u0000b", half: "\ud83e!" }]);
  });

  test("cost is counted from the price, and calls without a known price are counted apart", async () => {
    const usage = { prompt_tokens: 1_001, completion_tokens: 7 };
    const priced = await desk().play(await solo(), "cost something", turns({ text: "Paid.", usage }));
    await desk().ended(priced);
    expect((await record(priced)).run).toMatchObject({
      inputTokens: 1_001,
      outputTokens: 7,
      costNanoUsd: 1_001 * 1_000 + 7 * 3_000,
      unpricedCalls: 0,
    });

    const { price: _price, ...unpriced } = desk().scripted();
    desk().model = unpriced;
    try {
      const runId = await desk().play(await solo(), "cost nobody knows what", turns({ text: "Who knows.", usage }));
      await desk().ended(runId);
      const { run, steps } = await record(runId);
      expect(run).toMatchObject({ inputTokens: 1_001, outputTokens: 7, costNanoUsd: 0, unpricedCalls: 1 });
      expect(steps).toMatchObject([{ kind: "model", costNanoUsd: null }]);
    } finally {
      desk().model = desk().scripted();
    }
  });

  test("LLM-OBS-11: a call whose endpoint says nothing of its usage is of unknown cost, and not free", async () => {
    const runId = await desk().play(await solo(), "say nothing of it", turns({ text: "Done.", usage: null }));
    await desk().ended(runId);
    const { run, steps } = await record(runId);
    expect(run).toMatchObject({ inputTokens: 0, outputTokens: 0, costNanoUsd: 0, unpricedCalls: 1 });
    expect(steps).toMatchObject([{ kind: "model", status: "completed", costNanoUsd: null }]);
  });

  test("at the tool limit the run ends with what was said so far, under its name", async () => {
    desk().tools.set(
      "noop",
      aTool("noop", async () => "ok"),
    );
    const runId = await desk().play(
      await solo({ tools: ["noop"], maxToolRounds: 3 }),
      "never stop",
      (_request, { step }) => ({
        text: step < 2 ? `Round ${step}.` : "",
        calls: [call("noop", { step })],
      }),
    );
    expect(await desk().ended(runId)).toMatchObject({
      status: "aborted",
      reason: "tool_loop_limit",
      answer: "Round 1.",
    });
    const { decisions, steps, root } = await record(runId);
    expect(steps.map(({ kind: what }) => what)).toEqual(["model", "tool", "model", "tool", "model", "tool"]);
    expect(decisions.at(-1)).toMatchObject({
      kind: "limit",
      source: "runtime-rule",
      chosen: [{ option: "stop" }],
      reason: "3 tool rounds were used, which is this agent's limit.",
    });
    expect(root).toMatchObject({ status: "aborted", statusReason: "tool_loop_limit" });
  });
});
