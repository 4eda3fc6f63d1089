import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import { removeRuns } from "@/server/runs/service/remove-runs";
import { finishRemovals } from "@/server/usage/jobs/remove-run";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aRun, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun, type SampleState } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

const NOT_ALLOWED = { code: "FORBIDDEN" };
const NOT_FOUND = { code: "NOT_FOUND" };
const SIGNAL = new AbortController().signal;

describe.each(DATABASE_KINDS)("removing runs (%s)", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  let team: TeamFixture;
  beforeAll(async () => {
    owner = await aMember(db(), await aWorkspace(db()));
    team = await aSampleTeam(db(), owner.workspaceId);
  });
  const runs = () => callerOf(owner).runs;
  const aSampleRun = (state: SampleState, place: { scope: Scope; team: TeamFixture } = { scope: owner, team }) =>
    insertSampleRun(db(), { workspaceId: place.scope.workspaceId, team: place.team, startedById: owner.userId, state });
  /** Rows of a run, by table. */
  async function rowsOf(runId: string): Promise<Record<string, number>> {
    const tables = ["agent_runs", "steps", "events", "decisions", "usages", "human_requests", "run_tags", "effects"];
    const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table} WHERE run_id = $1) AS ${table}`);
    const { rows } = await pool().query(
      `SELECT ${counts.join(", ")}, (SELECT count(*)::int FROM runs WHERE id = $1) AS runs,
         (SELECT count(*)::int FROM messages m WHERE m.agent_run_id NOT IN (SELECT id FROM agent_runs)) AS messages_of_nobody`,
      [runId],
    );
    return rows[0];
  }
  const NOTHING = {
    ...{ agent_runs: 0, steps: 0, events: 0, decisions: 0, usages: 0, human_requests: 0, run_tags: 0, effects: 0 },
    ...{ runs: 0, messages_of_nobody: 0 },
  };

  test("what it would remove is said first, and exactly that is gone", async () => {
    const runId = await aSampleRun("finished");
    await runs().setTags({ runId, tags: ["going"] });
    const neighbour = await aSampleRun("failed");
    const before = await rowsOf(neighbour);
    const of = await rowsOf(runId);
    const plan = await runs().removalPlan({ runIds: [runId] });
    expect(plan).toEqual({
      ...{ runs: 1, steps: of.steps, decisions: of.decisions, bytes: plan.bytes },
      ...{ held: 0, openRequests: 0, knownCalls: 0, turns: 0, descendants: 0, refused: [] },
    });
    expect(plan.steps).toBeGreaterThan(5);
    expect(plan.decisions).toBeGreaterThan(2);
    expect(plan.bytes).toBeGreaterThan(5_000);
    // Asked, and nothing was removed.
    expect(await rowsOf(runId)).toEqual(of);
    expect(await runs().remove({ runIds: [runId] })).toEqual({ done: 1, refused: [] });
    expect(await rowsOf(runId)).toEqual(NOTHING);
    expect(await rowsOf(neighbour)).toEqual(before);
    expect((await runs().list({ limit: 100 })).items.map(({ id }) => id)).not.toContain(runId);
  });

  test("who did it is kept with what it counted for, and told to whoever looks for the run", async () => {
    const runId = await aSampleRun("finished");
    const run = await db().run.findUniqueOrThrow({ where: { id: runId } });
    const editor = await aMember(db(), owner.workspaceId, "editor");
    await db().user.update({ where: { id: editor.userId }, data: { name: "Edi Torson" } });
    await callerOf(editor).runs.remove({ runIds: [runId] });
    const kept = await db().removedRun.findUniqueOrThrow({ where: { runId } });
    expect(kept).toMatchObject({ removedById: editor.userId, costNanoUsd: run.costNanoUsd, createdAt: run.createdAt });
    expect(kept.tokens).toBe(run.inputTokens + run.outputTokens);
    // Nothing of what was said: numbers, ids and instants.
    expect(Object.values(kept).filter((value) => typeof value === "string" && !/^[0-9a-f-]{36}$/.test(value))).toEqual(
      [],
    );
    await expect(runs().tree({ runId })).rejects.toMatchObject({
      ...NOT_FOUND,
      message: expect.stringMatching(/^Edi Torson removed this run on \d{4}-\d\d-\d\d\.$/),
    });
    const stranger = callerOf(await aMember(db(), await aWorkspace(db()))).runs;
    await expect(stranger.tree({ runId })).rejects.toMatchObject({ message: expect.not.stringMatching(/Edi/) });
  });

  test("one at work is refused and stays, beside others that go", async () => {
    const [live, waiting, finished] = [
      await aSampleRun("live"),
      await aSampleRun("waiting"),
      await aSampleRun("finished"),
    ];
    const before = [await rowsOf(live), await rowsOf(waiting)];
    const plan = await runs().removalPlan({ runIds: [live, waiting, finished] });
    expect(plan.runs).toBe(1);
    const { done, refused } = await runs().remove({ runIds: [live, waiting, finished] });
    expect(done).toBe(1);
    expect(refused.map(({ runId }) => runId).sort()).toEqual([live, waiting].sort());
    for (const { why, title } of refused) {
      expect(why).toBe("Still at work: stop first, then delete.");
      expect(title).not.toBeNull();
    }
    expect(plan.refused.map(({ runId }) => runId).sort()).toEqual([live, waiting].sort());
    expect([await rowsOf(live), await rowsOf(waiting)]).toEqual(before);
    expect(await runs().remove({ runIds: [live] })).toMatchObject({ done: 0, refused: [{ runId: live }] });
    // Stopped, it goes.
    await runs().stop({ runId: live });
    expect(await runs().remove({ runIds: [live] })).toEqual({ done: 1, refused: [] });
    expect(await rowsOf(live)).toEqual(NOTHING);
  });

  test("one that is held is stopped and goes with its open questions", async () => {
    const runId = await aSampleRun("waiting");
    await runs().pause({ runId });
    expect(await runs().removalPlan({ runIds: [runId] })).toMatchObject({ runs: 1, held: 1, openRequests: 1 });
    expect(await runs().remove({ runIds: [runId] })).toEqual({ done: 1, refused: [] });
    expect(await rowsOf(runId)).toEqual(NOTHING);
    await expect(runs().resume({ runId })).rejects.toMatchObject(NOT_FOUND);
    expect((await callerOf(owner).requests.list({})).items.map((request) => request.runId)).not.toContain(runId);
  });

  test("calls that would be answered from before are counted, and forgotten with it", async () => {
    const runId = await aSampleRun("finished");
    const [agent] = (await runs().tree({ runId })).agents;
    const entry = (key: string, expiresAt: Date) => ({
      ...{ workspaceId: owner.workspaceId, key, tool: "notes__write", state: "succeeded", runId, sentKey: key },
      ...{ agentRunId: agent?.id ?? "", position: 0, ttlSeconds: 60, keepsFailures: false, expiresAt },
    });
    const [known, expired] = [`notes__write:${uuid()}`, `notes__write:${uuid()}`];
    await db().idempotencyEntry.createMany({
      data: [entry(known, new Date(Date.now() + 60_000)), entry(expired, new Date(Date.now() - 60_000))],
    });
    expect(await runs().removalPlan({ runIds: [runId] })).toMatchObject({ knownCalls: 1 });
    await runs().remove({ runIds: [runId] });
    expect(await db().idempotencyEntry.count({ where: { key: { in: [known, expired] } } })).toBe(0);
  });

  test("what was made from it stays: a fork says that its origin was removed, a repeat has no link", async () => {
    const origin = await aSampleRun("finished");
    const [agent] = (await runs().tree({ runId: origin })).agents;
    const fork = await aSampleRun("finished");
    const link = { forkedFromRunId: origin, forkedAtSeq: 3, forkedAtAgentRunId: agent?.id ?? "", forkedAtPosition: 0 };
    await db().run.update({ where: { id: fork }, data: link });
    const repeat = await aRun(db(), owner.workspaceId, team, { rerunOfId: origin, status: "completed" });
    expect((await runs().tree({ runId: fork })).run.forkOf).toMatchObject({ id: origin });
    expect(await runs().removalPlan({ runIds: [origin] })).toMatchObject({ descendants: 2 });
    // What goes with it does not stay.
    expect(await runs().removalPlan({ runIds: [origin, fork, repeat.id] })).toMatchObject({ descendants: 0 });
    expect((await runs().tree({ runId: origin })).run).toMatchObject({
      forks: [{ id: fork, agentName: agent?.name, position: 0, edit: null, createdAt: expect.stringMatching(/Z$/) }],
      reruns: [{ id: repeat.id, createdAt: expect.stringMatching(/Z$/) }],
    });
    await runs().remove({ runIds: [origin] });
    const { run } = await runs().tree({ runId: fork });
    expect(run).toMatchObject({ isFork: true, forkOf: null });
    expect((await runs().tree({ runId: repeat.id })).run).toMatchObject({ rerunOf: null, isFork: false });
    expect((await listEventsAfter(owner.workspaceId, { runId: fork, seq: 0, limit: 1 })).length).toBe(1);
  });

  test("one whose removal is under way is gone: its page, and from what it was made or what was made from it", async () => {
    const [origin, fork, repeat] = [
      await aSampleRun("finished"),
      await aSampleRun("finished"),
      await aSampleRun("finished"),
    ];
    const [agent] = (await runs().tree({ runId: origin })).agents;
    const link = { forkedFromRunId: origin, forkedAtSeq: 3, forkedAtAgentRunId: agent?.id ?? "", forkedAtPosition: 0 };
    await db().run.update({ where: { id: fork }, data: link });
    await db().run.update({ where: { id: repeat }, data: { rerunOfId: origin } });
    const setRemoving = (id: string, removingAt: Date | null) =>
      db().run.update({ where: { id }, data: { removingAt } });
    await setRemoving(origin, new Date());
    await expect(runs().tree({ runId: origin })).rejects.toMatchObject(NOT_FOUND);
    expect((await runs().tree({ runId: fork })).run).toMatchObject({ isFork: true, forkOf: null });
    expect((await runs().tree({ runId: repeat })).run).toMatchObject({ rerunOf: null });
    await setRemoving(origin, null);
    await setRemoving(fork, new Date());
    expect((await runs().tree({ runId: origin })).run).toMatchObject({ forks: [], reruns: [{ id: repeat }] });
    await setRemoving(fork, null);
  });

  test("a turn goes alone: its conversation stays, says so, and can be carried on", async () => {
    const { conversations } = callerOf(owner);
    const { conversationId } = await conversations.start({ teamId: team.teamId });
    const turns = [await aSampleRun("finished"), await aSampleRun("finished"), await aSampleRun("failed")];
    for (const id of turns) await db().run.update({ where: { id }, data: { conversationId } });
    const [first = "", second = "", third = ""] = turns;
    expect(await runs().removalPlan({ runIds: [second] })).toMatchObject({ turns: 1 });
    const { createdAt } = await db().run.findUniqueOrThrow({ where: { id: second } });
    await runs().remove({ runIds: [second] });
    const after = await conversations.get({ conversationId });
    expect(after.turns.map(({ runId }) => runId)).toEqual([first, third]);
    expect(after.removedTurns).toEqual([
      {
        ...{ runId: second, removedBy: owner.userName, createdAt: createdAt.toISOString() },
        removedAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(after.whyNotAsk).toBeNull();
    await conversations.remove({ conversationId });
    expect(await db().run.count({ where: { id: { in: turns } } })).toBe(0);
  });

  test("gives none of the day's money back, neither on screen nor in the limits", async () => {
    const scope = await aMember(db(), await aWorkspace(db()));
    const place = { scope, team: await aSampleTeam(db(), scope.workspaceId) };
    const today = await aSampleRun("finished", place);
    const yesterday = await aSampleRun("finished", place);
    await db().step.updateMany({ where: { runId: today }, data: { finishedAt: new Date() } });
    await db().run.update({ where: { id: today }, data: { finishedAt: new Date() } });
    await db().step.updateMany({ where: { runId: yesterday }, data: { finishedAt: new Date(Date.now() - 2 * 864e5) } });
    const { usage, runs } = callerOf(scope);
    const before = { home: (await runs.summary()).spentTodayNanoUsd, now: (await usage.get()).now };
    expect(before.home).toBeGreaterThan(0);
    expect(before.home).toBe(before.now.spentTodayNanoUsd);
    await runs.remove({ runIds: [today, yesterday] });
    expect((await runs.summary()).spentTodayNanoUsd).toBe(before.home);
    expect((await usage.get()).now).toMatchObject({
      spentTodayNanoUsd: before.now.spentTodayNanoUsd,
      tokensToday: before.now.tokensToday,
    });
  });

  test("goes on counting what was reserved for calls of which nobody knows the cost", async () => {
    const runId = await aSampleRun("finished");
    const { workspaceId } = owner;
    const [agent] = (await runs().tree({ runId })).agents;
    const day = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
    await db().workspaceDay.create({ data: { workspaceId, day, costNanoUsd: 1_000n, tokens: 10n } });
    const reserved = { agentRunId: agent?.id ?? "", epoch: 1, workspaceId, runId, day, costNanoUsd: 500n, tokens: 7n };
    await db().reservation.createMany({
      data: [
        { ...reserved, position: 90, status: "unconfirmed" },
        { ...reserved, position: 91, status: "settled" },
        { ...reserved, position: 92, status: "released" },
      ],
    });
    await runs().remove({ runIds: [runId] });
    expect(await db().workspaceDay.findFirst({ where: { workspaceId, day } })).toMatchObject({
      costNanoUsd: 1_500n,
      tokens: 17n,
    });
  });

  test("one that was cut off is gone for people at once, and is finished later", async () => {
    const scope = await aMember(db(), await aWorkspace(db()));
    const place = { scope, team: await aSampleTeam(db(), scope.workspaceId) };
    const [cutOff, begun] = [await aSampleRun("finished", place), await aSampleRun("finished", place)];
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await db().run.update({ where: { id: cutOff }, data: { removingAt: minutesAgo(2) } });
    await db().run.update({ where: { id: begun }, data: { removingAt: minutesAgo(0) } });
    const { runs } = callerOf(scope);
    expect((await runs.list({})).items).toEqual([]);
    expect((await runs.matching({})).runIds).toEqual([]);
    await expect(runs.rename({ runId: cutOff, title: "Still here" })).rejects.toMatchObject(NOT_FOUND);
    await expect(runs.remove({ runIds: [cutOff] })).rejects.toMatchObject(NOT_FOUND);
    await finishRemovals(SIGNAL);
    expect(await rowsOf(cutOff)).toEqual(NOTHING);
    expect((await rowsOf(begun)).runs).toBe(1);
  });

  test("a large run goes too, in pieces", async () => {
    const runId = await aSampleRun("finished");
    const { lastSeq, workspaceId } = await db().run.findUniqueOrThrow({ where: { id: runId } });
    const more = Array.from({ length: 2_500 }, (_, n) => ({
      ...{ runId, workspaceId, seq: lastSeq + n + 1, kind: "agent.status" },
      body: { status: "running", reason: null, at: new Date().toISOString() },
    }));
    await db().event.createMany({ data: more });
    await db().run.update({ where: { id: runId }, data: { lastSeq: lastSeq + more.length } });
    expect(await removeRuns({ scope: owner, runIds: [runId] })).toEqual({ done: 1, refused: [] });
    expect(await rowsOf(runId)).toEqual(NOTHING);
  });

  test("two who remove the same run do it once", async () => {
    const runId = await aSampleRun("finished");
    const outcomes = await Promise.allSettled([runs().remove({ runIds: [runId] }), runs().remove({ runIds: [runId] })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await db().removedRun.count({ where: { runId } })).toBe(1);
  });

  test("editors may, operators and viewers may not, and runs of another workspace are not there", async () => {
    const runId = await aSampleRun("finished");
    const before = await rowsOf(runId);
    for (const role of ["operator", "viewer"] as const) {
      const somebody = callerOf(await aMember(db(), owner.workspaceId, role)).runs;
      await expect(somebody.remove({ runIds: [runId] })).rejects.toMatchObject(NOT_ALLOWED);
      await expect(somebody.removalPlan({ runIds: [runId] })).rejects.toMatchObject(NOT_ALLOWED);
    }
    const stranger = callerOf(await aMember(db(), await aWorkspace(db()))).runs;
    await expect(stranger.remove({ runIds: [runId] })).rejects.toMatchObject(NOT_FOUND);
    await expect(stranger.remove({ runIds: [uuid()] })).rejects.toMatchObject(NOT_FOUND);
    const { refused, ...plan } = await stranger.removalPlan({ runIds: [runId] });
    expect(Object.values(plan).every((count) => count === 0)).toBe(true);
    expect(refused).toMatchObject([{ runId, title: null }]);
    expect(await rowsOf(runId)).toEqual(before);
    const editor = callerOf(await aMember(db(), owner.workspaceId, "editor")).runs;
    expect(await editor.remove({ runIds: [runId] })).toMatchObject({ done: 1 });
  });
});
