import { v7 as uuid } from "uuid";
import { afterEach, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import type { Answer } from "@/server/engine/events";
import { stopOverdueRuns } from "@/server/engine/overdue-runs";
import { collectAgent } from "@/server/engine/tools/children";
import { replyEscalation } from "@/server/engine/tools/reply-escalation";
import { rehearsalModel } from "@/server/models/rehearsal";
import { listOpenRequests } from "@/server/requests/queries";
import { answerRequest } from "@/server/requests/service/answer";
import { stopAgentRun } from "@/server/runs/service/control-agent";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import {
  aTool,
  call,
  collect,
  collectAll,
  lastResults,
  meetingOf,
  spawn,
  spawned,
} from "@/tests/support/engine-scripts";
import { anAgent, aTeam } from "@/tests/support/factories";
import type { ChatRequest, Script } from "@/tests/support/scripted-model";

const COLOURS = ["Red", "Green", "Blue"];
const WHICH = call("user__ask", { question: "Which?", options: COLOURS });

type Pending = { escalation_id: string; from_agent_id: string; from_agent_name: string; question: string };

/** What agents below asked so far, as this model was told it: once for each time. */
function pendingIn(request: ChatRequest): Pending[] {
  return request.messages.flatMap(({ role, content }) => {
    if (role === "assistant" || !content?.includes('"pending_escalations"')) return [];
    return JSON.parse(content.slice(content.indexOf("{"))).pending_escalations as Pending[];
  });
}

const reply = (to: Pending | undefined, answer?: unknown, reason?: string) =>
  call("agent__reply_escalation", {
    escalation_id: to?.escalation_id,
    ...(answer === undefined ? {} : { reply: answer }),
    ...(reason ? { reason } : {}),
  });
const replyFirst = (answer?: unknown, reason?: string) => (request: ChatRequest) => ({
  calls: [reply(pendingIn(request)[0], answer, reason)],
});
const said: Script = (request) => ({ text: JSON.stringify(lastResults(request)) });
/** Outputs of what was collected last. */
const outputs: Script = (request) => ({
  text: lastResults(request)
    .map(({ output }) => output)
    .join("; "),
});

describe.each(DATABASE_KINDS)("what a child asks, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  /** Looked at again when the run moved between two looks of one record. */
  const record = (runId: string) => eventually(() => soundRecord(scope(), runId));
  const answer = (requestId: string, given: Answer) =>
    answerRequest({ scope: scope(), input: { requestId, answer: given } });

  afterEach(() => {
    desk().engineTools.set("agent__collect", collectAgent).set("agent__reply_escalation", replyEscalation);
  });

  const teamOf = async (child: Partial<AgentConfig> = {}, supervisor: Partial<AgentConfig> = {}) => {
    const asker = { tools: ["user__ask"], ...child };
    const team = await aTeam(db(), scope().workspaceId, { supervisor, agents: [asker, asker] });
    const [first = "", second = ""] = team.children.map(({ name }) => name);
    return { team, first, second };
  };

  /** Lead over middle over a leaf that asks. */
  const aDeepTeam = async (leafConfig: Partial<AgentConfig> = {}) => {
    const { workspaceId } = scope();
    // Both meet once they were told.
    desk().tools.set("meet", aTool("meet", meetingOf(2)));
    const tools = ["meet"];
    const team = await aTeam(db(), workspaceId, { supervisor: { tools }, agents: [{ canSpawnAgents: true, tools }] });
    const [middle] = team.children;
    const leaf = await anAgent(db(), workspaceId, { tools: ["user__ask"], ...leafConfig });
    const { agentVersionId } = leaf;
    const place = { teamVersionId: team.teamVersionId, parentId: middle?.teamNodeId ?? null, position: 0 };
    await db().teamNode.create({ data: { id: uuid(), workspaceId, agentVersionId, ...place } });
    return { team, middle: middle?.name ?? "", leaf: leaf.name };
  };

  const aGate = (name: string) => desk().gate(name);

  type Row = { id: string; status: string; told: string[]; until: Date | null };
  /** The newest request of a run once it has that status. */
  const requestThat = (status: string, runId: string) =>
    eventually(async () => {
      const { rows } = await pool().query<Row>(
        "select id, status, told_ids as told, escalated_until as until from human_requests where run_id = $1 order by created_at desc",
        [runId],
      );
      expect(rows[0]?.status).toBe(status);
      return rows[0] as Row;
    });
  const letTimePass = (id: string) =>
    pool().query("update human_requests set escalated_until = now() - interval '1 second' where id = $1", [id]);

  /** States a run went through, and what was decided about its questions. */
  async function courseOf(runId: string) {
    const kept = await record(runId);
    return {
      ...kept,
      states: kept.events.flatMap(({ body }) => (body.kind === "run.status" ? [body.status] : [])),
      about: kept.decisions.filter(({ kind: what }) => what === "escalation" || what === "answer"),
    };
  }
  const NEVER_WAITING = ["queued", "running", "completed"];

  test.each([
    ["ask", { question: "Which?", options: COLOURS }, "blue", "Blue", "“Blue”"],
    ["ask", { question: "Which?", options: COLOURS }, "Rather pink.", "Rather pink.", "“Rather pink.”"],
    ["confirm", { question: "Shall I?" }, "Yes", "yes", "“Yes”"],
    ["input", { question: "What name?" }, "Ada\nLovelace", "Ada\nLovelace", "“Ada\nLovelace”"],
    ["checkbox", { question: "Which ones?", options: COLOURS }, '["Red", "Blue"]', ["Red", "Blue"], "“Red”, “Blue”"],
    ["checkbox", { question: "Which ones?", options: COLOURS }, ["Green"], ["Green"], "“Green”"],
    ["checkbox", { question: "Which ones?", options: COLOURS }, "[]", [], "“None of these”"],
  ] as const)(
    "its parent answers user__%s %j with %j, and no person is asked",
    async (tool, args, given, stored, words) => {
      const { team, first } = await teamOf();
      const task = desk().words(`ask with ${tool}`, turns({ calls: [call(`user__${tool}`, args)] }, said));
      const runId = await desk().play(
        team,
        `answer ${tool} myself`,
        turns(
          { calls: [spawn(first, task)] },
          collectAll,
          replyFirst(given, "The brief says so."),
          collectAll,
          outputs,
        ),
      );
      const end = await desk().ended(runId);
      expect(JSON.parse(end.answer ?? "")).toEqual([tool === "checkbox" ? { answers: stored } : { answer: stored }]);

      const { agent, root, requests, states, about, events } = await courseOf(runId);
      expect(states).toEqual(NEVER_WAITING);
      expect(requests).toMatchObject([
        {
          kind: "question",
          status: "answered",
          answer: stored,
          answeredBy: root.name,
          answeredByAgentId: root.id,
          escalatedUntil: expect.any(String),
        },
      ]);
      const [request] = requests;
      // Each by the database's clock, one as the worker knows it.
      const ms = Date.parse(request?.escalatedUntil ?? "") - Date.parse(request?.createdAt ?? "");
      expect(Math.abs(ms - 300_000)).toBeLessThan(5_000);
      expect(events.filter(({ body }) => body.kind === "request.opened")).toMatchObject([
        { body: { request: { status: "escalated", escalatedUntil: request?.escalatedUntil } } },
      ]);
      expect(about).toMatchObject([
        {
          kind: "escalation",
          agentRunId: agent(first).id,
          position: 1,
          source: "policy",
          chosen: [{ option: "agents_above", label: "Ask the agents above" }],
          reason: `${first} asks the agents above first, and a person after 300 s without an answer.`,
        },
        {
          kind: "answer",
          agentRunId: agent(first).id,
          position: 1,
          source: "model-stated",
          reason: `${root.name} answered ${words}. The brief says so.`,
        },
      ]);

      const [, early, replied, collected] = await toolResults(scope(), root.id);
      const id = `esc_${request?.id.slice(0, 8)}`;
      expect(early).toEqual({
        status: "pending",
        id: agent(first).handle,
        message: "Still working. Reply with agent__reply_escalation to what is asked, then look again.",
        pending_escalations: [
          {
            escalation_id: id,
            from_agent_id: agent(first).handle,
            from_agent_name: first,
            question: `[${tool}] ${args.question}`,
            options: request?.options.map(({ value }) => value),
          },
        ],
      });
      expect(replied).toEqual({ status: "ok", escalation_id: id, question: args.question, message: "Answered." });
      expect(collected).toMatchObject({ status: "completed", exit_status: "completed" });
    },
  );

  test("told of it once, its parent waits on when it collects again", async () => {
    const { team, first } = await teamOf();
    const task = desk().words("ask somebody", turns({ calls: [WHICH] }, said));
    const script = turns({ calls: [spawn(first, task)] }, collectAll, collectAll, outputs);
    const runId = await desk().play(team, "wait on", script);
    await eventually(async () => {
      const { root } = await record(runId);
      expect(root.openSteps).toMatchObject([{ name: "agent__collect", turn: 3 }]);
    });
    const { id, told } = await requestThat("escalated", runId);
    // Whoever waits for the agents above is not stuck.
    await pool().query("update runs set progress_at = now() - interval '20 minutes' where id = $1", [runId]);
    await stopOverdueRuns(pool());
    expect(await desk().statusOf(runId)).toMatchObject({ status: "running" });
    await answer(id, "Red");
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]' });
    const { root } = await record(runId);
    expect(told).toEqual([root.id]);
    const results = await toolResults(scope(), root.id);
    expect(results.map(({ status }) => status)).toEqual(["ok", "pending", "completed"]);
  });

  test("a person is asked when no agent above has answered in time", async () => {
    const gate = aGate("too busy");
    const { team, first } = await teamOf({ escalationTimeoutMs: 400 }, { tools: ["too busy"] });
    const task = desk().words("ask a busy one", turns({ calls: [WHICH] }, said));
    const script = turns({ calls: [spawn(first, task), call("too busy")] }, collectAll, outputs);
    const runId = await desk().play(team, "answer nothing", script);
    const { id } = await desk().openRequest(runId);
    const asked = await courseOf(runId);
    expect(asked.run).toMatchObject({ status: "waiting", openRequests: 1 });
    expect(asked.requests).toMatchObject([{ status: "open", escalatedUntil: null, deadlineAt: null }]);
    expect(asked.about.at(-1)).toMatchObject({
      kind: "escalation",
      source: "runtime-rule",
      chosen: [{ option: "person", label: "Ask a person" }],
      reason: `${asked.root.name} did not answer within 0.4 s.`,
    });
    expect(asked.agent(first)).toMatchObject({ status: "waiting" });
    const { items } = await listOpenRequests(scope(), { limit: 100, whose: "everybody" });
    expect(items.map((item) => item.id)).toContain(id);

    expect(await answer(id, "Red")).toMatchObject({ counted: true });
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]' });
    const { states, requests, run, root } = await courseOf(runId);
    expect(states).toEqual(["queued", "running", "waiting", "running", "completed"]);
    expect(run.openRequests).toBe(0);
    expect(requests).toMatchObject([{ status: "answered", answeredBy: "Ada Tester", answeredByAgentId: null }]);
    // Passed on before the parent was told.
    expect(JSON.stringify(await toolResults(scope(), root.id))).not.toContain("esc_");
  });

  test("a parent that knows no answer leaves it to a person at once, and says why", async () => {
    const { team, first } = await teamOf();
    const task = desk().words("ask what only you know", turns({ calls: [WHICH] }, said));
    const runId = await desk().play(
      team,
      "leave it to a person",
      turns(
        { calls: [spawn(first, task)] },
        collectAll,
        replyFirst(undefined, "It is a matter of taste."),
        collectAll,
        outputs,
      ),
    );
    const { id } = await desk().openRequest(runId);
    const { run, root, about } = await courseOf(runId);
    expect(run).toMatchObject({ status: "waiting", openRequests: 1 });
    expect(about.at(-1)).toMatchObject({
      kind: "escalation",
      source: "model-stated",
      reason: `${root.name} left it to a person. It is a matter of taste.`,
    });
    await answer(id, "Green");
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Green"}]' });
    expect((await toolResults(scope(), root.id))[2]).toMatchObject({ status: "ok", message: "A person is asked." });
    expect((await courseOf(runId)).states).toEqual(["queued", "running", "waiting", "running", "completed"]);
  });

  test("a person may answer before the agents above: the run never waited, and they are told nothing", async () => {
    const gate = aGate("busy with more");
    const { team, first } = await teamOf({}, { tools: ["busy with more"] });
    const task = desk().words("ask while busy", turns({ calls: [WHICH] }, said));
    const script = turns({ calls: [spawn(first, task), call("busy with more")] }, collectAll, outputs);
    const input = desk().words("be busy", script);
    const runId = await desk().start(team, input);
    const { id } = await requestThat("escalated", runId);
    const { items } = await listOpenRequests(scope(), { limit: 100, whose: "everybody" });
    expect(items.map((item) => item.id)).not.toContain(id);
    expect((await record(runId)).run).toMatchObject({ status: "running", openRequests: 0 });

    expect(await answer(id, "Red")).toMatchObject({ counted: true });
    expect(await answer(id, "Blue")).toMatchObject({ counted: false });
    await eventually(async () => expect((await record(runId)).agent(first).status).toBe("completed"));
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]' });
    const { states, root, run, requests } = await courseOf(runId);
    expect(states).toEqual(NEVER_WAITING);
    expect(run.openRequests).toBe(0);
    expect(requests).toMatchObject([{ answeredBy: "Ada Tester", answeredByAgentId: null }]);
    expect(JSON.stringify(await toolResults(scope(), root.id))).not.toContain("esc_");
    expect((await requestThat("answered", runId)).told).toEqual([]);
  });

  test("a parent that works on is told before its next model call, in one message that is never repeated", async () => {
    const gates = [aGate("reading"), aGate("writing")];
    const { team, first } = await teamOf({}, { tools: ["reading", "writing"] });
    const task = desk().words("ask a worker", turns({ calls: [WHICH] }, said));
    const seen: string[][] = [];
    const script = turns(
      { calls: [spawn(first, task), call("reading")] },
      (request) => {
        seen.push(request.messages.filter(({ role }) => role === "user").map(({ content }) => content ?? ""));
        return { calls: [call("writing")] };
      },
      (request) => {
        seen.push(request.messages.filter(({ role }) => role === "user").map(({ content }) => content ?? ""));
        return replyFirst("Blue")(request);
      },
      collectAll,
      outputs,
    );
    const input = desk().words("work on", script);
    const runId = await desk().start(team, input);
    const { id } = await requestThat("escalated", runId);
    gates[0]?.open();
    await eventually(() => expect(gates[1]?.calls).toBe(1));
    const { root } = await record(runId);
    expect((await requestThat("escalated", runId)).told).toEqual([root.id]);
    gates[1]?.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Blue"}]' });
    expect(seen[0]).toEqual([input, expect.stringMatching(/^Agents below you wait for an answer\./)]);
    expect(seen[0]?.[1]).toContain(`"escalation_id":"esc_${id.slice(0, 8)}"`);
    expect(seen[1]).toEqual(seen[0]);
    expect((await requestThat("answered", runId)).told).toEqual([root.id]);
    expect((await courseOf(runId)).states).toEqual(NEVER_WAITING);
  });

  test("what a grandchild asks reaches every agent above it, and the root may answer", async () => {
    const { team, middle, leaf } = await aDeepTeam();
    const leafTask = desk().words("ask from below", turns({ calls: [WHICH] }, said));
    const middleTask = desk().words(
      "only wait",
      turns({ calls: [spawn(leaf, leafTask)] }, collectAll, { calls: [call("meet")] }, collectAll, outputs),
    );
    const runId = await desk().play(
      team,
      "answer a grandchild",
      turns(
        { calls: [spawn(middle, middleTask)] },
        collectAll,
        { calls: [call("meet")] },
        replyFirst("Green"),
        collectAll,
        outputs,
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Green"}]' });
    const { agent, root, requests, states } = await courseOf(runId);
    expect(states).toEqual(NEVER_WAITING);
    expect(requests).toMatchObject([{ agentName: leaf, answeredBy: root.name, answeredByAgentId: root.id }]);
    const [, early] = await toolResults(scope(), root.id);
    expect(early).toMatchObject({ status: "pending", pending_escalations: [{ from_agent_id: agent(leaf).handle }] });
  });

  test("of two agents that answer at once one counts, and the other is told", async () => {
    const { team, middle, leaf } = await aDeepTeam();
    const leafTask = desk().words("ask two", turns({ calls: [WHICH] }, said));
    const answers = (colour: string) => [{ calls: [call("meet")] }, replyFirst(colour), collectAll];
    const middleTask = desk().words(
      "answer from the middle",
      turns({ calls: [spawn(leaf, leafTask)] }, collectAll, ...answers("Red"), outputs),
    );
    const script = turns({ calls: [spawn(middle, middleTask)] }, collectAll, ...answers("Blue"), outputs);
    const runId = await desk().play(team, "answer from the top", script);
    const end = await desk().ended(runId);
    const { agent, root, requests, about } = await courseOf(runId);
    const replies = await Promise.all(
      [root, agent(middle)].map(async ({ id }) =>
        (await toolResults(scope(), id)).find(
          ({ escalation_id, message }) => escalation_id || /already/.test(String(message)),
        ),
      ),
    );
    expect(replies.map((one) => one?.status).sort()).toEqual(["error", "ok"]);
    expect(replies.find((one) => one?.status === "error")?.message).toMatch(/^esc_\w+ was answered already\.$/);
    const counted = replies[0]?.status === "ok" ? { by: root, colour: "Blue" } : { by: agent(middle), colour: "Red" };
    expect(requests).toMatchObject([{ answer: counted.colour, answeredByAgentId: counted.by.id }]);
    expect(JSON.parse(end.answer ?? "")).toEqual([{ answer: counted.colour }]);
    expect(about.filter(({ kind: what }) => what === "answer")).toHaveLength(1);
  });

  test("of an agent and a person that answer in the same moment one counts", async () => {
    const gate = aGate("while both answer");
    const { team, first } = await teamOf({}, { tools: ["while both answer"] });
    const runIds = [];
    for (let i = 0; i < 5; i++) {
      const task = desk().words(`ask both ${i}`, turns({ calls: [WHICH] }, said));
      const script = turns({ calls: [spawn(first, task), call("while both answer")] }, collectAll, outputs);
      const runId = await desk().play(team, `both answer ${i}`, script);
      runIds.push(runId);
      const { id } = await requestThat("escalated", runId);
      const { root, agent } = await record(runId);
      const decision = {
        w: scope().workspaceId,
        r: runId,
        a: agent(first).id,
        position: 1,
        ordinal: 1,
        kind: "answer",
      };
      const words = {
        chosen: [{ option: "Red", label: "Red", position: 1, reason: null }],
        reason: "Red.",
        source: "model-stated",
      };
      const { rows } = await pool().query("select epoch from agent_runs where id = $1", [root.id]);
      const given = [
        id,
        root.id,
        rows[0].epoch,
        '"Red"',
        { id: uuid(), ...decision, ...words, options: "[1]", hash: "" },
      ];
      const [byAgent, byPerson] = await Promise.all([
        pool().query("select answer_escalation($1, $2, $3, $4, $5) as word", given),
        answer(id, "Blue"),
      ]);
      expect([byAgent.rows[0].word === "answered", byPerson.counted].filter(Boolean)).toHaveLength(1);
      const { rows: events } = await pool().query(
        "select 1 from events where run_id = $1 and kind = 'request.closed'",
        [runId],
      );
      expect(events).toHaveLength(1);
    }
    gate.open();
    for (const runId of runIds) expect((await desk().ended(runId)).status).toBe("completed");
  });

  test("two collects of one turn both come back, one of them tells, and the one who works on is waited for", async () => {
    const gate = aGate("slow work");
    const { team, first, second } = await teamOf({ tools: ["user__ask", "slow work"] });
    const asking = desk().words("ask beside", turns({ calls: [WHICH] }, said));
    const working = desk().words("work beside", turns({ calls: [call("slow work")] }, { text: "Worked." }));
    const script = turns(
      { calls: [spawn(first, asking), spawn(second, working)] },
      collectAll,
      replyFirst("Red"),
      collectAll,
      outputs,
    );
    const runId = await desk().play(team, "collect two", script);
    await requestThat("answered", runId);
    await eventually(async () => expect((await record(runId)).agent(first).status).toBe("completed"));
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]; Worked.' });
    const { root } = await record(runId);
    const [, , ...early] = await toolResults(scope(), root.id);
    const [one, other] = early
      .slice(0, 2)
      .sort((a, b) => Number("pending_escalations" in b) - Number("pending_escalations" in a));
    expect(one).toMatchObject({ status: "pending", pending_escalations: [{ from_agent_name: first }] });
    expect(other).toEqual({
      status: "pending",
      id: expect.any(String),
      message: "Still working. Another result of this turn says what is asked.",
    });
    expect((await requestThat("answered", runId)).told).toEqual([root.id]);
  });

  test("cut off in the middle of such a turn, the other collect still comes back", async () => {
    const gate = aGate("slower work");
    const { team, first, second } = await teamOf({ tools: ["user__ask", "slower work"] });
    const asking = desk().words("ask in a turn", turns({ calls: [WHICH] }, said));
    const working = desk().words("work in a turn", turns({ calls: [call("slower work")] }, { text: "Worked." }));
    let hasHung = false;
    desk().engineTools.set("agent__collect", {
      ...collectAgent,
      async run(execution, planned) {
        const outcome = await collectAgent.run(execution, planned);
        if (hasHung || "pending_escalations" in (outcome.value as object)) return outcome;
        hasHung = true;
        return new Promise<never>((_, reject) => execution.signal.addEventListener("abort", reject));
      },
    });
    const script = turns(
      { calls: [spawn(first, asking), spawn(second, working)] },
      collectAll,
      replyFirst("Red"),
      collectAll,
      outputs,
    );
    const runId = await desk().play(team, "cut off in a turn", script);
    await eventually(() => expect(hasHung).toBe(true));
    await eventually(async () => expect((await requestThat("escalated", runId)).told).toHaveLength(1));
    await desk().shut();
    await desk().open();
    await requestThat("answered", runId);
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]; Worked.' });
    const { root } = await record(runId);
    const early = (await toolResults(scope(), root.id)).slice(2, 4);
    expect(early.filter((result) => "pending_escalations" in result)).toHaveLength(1);
  });

  test("agent__check lists what is asked each time", async () => {
    const gate = aGate("until it asks");
    const { team, first } = await teamOf({}, { tools: ["until it asks"] });
    const task = desk().words("ask and be checked", turns({ calls: [WHICH] }, said));
    const check: Script = (request) => ({ calls: [call("agent__check", { id: spawned(request)[0] })] });
    const script = turns(
      { calls: [spawn(first, task), call("until it asks")] },
      check,
      check,
      replyFirst("Red"),
      collectAll,
      outputs,
    );
    const runId = await desk().play(team, "check twice", script);
    await requestThat("escalated", runId);
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]' });
    const { root } = await record(runId);
    const checks = (await toolResults(scope(), root.id)).slice(2, 4);
    for (const result of checks) {
      expect(result).toMatchObject({ status: "pending", pending_escalations: [{ question: "[ask] Which?" }] });
    }
    expect((await requestThat("answered", runId)).told).toEqual([root.id]);
  });

  test("a reply that is no answer says what would be, and a collect beside it does not wait", async () => {
    const { team, first } = await teamOf();
    const task = desk().words(
      "ask for a list",
      turns({ calls: [call("user__checkbox", { question: "Which ones?", options: COLOURS })] }, said),
    );
    const script = turns(
      { calls: [spawn(first, task)] },
      collectAll,
      (request) => ({ calls: [reply(pendingIn(request)[0], "Pink"), collect(spawned(request)[0])] }),
      (request) => ({ calls: [reply(pendingIn(request)[0], ["Pink"])] }),
      (request) => ({ calls: [reply(pendingIn(request)[0], ["Red"]), reply(pendingIn(request)[0], ["Blue"])] }),
      collectAll,
      outputs,
    );
    const runId = await desk().play(team, "reply badly first", script);
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answers":["Red"]}]' });
    const { root, steps } = await record(runId);
    const [, , asText, beside, other, right, late] = await toolResults(scope(), root.id);
    expect(asText).toMatchObject({
      status: "error",
      message: expect.stringMatching(/cannot be answered so\. Answer with a list .*: Red, Green, Blue\.$/),
    });
    expect(beside).toMatchObject({ status: "pending" });
    expect(other).toMatchObject({
      status: "error",
      message: expect.stringMatching(/Choose among: Red, Green, Blue\.$/),
    });
    expect(right).toMatchObject({ status: "ok", question: "Which ones?" });
    expect(late).toMatchObject({ status: "error", message: expect.stringMatching(/was answered already/) });
    expect(steps.flatMap(({ error }) => error?.code ?? [])).toEqual([
      "invalid_reply",
      "invalid_reply",
      "escalation_over",
    ]);
  });

  test("unknown ids are errors, and only agents that may start others can reply", async () => {
    const { team, first } = await teamOf();
    const task = desk().words(
      "reply from below",
      turns({ calls: [call("agent__reply_escalation", { escalation_id: "esc_0" })] }, { text: "No." }),
    );
    const ids = ["esc_0123abcd", "esc_\0", "\ud83e", "", undefined];
    const runId = await desk().play(
      team,
      "reply to nobody",
      turns(
        {
          calls: [
            spawn(first, task),
            ...ids.map((escalation_id) => call("agent__reply_escalation", { escalation_id, reply: "Hm." })),
          ],
        },
        collectAll,
        outputs,
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ answer: "No." });
    const { root, agent, steps } = await record(runId);
    const codes = (id: string) =>
      steps.flatMap(({ agentRunId, error }) => (agentRunId === id && error ? [error.code] : []));
    expect(codes(root.id)).toEqual([...Array(4).fill("unknown_escalation"), "malformed_arguments"]);
    expect(codes(agent(first).id)).toEqual(["unknown_tool"]);
  });

  test("of somebody else's child nobody can answer the question", async () => {
    const gate = aGate("beside the asker");
    const { team, first, second } = await teamOf({ tools: ["user__ask", "beside the asker"] });
    const asking = desk().words("ask my parent", turns({ calls: [WHICH] }, said));
    const working = desk().words("work near by", turns({ calls: [call("beside the asker")] }, { text: "Worked." }));
    const script = turns(
      { calls: [spawn(first, asking), spawn(second, working)] },
      collectAll,
      replyFirst("Red"),
      collectAll,
      outputs,
    );
    const held = aGate("hold the lead");
    desk().engineTools.set("agent__reply_escalation", {
      ...replyEscalation,
      run: async (execution, planned) => {
        await desk()
          .tools.get("hold the lead")
          ?.run({}, {} as never);
        return replyEscalation.run(execution, planned);
      },
    });
    const runId = await desk().play(team, "only from above", script);
    const { id } = await requestThat("escalated", runId);
    await eventually(() => expect(gate.calls).toBe(1));
    const { agent } = await record(runId);
    const { rows } = await pool().query("select epoch from agent_runs where id = $1", [agent(second).id]);
    const by = [id, agent(second).id, rows[0].epoch];
    const word = async (text: string, values: unknown[]) => (await pool().query(text, values)).rows[0].word;
    expect(await word("select answer_escalation($1, $2, $3, '\"Blue\"', '{}') as word", by)).toBe("gone");
    expect(await word("select pass_on_request($1, $2, $3, '{}') as word", by)).toBe("gone");
    expect(await word("select answer_escalation($1, $2, $3, '\"Blue\"', '{}') as word", [...by.slice(0, 2), 99])).toBe(
      "lost",
    );
    expect(await word("select pass_on_request($1, $2, $3, '{}') as word", [...by.slice(0, 2), 99])).toBe("lost");
    held.open();
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]; Worked.' });
  });

  test("a worker that ends while the question stands takes nothing with it", async () => {
    const gate = aGate("think it over");
    const { team, first } = await teamOf({}, { tools: ["think it over"] });
    const task = desk().words("ask over a crash", turns({ calls: [WHICH] }, said));
    const script = turns(
      { calls: [spawn(first, task)] },
      collectAll,
      { calls: [call("think it over")] },
      replyFirst("Blue"),
      collectAll,
      outputs,
    );
    const runId = await desk().play(team, "cut off while asked", script);
    await eventually(() => expect(gate.calls).toBe(1));
    const before = await requestThat("escalated", runId);
    await desk().shut();
    await desk().open();
    await eventually(() => expect(gate.calls).toBe(2));
    expect(await requestThat("escalated", runId)).toEqual(before);
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Blue"}]' });
    const { requests, root, states } = await courseOf(runId);
    expect(requests).toHaveLength(1);
    expect(states).toEqual(NEVER_WAITING);
    expect(before.told).toEqual([root.id]);
  });

  test("asked while its parent had no worker, the parent is told by the next; time that passed meanwhile counts", async () => {
    const gate = aGate("before the crash");
    const { team, first, second } = await teamOf({ tools: ["user__ask"] }, { tools: ["before the crash"] });
    const tasks = [first, second].map((name) =>
      desk().words(`ask before the crash ${name}`, turns({ calls: [WHICH] }, said)),
    );
    const script = turns(
      { calls: [spawn(first, tasks[0] ?? ""), spawn(second, tasks[1] ?? ""), call("before the crash")] },
      (request) => ({ calls: pendingIn(request).map((one) => reply(one, "Red")) }),
      collectAll,
      outputs,
    );
    const runId = await desk().play(team, "told after the crash", script);
    await eventually(async () => expect((await record(runId)).requests).toHaveLength(2));
    await desk().shut();
    const late = (await record(runId)).requests.find(({ agentName }) => agentName === second);
    await letTimePass(late?.id ?? "");
    await desk().open();
    await answer((await desk().openRequest(runId)).id, "Green");
    await eventually(async () => expect((await record(runId)).agent(second).status).toBe("completed"));
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]; [{"answer":"Green"}]' });
    const { requests, root } = await courseOf(runId);
    expect(requests.map(({ answeredBy }) => answeredBy).sort()).toEqual(["Ada Tester", root.name].sort());
  });

  test.each(["answered", "passed on"])("cut off between the reply and its step, it is %s once", async (what) => {
    const { team, first } = await teamOf();
    const task = desk().words(`ask for a cut ${what}`, turns({ calls: [WHICH] }, said));
    let replies = 0;
    desk().engineTools.set("agent__reply_escalation", {
      ...replyEscalation,
      async run(execution, planned) {
        const outcome = await replyEscalation.run(execution, planned);
        replies += 1;
        if (replies > 1) return outcome;
        return new Promise<never>((_, reject) => execution.signal.addEventListener("abort", reject));
      },
    });
    const script = turns(
      { calls: [spawn(first, task)] },
      collectAll,
      replyFirst(what === "answered" ? "Blue" : undefined),
      collectAll,
      outputs,
    );
    const runId = await desk().play(team, `cut off at the reply ${what}`, script);
    await eventually(() => expect(replies).toBe(1));
    await desk().shut();
    await desk().open();
    await eventually(() => expect(replies).toBe(2));
    if (what === "passed on") await answer((await desk().openRequest(runId)).id, "Blue");
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Blue"}]' });
    const { root, events, about, run } = await courseOf(runId);
    expect((await toolResults(scope(), root.id))[2]).toMatchObject({ status: "ok" });
    expect(events.filter(({ body }) => body.kind === "request.closed")).toHaveLength(1);
    expect(events.filter(({ body }) => body.kind === "request.passed_on")).toHaveLength(what === "answered" ? 0 : 1);
    expect(about).toHaveLength(what === "answered" ? 2 : 3);
    expect(run.openRequests).toBe(0);
  });

  test("paused and resumed, the question is still the parent's to answer", async () => {
    const gate = aGate("paused at work");
    const { team, first } = await teamOf({}, { tools: ["paused at work"] });
    const task = desk().words("ask and be paused", turns({ calls: [WHICH] }, said));
    const script = turns(
      { calls: [spawn(first, task)] },
      collectAll,
      { calls: [call("paused at work")] },
      replyFirst("Green"),
      collectAll,
      outputs,
    );
    const runId = await desk().play(team, "pause an escalation", script);
    await eventually(() => expect(gate.calls).toBe(1));
    const before = await requestThat("escalated", runId);
    await pauseRun({ scope: scope(), runId });
    gate.open();
    expect(await requestThat("escalated", runId)).toEqual(before);
    expect(await resumeRun({ scope: scope(), runId })).toEqual({ status: "running" });
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Green"}]' });
    const { root, requests } = await courseOf(runId);
    expect(requests).toMatchObject([{ answeredByAgentId: root.id }]);
  });

  test("its time may pass while the run is paused: resumed, a person is asked", async () => {
    const { team, first } = await teamOf();
    const task = desk().words("ask and be paused for long", turns({ calls: [WHICH] }, said));
    const script = turns({ calls: [spawn(first, task)] }, collectAll, collectAll, outputs);
    const runId = await desk().play(team, "pause for long", script);
    const { id } = await eventually(async () => {
      const request = await requestThat("escalated", runId);
      expect(request.told).toHaveLength(1);
      return request;
    });
    await pauseRun({ scope: scope(), runId });
    expect((await record(runId)).run).toMatchObject({ status: "paused", openRequests: 0 });
    await letTimePass(id);
    expect(await resumeRun({ scope: scope(), runId })).toEqual({ status: "running" });
    await desk().openRequest(runId);
    expect((await record(runId)).run).toMatchObject({ status: "waiting", openRequests: 1 });
    await answer(id, "Red");
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Red"}]' });
    await record(runId);
  });

  test("a child that is cancelled takes its question back: replies come too late, and nobody is told of it", async () => {
    const gate = aGate("until both ask");
    const { team, first, second } = await teamOf({}, { tools: ["until both ask"] });
    const tasks = [first, second].map((name) => desk().words(`ask in vain ${name}`, turns({ calls: [WHICH] }, said)));
    const script = turns(
      { calls: [spawn(first, tasks[0] ?? ""), spawn(second, tasks[1] ?? ""), call("until both ask")] },
      (request) => ({ calls: [call("agent__cancel", { id: pendingIn(request)[0]?.from_agent_id })] }),
      replyFirst("Red"),
      (request) => ({ text: String(pendingIn(request).length) }),
    );
    const runId = await desk().play(team, "cancel who asks", script);
    await eventually(async () => expect((await record(runId)).requests).toHaveLength(2));
    const before = await record(runId);
    // A person stops the second before the lead looks.
    await stopAgentRun({ scope: scope(), runId, agentRunId: before.agent(second).id });
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "1" });
    const { requests, root, states, run } = await courseOf(runId);
    expect(requests).toMatchObject([{ status: "withdrawn" }, { status: "withdrawn" }]);
    expect((await toolResults(scope(), root.id)).at(-1)).toMatchObject({
      status: "error",
      message: expect.stringMatching(/was withdrawn/),
    });
    expect(states).toEqual(NEVER_WAITING);
    expect(run.openRequests).toBe(0);
  });

  test("with the rehearsal model what a team below asks reaches a person", async () => {
    const { workspaceId } = scope();
    const team = await aTeam(db(), workspaceId, { agents: [{ canSpawnAgents: true, tools: ["user__ask"] }] });
    const [middle] = team.children;
    const { agentVersionId } = await anAgent(db(), workspaceId);
    const place = { teamVersionId: team.teamVersionId, parentId: middle?.teamNodeId ?? null, position: 0 };
    await db().teamNode.create({ data: { id: uuid(), workspaceId, agentVersionId, ...place } });
    const scripted = desk().model;
    desk().model = rehearsalModel({ pauseMs: 0 });
    try {
      const runId = await desk().start(team, "What is kept when a worker is killed?");
      const { id, prompt } = await desk().openRequest(runId);
      expect(prompt).toMatch(/^How detailed should the answer be/);
      await answer(id, "Short");
      expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
      const { root, about } = await courseOf(runId);
      expect(about.map(({ kind: what, source }) => `${what} ${source}`)).toEqual([
        "escalation policy",
        "escalation model-stated",
        "answer human",
      ]);
      expect((await toolResults(scope(), root.id)).map(({ status }) => status)).toEqual([
        "ok",
        "pending",
        "ok",
        "completed",
      ]);
    } finally {
      desk().model = scripted;
    }
  });

  test("without a time-out, at the root, and for approvals a person is asked at once", async () => {
    desk().tools.set(
      "ask first",
      aTool("ask first", async () => "done", { sideEffect: "none" }),
    );
    const { team, first, second } = await teamOf({ escalationTimeoutMs: 0 }, { tools: ["user__ask"] });
    const guarded = await teamOf({ tools: ["ask first"], askBefore: ["ask first"] });
    const asking = desk().words("ask a person", turns({ calls: [WHICH] }, { text: "Told." }));
    const acting = desk().words("act with approval", turns({ calls: [call("ask first")] }, { text: "Acted." }));
    const runIds = await Promise.all([
      desk().play(team, "no time-out", turns({ calls: [spawn(second, asking)] }, collectAll, outputs)),
      desk().play(team, "ask as the root", turns({ calls: [WHICH] }, { text: "Told." })),
      desk().play(guarded.team, "let it act", turns({ calls: [spawn(guarded.first, acting)] }, collectAll, outputs)),
    ]);
    expect(first).not.toBe(second);
    for (const runId of runIds) {
      const { id, options } = await desk().openRequest(runId);
      const { run, requests, decisions } = await record(runId);
      expect(run).toMatchObject({ status: "waiting", openRequests: 1 });
      expect(requests).toMatchObject([{ escalatedUntil: null }]);
      expect(decisions.map(({ kind: what }) => what)).not.toContain("escalation");
      await answer(id, options[0]?.value ?? "");
      expect((await desk().ended(runId)).answer).toMatch(/^(Told|Acted)\.$/);
    }
  });
});
