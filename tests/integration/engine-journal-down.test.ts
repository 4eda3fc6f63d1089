import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import { startPostgresProxy } from "@/tests/support/postgres-proxy";

/** What acts alone, what reads alone, both at once, and two that act at once. */
const TURNS = [["act"], ["look_up"], ["act", "look_up"], ["act", "act"]];
const EFFECTS = TURNS.flat().filter((name) => name === "act").length;
/** So often is a write tried before it is judged what happened meanwhile. */
const TRIES = 2;

describe.each(DATABASE_KINDS)("F38: while the journal cannot be written on the %s database", (kind) => {
  const desk = useDesk(kind);

  test("nothing acts and no model is asked but for the call whose beginning was on its way; then the run goes on", async () => {
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["act", "look_up"] },
      agents: [],
    });
    let acted = 0;
    desk().tools.set(
      "act",
      aTool("act", async () => ({ times: ++acted }), { sideEffect: "external" }),
    );
    desk().tools.set(
      "look_up",
      aTool("look_up", async () => ({ found: true })),
    );
    const script = turns(
      ...TURNS.map((names, turn) => ({ calls: names.map((name, nth) => call(name, { turn, nth })) })),
      { text: "Written." },
    );
    const way = await startPostgresProxy(desk().database.url);
    await desk().shut();
    try {
      await desk().open(way.url);
      // Cut off at its first write, at its second, and so on, until there is no such write any more.
      let outages = 0;
      for (; ; outages++) {
        acted = 0;
        let writes = 0;
        const before = way.cuts;
        const tries = () => way.cuts - before;
        way.decide = (sql) => (sql.includes("journal_write") && writes++ >= outages ? "before" : null);
        const words = desk().words(`write ${outages}`, script);
        const runId = await desk().start(team, words);
        await eventually(async () => {
          const { status } = await desk().statusOf(runId);
          if (status !== "completed" && tries() < TRIES)
            throw new Error("the run has neither ended nor lost its journal");
        }, 60_000);
        if (tries() === 0) break;
        // What was sent has its answer, and had time to be acted upon: the journal was tried again since.
        await eventually(() => expect(desk().callsOf(words)).toSatisfy(isAnswered), 60_000);
        const answeredAt = tries();
        await eventually(() => expect(tries()).toBeGreaterThan(answeredAt), 60_000);

        const { intents, begun } = await recorded(runId);
        expect(acted, `effects of those intended, after ${outages} writes`).toBeLessThanOrEqual(intents);
        // Each begins in the commit of what came before it. Before the first there is nothing: it is sent while its beginning is on its way.
        const { requested } = desk().callsOf(words);
        expect(requested, `model calls, after ${outages} writes`).toBeLessThanOrEqual(Math.max(1, begun));
        const { status } = await desk().statusOf(runId);
        expect(["queued", "running"]).toContain(status);

        way.decide = () => null;
        expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Written." });
        expect(acted).toBe(EFFECTS);
        expect(desk().callsOf(words).requested).toBe(TURNS.length + 1);
        await soundRecord(desk().scope, runId);
      }
      // Each turn has its reply, and what acts its intent and its outcome.
      expect(outages).toBeGreaterThanOrEqual(TURNS.length + EFFECTS);
    } finally {
      way.decide = () => null;
      await desk().shut();
      way.close();
      await desk().open();
    }
  }, 600_000);

  /** What the record holds of a run: effects that were intended, and model calls that were begun. */
  async function recorded(runId: string): Promise<{ intents: number; begun: number }> {
    const { rows } = await pool().query<{ intents: number; begun: number }>(
      `select (select count(*)::int from effects where agent_run_id = a.id) as intents,
         (select count(*)::int from (
            select position from steps where agent_run_id = a.id and kind = 'model'
            union select (step ->> 'position')::int from events e, jsonb_array_elements(e.body -> 'steps') as step
              where e.agent_run_id = a.id and e.kind = 'steps.started' and step ->> 'kind' = 'model') calls) as begun
       from agent_runs a where a.run_id = $1`,
      [runId],
    );
    return rows[0] ?? { intents: 0, begun: 0 };
  }
});

const isAnswered = ({ requested, ended }: { requested: number; ended: number }) => requested === ended;
