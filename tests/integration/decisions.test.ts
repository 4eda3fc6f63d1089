import pg from "pg";
import { v7 as uuid } from "uuid";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { db, pool } from "@/server/db";
import { prepareWorkspace, startPreparingPrecedents } from "@/server/decisions/jobs/prepare-precedents";
import type { DecisionSummary, ListDecisionsInput } from "@/server/decisions/schema";
import { inTransaction } from "@/server/transaction";
import { deleteRun, thinOut } from "@/server/usage/jobs/remove-run";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aRun, aWorkspace, type TeamFixture } from "../support/factories";
import { eventually } from "../support/launcher-process";
import { aSampleTeam, insertSampleRun, type SampleState } from "../support/sample-run";
import { useDatabase } from "../support/use-database";

const NEVER = new AbortController().signal;
const LONG_AGO = new Date(0);

type House = { scope: Scope; team: TeamFixture; api: ReturnType<typeof callerOf> };

describe.each(DATABASE_KINDS)("decisions across runs (%s)", (kind) => {
  useDatabase(kind);
  afterEach(() => {
    vi.restoreAllMocks();
  });

  async function aHouse(): Promise<House> {
    const scope = await aMember(db(), await aWorkspace(db()));
    return { scope, team: await aSampleTeam(db(), scope.workspaceId), api: callerOf(scope) };
  }
  const sample = ({ scope, team }: House, state: SampleState) =>
    insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state });
  const allOf = async ({ api }: House, input: Partial<ListDecisionsInput> = {}) =>
    (await api.decisions.list({ limit: 100, ...input })).items;
  const titles = (items: readonly DecisionSummary[]) =>
    items.map(({ kind: what, chosen }) => `${what} ${chosen.map(({ label }) => label).join("+")}`).sort();
  const decisionOf = async (runId: string, option: string) => {
    const { rows } = await pool().query<{ id: string }>(
      "SELECT id FROM decisions WHERE run_id = $1 AND chosen @> jsonb_build_array(jsonb_build_object('option', $2::text)) ORDER BY at LIMIT 1",
      [runId, option],
    );
    return rows[0]?.id ?? "";
  };
  const prepare = ({ scope }: House) => prepareWorkspace(scope.workspaceId, LONG_AGO, NEVER);

  describe("the list", () => {
    let house: House;
    let finished: string;
    let waiting: string;
    let failed: string;
    beforeAll(async () => {
      house = await aHouse();
      finished = await sample(house, "finished");
      waiting = await sample(house, "waiting");
      failed = await sample(house, "failed");
      // Its search failed, and the run went on.
      await pool().query("UPDATE steps SET status = 'failed' WHERE run_id = $1 AND name = 'docs__search'", [failed]);
      const stranger = await aHouse();
      await sample(stranger, "finished");
    });

    test("holds each of the workspace's, newest first, with what came of it", async () => {
      const items = await allOf(house);
      expect(items).toHaveLength(await db().decision.count({ where: { workspaceId: house.scope.workspaceId } }));
      expect(new Set(items.map(({ runId }) => runId))).toEqual(new Set([finished, waiting, failed]));
      expect(items.map(({ at }) => at)).toEqual(
        items
          .map(({ at }) => at)
          .sort()
          .reverse(),
      );
      const of = (runId: string) =>
        Object.fromEntries(
          items.filter((item) => item.runId === runId).map((item) => [titles([item])[0], item.outcome]),
        );
      expect(of(finished)).toEqual({
        "delegate Searcher+Writer": "completed",
        "tool_choice agent__collect+agent__collect": "completed",
        "tool_choice docs__search": "completed",
        "tool_choice user__ask": "completed",
        "tool_choice notes__write": "completed",
        "finish Finish": "nothing",
      });
      expect(of(waiting)).toMatchObject({
        "delegate Searcher+Writer": "open",
        "tool_choice agent__collect+agent__collect": "open",
        "tool_choice user__ask": "open",
        "tool_choice docs__search": "completed",
      });
      expect(of(failed)).toMatchObject({ "tool_choice docs__search": "failed", "limit Give up": "nothing" });
      expect(items.find(({ kind: what }) => what === "delegate")).toMatchObject({
        ...{ agentName: "Desk lead", source: "model-stated", labels: [] },
        reason: "Finding and writing do not depend on each other.",
      });
    });

    test.each<[string, Partial<ListDecisionsInput>, string[]]>([
      ["kind", { kind: "limit" }, ["limit Give up"]],
      ["source", { source: "runtime-rule" }, ["limit Give up"]],
      ["agent and kind", { agent: "Writer", kind: "finish" }, ["finish Finish", "finish Finish"]],
      [
        "an option that was chosen",
        { option: "notes__write" },
        ["tool_choice notes__write", "tool_choice notes__write"],
      ],
      ["failed", { outcome: "failed" }, ["tool_choice docs__search"]],
      [
        "still open",
        { outcome: "open" },
        ["delegate Searcher+Writer", "tool_choice agent__collect+agent__collect", "tool_choice user__ask"],
      ],
      ["no step of its own", { outcome: "nothing", kind: "limit" }, ["limit Give up"]],
      ["words of the reason", { search: "three ATTEMPTS" }, ["limit Give up"]],
      ["words of what was chosen", { search: "give up" }, ["limit Give up"]],
      ["words of the run's title", { search: "(failed)", source: "runtime-rule" }, ["limit Give up"]],
      ["signs that mean something in SQL", { search: "100%_" }, []],
      ["an agent nobody has", { agent: "Nobody" }, []],
      ["days before", { to: "2001-01-01" }, []],
      ["days after", { from: "2999-01-01" }, []],
    ])("is filtered by %s", async (_, filters, expected) => {
      expect(titles(await allOf(house, filters))).toEqual(expected);
    });

    test("is filtered by team and by days of UTC, both ends included", async () => {
      const everything = await allOf(house);
      const { teamId } = house.team;
      expect(await allOf(house, { team: teamId })).toHaveLength(everything.length);
      expect(await allOf(house, { team: uuid() })).toEqual([]);
      const [first, last] = [everything.at(-1)?.at.slice(0, 10), everything[0]?.at.slice(0, 10)];
      expect(await allOf(house, { from: first, to: last })).toHaveLength(everything.length);
    });

    test("is filtered by an entity that the agent run which took it is about (INT-CTX-10)", async () => {
      const { workspaceId } = house.scope;
      const context = { variables: [], entities: [{ type: "order", id: "4711", label: "Kettle" }] };
      await db().agentRun.updateMany({ where: { workspaceId, runId: finished, name: "Writer" }, data: { context } });
      const about = await allOf(house, { about: "order:4711" });
      expect(about.length).toBeGreaterThan(0);
      expect(about.every(({ runId, agentName }) => runId === finished && agentName === "Writer")).toBe(true);
      expect(await allOf(house, { about: "customer:4711" })).toEqual([]);
      expect(await allOf(await aHouse(), { about: "order:4711" })).toEqual([]);
    });

    test("is filtered by the conversation it was taken in (INT-CTX-08, INT-CTX-12)", async () => {
      const { workspaceId } = house.scope;
      const { teamId } = house.team;
      const conversation = uuid();
      await db().conversation.create({ data: { id: conversation, workspaceId, title: "A talk", teamId } });
      await db().run.update({ where: { id: finished }, data: { conversationId: conversation } });
      const within = await allOf(house, { conversation });
      expect(new Set(within.map(({ runId }) => runId))).toEqual(new Set([finished]));
      expect(within).toHaveLength(await db().decision.count({ where: { runId: finished } }));
      expect((await house.api.decisions.outcomes({ conversation })).decisions).toBe(within.length);
      // Elsewhere it is nobody's.
      expect(await allOf(await aHouse(), { conversation })).toEqual([]);
      await db().run.update({ where: { id: finished }, data: { conversationId: null } });
    });

    test("comes in pages that repeat and hide nothing, also where many are of one millisecond", async () => {
      const { scope, api } = house;
      await pool().query("UPDATE decisions SET at = date_trunc('minute', at) WHERE workspace_id = $1", [
        scope.workspaceId,
      ]);
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await api.decisions.list({ limit: 3, cursor });
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual((await allOf(house)).map(({ id }) => id));
      await expect(api.decisions.list({ cursor: "x" })).rejects.toThrow("no longer exists");
    });

    test("counts how often each option was chosen, and how that ended", async () => {
      const { options, others, decisions, isCut } = await house.api.decisions.outcomes({});
      expect({ others, decisions, isCut }).toEqual({ others: 0, decisions: (await allOf(house)).length, isCut: false });
      const of = Object.fromEntries(options.map(({ option, label: _, ...counts }) => [option, counts]));
      expect(of["agent:Writer"]).toEqual({ times: 3, completed: 2, failed: 0, open: 1, nothing: 0 });
      expect(of["agent:Searcher"]).toEqual({ times: 3, completed: 3, failed: 0, open: 0, nothing: 0 });
      expect(of.docs__search).toEqual({ times: 3, completed: 2, failed: 1, open: 0, nothing: 0 });
      // Two calls each: of the waiting run's, one is not over.
      expect(of.agent__collect).toEqual({ times: 6, completed: 5, failed: 0, open: 1, nothing: 0 });
      expect(of.fail).toEqual({ times: 1, completed: 0, failed: 0, open: 0, nothing: 1 });
      expect(options.map(({ times }) => times)).toEqual(options.map(({ times }) => times).sort((a, b) => b - a));
      const only = await house.api.decisions.outcomes({ option: "agent:Writer" });
      expect(only.options).toMatchObject([{ option: "agent:Writer", times: 3 }]);
    });

    test("says which were taken elsewhere, and counts none of those", async () => {
      const place = await aHouse();
      const own = await sample(place, "finished");
      const counted = await place.api.decisions.outcomes({});
      const imported = await sample(place, "finished");
      await importRun(place, imported);
      const marks = new Set((await allOf(place)).map(({ runId, isImported }) => `${runId} ${isImported}`));
      expect(marks).toEqual(new Set([`${own} false`, `${imported} true`]));
      expect(await place.api.decisions.outcomes({})).toEqual(counted);
      const alike = await allOf(place, { search: "damaged parcel", rank: "likeness" });
      expect(alike).toEqual([]);
      await prepare(place);
      const ranked = await allOf(place, { search: "damaged parcel", rank: "likeness" });
      expect(ranked.filter(({ isImported }) => isImported).length).toBeGreaterThan(0);
    });

    test("leaves out what a fork kept of the run it was made of, until that is removed", async () => {
      const place = await aHouse();
      const original = await sample(place, "finished");
      const decided = (await allOf(place)).length;
      const fork = await sample(place, "finished");
      await db().run.update({ where: { id: fork }, data: { forkedFromRunId: original, createdAt: new Date() } });
      expect(new Set((await allOf(place)).map(({ runId }) => runId))).toEqual(new Set([original]));
      expect((await place.api.decisions.outcomes({})).decisions).toBe(decided);
      await deleteRun(await client(), place.scope.workspaceId, original);
      expect(new Set((await allOf(place)).map(({ runId }) => runId))).toEqual(new Set([fork]));
    });
  });

  const importRun = ({ scope }: House, runId: string) =>
    db().runImport.create({
      data: {
        ...{ runId, workspaceId: scope.workspaceId, sourceRunId: uuid(), sourceWorkspaceId: uuid() },
        ...{ sourceWorkspace: "Elsewhere", savedBy: "Eve", savedAt: new Date(), sha256: "0".repeat(64) },
      },
    });

  /** What deletes a run wants a client; the pool is one as well where no transaction is needed. */
  const client = async () => pool() as unknown as Parameters<typeof deleteRun>[0];

  describe("labels", () => {
    test("are told with the decision in plain words, which whoever may read it can ask for (INT-CTX-08)", async () => {
      const house = await aHouse();
      const decisionId = await decisionOf(await sample(house, "finished"), "docs__search");
      await house.api.decisions.label({ decisionId, verdict: "wrong", note: "It knew." });
      const { sentences, isWaiting } = await house.api.decisions.explain({ decisionId });
      expect(sentences[0]).toMatch(/^Searcher \(version 1\) decided this in the run “/);
      expect(sentences).toContain("It called docs__search.");
      expect(sentences).toContainEqual(expect.stringMatching(/ says that it was wrong: “It knew\.”\.$/));
      expect(isWaiting).toBe(true);
      const stranger = callerOf(await aMember(db(), await aWorkspace(db())));
      await expect(stranger.decisions.explain({ decisionId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    test("are one a person, changed and withdrawn, and keep what was said before", async () => {
      const house = await aHouse();
      const decisionId = await decisionOf(await sample(house, "finished"), "docs__search");
      const eve = await aMember(db(), house.scope.workspaceId, "operator");
      const asEve = callerOf(eve);
      await house.api.decisions.label({ decisionId, verdict: "right", note: "  " });
      await asEve.decisions.label({ decisionId, verdict: "wrong", note: "It knew." });
      const changed = await house.api.decisions.label({ decisionId, verdict: "better", option: "finish" });
      const said = (labels: typeof changed.labels) =>
        labels.map(({ userId, verdict, option, note, endedAt }) => ({
          userId,
          verdict,
          option,
          note,
          ended: !!endedAt,
        }));
      const ada = { userId: house.scope.userId, note: null };
      const before = { ...ada, verdict: "right", option: null, ended: true };
      const eves = { userId: eve.userId, verdict: "wrong", option: null, note: "It knew.", ended: false };
      expect(said(changed.labels)).toEqual([
        { ...ada, verdict: "better", option: "finish", ended: false },
        eves,
        before,
      ]);
      // The same again changes nothing.
      const again = await house.api.decisions.label({ decisionId, verdict: "better", option: "finish" });
      expect(again.labels).toEqual(changed.labels);

      const withdrawn = await house.api.decisions.withdrawLabel({ decisionId });
      expect(said(withdrawn.labels)).toEqual([
        { ...ada, verdict: "better", option: "finish", ended: true },
        eves,
        before,
      ]);
      expect((await house.api.decisions.withdrawLabel({ decisionId })).labels).toEqual(withdrawn.labels);
      expect((await allOf(house, { option: "docs__search" }))[0]?.labels).toEqual([
        { verdict: "wrong", by: eve.userName },
      ]);
    });

    test("filter the list, and what is labelled at all", async () => {
      const house = await aHouse();
      const runId = await sample(house, "finished");
      const total = (await allOf(house)).length;
      const decisionId = await decisionOf(runId, "docs__search");
      const other = await decisionOf(runId, "notes__write");
      await house.api.decisions.label({ decisionId, verdict: "wrong" });
      await house.api.decisions.label({ decisionId: other, verdict: "better", words: "Ask which title first." });
      const ids = async (label: "right" | "wrong" | "better") => (await allOf(house, { label })).map(({ id }) => id);
      expect([await ids("right"), await ids("wrong"), await ids("better")]).toEqual([[], [decisionId], [other]]);
      expect(await allOf(house, { label: "unlabelled" })).toHaveLength(total - 2);
      await house.api.decisions.withdrawLabel({ decisionId });
      expect(await ids("wrong")).toEqual([]);
      expect(await allOf(house, { label: "unlabelled" })).toHaveLength(total - 1);
    });

    test("of one person in two tabs end as one", async () => {
      const house = await aHouse();
      const decisionId = await decisionOf(await sample(house, "finished"), "docs__search");
      const verdicts = ["right", "wrong", "right", "wrong", "right"] as const;
      await Promise.all(verdicts.map((verdict) => house.api.decisions.label({ decisionId, verdict })));
      const { labels } = await house.api.decisions.get({ decisionId });
      expect(labels.filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
    });

    test("say what would have been better, of what was on offer or in words, and only then", async () => {
      const { api, ...house } = await aHouse();
      const decisionId = await decisionOf(await sample({ api, ...house }, "finished"), "docs__search");
      const refused = (input: object) =>
        expect(api.decisions.label({ decisionId, verdict: "better", ...input })).rejects;
      await refused({}).toThrow("Choose the option that would have been better");
      await refused({ words: "   " }).toThrow("Choose the option that would have been better");
      await refused({ option: "agent:Nobody" }).toThrow("“agent:Nobody” was not on offer");
      await refused({ option: "finish", words: "or else" }).toThrow("not both");
      await refused({ verdict: "right", words: "else" }).toThrow("Choose the option");
      expect(await db().decisionLabel.count({ where: { decisionId } })).toBe(0);
    });

    test("are given by operators and above, on decisions of their workspace", async () => {
      const house = await aHouse();
      const decisionId = await decisionOf(await sample(house, "finished"), "docs__search");
      const viewer = callerOf(await aMember(db(), house.scope.workspaceId, "viewer"));
      await expect(viewer.decisions.label({ decisionId, verdict: "right" })).rejects.toThrow("operator role");
      await expect(viewer.decisions.withdrawLabel({ decisionId })).rejects.toThrow("operator role");
      expect((await viewer.decisions.get({ decisionId })).labels).toEqual([]);
      const stranger = await aHouse();
      await expect(stranger.api.decisions.label({ decisionId, verdict: "right" })).rejects.toThrow("no such decision");
    });
  });

  describe("precedents", () => {
    test("are earlier decisions of the kind in like situations, with what came of them and what is said of them", async () => {
      const house = await aHouse();
      const earlier = await sample(house, "finished");
      const later = await sample(house, "waiting");
      const decisionId = await decisionOf(later, "docs__search");
      const precedent = await decisionOf(earlier, "docs__search");
      await house.api.decisions.label({ decisionId: precedent, verdict: "right" });
      const ask = (threshold?: number) =>
        house.api.decisions.precedents({ decisionId, ...(threshold && { threshold }) });
      expect(await ask()).toEqual({ state: "waiting", items: [], total: 0, compared: 0, isCut: false });

      await prepare(house);
      const found = await ask(0.9);
      expect(found).toMatchObject({ state: "prepared", total: 1, isCut: false });
      expect(found.items).toMatchObject([
        {
          ...{ id: precedent, runId: earlier, agentName: "Searcher", outcome: "completed" },
          labels: [{ verdict: "right" }],
        },
      ]);
      expect(found.items[0]?.similarity).toBeGreaterThan(0.99);
      // Of the earlier run, and of this one what was chosen before.
      expect(found.compared).toBeGreaterThanOrEqual(2);
      const wider = await ask(0.1);
      expect(wider.total).toBeGreaterThan(found.total);
      expect(wider.items.map(({ kind: what }) => what)).toEqual(wider.items.map(() => "tool_choice"));
      const similarities = wider.items.map(({ similarity }) => similarity);
      expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
      // Nothing comes before the first.
      expect(await house.api.decisions.precedents({ decisionId: precedent })).toMatchObject({
        state: "prepared",
        total: 0,
      });
    });

    test("are none of another workspace, and none that a fork kept of the run it was made of", async () => {
      const stranger = await aHouse();
      await sample(stranger, "finished");
      await prepare(stranger);
      const house = await aHouse();
      const original = await sample(house, "finished");
      const fork = await sample(house, "finished");
      const later = await sample(house, "finished");
      await pool().query("UPDATE decisions SET at = at + interval '1 hour' WHERE run_id = $1", [later]);
      await db().run.update({ where: { id: fork }, data: { forkedFromRunId: original, createdAt: new Date() } });
      await prepare(house);
      const found = await house.api.decisions.precedents({
        decisionId: await decisionOf(later, "notes__write"),
        threshold: 0.9,
      });
      expect(found.items[0]).toMatchObject({ id: await decisionOf(original, "notes__write") });
      // What it chose before, in a situation much like it, is one as well.
      expect(new Set(found.items.map(({ runId }) => runId))).toEqual(new Set([original, later]));
    });

    test("are none that an imported run took", async () => {
      const house = await aHouse();
      const imported = await sample(house, "finished");
      const own = await sample(house, "finished");
      const later = await sample(house, "finished");
      await pool().query("UPDATE decisions SET at = at + interval '1 hour' WHERE run_id = $1", [later]);
      await prepare(house);
      const ask = async () => {
        const decisionId = await decisionOf(later, "notes__write");
        const { items } = await house.api.decisions.precedents({ decisionId, threshold: 0.9 });
        return new Set(items.map(({ runId }) => runId));
      };
      expect(await ask()).toEqual(new Set([imported, own, later]));
      await importRun(house, imported);
      expect(await ask()).toEqual(new Set([own, later]));
    });

    test("are prepared once each, whoever does it, and anew when the way of preparing changed", async () => {
      const house = await aHouse();
      await sample(house, "finished");
      await sample(house, "failed");
      await Promise.all([prepare(house), prepare(house)]);
      const { workspaceId } = house.scope;
      const decisions = await db().decision.count({ where: { workspaceId } });
      const vectors = async () =>
        db().decisionVector.findMany({ where: { workspaceId }, orderBy: { decisionId: "asc" } });
      const made = await vectors();
      expect(made).toHaveLength(decisions);
      expect(new Set(made.map(({ dims }) => dims))).toEqual(new Set([480]));
      await pool().query("UPDATE decision_vectors SET version = 0, embedding = '[1,2]' WHERE workspace_id = $1", [
        workspaceId,
      ]);
      await prepare(house);
      expect(await vectors()).toEqual(made);
    });

    test("are prepared by a worker in the background, which says so to open pages", async () => {
      const house = await aHouse();
      await sample(house, "finished");
      const { workspaceId } = house.scope;
      const listening = await pool().connect();
      const told: string[] = [];
      listening.on("notification", ({ payload }) => told.push(payload ?? ""));
      await listening.query("LISTEN troupe_changed");
      const worker = startPreparingPrecedents();
      try {
        const decisions = await db().decision.count({ where: { workspaceId } });
        await eventually("all are prepared", async () => {
          return (await db().decisionVector.count({ where: { workspaceId } })) === decisions;
        });
        await eventually("pages are told", async () => told.includes(`${workspaceId}:decisions:`));
      } finally {
        await worker.close();
        await listening.query("UNLISTEN troupe_changed");
        listening.release(true);
      }
    });
  });

  test("what is said of decisions and where they lie goes with their run, whole or in pieces", async () => {
    const house = await aHouse();
    const { workspaceId } = house.scope;
    const [one, other] = [await sample(house, "finished"), await sample(house, "finished")];
    for (const runId of [one, other]) {
      await house.api.decisions.label({ decisionId: await decisionOf(runId, "docs__search"), verdict: "right" });
    }
    await prepare(house);
    const left = async () => [
      await db().decision.count({ where: { workspaceId } }),
      await db().decisionVector.count({ where: { workspaceId } }),
      await db().decisionLabel.count({ where: { workspaceId } }),
    ];
    const [decisions = 0] = await left();
    await deleteRun(await client(), workspaceId, one);
    expect(await left()).toEqual([decisions / 2, decisions / 2, 1]);
    // As if it were long: emptied first.
    await db().run.update({ where: { id: other }, data: { lastSeq: 3_000 } });
    await thinOut(pool(), workspaceId, other, NEVER);
    expect(await left()).toEqual([0, 0, 0]);
    await deleteRun(await client(), workspaceId, other);
    expect(await db().run.count({ where: { workspaceId } })).toBe(0);
  });

  test("one of many is found by an index, without looking at the others", async () => {
    const house = await aHouse();
    const { id: runId } = await aRun(db(), house.scope.workspaceId, house.team);
    const agentRunId = uuid();
    const { agentVersionId, teamNodeId } = house.team.root;
    const { workspaceId } = house.scope;
    await db().agentRun.create({
      data: {
        ...{ id: agentRunId, workspaceId, runId, handle: "agent_1", name: "Desk lead", depth: 0, task: "All of it." },
        ...{ agentVersionId, teamNodeId },
      },
    });
    await pool().query(
      `INSERT INTO decisions (id, workspace_id, run_id, agent_run_id, position, ordinal, kind, chosen, source, cost_so_far_nano_usd, at)
       SELECT gen_random_uuid(), $1, $2, $3, n, 0, CASE WHEN n % 1000 = 0 THEN 'stop' ELSE 'tool_choice' END, '[]', 'not-stated', 0,
         now() - n * interval '1 second' FROM generate_series(1, 20000) n`,
      [workspaceId, runId, agentRunId],
    );
    // As a server does now and then by itself; nobody does on the embedded database.
    if (kind === "postgres") await pool().query("ANALYZE decisions");
    const planOf = async (input: Partial<ListDecisionsInput>) => {
      const asked = vi.spyOn(pg.Client.prototype, "query");
      await house.api.decisions.list(input);
      const said = asked.mock.calls.map((call) => call as unknown as [string, unknown[]]);
      asked.mockRestore();
      const from = said.findIndex(([sql]) => typeof sql === "string" && sql.includes("FROM decisions d"));
      const [text, values] = said[from] ?? ["", []];
      return inTransaction(async (client) => {
        // As it was set before that read.
        await client.query(said[from - 1]?.[0] ?? "");
        const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, values);
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      });
    };
    const all = await planOf({});
    expect(all).toMatch(/Index (Only )?Scan Backward using decisions_workspace_id_at_id_idx/);
    expect(all).not.toMatch(/Seq Scan on decisions/);
    const some = await planOf({ kind: "stop" });
    // By time, too: an index of kinds would cost each turn half a kilobyte of log.
    expect(some).toMatch(/Index (Only )?Scan Backward using decisions_workspace_id_at_id_idx/);
    expect(some).not.toMatch(/Seq Scan on decisions/);
  });
});
