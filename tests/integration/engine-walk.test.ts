import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { interrupt } from "@/server/engine/workers";
import { answerRequest } from "@/server/requests/service/answer";
import { steerAgentRun, stopAgentRun } from "@/server/runs/service/control-agent";
import { resumeRun, stopRun } from "@/server/runs/service/control-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, spawn, spawned } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { Script } from "@/tests/support/scripted-model";
import { oneOf, seededRandom } from "@/tests/support/seeded-random";

const SEEDS = [1, 2, 3, 4, 5, 6];
const DOORS = 40;

type AgentRow = { id: string; status: string; isRoot: boolean };

/**
 * Runs at work while everything that can happen to them from outside happens in a random order: what it comes to depends on who is
 * first, and must be allowed whoever is.
 */
describe.each(DATABASE_KINDS)("a walk through all doors on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;

  /** What moves in a run whose rows contradict each other; looked at in one statement, so that nothing moves meanwhile. */
  const contradictions = async (runId: string): Promise<unknown[]> => {
    const { rows } = await pool().query(
      `select r.status as run, ar.id, ar.status from runs r join agent_runs ar on ar.run_id = r.id
       where r.id = $1 and (
         (is_held(r.status) and ar.status in ('queued', 'running', 'waiting'))
         or (is_terminal(r.status) and not is_terminal(ar.status))
         or (ar.parent_id is null and is_terminal(ar.status) and not is_terminal(r.status)))
       union all
       select r.status, null, null from runs r where r.id = $1
         and r.open_requests <> (select count(*) from human_requests q where q.run_id = r.id and q.status = 'open')
       union all
       select r.status, null, null from runs r where r.id = $1 and r.last_seq <> (select count(*) from events where run_id = r.id)`,
      [runId],
    );
    return rows;
  };
  const agentsOf = async (runId: string): Promise<AgentRow[]> =>
    (
      await pool().query<AgentRow>(
        'select id, status, parent_id is null as "isRoot" from agent_runs where run_id = $1 order by id',
        [runId],
      )
    ).rows;
  const openRequests = async (runId: string): Promise<{ id: string; kind: string }[]> =>
    (
      await pool().query(
        "select id, kind from human_requests where run_id = $1 and status in ('open', 'escalated') order by id",
        [runId],
      )
    ).rows;
  const answerAll = async (runId: string) => {
    for (const { id, kind: what } of await openRequests(runId)) {
      await answerRequest({
        scope: scope(),
        input: { requestId: id, answer: what === "question" ? "Red" : "happened" },
      });
    }
  };

  test.each(SEEDS)("seed %i", async (seed) => {
    const random = seededRandom(seed);
    const tools = ["user__ask", "look", "write"];
    desk().tools.set(
      "look",
      aTool("look", async () => "seen"),
    );
    desk().tools.set(
      "write",
      aTool("write", async () => "written", { sideEffect: "external" }),
    );
    const member: Partial<AgentConfig> = { tools, escalationTimeoutMs: 0, maxRepeatedCalls: 100 };
    const team = await aTeam(db(), scope().workspaceId, { supervisor: member, agents: [member, member] });
    const turn = (): { name: string; args: Record<string, unknown> } =>
      oneOf(random, [
        { name: "look", args: {} },
        { name: "write", args: {} },
        { name: "user__ask", args: { question: "Which?" } },
      ]);
    /** As many turns as it was given, and then the answer. */
    const worker = (turns: ReturnType<typeof turn>[]): Script => {
      return (_, { step }) => {
        const next = turns[step];
        return next ? { calls: [call(next.name, next.args)] } : { text: "Done." };
      };
    };
    const turnsOf = () => Array.from({ length: 2 + Math.floor(random() * 4) }, turn);
    const tasks = team.children.map(({ name }) => ({ name, task: desk().words(`walk ${seed}`, worker(turnsOf())) }));
    const own = turnsOf();
    const root: Script = (request, place) => {
      if (place.step === 0) return { calls: tasks.map(({ name, task }) => spawn(name, task)) };
      if (place.step === own.length + 1 && spawned(request).length) return collectAll(request);
      return worker(own)(request, { ...place, step: place.step - 1 });
    };
    const runId = await desk().play(team, `walk ${seed}`, root);

    const doors: { [door: string]: () => Promise<unknown> } = {
      pause: () => pool().query("select hold_run($1, 'paused', 'a door')", [runId]),
      suspend: () => pool().query("select hold_run($1, 'suspended', 'a door')", [runId]),
      resume: () => pool().query("select resume_run($1)", [runId]),
      "resume again": () => pool().query("select resume_run($1)", [runId]),
      answer: () => answerAll(runId),
      "stop an agent": async () => {
        const below = (await agentsOf(runId)).filter(({ isRoot }) => !isRoot);
        if (below.length) await stopAgentRun({ scope: scope(), runId, agentRunId: oneOf(random, below).id });
      },
      interrupt: async () => interrupt(pool(), oneOf(random, await agentsOf(runId)).id, "a door"),
      steer: async () => {
        const { id } = oneOf(random, await agentsOf(runId));
        await steerAgentRun({ scope: scope(), runId, agentRunId: id, text: "Hurry." }).catch(() => {});
      },
      "lose the worker": async () => {
        await desk().shut();
        await desk().open();
      },
      stop: async () => {
        if (random() < 0.1) await stopRun({ scope: scope(), runId });
      },
    };
    const gone: string[] = [];
    try {
      for (let nth = 0; nth < DOORS; nth++) {
        const door = oneOf(random, Object.keys(doors));
        gone.push(door);
        await doors[door]?.();
        // It gets on a little, or not at all.
        const looks = 1 + Math.floor(random() * 6);
        for (let look = 0; look < looks; look++) expect(await contradictions(runId)).toEqual([]);
      }
      gone.push("to the end");
      await eventually(async () => {
        const { status } = await desk().statusOf(runId);
        if (["paused", "suspended", "interrupted"].includes(status)) await resumeRun({ scope: scope(), runId });
        await answerAll(runId);
        expect(["completed", "failed", "aborted"]).toContain((await desk().statusOf(runId)).status);
      });
      expect(await contradictions(runId)).toEqual([]);
      await soundRecord(scope(), runId);
    } catch (error) {
      throw new Error(`seed ${seed}, after ${gone.join(", ")}`, { cause: error });
    }
  });
});
