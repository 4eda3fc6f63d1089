import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { answerRequest } from "@/server/requests/service/answer";
import { stopRun } from "@/server/runs/service/control-run";
import { ToolError } from "@/server/tools/tool";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { type EffectServer, startEffectServer } from "@/tests/support/effect-server";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("tools and people on the %s database", (kind) => {
  const desk = useDesk(kind);
  let farSide: EffectServer;
  beforeAll(async () => {
    farSide = await startEffectServer({ honoursKey: false });
  });
  afterAll(() => farSide.close());

  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const answer = (requestId: string, text: string) =>
    answerRequest({ scope: desk().scope, input: { requestId, answer: text } });
  /** A run that calls one tool once and then says what came of it. */
  const callOnce = async (tool: string) =>
    desk().play(
      await solo({ tools: [tool] }),
      `call ${tool}`,
      turns({ calls: [call(tool, { reason: "To see." })] }, (request) => ({
        text: JSON.stringify(lastResults(request)[0]),
      })),
    );
  const effectsOf = async (runId: string) =>
    (await pool().query("select key, status from effects where run_id = $1 order by key", [runId])).rows;

  test("a tool that throws is a failed step whose words go to the model, and the run goes on", async () => {
    desk().tools.set(
      "broken",
      aTool("broken", () => Promise.reject(new Error("the disk is full"))),
    );
    const runId = await callOnce("broken");
    expect(await desk().ended(runId)).toMatchObject({
      status: "completed",
      answer: '{"tool_call_error":"the disk is full"}',
    });
    const { steps } = await record(runId);
    expect(steps[1]).toMatchObject({ status: "failed", error: { code: "tool_failed", message: "the disk is full" } });
  });

  test("a tool that takes too long is given up on, and is told so by its signal", async () => {
    let told = false;
    const slow = aTool(
      "slow",
      (_args, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            told = true;
          });
        }),
      { timeoutMs: 80 },
    );
    desk().tools.set("slow", slow);
    const runId = await callOnce("slow");
    expect(await desk().ended(runId)).toMatchObject({
      status: "completed",
      answer: '{"tool_call_error":"no result after 0.08 s"}',
    });
    expect((await record(runId)).steps[1]).toMatchObject({ error: { code: "timeout" } });
    expect(told).toBe(true);
  });

  test("many calls of one turn are made at once, and nothing in the log takes them for a leak", async () => {
    const CALLS = 30;
    const warnings: string[] = [];
    const onWarning = ({ name, message }: Error) => {
      if (name === "MaxListenersExceededWarning") warnings.push(message);
    };
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    let meet = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    let underWay = 0;
    const together = aTool("together", async () => {
      underWay += 1;
      if (underWay === CALLS) meet();
      await met;
      return "met";
    });
    desk().tools.set("together", together);
    const runId = await desk().play(
      await solo({ tools: ["together"] }),
      "call all of them",
      turns({ calls: Array.from({ length: CALLS }, (_, which) => call("together", { which })) }, { text: "Done." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect((await record(runId)).steps.filter(({ name }) => name === "together")).toHaveLength(CALLS);
    expect(warnings).toEqual([]);
  });

  test("a question stops run and agent until a person answers, and the answer reaches the model", async () => {
    const script = turns(
      // Options as text that holds JSON, as some models write them (LOK-ESC-06).
      { calls: [call("user__ask", { question: "Red or blue?", options: '["Red", "Blue"]', reason: "It matters." })] },
      (request) => ({ text: `They said ${String(lastResults(request)[0]?.answer)}.` }),
    );
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "ask me", script);
    const request = await desk().openRequest(runId);
    expect(request).toMatchObject({ prompt: "Red or blue?", options: [{ value: "Red" }, { value: "Blue" }] });
    const waiting = await record(runId);
    expect(waiting.run).toMatchObject({ status: "waiting", openRequests: 1 });
    expect(waiting.root).toMatchObject({ status: "waiting", openSteps: [{ kind: "human", name: "user__ask" }] });

    const both = await Promise.all([answer(request.id, "Red"), answer(request.id, "Blue")]);
    expect(both.filter(({ counted }) => counted)).toHaveLength(1);
    const counted = both[0]?.counted ? "Red" : "Blue";
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: `They said ${counted}.` });
    expect(await answer(request.id, "Green")).toMatchObject({ counted: false });

    const { events, decisions, requests, steps } = await record(runId);
    expect(requests).toMatchObject([{ status: "answered", answer: counted }]);
    const told = events.flatMap(({ body }) =>
      body.kind === "agent.status" || body.kind === "run.status"
        ? [`${body.kind} ${body.status}`]
        : body.kind.startsWith("request.")
          ? [body.kind]
          : [],
    );
    expect(told.slice(told.indexOf("request.opened"))).toEqual([
      "request.opened",
      "run.status waiting",
      "agent.status waiting",
      "request.closed",
      "run.status running",
      "agent.status running",
      "agent.status completed",
      "run.status completed",
    ]);
    expect(decisions.filter(({ kind: what }) => what === "answer")).toMatchObject([
      { source: "human", chosen: [{ option: counted, position: 1 }] },
    ]);
    expect(steps[1]).toMatchObject({ kind: "human", status: "completed" });
  });

  test("a question without words is refused, and one answer of a person's own may be given to any other", async () => {
    const runId = await desk().play(
      await solo({ tools: ["user__ask"] }),
      "ask badly",
      turns(
        { calls: [call("user__ask", { question: " " }), call("user__ask", { question: "Free?", options: [] })] },
        (request) => ({
          text: JSON.stringify(lastResults(request)[1]),
        }),
      ),
    );
    const request = await desk().openRequest(runId);
    await answer(request.id, "As I like.");
    expect(await desk().ended(runId)).toMatchObject({ answer: '{"answer":"As I like."}' });
    const { steps } = await record(runId);
    expect(steps.map(({ error }) => error?.code)).toEqual([undefined, "malformed_arguments", undefined, undefined]);
  });

  test("of two questions asked in one turn each is answered for itself, and the run waits for both", async () => {
    const ask = (question: string) => call("user__ask", { question, options: [] });
    const runId = await desk().play(
      await solo({ tools: ["user__ask"] }),
      "ask twice",
      turns({ calls: [ask("First?"), ask("Second?")] }, (request) => ({
        text: lastResults(request)
          .map((result) => result.answer)
          .join(", "),
      })),
    );
    const both = await eventually(async () => {
      const { requests } = await record(runId);
      expect(requests.filter(({ status }) => status === "open")).toHaveLength(2);
      return requests;
    });
    const idOf = (prompt: string) => both.find((request) => request.prompt === prompt)?.id ?? "";
    await answer(idOf("Second?"), "two");
    await eventually(async () => expect((await record(runId)).steps).toHaveLength(2));
    const half = await record(runId);
    expect(half.run).toMatchObject({ status: "waiting", openRequests: 1 });
    expect(half.root.status).toBe("waiting");
    await answer(idOf("First?"), "one");
    expect(await desk().ended(runId)).toMatchObject({ answer: "one, two" });
    await record(runId);
  });

  /** A tool that reaches a far side which cannot tell a repeated call, and then loses the answer `losses` times. */
  const aLossyEffect = (name: string, losses: number, also: Parameters<typeof aTool>[2] = {}) => {
    const id = randomUUID();
    const keys: string[] = [];
    const tool = aTool(
      name,
      async (_args, { key, signal }) => {
        keys.push(key);
        await fetch(`${farSide.url}/act?id=${id}`, { method: "POST", headers: { "idempotency-key": key }, signal });
        if (keys.length <= losses) throw new Error("the answer was lost");
        return { sent: keys.length };
      },
      { sideEffect: "external", idempotency: "none", ...also },
    );
    desk().tools.set(name, tool);
    return { keys, applied: () => farSide.applied().get(id) ?? 0 };
  };

  /** Runs a call whose outcome is lost, checks what a person is asked, and gives the answer. */
  async function settleWith(name: string, given: string) {
    const effect = aLossyEffect(name, 1);
    const runId = await callOnce(name);
    const request = await desk().openRequest(runId);
    expect(request.options.map(({ value }) => value)).toEqual(["happened", "retry", "give_up"]);
    expect(effect.keys).toHaveLength(1);
    await expect(answer(request.id, "perhaps")).rejects.toMatchObject({ code: "INVALID" });
    expect(await answer(request.id, given)).toMatchObject({ counted: true });
    const end = await desk().ended(runId);
    const kept = await record(runId);
    expect(kept.requests).toMatchObject([{ kind: "uncertain_effect", call: { tool: name }, status: "answered" }]);
    expect(kept.decisions.find(({ kind: what }) => what === "uncertain_effect")).toMatchObject({
      source: "runtime-rule",
      chosen: [{ option: "ask" }],
    });
    return { effect, runId, end, ...kept };
  }

  test("an effect that may have happened: “it happened” goes on without sending it again", async () => {
    const { effect, runId, end, steps } = await settleWith("pay_happened", "happened");
    expect(end).toMatchObject({ status: "completed", answer: '{"output":"done; a person confirmed it"}' });
    expect(effect.applied()).toBe(1);
    expect(steps[1]).toMatchObject({ status: "completed" });
    expect(await effectsOf(runId)).toMatchObject([{ status: "applied" }]);
  });

  test("an effect that may have happened: “send it” sends it once more under another key", async () => {
    const { effect, runId, end } = await settleWith("pay_retry", "retry");
    expect(end).toMatchObject({ status: "completed", answer: '{"sent":2}' });
    expect(effect.applied()).toBe(2);
    expect(new Set(effect.keys).size).toBe(2);
    expect(await effectsOf(runId)).toMatchObject([{ status: "uncertain" }, { status: "applied" }]);
  });

  test("an effect that may have happened: “leave it” tells the model that nobody knows", async () => {
    const { effect, runId, end, steps } = await settleWith("pay_leave", "give_up");
    expect(end).toMatchObject({ status: "completed", answer: expect.stringContaining("It is not known whether") });
    expect(effect.applied()).toBe(1);
    expect(steps[1]).toMatchObject({ status: "failed", error: { code: "outcome_unknown" } });
    expect(await effectsOf(runId)).toMatchObject([{ status: "given_up" }]);
  });

  test("an effect whose far side honours the key is sent again under the same key, three times at most", async () => {
    const twice = aLossyEffect("keyed_twice", 2, { idempotency: "required" });
    const saved = await callOnce("keyed_twice");
    expect(await desk().ended(saved)).toMatchObject({ status: "completed", answer: '{"sent":3}' });
    expect(new Set(twice.keys).size).toBe(1);
    expect(await effectsOf(saved)).toMatchObject([{ key: twice.keys[0], status: "applied" }]);

    const retriesOf = async (runId: string) => {
      const { decisions, offered } = await record(runId);
      return decisions
        .filter(({ kind: what }) => what === "retry")
        .map(({ id, source, chosen, reason, position }) => {
          expect({ source, position }).toEqual({ source: "runtime-rule", position: 1 });
          expect(offered.get(id)?.map(({ key }) => key)).toEqual(["retry", "give_up"]);
          return [chosen[0]?.option, reason];
        });
    };
    expect(await retriesOf(saved)).toEqual([
      ["retry", expect.stringMatching(/^the answer was lost; waiting 0\.\d s; retry 1 of 2$/)],
      ["retry", expect.stringMatching(/^the answer was lost; waiting 0\.\d s; retry 2 of 2$/)],
    ]);

    const always = aLossyEffect("keyed_always", 99, { idempotency: "required" });
    const lost = await callOnce("keyed_always");
    expect(await desk().ended(lost)).toMatchObject({
      status: "completed",
      answer: expect.stringMatching(
        /It is not known whether this call took effect: it was sent 3 times .*the answer was lost/,
      ),
    });
    expect(always.keys).toHaveLength(3);
    expect(new Set(always.keys).size).toBe(1);
    expect(await effectsOf(lost)).toMatchObject([{ status: "uncertain" }]);
    expect((await record(lost)).steps[1]).toMatchObject({ status: "failed", error: { code: "outcome_unknown" } });
    expect((await retriesOf(lost)).map(([option]) => option)).toEqual(["retry", "retry", "give_up"]);
    for (const runId of [saved, lost]) expect((await record(runId)).requests).toEqual([]);
  });

  test("an effect under a key that is cut off between two attempts is sent again by the next worker, and each retry kept", async () => {
    let hang = true;
    let sent = 0;
    const run = async () => {
      sent += 1;
      if (sent === 2 && hang) await new Promise(() => {});
      if (sent < 4) throw new Error("no answer yet");
      return { sent };
    };
    desk().tools.set("keyed_cut", aTool("keyed_cut", run, { sideEffect: "write", idempotency: "required" }));
    const runId = await callOnce("keyed_cut");
    await eventually(() => expect(sent).toBe(2));
    await desk().shut();
    hang = false;
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: '{"sent":4}' });
    const { decisions } = await record(runId);
    expect(decisions.filter(({ kind: what }) => what === "retry")).toHaveLength(2);
  });

  test("an answer and a task that hold what Postgres cannot store are kept without it", async () => {
    const team = await solo({ tools: ["user__ask"] });
    const script = turns({ calls: [call("user__ask", { question: "What?", options: [] })] }, (request) => ({
      text: String(lastResults(request)[0]?.answer),
    }));
    const words = desk().words("a task with \ufffd and \ufffd", script);
    const runId = await desk().start(team, words.replaceAll("\ufffd", "\0"));
    const { id } = await desk().openRequest(runId);
    expect(await answer(id, "zero \0 half \ud83e.")).toMatchObject({ counted: true });
    expect(await desk().ended(runId)).toMatchObject({ answer: "zero \ufffd half \ufffd." });
    await record(runId);
  });

  test("a writing tool that refuses has changed nothing, so nobody is asked", async () => {
    const refuse = () => Promise.reject(new ToolError("the amount is negative"));
    desk().tools.set("refusing", aTool("refusing", refuse, { sideEffect: "write" }));
    const runId = await callOnce("refusing");
    expect(await desk().ended(runId)).toMatchObject({ answer: '{"tool_call_error":"the amount is negative"}' });
    const { requests, steps } = await record(runId);
    expect(requests).toEqual([]);
    expect(steps[1]).toMatchObject({ error: { code: "refused" } });
    expect(await effectsOf(runId)).toMatchObject([{ status: "failed" }]);
  });

  test("stopping a run ends everything in it at once, and nothing is written afterwards", async () => {
    const hanging = desk().words("hang until stopped", turns({ fault: "hang" }));
    const asking = desk().words(
      "ask until stopped",
      turns({ calls: [call("user__ask", { question: "Well?", options: [] })] }),
    );
    const team = await aTeam(db(), desk().scope.workspaceId, {
      agents: [{}, { tools: ["user__ask"], escalationTimeoutMs: 0 }],
    });
    const [hanger, asker] = team.children.map(({ name }) => name);
    const runId = await desk().play(
      team,
      "be stopped",
      turns({ calls: [spawn(hanger ?? "", hanging), spawn(asker ?? "", asking)] }, { fault: "hang" }),
    );
    const request = await desk().openRequest(runId);
    await eventually(() => expect(desk().callsOf(hanging).requested).toBe(1));
    await eventually(async () =>
      expect((await record(runId)).root.openSteps).toMatchObject([{ kind: "model", position: 3 }]),
    );

    expect(await stopRun({ scope: desk().scope, runId })).toEqual({ status: "aborted" });
    const stopped = await record(runId);
    expect(stopped.run).toMatchObject({ status: "aborted", statusReason: "stopped by Ada Tester" });
    expect(stopped.agents.map(({ status, statusReason }) => `${status} ${statusReason}`)).toEqual(
      Array(3).fill("aborted stopped"),
    );
    expect(stopped.requests).toMatchObject([{ status: "withdrawn" }]);
    expect(stopped.decisions.find(({ kind: what }) => what === "stop")).toMatchObject({
      source: "human",
      chosen: [{ option: "stop" }],
    });
    expect(
      stopped.steps
        .filter(({ status }) => status === "aborted")
        .map(({ kind: what }) => what)
        .sort(),
    ).toEqual(["human", "model", "model"]);
    await eventually(() => expect(desk().callsOf(hanging).ended).toBe(1));

    expect(await answer(request.id, "Too late")).toMatchObject({ counted: false });
    expect(await stopRun({ scope: desk().scope, runId })).toEqual({ status: "aborted" });
    // Another run goes through the same worker meanwhile: whatever the stopped one still held would be written by then.
    await desk().ended(await desk().play(await solo(), "after the stop", turns({ text: "Fine." })));
    expect(await record(runId)).toEqual({ ...stopped, agent: expect.any(Function) });
  });
});
