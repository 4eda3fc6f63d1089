import pg from "pg";
import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { Flusher } from "@/server/engine/journal/flusher";
import { FenceLostError } from "@/server/engine/journal/unit";
import { interrupt } from "@/server/engine/workers";
import { answerRequest } from "@/server/requests/service/answer";
import { resumeRun, stopRun } from "@/server/runs/service/control-run";
import { startRun } from "@/server/runs/service/start-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import type { EmbeddedDatabase } from "@/tests/support/embedded-database";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call, collect, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import { startPostgresProxy } from "@/tests/support/postgres-proxy";

type Row = { [column: string]: unknown };

describe.each(DATABASE_KINDS)("what outlives a worker on the %s database", (kind) => {
  const desk = useDesk(kind);
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const one = async (text: string, values: unknown[]): Promise<Row> =>
    (await pool().query<Row>(text, values)).rows[0] ?? {};

  test("a run cut off by the end of its worker goes on in the next from its rows, a large result whole", async () => {
    const large = "Größe 🧩 \n".repeat(3_000);
    let calls = 0;
    desk().tools.set(
      "large",
      aTool("large", async () => ({ text: large, times: ++calls })),
    );
    let seen: unknown;
    const input = desk().words("survive", (request, { step, attempt }) => {
      if (step === 0) return { calls: [call("large")] };
      if (attempt === 0) return { fault: "hang" };
      [seen] = lastResults(request);
      return { text: "Survived." };
    });
    const runId = await desk().start(await solo({ tools: ["large"] }), input);
    await eventually(() => expect(desk().callsOf(input).requested).toBe(2));
    await eventually(async () => expect((await record(runId)).steps).toHaveLength(2));
    await desk().shut();
    expect(await desk().statusOf(runId)).toMatchObject({ status: "running" });

    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Survived." });
    const { decisions, root, steps } = await record(runId);
    expect(seen).toEqual({ text: large, times: 1 });
    expect(calls).toBe(1);
    expect(await toolResults(desk().scope, root.id)).toEqual([{ text: large, times: 1 }]);
    const stored = await one("select content from messages where agent_run_id = $1 and index = 3", [root.id]);
    expect(stored.content).toEqual({ blob: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: expect.any(Number) });
    expect(steps.map(({ position }) => position)).toEqual([0, 1, 2]);
    expect(decisions.find(({ kind: what }) => what === "takeover")).toMatchObject({
      source: "runtime-rule",
      chosen: [{ option: "resume", label: "Resume" }],
    });
  });

  test("a question outlives its worker: answered while nobody works, the answer still reaches the model", async () => {
    const script = turns({ calls: [call("user__ask", { question: "Still there?", options: ["Yes"] })] }, (request) => ({
      text: String(lastResults(request)[0]?.answer),
    }));
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "wait for long", script);
    const { id } = await desk().openRequest(runId);
    await desk().shut();
    const input = { requestId: id, answer: "Yes" };
    expect(await answerRequest({ scope: desk().scope, input })).toMatchObject({ counted: true });
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Yes" });
    expect((await record(runId)).requests).toHaveLength(1);
  });

  test("an effect in flight when its worker ended is not sent again: a person is asked", async () => {
    let sent = 0;
    const run = () => {
      sent += 1;
      return new Promise<never>(() => {});
    };
    desk().tools.set("in_flight", aTool("in_flight", run, { sideEffect: "external" }));
    const runId = await desk().play(
      await solo({ tools: ["in_flight"] }),
      "send it",
      turns({ calls: [call("in_flight")] }, { text: "Sent." }),
    );
    await eventually(() => expect(sent).toBe(1));
    await desk().shut();
    await desk().open();
    const { id } = await desk().openRequest(runId);
    await answerRequest({ scope: desk().scope, input: { requestId: id, answer: "happened" } });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Sent." });
    expect(sent).toBe(1);
    await record(runId);
  });

  test.runIf(kind === "embedded")("a run that waits for a person outlives a restart of the database", async () => {
    const script = turns({ calls: [call("user__ask", { question: "Back?", options: [] })] }, (request) => ({
      text: String(lastResults(request)[0]?.answer),
    }));
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "outlive the database", script);
    const { id } = await desk().openRequest(runId);
    const database = desk().database as EmbeddedDatabase;
    await database.kill();
    // It looks for the answer while there is nobody to ask.
    desk().executor?.resources.hub.tell("answered", id);
    await expect(pool().query("select 1")).rejects.toThrow();
    await database.restart();
    await eventually(() => answerRequest({ scope: desk().scope, input: { requestId: id, answer: "Back." } }));
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Back." });
    await record(runId);
  });

  // The embedded database has one backend for all, so only a real one can end a single connection.
  test.runIf(kind === "postgres")(
    "an agent run that loses its connection while it reads goes on from its rows",
    async () => {
      let times = 0;
      desk().engineTools.set("lose_connection", {
        kind: "tool",
        offer: ({ config }) =>
          config.tools.includes("lose_connection")
            ? { name: "lose_connection", description: "", parameters: {} }
            : null,
        run: async ({ resources }) => {
          times += 1;
          if (times === 1) await resources.pool.query("select pg_terminate_backend(pg_backend_pid())");
          return { value: { times } };
        },
      });
      const input = desk().words(
        "lose the connection",
        turns({ calls: [call("lose_connection")] }, { text: "Went on." }),
      );
      const runId = await desk().start(await solo({ tools: ["lose_connection"] }), input);
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Went on." });
      const { root, decisions } = await record(runId);
      expect(await toolResults(desk().scope, root.id)).toEqual([{ times: 2 }]);
      expect(decisions.find(({ kind: what }) => what === "takeover")?.reason).toMatch(
        /^Worker \S+ lost the database for a moment and goes on after 1 step\.$/,
      );
      expect(desk().callsOf(input).requested).toBe(2);
    },
  );

  test("a child nobody could carry on is data for its parent, and holds no place", async () => {
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { maxConcurrentAgents: 1 },
      agents: [{}, {}],
    });
    const [broken, sound] = team.children;
    await db().agentVersion.update({ where: { id: broken?.agentVersionId ?? "" }, data: { config: { purpose: 1 } } });
    const runId = await desk().play(
      team,
      "go on without the broken one",
      turns(
        { calls: [spawn(broken?.name ?? "", desk().words("break"))] },
        collectAll,
        { calls: [spawn(sound?.name ?? "", desk().words("work"))] },
        (request) => ({ calls: [collect(lastResults(request)[0]?.id)] }),
        { text: "One of two." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "One of two." });
    const { root, agents } = await record(runId);
    const results = await toolResults(desk().scope, root.id);
    expect(results.map(({ exit_status }) => exit_status)).toEqual([undefined, "interrupted", undefined, "completed"]);
    expect(agents.map(({ status }) => status).sort()).toEqual(["aborted", "completed", "completed"]);
  });

  test("an execution that was overtaken leaves the run to the other worker, and carries it on once that is gone", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let calls = 0;
    desk().tools.set(
      "gate",
      aTool("gate", async () => {
        calls += 1;
        await gate;
        return "open";
      }),
    );
    const script = turns({ calls: [call("gate")] }, { text: "Went on." });
    const runId = await desk().play(await solo({ tools: ["gate"] }), "be overtaken", script);
    await eventually(() => expect(calls).toBe(1));
    const { root } = await record(runId);
    await pool().query(
      "insert into workers (id, host, pid, beat_at) values ('other', 'far', 1, now() + interval '1 day')",
    );
    await pool().query("update agent_runs set epoch = epoch + 1, worker_id = 'other' where id = $1", [root.id]);
    open();
    // Some sweeps later nobody has taken the run for lost.
    const beats = new Set<string>();
    await eventually(async () => {
      const { beat_at } = await one("select beat_at::text from workers where id <> 'other'", []);
      expect(beats.add(String(beat_at)).size).toBe(4);
    });
    expect(await desk().statusOf(runId)).toMatchObject({ status: "running" });
    expect(calls).toBe(1);

    await pool().query("delete from workers where id = 'other'");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Went on." });
    expect(calls).toBe(2);
    await record(runId);
  });

  test("an execution whose beginning was recorded and whose answer was lost begins again", async () => {
    const way = await startPostgresProxy(desk().database.url);
    await desk().shut();
    try {
      await desk().open(way.url);
      way.decide = (sql) => (way.cuts === 0 && sql.includes("journal_open") ? "after" : null);
      const runId = await desk().play(await solo(), "begin twice", turns({ text: "Begun." }));
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Begun." });
      expect(way.cuts).toBe(1);
      expect(await one("select epoch from agent_runs where run_id = $1", [runId])).toEqual({ epoch: 2 });
      await record(runId);
    } finally {
      await desk().shut();
      way.close();
      await desk().open();
    }
  });

  test("a queued run whose notification was lost is found by the sweep", async () => {
    await desk().shut();
    const runId = await desk().play(await solo(), "unheard", turns({ text: "Found." }));
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Found." });
    await record(runId);
  });

  test("an agent run whose workflow ended in an error is shown as interrupted, and can be stopped", async () => {
    const team = await solo();
    // A configuration no version of the product has written: the execution cannot even begin.
    await db().agentVersion.update({ where: { id: team.root.agentVersionId }, data: { config: { purpose: 1 } } });
    const runId = await desk().start(team, desk().words("never begin"));
    await eventually(async () => expect(await desk().statusOf(runId)).toMatchObject({ status: "interrupted" }));
    const { root, events } = await record(runId);
    expect(root).toMatchObject({ status: "interrupted", statusReason: "execution ended (ERROR)" });
    expect(events.at(-1)?.body).toMatchObject({ kind: "run.status", status: "interrupted" });
    expect(await stopRun({ scope: desk().scope, runId })).toEqual({ status: "aborted" });
    await record(runId);
  });

  test("an interrupted agent run takes its question back, is fenced, and asks anew when it is resumed", async () => {
    const script = turns({ calls: [call("user__ask", { question: "Again?", options: [] })] }, (request) => ({
      text: String(lastResults(request)[0]?.answer),
    }));
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "be interrupted", script);
    const first = await desk().openRequest(runId);
    await desk().shut();
    const { root } = await record(runId);
    const { epoch } = await one("select epoch from agent_runs where id = $1", [root.id]);
    await interrupt(pool(), root.id, "PENDING");
    const { run, requests } = await record(runId);
    expect(run).toMatchObject({ status: "interrupted", openRequests: 0 });
    expect(requests).toMatchObject([{ id: first.id, status: "withdrawn" }]);
    expect(await one("select epoch from agent_runs where id = $1", [root.id])).toEqual({ epoch: Number(epoch) + 1 });
    const zombie = unit(runId, root.id, { epoch: Number(epoch), unit: 1_000 });
    expect((await pool().query(zombie)).rows).toMatchObject([{ refused: "lost" }]);
    const late = { requestId: first.id, answer: "Late." };
    expect(await answerRequest({ scope: desk().scope, input: late })).toMatchObject({ counted: false });

    await desk().open();
    expect(await resumeRun({ scope: desk().scope, runId })).toEqual({ status: "running" });
    const second = await desk().openRequest(runId);
    expect(second.id).not.toBe(first.id);
    await answerRequest({ scope: desk().scope, input: { requestId: second.id, answer: "Again." } });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Again." });
    await record(runId);
  });

  test("what works below an interrupted agent run ends with it, and an interrupted child lets its run go on", async () => {
    const asking = desk().words(
      "ask in vain",
      turns({ calls: [call("user__ask", { question: "Anybody?", options: [] })] }, { text: "Never." }),
    );
    const team = await aTeam(db(), desk().scope.workspaceId, {
      agents: [{ tools: ["user__ask"], escalationTimeoutMs: 0 }],
    });
    const [asker] = team.children;
    const script = turns({ calls: [spawn(asker?.name ?? "", asking)] }, collectAll, { text: "Went on." });
    const runIds = [];
    for (const words of ["lose the root", "lose the child"]) {
      runIds.push(await desk().play(team, words, script));
      await desk().openRequest(runIds.at(-1) ?? "");
    }
    const [rootless = "", childless = ""] = runIds;
    const children = await Promise.all(runIds.map(async (runId) => (await record(runId)).agent(asker?.name ?? "")));

    await interrupt(pool(), (await record(rootless)).root.id, "ERROR");
    const lost = await record(rootless);
    expect(lost.run).toMatchObject({ status: "interrupted", openRequests: 0 });
    expect(lost.agents.map(({ status }) => status).sort()).toEqual(["aborted", "interrupted"]);

    await interrupt(pool(), children[1]?.id ?? "", "ERROR");
    expect(await desk().ended(childless)).toMatchObject({ status: "completed", answer: "Went on." });
    const kept = await record(childless);
    expect(kept.requests).toMatchObject([{ status: "withdrawn" }]);
    expect(kept.events.filter(({ body }) => body.kind === "run.status").map(({ body }) => body)).toMatchObject(
      ["queued", "running", "waiting", "running", "completed"].map((status) => ({ status })),
    );
  });

  test("a team whose agent uses a tool that does not exist is refused by name, and a run that got through fails by name", async () => {
    const team = await aTeam(db(), desk().scope.workspaceId, { agents: [{ name: "Misfit", tools: ["docs__serach"] }] });
    const input = { teamId: team.teamId, input: "Go" };
    await expect(startRun({ scope: desk().scope, input })).rejects.toMatchObject({
      code: "INVALID",
      userMessage: expect.stringMatching(/Misfit .*docs__serach/),
    });
    expect((await one("select count(*)::int as n from runs where team_id = $1", [team.teamId])).n).toBe(0);

    const runId = await desk().play(await solo({ tools: ["gone"] }), "use what is gone", turns({ text: "Never." }));
    expect(await desk().ended(runId)).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^missing: .*gone/),
    });
    await record(runId);
  });

  /** A run nobody executes, begun by hand: the SQL is spoken to directly. */
  async function aHandMadeRun() {
    const team = await aTeam(db(), desk().scope.workspaceId, {});
    const runId = await desk().start(team, desk().words("by hand"));
    const agentRunId = deriveId(runId, "root");
    await open(agentRunId);
    return { runId, agentRunId, team };
  }
  const open = async (agentRunId: string) => {
    const { opened } = await one("select journal_open($1, 'by hand') as opened", [agentRunId]);
    return (opened as { row: { epoch: number } } | null)?.row.epoch;
  };
  const unit = (
    runId: string,
    agentRunId: string,
    owner: { epoch: number; unit: number },
    also: { children?: Row[] } = {},
  ) => {
    const { workspaceId } = desk().scope;
    const body = { status: "running", reason: null, at: new Date().toISOString() };
    const json = (rows: Row[] | undefined) => (rows ? JSON.stringify(rows) : null);
    return {
      text: "select agent_run, refused from journal_write($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)",
      values: [
        json([{ a: agentRunId, e: owner.epoch, u: owner.unit }]),
        null,
        null,
        json(also.children?.map((child) => ({ a: agentRunId, r: runId, w: workspaceId, ...child }))),
        ...Array(7).fill(null),
        json([{ r: runId, a: agentRunId, kind: "agent.status", body }]),
        null,
      ],
    };
  };

  test("a write of an old epoch is refused as lost, and a repeated unit as applied; neither writes", async () => {
    await desk().shut();
    const { runId, agentRunId } = await aHandMadeRun();
    const seq = async () => (await one("select last_seq from runs where id = $1", [runId])).last_seq;
    const write = async (epoch: number, number: number) =>
      (await pool().query(unit(runId, agentRunId, { epoch, unit: number }))).rows.map(({ refused }) => refused);
    const before = Number(await seq());
    expect(await write(1, 1)).toEqual([]);
    expect(await seq()).toBe(before + 1);
    expect(await write(1, 1)).toEqual(["applied"]);
    expect(await write(2, 2)).toEqual(["lost"]);
    expect(await seq()).toBe(before + 1);

    expect(await open(agentRunId)).toBe(2);
    expect(await write(1, 2)).toEqual(["lost"]);
    expect(await seq()).toBe(before + 1);
    expect(await write(2, 1)).toEqual([]);

    await stopRun({ scope: desk().scope, runId });
    expect(await write(2, 2)).toEqual(["lost"]);
    expect(await open(agentRunId)).toBeUndefined();
    await desk().open();
    await record(runId);
  });

  test("what an agent run still writes beside its own end is refused", async () => {
    await desk().shut();
    const { runId, agentRunId, team } = await aHandMadeRun();
    const [node] = team.children;
    const id = deriveId(agentRunId, "child");
    const child = {
      id,
      decision: null,
      handle: "child",
      name: "Child",
      version: node?.agentVersionId,
      node: node?.teamNodeId,
      depth: 1,
      task: "Go on",
    };
    await pool().query(unit(runId, agentRunId, { epoch: 1, unit: 1 }, { children: [child] }));
    expect(await open(id)).toBe(1);
    const { workspaceId } = desk().scope;
    const flusher = new Flusher(pool(), { lanes: 1 });
    const step = { position: 0, turn: 1, kind: "model", name: "m", startedAt: new Date().toISOString() } as const;
    // Both in one tick, as two journals of one worker may.
    const ending = flusher.append(0, {
      owner: { agentRunId, runId, workspaceId, epoch: 1, unit: 2 },
      unit: { aborts: [{ id, reason: "parent_ended" }] },
    });
    const writing = flusher.append(0, {
      owner: { agentRunId: id, runId, workspaceId, epoch: 1, unit: 1 },
      unit: { agent: { open: [step] }, events: [{ body: { kind: "steps.started", steps: [step] } }] },
    });
    await expect(writing).rejects.toBeInstanceOf(FenceLostError);
    await ending;
    expect(await one("select status, open_steps from agent_runs where id = $1", [id])).toEqual({
      status: "aborted",
      open_steps: [],
    });
    await stopRun({ scope: desk().scope, runId });
    await desk().open();
  });

  test("a child stored in the moment its run is stopped ends with it", async () => {
    await desk().shut();
    const { runId, agentRunId, team } = await aHandMadeRun();
    const [node] = team.children;
    const id = deriveId(agentRunId, "late child");
    const child = {
      id,
      decision: null,
      handle: "late",
      name: "Late",
      version: node?.agentVersionId,
      node: node?.teamNodeId,
      depth: 1,
      task: "Be late",
    };
    const spawning = new pg.Client({ connectionString: desk().database.url });
    await spawning.connect();
    try {
      await spawning.query("begin");
      await spawning.query(unit(runId, agentRunId, { epoch: 1, unit: 1 }, { children: [child] }));
      const stopping = stopRun({ scope: desk().scope, runId });
      // On a real Postgres the stop is seen to wait for the row; the embedded one serves one transaction at a time anyway.
      if (kind === "postgres") {
        await eventually(async () => {
          const waiting = await one(
            "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            [],
          );
          expect(waiting.n).toBeGreaterThan(0);
        });
      }
      await spawning.query("commit");
      expect(await stopping).toEqual({ status: "aborted" });
    } finally {
      await spawning.end();
    }
    expect((await one("select status from agent_runs where id = $1", [id])).status).toBe("aborted");
    await desk().open();
  });
});
