import { afterEach, describe, expect, test, vi } from "vitest";
import { db, pool } from "@/server/db";
import { stopOverdueRuns } from "@/server/engine/overdue-runs";
import { answerRequest } from "@/server/requests/service/answer";
import { toolPolicy } from "@/server/tools/tool-policy";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { call, collectAll, hangs, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 1_500;

/** F39: a deadline is the database's, whatever a worker's clock says and however many workers there were since. */
describe.each(DATABASE_KINDS)("deadlines over restarts and wrong clocks on the %s database", (kind) => {
  const desk = useDesk(kind);
  const record = (runId: string) => soundRecord(desk().scope, runId);
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The worker ends, and another begins whose clock is off by that much. */
  async function nextWorker(skewMs: number): Promise<void> {
    await desk().shut();
    vi.restoreAllMocks();
    const real = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => real() + skewMs);
    await desk().open();
  }

  test.each([
    ["ahead", HOUR_MS],
    ["behind", -HOUR_MS],
  ])(
    "a question is passed on to a person once, in its time, by workers whose clocks are an hour %s",
    async (_, skewMs) => {
      await nextWorker(skewMs);
      const asker = { tools: ["user__ask"], escalationTimeoutMs: TIMEOUT_MS };
      const team = await aTeam(db(), desk().scope.workspaceId, { agents: [asker] });
      const task = desk().words(
        "ask",
        turns({ calls: [call("user__ask", { question: "Which?" })] }, { text: "Fine." }),
      );
      const name = team.children[0]?.name ?? "";
      const lead = turns({ calls: [spawn(name, task)] }, collectAll, collectAll, { text: "Done." });
      const runId = await desk().play(team, "wait in vain", lead);
      await eventually(async () => expect((await record(runId)).requests).toMatchObject([{ status: "escalated" }]));
      await nextWorker(-skewMs);
      const { id } = await desk().openRequest(runId);
      const { rows } = await pool().query<{ early: boolean }>(
        // From when it was decided: on a busy machine the question is stored a while later.
        `select e.at < min(d.at) + make_interval(secs => $2) - interval '50 ms' as early
       from human_requests q join events e on e.run_id = q.run_id and e.kind = 'request.passed_on'
       join decisions d on d.run_id = q.run_id and d.kind = 'escalation' where q.id = $1 group by e.at`,
        [id, TIMEOUT_MS / 1_000],
      );
      expect(rows).toEqual([{ early: false }]);
      await nextWorker(skewMs);
      await answerRequest({ scope: desk().scope, input: { requestId: id, answer: "Red" } });
      expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
      const { decisions, events } = await record(runId);
      expect(events.filter(({ body }) => body.kind === "request.passed_on")).toHaveLength(1);
      expect(decisions.flatMap(({ kind: what, chosen }) => (what === "escalation" ? [chosen[0]?.option] : []))).toEqual(
        ["agents_above", "person"],
      );
    },
  );

  test("a run in which nothing was recorded for too long is ended once, though many look and their clocks are off", async () => {
    let isAtWork = false;
    desk().engineTools.set(
      "stay",
      hangs("stay", () => {
        isAtWork = true;
      }),
    );
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["stay"] },
      agents: [],
    });
    const runId = await desk().play(team, "stay for ever", turns({ calls: [call("stay")] }));
    await eventually(() => expect(isAtWork).toBe(true));
    isAtWork = false;
    await nextWorker(HOUR_MS);
    await eventually(() => expect(isAtWork).toBe(true));
    // An hour by this worker's clock, and no time at all.
    await stopOverdueRuns(pool());
    expect(await desk().statusOf(runId)).toMatchObject({ status: "running" });
    await pool().query("update runs set progress_at = now() - interval '10 minutes 1 second' where id = $1", [runId]);
    await Promise.all(Array.from({ length: 5 }, () => stopOverdueRuns(pool())));
    expect(await desk().statusOf(runId)).toMatchObject({ status: "aborted", reason: "progress_timeout" });
    const { decisions, events } = await record(runId);
    expect(decisions.filter((decision) => decision.kind === "limit")).toHaveLength(1);
    expect(events.filter(({ body }) => body.kind === "run.status" && body.status === "aborted")).toHaveLength(1);
  });

  test("what ends by itself is not stuck, however long it takes: a call, the same call of another run, a turn at a provider", async () => {
    const { scope } = desk();
    const policy = toolPolicy.parse({ idempotency: { strategy: "hash_input" } });
    const gate = desk().gate("takes hours", { sideEffect: "external", policy });
    const team = await aTeam(db(), scope.workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["takes hours"] },
      agents: [],
    });
    const play = (words: string) =>
      desk().play(team, words, turns({ calls: [call("takes hours")] }, { text: "Done." }));
    const calling = await play("is at its call");
    await eventually(() => expect(gate.calls).toBe(1));
    const claiming = await play("waits for the same call");
    await eventually(async () => {
      expect((await record(claiming)).root.openSteps).toMatchObject([{ name: "takes hours" }]);
    });
    const data = {
      id: crypto.randomUUID(),
      workspaceId: scope.workspaceId,
      name: "one",
      baseUrl: "http://x",
      mostCalls: 1,
    };
    await db().provider.create({ data });
    await desk().executor?.resources.slots.take({ providerId: data.id }, new AbortController().signal);
    const { model } = desk();
    desk().model = { ...model, limitedBy: data.id };
    const queueing = await play("waits for its turn");
    await eventually(async () => expect((await record(queueing)).root.openSteps).toMatchObject([{ kind: "model" }]));

    const runs = [calling, claiming, queueing];
    await pool().query("update runs set progress_at = now() - interval '20 minutes' where id = any($1)", [runs]);
    // As each sweep does.
    await desk().executor?.resources.bounded.report();
    await stopOverdueRuns(pool());
    for (const runId of runs) expect(await desk().statusOf(runId)).toMatchObject({ status: "running" });
    await pool().query("delete from call_slots");
    await pool().query("select pg_notify('troupe_work', $1)", [`slot:${data.id}`]);
    gate.open();
    for (const runId of runs) expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    desk().model = model;
    // What has ended is not said to go on.
    await pool().query(
      "update runs set progress_at = now() - interval '20 minutes', status = 'running' where id = $1",
      [calling],
    );
    await desk().executor?.resources.bounded.report();
    const { rows } = await pool().query(
      "select progress_at < now() - interval '19 minutes' as old from runs where id = $1",
      [calling],
    );
    expect(rows).toEqual([{ old: true }]);
    await pool().query("update runs set status = 'completed' where id = $1", [calling]);
  });
});
