import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { expireRequests } from "@/server/engine/expire-requests";
import { answerRequest } from "@/server/requests/service/answer";
import { stopRun } from "@/server/runs/service/control-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, lastResults } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("calls that wait for a person on the %s database", (kind) => {
  const desk = useDesk(kind);
  const solo = (config: Partial<AgentConfig>) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const answer = (requestId: string, text: string) =>
    answerRequest({ scope: desk().scope, input: { requestId, answer: text } });
  const begin = async (name: string, also: Parameters<typeof aTool>[2], calls: unknown[]) => {
    const run = async (args: unknown) => {
      calls.push(args);
      return "done";
    };
    desk().tools.set(name, aTool(name, run, also));
    return desk().play(
      await solo({ tools: [name], askBefore: [name] }),
      `ask before ${name}`,
      turns({ calls: [call(name, { to: "Ada" })] }, (request) => ({ text: JSON.stringify(lastResults(request)[0]) })),
    );
  };

  test("a call is made once after a person allowed exactly it, and both choices are decisions", async () => {
    const calls: unknown[] = [];
    const runId = await begin("post_letter", { sideEffect: "external" }, calls);
    const request = await desk().openRequest(runId);
    expect(request.prompt).toMatch(/call post_letter\?$/);
    expect(calls).toEqual([]);
    await answer(request.id, "allow");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: '{"output":"done"}' });
    expect(calls).toEqual([{ to: "Ada" }]);
    const record = await soundRecord(desk().scope, runId);
    expect(record.requests).toMatchObject([
      { kind: "approval", status: "answered", call: { tool: "post_letter", arguments: '{"to":"Ada"}' } },
    ]);
    const kinds = record.decisions.map(({ kind, source, chosen }) => [kind, source, chosen[0]?.option]);
    expect(kinds).toContainEqual(["approval", "policy", "ask"]);
    expect(kinds).toContainEqual(["answer", "human", "allow"]);
  });

  test("a refused call is never made, and the agent is told in the person's words", async () => {
    const calls: unknown[] = [];
    const runId = await begin("pay_bill", { sideEffect: "external" }, calls);
    await answer((await desk().openRequest(runId)).id, "Not before Monday.");
    const run = await desk().ended(runId);
    expect(run.status).toBe("completed");
    expect(run.answer).toContain("Not before Monday.");
    expect(calls).toEqual([]);
    const record = await soundRecord(desk().scope, runId);
    expect(record.steps.find(({ name }) => name === "pay_bill")).toMatchObject({
      status: "failed",
      error: { code: "not_allowed" },
    });
  });

  test("a worker that stops while a person is asked goes on with the same request", async () => {
    const calls: unknown[] = [];
    const runId = await begin("send_mail", { sideEffect: "external" }, calls);
    const request = await desk().openRequest(runId);
    await desk().shut();
    await answer(request.id, "allow");
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(calls).toEqual([{ to: "Ada" }]);
    expect((await soundRecord(desk().scope, runId)).requests).toHaveLength(1);
  });

  test("a tool that only reads waits too when its agent must ask", async () => {
    const calls: unknown[] = [];
    const runId = await begin("read_diary", { sideEffect: "read" }, calls);
    await answer((await desk().openRequest(runId)).id, "refuse");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(calls).toEqual([]);
  });

  test("of two people who answer at once one counts, and the call is made at most once", async () => {
    const calls: unknown[] = [];
    const runId = await begin("sign_it", { sideEffect: "external" }, calls);
    const { id } = await desk().openRequest(runId);
    const told = await Promise.all(["allow", "refuse", "allow"].map((text) => answer(id, text)));
    expect(told.filter(({ counted }) => counted)).toHaveLength(1);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const { requests, decisions } = await soundRecord(desk().scope, runId);
    expect(calls).toHaveLength(requests[0]?.answer === "allow" ? 1 : 0);
    expect(decisions.filter(({ kind: what }) => what === "answer")).toHaveLength(1);
  });

  test("allowed after the run was stopped, nothing happens", async () => {
    const calls: unknown[] = [];
    const runId = await begin("too_late", { sideEffect: "external" }, calls);
    const { id } = await desk().openRequest(runId);
    await stopRun({ scope: desk().scope, runId });
    const before = await soundRecord(desk().scope, runId);
    expect(await answer(id, "allow")).toEqual({ requestId: id, counted: false });
    await expireRequests(pool());
    const after = await soundRecord(desk().scope, runId);
    expect(after).toMatchObject({ lastSeq: before.lastSeq, run: { status: "aborted" } });
    expect(after.requests).toMatchObject([{ status: "withdrawn", answer: null }]);
    expect(calls).toEqual([]);
  });

  test("allowed while the run was stopped at the same moment, the call is made by nobody who was refused", async () => {
    const calls: unknown[] = [];
    const runId = await begin("stop_or_go", { sideEffect: "external" }, calls);
    const { id } = await desk().openRequest(runId);
    await desk().shut();
    const [given] = await Promise.all([answer(id, "allow"), stopRun({ scope: desk().scope, runId })]);
    await desk().open();
    const { requests, run } = await soundRecord(desk().scope, runId);
    expect(run.status).toBe("aborted");
    expect(requests[0]?.status).toBe(given.counted ? "answered" : "withdrawn");
    expect(calls).toEqual([]);
  });

  test.each([
    [
      "arguments",
      "update messages set content = jsonb_set(content, '{calls,0,arguments}', $2) where agent_run_id = $1 and role = 'assistant'",
      '"{\\"to\\":\\"Eve\\"}"',
    ],
    ["hash", "update human_requests set arguments_hash = $2 where agent_run_id = $1", "0".repeat(64)],
  ])("what a person allowed allows no call with another %s", async (what, text, value) => {
    const calls: unknown[] = [];
    const runId = await begin(`send_${what}`, { sideEffect: "external" }, calls);
    const request = await desk().openRequest(runId);
    await desk().shut();
    const { rowCount } = await pool().query(text, [request.agent, value]);
    expect(rowCount).toBe(1);
    await answer(request.id, "allow");
    await desk().open();
    const run = await desk().ended(runId);
    expect(run.status).toBe("completed");
    expect(run.answer).toContain("not the one a person allowed");
    expect(calls).toEqual([]);
    const { steps } = await soundRecord(desk().scope, runId);
    expect(steps.find(({ kind: step }) => step === "tool")).toMatchObject({ error: { code: "not_allowed" } });
  });

  test("one answer allows one call: the same call in a later turn is asked about anew", async () => {
    const calls: unknown[] = [];
    const run = async (args: unknown) => calls.push(args);
    desk().tools.set("twice", aTool("twice", run, { sideEffect: "external" }));
    const same = { calls: [call("twice", { to: "Ada" })] };
    const team = await solo({ tools: ["twice"], askBefore: ["twice"] });
    const runId = await desk().play(team, "the same call twice", turns(same, same, { text: "Done." }));
    const first = await desk().openRequest(runId);
    await answer(first.id, "allow");
    const second = await eventually(async () => {
      const request = await desk().openRequest(runId);
      expect(request.id).not.toBe(first.id);
      return request;
    });
    expect(calls).toHaveLength(1);
    await answer(second.id, "refuse");
    await desk().ended(runId);
    expect(calls).toHaveLength(1);
  });

  test.each(["after-intent", "after-effect"] as const)(
    "an allowed call that was cut off %s is not made again by that answer",
    async (at) => {
      const calls: unknown[] = [];
      const { resources } = desk().executor ?? {};
      if (!resources) throw new Error("nobody executes");
      const cut = { off: 0 };
      let agent = "";
      resources.atFaultPoint = async (point, agentRunId, position) => {
        if (point !== at || agentRunId !== agent || position === 0) return;
        cut.off += 1;
        await new Promise(() => {});
      };
      const runId = await begin(`cut_${at}`, { sideEffect: "external" }, calls);
      const asked = await desk().openRequest(runId);
      agent = asked.agent;
      await answer(asked.id, "allow");
      await eventually(() => expect(cut.off).toBe(1));
      const made = calls.length;
      await desk().shut();
      await desk().open();
      // Nobody knows whether it happened: a person says, and is not asked to allow it again.
      const doubt = await desk().openRequest(runId);
      expect(doubt.prompt).toMatch(/take effect\?$/);
      expect(calls).toHaveLength(made);
      await answer(doubt.id, "give_up");
      expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
      expect(calls).toHaveLength(made);
      const { requests } = await soundRecord(desk().scope, runId);
      expect(requests.map(({ kind: what }) => what)).toEqual(["approval", "uncertain_effect"]);
    },
  );

  test("allowed while nobody waited yet, the call is made once by who takes it up", async () => {
    const calls: unknown[] = [];
    const { resources } = desk().executor ?? {};
    if (!resources) throw new Error("nobody executes");
    resources.atFaultPoint = async (point) => {
      if (point === "in-wait") await new Promise(() => {});
    };
    const runId = await begin("cut_before", { sideEffect: "external" }, calls);
    const { id } = await desk().openRequest(runId);
    await answer(id, "allow");
    expect(calls).toEqual([]);
    await desk().shut();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(calls).toHaveLength(1);
    expect((await soundRecord(desk().scope, runId)).requests).toHaveLength(1);
  });
});
