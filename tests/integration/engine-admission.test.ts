import { afterEach, describe, expect, test, vi } from "vitest";
import { db, pool } from "@/server/db";
import { ALONE, isTurnOf, nextQueued, type Place } from "@/server/engine/admission";
import { deriveId } from "@/server/engine/ids";
import { storeRun } from "@/server/runs/store-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("runs that wait for a worker (%s)", (kind) => {
  const desk = useDesk(kind);
  let open: (() => void)[] = [];
  afterEach(() => {
    for (const release of open) release();
    open = [];
    desk().mostRuns = undefined;
  });

  /** A tool that ends when the test says so: its runs stay at work. */
  function holdingTool(): void {
    desk().tools.set(
      "hold",
      aTool("hold", async () => {
        await new Promise<void>((resolve) => open.push(resolve));
        return "held";
      }),
    );
  }
  const team = (workspaceId: WorkspaceId) =>
    aTeam(db(), workspaceId, { supervisor: { tools: ["hold"], canSpawnAgents: false }, agents: [] });
  const holds = (words: string) => desk().words(words, turns({ calls: [call("hold", {})] }, { text: "Done." }));

  async function queue(of: TeamFixture, workspaceId: WorkspaceId, words: string): Promise<string> {
    const scope = await aMember(db(), workspaceId);
    return storeRun({
      workspaceId,
      userId: scope.userId,
      teamId: of.teamId,
      teamVersionId: of.teamVersionId,
      root: { nodeId: of.root.teamNodeId, agentVersionId: of.root.agentVersionId, name: of.root.name },
      input: holds(words),
      model: "scripted",
    });
  }
  const atWork = async () => {
    const { rows } = await pool().query<{ id: string; workspace_id: string }>(
      "select id, workspace_id from runs where status = 'running' order by started_at",
    );
    return rows;
  };

  test("no more are begun than there is room for, and workspaces take turns", async () => {
    holdingTool();
    await desk().shut();
    desk().mostRuns = 2;
    await desk().open();
    const [busy, quiet] = [await aWorkspace(db()), await aWorkspace(db())];
    const [busyTeam, quietTeam] = [await team(busy), await team(quiet)];
    const runs: string[] = [];
    for (let i = 0; i < 8; i++) runs.push(await queue(busyTeam, busy, `one of many ${i}`));
    await eventually(async () => expect(open).toHaveLength(2));
    const single = await queue(quietTeam, quiet, "the only one");
    expect((await atWork()).map(({ workspace_id }) => workspace_id)).toEqual([busy, busy]);

    // One ends: the other workspace is next, though seven have waited longer.
    open.shift()?.();
    await eventually(async () => expect(open).toHaveLength(2));
    expect((await atWork()).map(({ id }) => id)).toContain(single);
    expect(await atWork()).toHaveLength(2);

    // Whoever has room looks again at once, not at its next sweep.
    let most = 0;
    const watch = setInterval(() => void atWork().then((rows) => (most = Math.max(most, rows.length))), 20);
    const release = setInterval(() => open.shift()?.(), 5);
    for (const id of [...runs, single]) expect(await desk().ended(id)).toMatchObject({ status: "completed" });
    clearInterval(watch);
    clearInterval(release);
    expect(most).toBeLessThanOrEqual(2);
  });

  test("runs that wait for a person or are paused leave their room to others, and what was queued survives a restart", async () => {
    holdingTool();
    await desk().shut();
    desk().mostRuns = 1;
    await desk().open();
    const { workspaceId } = desk().scope;
    const asking = await aTeam(db(), workspaceId, {
      supervisor: { tools: ["user__ask"], canSpawnAgents: false },
      agents: [],
    });
    const waiting = await desk().play(
      asking,
      "waits for a person",
      turns({ calls: [call("user__ask", { question: "Which?", options: ["a", "b"] })] }, { text: "Thanks." }),
    );
    await desk().openRequest(waiting);
    const held = await team(workspaceId);
    const first = await queue(held, workspaceId, "first");
    const second = await queue(held, workspaceId, "second");
    await eventually(() => expect(open).toHaveLength(1));
    expect(await desk().statusOf(second)).toMatchObject({ status: "queued" });
    await desk().shut();
    open = [];
    await desk().open();
    await eventually(() => expect(open).toHaveLength(1));
    expect(await desk().statusOf(second)).toMatchObject({ status: "queued" });
    open.shift()?.();
    await eventually(() => expect(open).toHaveLength(1));
    open.shift()?.();
    expect(await desk().ended(first)).toMatchObject({ status: "completed" });
    expect(await desk().ended(second)).toMatchObject({ status: "completed" });
  });

  test("a run whose turn is that of a worker that begins nothing is begun by another", async () => {
    holdingTool();
    await desk().shut();
    const { workspaceId } = desk().scope;
    const of = await team(workspaceId);
    // Lives, as far as anybody knows, for as long as the test lasts.
    await pool().query(
      "insert into workers (id, host, pid, beat_at) values ('0 idle', 'elsewhere', 1, now() + interval '1 hour')",
    );
    await desk().open();
    const runs: string[] = [];
    for (let i = 0; i < 8; i++) runs.push(await queue(of, workspaceId, `beside an idle worker ${i}`));
    await eventually(() => expect(open).toHaveLength(8));
    for (const release of open) release();
    for (const id of runs) expect(await desk().ended(id)).toMatchObject({ status: "completed" });
    await pool().query("delete from workers where id = '0 idle'");
  });

  test("workers that look at the same moment share what waits, and what nobody has begun for a while is anybody's", async () => {
    await desk().shut();
    const { workspaceId } = desk().scope;
    const of = await team(workspaceId);
    const waiting: string[] = [];
    for (let i = 0; i < 20; i++) waiting.push(await queue(of, workspaceId, `shared ${i}`));
    const { rows } = await pool().query<{ id: string }>(
      "select id from agent_runs where run_id = any($1) order by created_at, id",
      [waiting],
    );
    const ids = rows.map(({ id }) => id);
    const seen = (workerId: string, place: Place, mostRuns = 500) =>
      nextQueued(pool(), { workerId, mostRuns, starting: new Set(), place });
    // Stored just now, and just now for as long as the test looks.
    await pool().query("update agent_runs set created_at = now() + interval '1 hour' where id = any($1)", [ids]);

    expect(await seen("only", ALONE)).toEqual({ ids: [...ids].sort(), more: false, hasRoom: true });
    const places = [0, 1, 2].map((at) => ({ at, of: 3 }));
    const [first = [], second = [], third = []] = await Promise.all(
      places.map(async (place) => {
        const { ids: taken, more, hasRoom } = await seen(`worker ${place.at}`, place);
        expect({ more, hasRoom }).toEqual({ more: true, hasRoom: true });
        expect(taken.every((id) => isTurnOf(place, id))).toBe(true);
        expect(taken.length).toBeLessThanOrEqual(7);
        return taken;
      }),
    );
    expect(new Set([...first, ...second, ...third]).size).toBe(first.length + second.length + third.length);
    expect(await seen("only", ALONE, 1)).toMatchObject({ ids: [expect.any(String)], more: true, hasRoom: false });

    await pool().query("update agent_runs set created_at = now() - interval '1 minute' where id = any($1)", [ids]);
    for (const place of places) expect((await seen(`worker ${place.at}`, place)).ids).toHaveLength(7);
    for (const place of places) expect((await seen(`worker ${place.at}`, place, 2)).ids).toHaveLength(2);
  });

  test("who is next is found without reading the runs there were before", async () => {
    await desk().shut();
    const { workspaceId } = desk().scope;
    const waiting = await queue(await team(workspaceId), workspaceId, "waits beside many that have ended");
    // Long, so that without statistics the planner takes their roots to be few.
    await pool().query(
      `with copies as (
         insert into runs select copy.* from runs r, generate_series(1, 2000) nth,
           lateral jsonb_populate_record(r, jsonb_build_object('id', md5(r.id || '/' || nth), 'status', 'completed', 'input', repeat('long ', 300))) copy
         where r.id = $1 returning id
       )
       insert into agent_runs select copy.* from agent_runs a, copies,
         lateral jsonb_populate_record(a, jsonb_build_object('id', md5(copies.id::text), 'run_id', copies.id, 'status', 'completed')) copy
       where a.run_id = $1`,
      [waiting],
    );
    const query = vi.spyOn(pool(), "query");
    const found = await nextQueued(pool(), { workerId: "only", mostRuns: 500, starting: new Set(), place: ALONE });
    const [asked] = query.mock.lastCall as unknown as [{ text: string; values: unknown[] }];
    query.mockRestore();
    expect(found.ids).toContain(deriveId(waiting, "root"));
    const { rows } = await pool().query(`explain (analyze, buffers, format json) ${asked.text}`, asked.values);
    const { Plan: plan } = rows[0]["QUERY PLAN"][0];
    // Blocks of 8 kB: two for each of those that have ended, if it looked at them.
    expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(1_000);
  });
});
