import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { expireRequest, expireRequests } from "@/server/engine/expire-requests";
import { listOpenRequests } from "@/server/requests/queries";
import { answerRequest } from "@/server/requests/service/answer";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { Script } from "@/tests/support/scripted-model";

const WHICH = call("user__ask", { question: "Which?", options: ["Red", "Green"] });
/** Longer than any of these tests. */
const LONG_MS = 3_600_000;
const said: Script = (request) => ({ text: JSON.stringify(lastResults(request)) });

describe.each(DATABASE_KINDS)("deadlines of what people are asked, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const record = (runId: string) => eventually(() => soundRecord(scope(), runId));
  const answer = (requestId: string, given: string) =>
    answerRequest({ scope: scope(), input: { requestId, answer: given } });

  const ask = async (config: Partial<AgentConfig>, calls = [WHICH]) => {
    const supervisor = { canSpawnAgents: false, tools: ["user__ask"], ...config };
    const team = await aTeam(db(), scope().workspaceId, { supervisor, agents: [] });
    return desk().play(team, "ask in time", turns({ calls }, said));
  };
  const deadlinePassed = (requestId: string) =>
    eventually(async () => {
      const { rows } = await pool().query("select deadline_at <= now() as passed from human_requests where id = $1", [
        requestId,
      ]);
      expect(rows).toEqual([{ passed: true }]);
    });
  const statesOf = ({ events }: Awaited<ReturnType<typeof record>>) =>
    events.flatMap(({ body }) => (body.kind === "run.status" ? [body.status] : []));

  test("a question nobody answers in time is closed, and the agent goes on by its own judgement", async () => {
    const runId = await ask({ questionTimeoutMs: 1_000 });
    const { id } = await desk().openRequest(runId);
    const run = await desk().ended(runId);
    expect(run.status).toBe("completed");
    expect(run.answer).toContain("Nobody answered in time. Use your own judgement");
    expect(await answer(id, "Red")).toEqual({ requestId: id, counted: false });

    const kept = await record(runId);
    const [request] = kept.requests;
    expect(request).toMatchObject({ status: "expired", answer: null, answeredBy: null });
    const ms = Date.parse(request?.deadlineAt ?? "") - Date.parse(request?.createdAt ?? "");
    expect(Math.abs(ms - 1_000)).toBeLessThan(500);
    expect(Date.parse(request?.answeredAt ?? "")).toBeGreaterThanOrEqual(Date.parse(request?.deadlineAt ?? ""));
    expect(statesOf(kept)).toEqual(["queued", "running", "waiting", "running", "completed"]);
    expect(kept.decisions.filter(({ kind: what }) => what === "answer")).toMatchObject([
      {
        source: "runtime-rule",
        position: request?.position,
        chosen: [{ option: "no_answer" }],
        reason: "Nobody answered before the deadline, so the agent goes on by its own judgement.",
      },
    ]);
    expect(kept.steps.find(({ name }) => name === "user__ask")).toMatchObject({ error: { code: "no_answer" } });
  });

  test("a call nobody allows in time is not made", async () => {
    const calls: unknown[] = [];
    const post = aTool("post", async (args) => calls.push(args), { sideEffect: "external" });
    desk().tools.set("post", post);
    const runId = await ask({ tools: ["post"], askBefore: ["post"], approvalTimeoutMs: 1_000 }, [call("post")]);
    expect((await desk().ended(runId)).answer).toContain("not allowed, because nobody answered in time");
    expect(calls).toEqual([]);
    const { requests, decisions, steps } = await record(runId);
    expect(requests).toMatchObject([{ kind: "approval", status: "expired" }]);
    expect(decisions.map(({ reason }) => reason)).toContain(
      "Nobody answered before the deadline, so the call is not allowed.",
    );
    expect(steps.find(({ name }) => name === "post")).toMatchObject({ error: { code: "not_allowed" } });
  });

  test("an answer in time counts, and what else is asked goes on waiting", async () => {
    const runId = await ask({ questionTimeoutMs: LONG_MS }, [WHICH, WHICH]);
    const ids = await eventually(async () => {
      const { requests } = await record(runId);
      expect(requests).toHaveLength(2);
      return requests.map(({ id }) => id);
    });
    expect(await answer(ids[0] ?? "", "Red")).toMatchObject({ counted: true });
    expect(await desk().statusOf(runId)).toMatchObject({ status: "waiting" });
    expect(await answer(ids[1] ?? "", "Green")).toMatchObject({ counted: true });
    expect((await desk().ended(runId)).answer).toBe('[{"answer":"Red"},{"answer":"Green"}]');
    await record(runId);
  });

  test("of several that expire the last lets the run go on", async () => {
    const runId = await ask({ questionTimeoutMs: 1_000 }, [WHICH, WHICH, WHICH]);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const kept = await record(runId);
    expect(kept.requests.map(({ status }) => status)).toEqual(["expired", "expired", "expired"]);
    expect(statesOf(kept).slice(-3)).toEqual(["waiting", "running", "completed"]);
    expect(statesOf(kept).filter((state) => state === "running")).toHaveLength(2);
  });

  test("a child's question has its deadline from when people are asked", async () => {
    const gate = { open: () => {} };
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    desk().tools.set(
      "busy",
      aTool("busy", async () => opened),
    );
    const agents = [{ tools: ["user__ask"], escalationTimeoutMs: 300, questionTimeoutMs: 1_000 }];
    const team = await aTeam(db(), scope().workspaceId, { supervisor: { tools: ["busy"] }, agents });
    const task = desk().words("ask from below", turns({ calls: [WHICH] }, said));
    const name = team.children[0]?.name ?? "";
    const outputs: Script = (request) => ({ text: String(lastResults(request)[0]?.output) });
    const script = turns({ calls: [spawn(name, task), call("busy")] }, collectAll, outputs);
    const runId = await desk().play(team, "be busy above", script);
    await eventually(async () => expect((await record(runId)).agent(name).status).toBe("completed"));
    gate.open();
    expect((await desk().ended(runId)).answer).toContain("Nobody answered in time.");
    const { events, requests } = await record(runId);
    const asked = events.find(({ body }) => body.kind === "request.opened")?.body;
    expect(asked).toMatchObject({ request: { status: "escalated", deadlineAt: null } });
    const passedOn = events.flatMap(({ body }) => (body.kind === "request.passed_on" ? [body] : []))[0];
    expect(Date.parse(passedOn?.deadlineAt ?? "") - Date.parse(passedOn?.at ?? "")).toBe(1_000);
    expect(requests).toMatchObject([{ status: "expired", deadlineAt: passedOn?.deadlineAt }]);
  });

  test("while nobody executes it no answer counts after the deadline, and whoever takes it up goes on", async () => {
    const runId = await ask({ questionTimeoutMs: 1_000 });
    const { id } = await desk().openRequest(runId);
    await desk().shut();
    await deadlinePassed(id);
    expect((await record(runId)).requests).toMatchObject([{ status: "open" }]);
    expect(await answer(id, "Red")).toMatchObject({ counted: false });
    expect((await record(runId)).requests).toMatchObject([{ status: "expired", answer: null }]);
    expect(await desk().statusOf(runId)).toMatchObject({ status: "running" });
    await desk().open();
    expect((await desk().ended(runId)).answer).toContain("Nobody answered in time.");
    expect((await record(runId)).requests).toHaveLength(1);
  });

  test("a worker that takes it up keeps the deadline, and the sweep closes what passed meanwhile", async () => {
    const runId = await ask({ questionTimeoutMs: 1_000 });
    const { id } = await desk().openRequest(runId);
    await desk().shut();
    const before = (await record(runId)).requests[0]?.deadlineAt;
    await deadlinePassed(id);
    await expireRequests(pool());
    expect((await record(runId)).requests).toMatchObject([{ status: "expired", deadlineAt: before }]);
    await desk().open();
    expect((await desk().ended(runId)).answer).toContain("Nobody answered in time.");
    expect((await record(runId)).decisions.filter(({ kind: what }) => what === "answer")).toHaveLength(1);
  });

  test("of an answer and several that look at the deadline one counts", async () => {
    const runId = await ask({ questionTimeoutMs: 1_000 });
    const { id } = await desk().openRequest(runId);
    await desk().shut();
    await deadlinePassed(id);
    const [given, ...expired] = await Promise.all([
      answer(id, "Red"),
      ...[1, 2, 3].map(() => expireRequest(pool(), id)),
    ]);
    expect(given).toMatchObject({ counted: false });
    expect(expired.filter(Boolean).length).toBeLessThanOrEqual(1);
    const { events, run } = await record(runId);
    expect(events.filter(({ body }) => body.kind === "request.closed")).toHaveLength(1);
    expect(run).toMatchObject({ status: "running", openRequests: 0 });
    await desk().open();
    await desk().ended(runId);
  });

  test("the deadline of a held run stands still, and moves by as long as it was held", async () => {
    const runId = await ask({ questionTimeoutMs: 1_500 });
    const { id } = await desk().openRequest(runId);
    await pauseRun({ scope: scope(), runId });
    await deadlinePassed(id);
    await expireRequests(pool());
    expect(await expireRequest(pool(), id)).toBe(false);
    const held = await record(runId);
    expect(held.requests).toMatchObject([{ status: "open" }]);
    const { items } = await listOpenRequests(scope(), { limit: 100, whose: "everybody" });
    expect(items.find((item) => item.id === id)).toMatchObject({ isHeld: true });

    const { rows } = await pool().query<{ at: Date }>("select held_at as at from runs where id = $1", [runId]);
    await resumeRun({ scope: scope(), runId });
    expect((await desk().ended(runId)).answer).toContain("Nobody answered in time.");
    const kept = await record(runId);
    const [request] = kept.requests;
    const resumedAt = kept.events.flatMap(({ body, agentRunId }) =>
      body.kind === "agent.status" && body.status === "running" && agentRunId ? [Date.parse(body.at)] : [],
    )[1];
    const moved = Date.parse(request?.deadlineAt ?? "") - Date.parse(held.requests[0]?.deadlineAt ?? "");
    expect(Math.abs(moved - ((resumedAt ?? 0) - (rows[0]?.at.getTime() ?? 0)))).toBeLessThanOrEqual(2);
    expect(kept.events.filter(({ body }) => body.kind === "request.moved")).toMatchObject([
      { agentRunId: kept.root.id, body: { requestId: id, deadlineAt: request?.deadlineAt } },
    ]);
    expect(request?.status).toBe("expired");
    expect(Date.parse(request?.answeredAt ?? "")).toBeGreaterThanOrEqual(Date.parse(request?.deadlineAt ?? ""));
  });

  test("what is asked in a held run may be answered after its deadline", async () => {
    const runId = await ask({ questionTimeoutMs: 1_000 });
    const { id } = await desk().openRequest(runId);
    await pauseRun({ scope: scope(), runId });
    await deadlinePassed(id);
    expect(await answer(id, "Green")).toMatchObject({ counted: true });
    await resumeRun({ scope: scope(), runId });
    expect((await desk().ended(runId)).answer).toBe('[{"answer":"Green"}]');
    expect((await record(runId)).events.filter(({ body }) => body.kind === "request.moved")).toEqual([]);
  });
});
