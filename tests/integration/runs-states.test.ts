import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { canFollow, isHeld, isTerminal, RUN_STATUSES, type RunStatus } from "@/server/engine/state";
import { interrupt } from "@/server/engine/workers";
import { steerAgentRun } from "@/server/runs/service/control-agent";
import { pauseRun, resumeRun, stopRun } from "@/server/runs/service/control-run";
import type { Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aRun, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

/** What moves a run from outside, and where to. */
const DOORS = {
  pause: "paused",
  resume: "running",
  suspend: "suspended",
  interrupt: "interrupted",
  stop: "aborted",
} as const satisfies Record<string, RunStatus>;
type Door = keyof typeof DOORS;
const ALL_DOORS = Object.keys(DOORS) as Door[];

describe.each(DATABASE_KINDS)("states of runs and what moves them, on the %s database", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  let team: TeamFixture;
  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    team = await aTeam(db(), scope.workspaceId);
  });

  /** A run in that state, with its root. */
  async function runIn(status: RunStatus): Promise<{ runId: string; rootId: string }> {
    const heldAt = isHeld(status) ? new Date() : null;
    const { id: runId } = await aRun(db(), scope.workspaceId, team, { status, heldAt });
    const rootId = uuid();
    await db().agentRun.create({
      data: {
        ...{ id: rootId, workspaceId: scope.workspaceId, runId, handle: "agent_1", name: "Lead", depth: 0 },
        ...{ agentVersionId: team.root.agentVersionId, status, task: "Move." },
      },
    });
    return { runId, rootId };
  }
  const statuses = async (runId: string) => {
    const { rows } = await pool().query<{ run: RunStatus; root: RunStatus }>(
      "select r.status as run, a.status as root from runs r join agent_runs a on a.run_id = r.id where r.id = $1",
      [runId],
    );
    return rows[0];
  };
  const goThrough: Record<Door, (of: { runId: string; rootId: string }) => Promise<unknown>> = {
    pause: ({ runId }) => pauseRun({ scope, runId }),
    resume: ({ runId }) => resumeRun({ scope, runId }),
    suspend: ({ runId }) => pool().query("select hold_run($1, 'suspended', 'a limit')", [runId]),
    interrupt: ({ rootId }) => interrupt(pool(), rootId, "a test"),
    stop: ({ runId }) => stopRun({ scope, runId }),
  };
  /** Where a door leads by the rules: only what is held is resumed, and what may not follow leaves everything as it is. */
  const expected = (from: RunStatus, door: Door): RunStatus => {
    if (door === "resume" && !isHeld(from)) return from;
    return canFollow(from, DOORS[door]) ? DOORS[door] : from;
  };
  /** Refused in words; what else may not be done changes nothing. */
  const refusal = (from: RunStatus, door: Door): string | null =>
    door === "resume" && isTerminal(from) ? "The run has ended. Run it again instead." : null;

  async function take(of: { runId: string; rootId: string }, door: Door): Promise<string | null> {
    try {
      await goThrough[door](of);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  test.for(RUN_STATUSES.flatMap((from) => ALL_DOORS.map((door) => [from, door] as const)))(
    "what is %s: %s",
    async ([from, door]) => {
      const of = await runIn(from);
      expect(await take(of, door)).toBe(refusal(from, door));
      const status = expected(from, door);
      expect(await statuses(of.runId)).toEqual({ run: status, root: status });
      // What did not move told nobody that it did.
      const { rows } = await pool().query("select kind from events where run_id = $1", [of.runId]);
      expect(rows.some((event) => event.kind === "run.status")).toBe(status !== from);
    },
  );

  test.for([...RUN_STATUSES])(
    "what is said to an agent that is %s reaches it, or is refused by name",
    async (status) => {
      const { runId, rootId } = await runIn(status);
      const said = steerAgentRun({ scope, runId, agentRunId: rootId, text: "The second page, too." });
      if (isTerminal(status)) await expect(said).rejects.toThrow(/has ended/);
      else await said;
      const { rowCount } = await pool().query("select from steers where agent_run_id = $1", [rootId]);
      expect(rowCount).toBe(isTerminal(status) ? 0 : 1);
    },
  );

  test("through doors in any order a run is always where the rules say, and every move is told once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...RUN_STATUSES),
        fc.array(fc.constantFrom(...ALL_DOORS), { minLength: 1, maxLength: 12 }),
        async (from, doors) => {
          const of = await runIn(from);
          const moves: RunStatus[] = [];
          let status: RunStatus = from;
          for (const door of doors) {
            const next = expected(status, door);
            expect(await take(of, door)).toBe(refusal(status, door));
            if (next !== status) moves.push(next);
            status = next;
            expect(await statuses(of.runId)).toEqual({ run: status, root: status });
          }
          const { rows } = await pool().query<{ seq: string; kind: string; status: RunStatus }>(
            "select seq, kind, body ->> 'status' as status from events where run_id = $1 order by seq",
            [of.runId],
          );
          expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, nth) => nth + 1));
          expect(rows.filter((event) => event.kind === "run.status").map((event) => event.status)).toEqual(moves);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
