import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { listRetrievals } from "@/server/runs/queries/inside/list-retrievals";
import { retrievalPage } from "@/server/runs/queries/inside/schema";
import { storeFork } from "@/server/runs/service/store-fork";
import { docsSearch } from "@/server/tools/docs-search";
import { sizesOf } from "@/server/usage/jobs/measure-runs";
import { carryOutRemoval } from "@/server/usage/jobs/remove-run";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { call } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import { aBase, aLiveDocument } from "@/tests/support/knowledge";
import { carryRun } from "@/tests/support/run-files";

const MARK = "trains.txt#1";
/** The passage is the best match of the first and the second best of the other. */
const QUERIES = ["red trains", "blue trains of the north"];

describe.each(DATABASE_KINDS)("what the searches of a run brought, on the %s database", (kind) => {
  const desk = useDesk(kind);
  let runId: string;
  beforeAll(async () => {
    const { scope } = desk();
    desk().tools.set("docs__search", docsSearch);
    const baseId = await aBase(db(), scope.workspaceId);
    const at = { workspaceId: scope.workspaceId, baseId, name: "trains.txt" };
    await aLiveDocument(db(), at, "Red trains leave at nine.", "Blue trains of the north leave at ten.");
    const team = await aTeam(db(), scope.workspaceId, {
      supervisor: { canSpawnAgents: false, knowledge: [baseId], tools: ["docs__search"] },
      agents: [],
    });
    const [first, second] = QUERIES.map((query) => ({ calls: [call("knowledge_search", { query })] }));
    const docs = { calls: [call("docs__search", { query: "process killed" })] };
    runId = await desk().play(team, "look it up", turns(first ?? {}, second ?? {}, docs, { text: `Nine. [${MARK}]` }));
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
  });

  const searches = async (scope: Scope, id: string) =>
    retrievalPage.parse(await listRetrievals(scope.workspaceId, { runId: id, search: "" })).items;
  /** By search, in order: the scores of each passage by its mark. */
  const scores = async (scope: Scope, id: string) =>
    (await searches(scope, id)).map(({ query, hasOwnScores, passages }) => ({
      ...{ query, hasOwnScores },
      passages: passages.map(({ mark, scores: its }) => ({ mark, scores: its })),
    }));

  test("a passage that two searches found has the scores of each", async () => {
    const found = await scores(desk().scope, runId);
    expect(found.map(({ query }) => query)).toEqual([...QUERIES, "process killed"]);
    const [red, blue] = found.map(({ passages }) => passages.find(({ mark }) => mark === MARK)?.scores);
    expect(red).toMatchObject({ keywordRank: 1 });
    expect(blue).toMatchObject({ keywordRank: 2 });
    expect(blue?.keyword).not.toBe(red?.keyword);
    expect(blue?.vector).not.toBe(red?.vector);
    // Kept with the passage itself: how it was first found.
    const kept = await callerOf(desk().scope).knowledge.citation({ runId, mark: MARK });
    expect(kept.scores).toEqual(red);
  });

  test("the documentation is searched by words alone, and its scores say so", async () => {
    const docs = (await scores(desk().scope, runId)).at(-1)?.passages ?? [];
    expect(docs.length).toBeGreaterThan(1);
    expect(docs.map(({ scores: its }) => its?.keywordRank)).toEqual(docs.map((_, at) => at + 1));
    for (const { scores: its } of docs) expect(its).toMatchObject({ vector: null, vectorRank: null, fused: null });
    expect(docs[0]?.scores?.keyword).toBeGreaterThan(docs.at(-1)?.scores?.keyword ?? Number.POSITIVE_INFINITY);
  });

  test("a fork has those of the steps it kept, and its own", async () => {
    const { scope } = desk();
    const found = await searches(scope, runId);
    const { agentRunId = "", position = 0 } = found[1] ?? {};
    const forkId = await storeFork({ scope, input: { runId, agentRunId, position, askBeforeWrites: false } });
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed" });
    expect(await scores(scope, forkId)).toEqual(await scores(scope, runId));
    // The first alone was copied; the others were searched anew.
    const { rows } = await pool().query(
      `SELECT s.reused IS NOT NULL AS copied FROM retrievals t JOIN steps s USING (agent_run_id, position)
       WHERE s.run_id = $1 ORDER BY s.position`,
      [forkId],
    );
    expect(rows.map(({ copied }) => copied)).toEqual([true, false, false]);
  });

  test("a run file takes them along, and an older one without them still opens", async () => {
    const { scope } = desk();
    const elsewhere = await aMember(db(), await aWorkspace(db()));
    const copyId = await carryRun(scope, runId, elsewhere);
    expect(await scores(elsewhere, copyId)).toEqual(await scores(scope, runId));
    const { rows } = await pool().query("SELECT DISTINCT workspace_id FROM retrievals t WHERE agent_run_id = ANY($1)", [
      (await searches(elsewhere, copyId)).map(({ agentRunId }) => agentRunId),
    ]);
    expect(rows).toEqual([{ workspace_id: elsewhere.workspaceId }]);
  });

  test("a run from before shows what is known of its passages, says so, and is carried on without them", async () => {
    const { scope } = desk();
    const elsewhere = await aMember(db(), await aWorkspace(db()));
    const copyId = await carryRun(scope, runId, elsewhere);
    const sizeBefore = (await sizesOf(elsewhere.workspaceId, [copyId])).get(copyId) ?? 0;
    await pool().query("DELETE FROM retrievals WHERE workspace_id = $1", [elsewhere.workspaceId]);
    const oldId = await carryRun(elsewhere, copyId, elsewhere);
    for (const id of [copyId, oldId]) {
      const [red, blue, docs] = await scores(elsewhere, id);
      const of = (search: typeof red) => search?.passages.find(({ mark }) => mark === MARK)?.scores;
      expect([red?.hasOwnScores, blue?.hasOwnScores, docs?.hasOwnScores]).toEqual([false, false, false]);
      expect(of(blue)).toEqual(of(red));
      expect(of(red)).toMatchObject({ keywordRank: 1 });
      expect(docs?.passages.map(({ scores: its }) => its)).not.toContainEqual(expect.anything());
    }
    expect((await sizesOf(elsewhere.workspaceId, [copyId])).get(copyId)).toBeLessThan(sizeBefore);
  });

  test("they go with their run", async () => {
    const elsewhere = await aMember(db(), await aWorkspace(db()));
    const copyId = await carryRun(desk().scope, runId, elsewhere);
    const left = () => db().retrieval.count({ where: { workspaceId: elsewhere.workspaceId } });
    expect(await left()).toBe(3);
    await carryOutRemoval(elsewhere.workspaceId, copyId, new AbortController().signal);
    expect(await left()).toBe(0);
  });
});
