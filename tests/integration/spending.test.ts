import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { storeFork } from "@/server/runs/service/store-fork";
import {
  DIMENSIONS,
  type ListedCall,
  type ListSpendingInput,
  NONE,
  SORTS,
  type SpendingGroup,
} from "@/server/spending/schema";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

type Sums = Record<"calls" | "answered" | "cost" | "input" | "output", number>;

const DAY_MS = 86_400_000;

describe.each(DATABASE_KINDS)("spending over runs (%s)", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  let api: ReturnType<typeof callerOf>;
  let teamId: string;
  let runs: string[];
  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    api = callerOf(scope);
    const team = await aSampleTeam(db(), scope.workspaceId);
    teamId = team.teamId;
    const sample = (state: "finished" | "waiting" | "failed") =>
      insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state });
    runs = [await sample("finished"), await sample("waiting"), await sample("failed")];
    // All of them now, whenever the sample says it was; and one long ago.
    await pool().query(
      "UPDATE runs SET created_at = now() - interval '1 minute', finished_at = now() WHERE finished_at IS NOT NULL",
    );
    await pool().query("UPDATE runs SET created_at = now() - interval '1 minute' WHERE finished_at IS NULL");
    await pool().query(
      "UPDATE steps SET finished_at = now() - interval '30 seconds' + (finished_at - started_at), started_at = now() - interval '30 seconds'",
    );
    await pool().query(
      "UPDATE steps SET finished_at = finished_at - interval '40 days', started_at = started_at - interval '40 days' WHERE run_id = $1",
      [runs[0]],
    );
    await pool().query(
      "UPDATE runs SET created_at = created_at - interval '40 days', finished_at = finished_at - interval '40 days' WHERE id = $1",
      [runs[0]],
    );
    const strangers = await aWorkspace(db());
    await insertSampleRun(db(), {
      workspaceId: strangers,
      team: await aSampleTeam(db(), strangers),
      state: "finished",
    });
  });

  const stored = async (where = "true"): Promise<Sums> => {
    const { rows } = await pool().query<Sums>(
      `SELECT count(*)::int AS calls, count(u.position)::int AS answered, coalesce(sum(u.cost_nano_usd), 0)::float8 AS cost,
         coalesce(sum(u.input_tokens), 0)::float8 AS input, coalesce(sum(u.output_tokens), 0)::float8 AS output
       FROM steps s LEFT JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position
       WHERE s.workspace_id = $1 AND s.kind IN ('model', 'summary') AND ${where}`,
      [scope.workspaceId],
    );
    return rows[0] as Sums;
  };
  const allGroups = async (filters: Partial<ListSpendingInput>) => {
    const items = [];
    let cursor: string | null = null;
    do {
      const page = await api.spending.groups({ ...filters, limit: 2, cursor });
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    return items;
  };
  const allCalls = async (filters: Partial<ListSpendingInput> = {}, limit = 100): Promise<ListedCall[]> => {
    const items: ListedCall[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: ListedCall[]; nextCursor: string | null } = await api.spending.calls({
        ...filters,
        limit,
        cursor,
      });
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    return items;
  };

  test("all calls of a period together are what was stored of them, of no other workspace and no other time", async () => {
    const recent = await stored("s.finished_at > now() - interval '2 days'");
    const month = await api.spending.summary({});
    expect(month.total).toMatchObject({
      ...{ calls: recent.calls, answered: recent.answered, costNanoUsd: recent.cost },
      ...{ inputTokens: recent.input, outputTokens: recent.output, silentCalls: 0, unpricedCalls: 0 },
    });
    expect(month.total.calls).toBeGreaterThan(3);
    expect(month.days.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)).toBe(recent.cost);
    const all = await stored();
    expect(all.calls).toBeGreaterThan(recent.calls);
    expect((await api.spending.summary({ period: "90" })).total).toMatchObject({
      calls: all.calls,
      costNanoUsd: all.cost,
    });
    const then = new Date(Date.now() - 41 * DAY_MS).toISOString().slice(0, 10);
    const after = new Date(Date.now() - 39 * DAY_MS).toISOString().slice(0, 10);
    const own = await api.spending.summary({ period: "custom", from: then, to: after });
    expect(own).toMatchObject({ from: then, to: after });
    expect(own.total.calls).toBe(all.calls - recent.calls);
  });

  test.each(DIMENSIONS)(
    "by %s each call counts once, page by page, and the calls behind a row are its calls",
    async (by) => {
      const all = await stored();
      const groups = await allGroups({ by, period: "90" });
      const sum = (of: (group: (typeof groups)[number]) => number) =>
        groups.reduce((total, group) => total + of(group), 0);
      expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
      expect(sum(({ calls }) => calls)).toBe(all.calls);
      expect(sum(({ costNanoUsd }) => costNanoUsd)).toBe(all.cost);
      expect(sum(({ share }) => share ?? 0)).toBeCloseTo(1);
      for (const { key, calls } of groups) {
        const behind =
          by === "day" ? { period: "custom" as const, from: key, to: key } : { period: "90" as const, [by]: key };
        expect(await allCalls(behind), key).toHaveLength(calls);
      }
    },
  );

  test("a row has the name of what it stands for", async () => {
    const names = async (by: ListSpendingInput["by"]) =>
      (await allGroups({ by, period: "90" })).map(({ name }) => name);
    expect(await names("team")).toEqual(["Handbook desk"]);
    expect(new Set(await names("agent"))).toEqual(new Set(["Desk lead", "Searcher", "Writer"]));
    expect((await names("run")).every((title) => title)).toBe(true);
    expect((await names("tools")).some((tools) => tools?.includes("docs__search"))).toBe(true);
    expect((await allGroups({ by: "conversation" })).map(({ key, name }) => [key, name])).toEqual([[NONE, null]]);
    // However the list is grouped, its sums are the same.
    const { total } = await api.spending.summary({ period: "90" });
    for (const by of DIMENSIONS) expect((await api.spending.summary({ period: "90", by })).total).toEqual(total);
    const narrowed = await api.spending.summary({ team: teamId, run: runs[1] ?? "" });
    expect(narrowed.names).toMatchObject({ team: "Handbook desk", run: expect.any(String) });
  });

  test.each(SORTS)("sorted by %s the most come first", async (sort) => {
    const of: Record<typeof sort, (group: SpendingGroup) => number | null | undefined> = {
      cost: ({ costNanoUsd }) => costNanoUsd,
      calls: ({ calls }) => calls,
      failed: ({ failed }) => failed,
      input: ({ inputTokens }) => inputTokens,
      cached: ({ cachedTokens }) => cachedTokens,
      output: ({ outputTokens }) => outputTokens,
      reasoning: ({ reasoningTokens }) => reasoningTokens,
      firstToken: ({ firstTokenMs }) => firstTokenMs?.median,
      duration: ({ durationMs }) => durationMs,
    };
    const groups = await allGroups({ by: "agent", period: "90", sort });
    const values = groups.map((group) => of[sort](group) ?? -1);
    expect(values).toEqual([...values].sort((a, b) => b - a));
  });

  test("calls come newest first, each once however small the pages", async () => {
    const all = await stored();
    const calls = await allCalls({ period: "90" }, 3);
    expect(calls).toHaveLength(all.calls);
    expect(new Set(calls.map(({ agentRunId, position }) => `${agentRunId}.${position}`)).size).toBe(all.calls);
    const times = calls.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    await expect(api.spending.calls({ cursor: "not ours" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(api.spending.groups({ cursor: "not ours" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("a call that costs, takes or ends otherwise is left out", async () => {
    const calls = await allCalls({ period: "90" });
    const cost = calls.map(({ costNanoUsd }) => costNanoUsd ?? 0).sort((a, b) => b - a)[1] ?? 0;
    const dear = await allCalls({ period: "90", dearer: (cost / 1e9).toFixed(9) });
    expect(dear.length).toBe(calls.filter(({ costNanoUsd }) => (costNanoUsd ?? -1) >= cost).length);
    const slow = await allCalls({ period: "90", slower: "2" });
    expect(slow).toHaveLength(calls.filter(({ durationMs }) => (durationMs ?? -1) >= 2_000).length);
    const failed = await allCalls({ period: "90", end: "failed" });
    expect(failed).toHaveLength(calls.filter(({ status }) => status === "failed").length);
    expect(await allCalls({ period: "90", end: "content_filter" })).toEqual([]);
  });

  test("another workspace sees none of it, by whatever it names", async () => {
    const other = callerOf(await aMember(db(), await aWorkspace(db())));
    for (const filters of [{}, { team: teamId }, { run: runs[1] ?? "" }]) {
      const { total, days, names } = await other.spending.summary({ period: "90", ...filters });
      expect([total.calls, days, names]).toEqual([0, [], {}]);
      for (const by of DIMENSIONS)
        expect((await other.spending.groups({ period: "90", by, ...filters })).items).toEqual([]);
      expect((await other.spending.calls({ period: "90", ...filters })).items).toEqual([]);
    }
  });

  test("a removed run is told apart, and an imported one is nobody's spending here", async () => {
    const before = await api.spending.summary({});
    await pool().query(
      `INSERT INTO removed_runs (run_id, workspace_id, created_at, steps, decisions, bytes, cost_nano_usd, tokens, day_cost_nano_usd, day_tokens)
       VALUES (gen_random_uuid(), $1, now(), 1, 0, 1, 700, 9, 700, 9)`,
      [scope.workspaceId],
    );
    await pool().query(
      `INSERT INTO run_imports (run_id, workspace_id, source_run_id, source_workspace_id, source_workspace, saved_by, saved_at, sha256)
       VALUES ($1, $2, $1, $2, 'Elsewhere', 'Somebody', now(), '')`,
      [runs[2], scope.workspaceId],
    );
    const after = await api.spending.summary({});
    expect(after.removed).toEqual({ runs: 1, costNanoUsd: 700 });
    expect(after.total.calls).toBeLessThan(before.total.calls);
    expect((await allCalls()).map(({ runId }) => runId)).not.toContain(runs[2]);
  });
});

describe.each(DATABASE_KINDS)("what the engine records of its calls, in the lists of spending (%s)", (kind) => {
  const desk = useDesk(kind);

  test("LLM-OBS-08, -09, -11: how a call ended and arrived, its tools, and that no usage data is not free", async () => {
    const { scope } = desk();
    const api = callerOf(scope);
    desk().tools.set(
      "look_up",
      aTool("look_up", async () => ({ found: "it" })),
    );
    const team = await aTeam(db(), scope.workspaceId, { supervisor: { tools: ["look_up"] }, agents: [{}] });
    const runId = await desk().play(
      team,
      "make some calls",
      turns(
        (_request, { attempt }) =>
          attempt === 0
            ? { fault: "status", status: 503, message: "away" }
            : { calls: [call("look_up", { reason: "It is asked for." })] },
        { text: "word ".repeat(3_000) },
      ),
    );
    await desk().ended(runId);
    const { items: calls } = await api.spending.calls({});
    expect(calls.map(({ status, finishReason, attempt }) => [status, finishReason, attempt])).toEqual([
      ["answered", "stop", 1],
      ["answered", "tool_calls", 2],
      ["failed", null, 1],
    ]);
    const [last, , failed] = calls;
    expect(last?.firstTokenMs).toBeGreaterThanOrEqual(0);
    // Whose model it was is known of a call without an answer as well.
    expect(failed).toMatchObject({
      provider: last?.provider,
      model: last?.model,
      errorCode: "unavailable",
      costNanoUsd: null,
    });
    const models = await api.spending.groups({ by: "model" });
    expect(models.items).toMatchObject([{ key: `${last?.provider}/${last?.model}`, calls: 3, failed: 1, answered: 2 }]);
    expect((await api.spending.calls({ end: "tool_calls" })).items).toMatchObject([{ position: calls[1]?.position }]);

    const record = await api.runs.modelCall({
      runId,
      agentRunId: last?.agentRunId ?? "",
      position: last?.position ?? 0,
    });
    const { items: surfaces } = await api.spending.groups({ by: "tools" });
    // Also the call that failed was offered them.
    expect(surfaces).toMatchObject([{ key: record.tools?.hash, calls: 3 }]);
    expect(surfaces[0]?.name).toContain("look_up");

    // The endpoint did not say what one of them used.
    await db().usage.update({
      where: { agentRunId_position: { agentRunId: last?.agentRunId ?? "", position: last?.position ?? 0 } },
      data: { inputTokens: 0, outputTokens: 0, costNanoUsd: 0 },
    });
    expect((await api.spending.summary({})).total).toMatchObject({ silentCalls: 1, unpricedCalls: 0 });
    expect((await api.spending.calls({})).items[0]).toMatchObject({ status: "answered", isUsageKnown: false });

    // What a retry keeps was asked, and paid, where it was made first.
    const second = calls[1];
    const place = { agentRunId: last?.agentRunId ?? "", position: last?.position ?? 0 };
    const forkId = await storeFork({ scope, input: { runId, ...place, askBeforeWrites: false } });
    await desk().ended(forkId);
    const forked = (await api.spending.calls({ run: forkId })).items;
    expect(forked.map(({ position }) => position)).not.toContain(second?.position);
    expect((await api.spending.calls({ run: runId })).items).toHaveLength(3);
  });
});
