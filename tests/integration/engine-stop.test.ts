import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { stopRun } from "@/server/runs/service/control-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

/** A run in the middle of something, and how one sees from the far side that it was left. */
type Middle = { runId: string; left: () => void | Promise<void>; aborted: string[] };

/** F21: wherever a run is when a person stops it, it ends there with all that is under way for it, and nothing comes after its end. */
describe.each(DATABASE_KINDS)("a run that is stopped on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), scope().workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const pair = (supervisor: Partial<AgentConfig> = {}, agent: Partial<AgentConfig> = {}) =>
    aTeam(db(), scope().workspaceId, { supervisor, agents: [agent] });

  /** A far side that never answers, and how many requests wait there; one that waits ends when its socket closes. */
  let farSide: Server;
  let waiting = 0;
  beforeAll(async () => {
    farSide = createServer((_, response) => {
      waiting += 1;
      response.on("close", () => {
        waiting -= 1;
      });
    });
    await new Promise<void>((resolve) => farSide.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    farSide.closeAllConnections();
    farSide.close();
  });
  afterEach(() => {
    desk().model = desk().scripted();
  });
  const reachingOut = (name: string, also = {}) => {
    const url = `http://127.0.0.1:${(farSide.address() as AddressInfo).port}`;
    const run = async (_: unknown, { signal }: { signal: AbortSignal }) => (await fetch(url, { signal })).status;
    desk().tools.set(name, aTool(name, run, also));
    return name;
  };
  const waitingAre = (open: number) => eventually(() => expect(waiting).toBe(open));
  /** A request of that conversation is under way, and after the stop none is. */
  const asked = (words: string, times = 1) => eventually(() => expect(desk().callsOf(words).requested).toBe(times));
  const closed = (words: string) => () =>
    eventually(() => expect(desk().callsOf(words).ended).toBe(desk().callsOf(words).requested));

  const middles: { [during: string]: () => Promise<Middle> } = {
    "a model call": async () => {
      const input = desk().words("in a model call", turns({ fault: "hang" }));
      const runId = await desk().start(await solo(), input);
      await asked(input);
      return { runId, left: closed(input), aborted: ["model"] };
    },
    "a reply that streams": async () => {
      const input = desk().words("in a reply", turns({ fault: "stall", text: "So far, so good." }));
      const runId = await desk().start(await solo(), input);
      await eventually(async () => expect((await soundRecord(scope(), runId)).liveTexts).toHaveLength(1));
      return { runId, left: closed(input), aborted: ["model"] };
    },
    "a tool call": async () => {
      const tool = reachingOut("reach_out");
      const runId = await desk().play(await solo({ tools: [tool] }), "in a tool", turns({ calls: [call(tool)] }));
      await waitingAre(1);
      return { runId, left: () => waitingAre(0), aborted: ["tool"] };
    },
    "a call that writes": async () => {
      const tool = reachingOut("write_out", { sideEffect: "external" });
      const runId = await desk().play(await solo({ tools: [tool] }), "in an effect", turns({ calls: [call(tool)] }));
      await waitingAre(1);
      return { runId, left: () => waitingAre(0), aborted: ["tool"] };
    },
    "the work of agents below": async () => {
      const tool = reachingOut("reach_below");
      const team = await pair({ tools: [tool] }, { canSpawnAgents: true });
      const child = desk().words("below in a model call", turns({ fault: "hang" }));
      const name = team.children[0]?.name ?? "";
      const script = turns({ calls: [spawn(name, child), call(tool)] }, collectAll);
      const runId = await desk().play(team, "above", script);
      await asked(child);
      await waitingAre(1);
      const left = async () => {
        await closed(child)();
        await waitingAre(0);
      };
      return { runId, left, aborted: ["model", "tool"] };
    },
    "a wait for another agent": async () => {
      const team = await pair();
      const child = desk().words("waited for", turns({ fault: "hang" }));
      const script = turns({ calls: [spawn(team.children[0]?.name ?? "", child)] }, collectAll);
      const runId = await desk().play(team, "collect", script);
      await eventually(async () => {
        const { root } = await soundRecord(scope(), runId);
        expect(root.openSteps).toMatchObject([{ name: "agent__collect" }]);
      });
      await asked(child);
      return { runId, left: closed(child), aborted: ["model", "tool"] };
    },
    "an approval": async () => {
      let calls = 0;
      desk().tools.set(
        "post",
        aTool("post", async () => ++calls, { sideEffect: "external" }),
      );
      const team = await solo({ tools: ["post"], askBefore: ["post"] });
      const runId = await desk().play(team, "ask first", turns({ calls: [call("post")] }));
      await desk().openRequest(runId);
      return { runId, left: () => expect(calls).toBe(0), aborted: ["tool"] };
    },
    "a question asked of the agents above": async () => {
      const team = await pair({}, { tools: ["user__ask"] });
      const child = desk().words("ask above", turns({ calls: [call("user__ask", { question: "Well?" })] }));
      const lead = turns({ calls: [spawn(team.children[0]?.name ?? "", child)] }, { fault: "hang" });
      const input = desk().words("lead on", lead);
      const runId = await desk().start(team, input);
      await eventually(async () =>
        expect((await soundRecord(scope(), runId)).requests).toMatchObject([{ status: "escalated" }]),
      );
      await asked(input, 2);
      return { runId, left: closed(input), aborted: ["human", "model"] };
    },
    "the pause before a retry": async () => {
      const refusal = { fault: "status", status: 429, headers: { "retry-after": "200" } } as const;
      const input = desk().words("told to wait", turns(refusal, refusal));
      const runId = await desk().start(await solo(), input);
      await eventually(async () =>
        expect((await soundRecord(scope(), runId)).decisions).toMatchObject([{ kind: "retry" }]),
      );
      return { runId, left: () => expect(desk().callsOf(input).requested).toBe(1), aborted: [] };
    },
    "a call that condenses": async () => {
      const long = desk().words("A long story. ".padEnd(900, "-"), turns({ fault: "hang" }));
      const team = await pair({ summarizationThreshold: 500 });
      const child = desk().words("tell it", () => ({ text: long }));
      const script = turns({ calls: [spawn(team.children[0]?.name ?? "", child)] }, collectAll);
      const runId = await desk().play(team, "have it told", script);
      await asked(long);
      return { runId, left: closed(long), aborted: ["tool"] };
    },
    "a wait for a slot of its provider": async () => {
      const { id } = await db().provider.create({
        data: { id: uuid(), workspaceId: scope().workspaceId, name: "slow", baseUrl: "http://localhost", mostCalls: 0 },
      });
      desk().model = { ...desk().scripted(), limitedBy: id };
      const input = desk().words("in line", turns({ text: "Never said." }));
      const runId = await desk().start(await solo(), input);
      await eventually(async () => expect((await soundRecord(scope(), runId)).root.openSteps).toHaveLength(1));
      const left = async () => {
        expect((await pool().query("select from call_slots")).rowCount).toBe(0);
        expect(desk().callsOf(input).requested).toBe(0);
      };
      return { runId, left, aborted: ["model"] };
    },
  };

  /** No execution of it is left in any worker. */
  const workflowsEnd = (runId: string) =>
    eventually(async () => {
      const { rows } = await pool().query<{ status: string }>(
        `select w.status from agent_runs ar join dbos.workflow_status w on w.workflow_uuid = ar.id::text where ar.run_id = $1`,
        [runId],
      );
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(({ status }) => status)).toEqual(rows.map(() => "SUCCESS"));
    });

  test.each(Object.keys(middles))("in the middle of %s", async (during) => {
    const middle = await middles[during]?.();
    if (!middle) throw new Error(during);
    const { runId, left, aborted } = middle;
    expect(await stopRun({ scope: scope(), runId })).toEqual({ status: "aborted" });
    const stopped = await soundRecord(scope(), runId);
    expect(stopped.run.statusReason).toBe(`stopped by ${scope().userName}`);
    const cut = stopped.steps.filter(({ status }) => status === "aborted");
    expect(cut.map((step) => step.kind).toSorted()).toEqual(aborted);
    await left();
    await workflowsEnd(runId);
    expect((await soundRecord(scope(), runId)).events).toEqual(stopped.events);
  });

  test("before a worker had it: it is never begun", async () => {
    const input = desk().words("never begun", turns({ text: "Never said." }));
    await desk().shut();
    const runId = await desk().start(await solo(), input);
    expect(await stopRun({ scope: scope(), runId })).toEqual({ status: "aborted" });
    const stopped = await soundRecord(scope(), runId);
    await desk().open();
    // Started after it, and through the same door.
    await desk().ended(await desk().play(await solo(), "after it", turns({ text: "Done." })));
    expect((await soundRecord(scope(), runId)).events).toEqual(stopped.events);
    expect(desk().callsOf(input).requested).toBe(0);
  });
});
