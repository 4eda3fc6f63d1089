import { readFileSync } from "node:fs";
import { v7 as uuid } from "uuid";
import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { DECISION_KINDS, type DecisionKind, type ReasonSource } from "@/server/engine/events";
import { deriveId } from "@/server/engine/ids";
import { stopOverdueRuns } from "@/server/engine/overdue-runs";
import { resiliencePolicy } from "@/server/engine/resilience/policy";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "@/server/engine/run-limits";
import { answerRequest } from "@/server/requests/service/answer";
import { steerAgentRun, stopAgentRun } from "@/server/runs/service/control-agent";
import { pauseRun, resumeRun, stopRun } from "@/server/runs/service/control-run";
import { storeFork } from "@/server/runs/service/store-fork";
import { storeRun } from "@/server/runs/store-run";
import { ToolError } from "@/server/tools/tool";
import { type ToolPolicy, toolPolicy } from "@/server/tools/tool-policy";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aTeam, type TeamFixture } from "@/tests/support/factories";
import type { ChatRequest, Script } from "@/tests/support/scripted-model";

/** One decision as it must be kept: who gave the reason, what was taken, and what it was among. */
type Taken = { source: ReasonSource; chosen: string; offered: readonly string[]; reason: RegExp | null };
/** Something that leads to decisions of one kind: the run it happens in, and all of that kind in it, in order. */
type Situation = { play: () => Promise<string>; taken: Taken[] };

const STOP_OR_GO_ON = ["stop", "go_on"];
const COLOURS = ["Red", "Blue"];

describe.each(DATABASE_KINDS)("decisions of every kind on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const teamOf = async (
    supervisor: Partial<AgentConfig> = {},
    agents: (Partial<AgentConfig> & { name: string })[] = [],
  ): Promise<TeamFixture> => {
    // Names are unique in a workspace: the one before makes room.
    for (const { name } of agents) await db().agent.updateMany({ where: { name }, data: { name: uuid() } });
    return aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: agents.length > 0, ...supervisor },
      agents,
    });
  };
  const play = async (script: Script, config: Partial<AgentConfig> = {}): Promise<string> => {
    const runId = await desk().play(await teamOf(config), "decide", script);
    await desk().ended(runId);
    return runId;
  };
  /** A run of a lead over one agent, which does `task`. */
  const playPair = async (
    task: Script,
    lead: (words: string) => Script,
    { supervisor = {}, agent = {} }: { supervisor?: Partial<AgentConfig>; agent?: Partial<AgentConfig> } = {},
  ): Promise<string> => {
    const team = await teamOf(supervisor, [{ name: "Scout", ...agent }]);
    const runId = await desk().play(team, "decide together", lead(desk().words("do your part", task)));
    await desk().ended(runId);
    return runId;
  };
  const tool = (name: string, run: () => Promise<unknown> = async () => "ok", also = {}) => {
    desk().tools.set(name, aTool(name, run, also));
    return name;
  };
  /** A run whose tool is at work, and what ends that tool. */
  const atWork = async (name: string) => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let isAtWork = false;
    tool(name, async () => {
      isAtWork = true;
      await opened;
      return "ok";
    });
    const runId = await desk().play(await teamOf({ tools: [name] }), name, turns({ calls: [call(name)] }, DONE));
    await eventually(() => expect(isAtWork).toBe(true));
    return { runId, agentRunId: deriveId(runId, "root"), open };
  };
  const limited = async (team: TeamFixture, script: Script, limits: Partial<RunLimits>) =>
    storeRun({
      workspaceId: scope().workspaceId,
      userId: scope().userId,
      teamId: team.teamId,
      teamVersionId: team.teamVersionId,
      root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
      input: desk().words("within limits", script),
      model: "scripted",
      limits: { ...DEFAULT_RUN_LIMITS, ...limits },
    });
  const becomes = (runId: string, status: string) =>
    eventually(async () => expect(await desk().statusOf(runId)).toMatchObject({ status }));
  const answerNext = async (runId: string, answer: string) =>
    answerRequest({ scope: scope(), input: { requestId: (await desk().openRequest(runId)).id, answer } });

  const DONE = { text: "Done." };
  const ASK = call("user__ask", { question: "Which?", options: COLOURS });
  const again = call("look", { at: "x" });
  const byPerson = (chosen: string, offered: string[], reason: RegExp): Taken => ({
    ...{ source: "human", chosen, offered, reason },
  });
  const escalated: Taken = {
    source: "policy",
    chosen: "agents_above",
    offered: ["agents_above", "person"],
    reason: /^Scout asks the agents above first/,
  };

  const capped = (reason: RegExp): Taken => ({
    ...{ source: "policy", chosen: "refuse", offered: ["carry_out", "wait", "refuse"], reason },
  });
  const notMade = { source: "policy", chosen: "refuse", offered: ["repeat", "refuse", "run"] } as const;
  /** A tool that writes and whose owner says which of its calls are the same. */
  const keyedTool = (idempotency: Partial<ToolPolicy["idempotency"]>) =>
    tool(`keyed_${uuid().slice(-8)}`, undefined, {
      sideEffect: "external",
      policy: toolPolicy.parse({ idempotency }),
    });

  /** A kind that is added has no situation, and does not compile until it has one. */
  const situations: Record<DecisionKind, Situation[]> = {
    delegate: [
      {
        play: () =>
          playPair(turns(DONE), (task) => turns({ calls: [spawn("Scout", task, "It knows the way.")] }, DONE)),
        taken: [
          {
            source: "model-stated",
            chosen: "agent:Scout",
            offered: ["agent:Scout", "answer"],
            reason: /^It knows the way\.$/,
          },
        ],
      },
    ],
    handoff: [
      {
        play: async () => {
          await db().agent.updateMany({ where: { name: "Second" }, data: { name: uuid() } });
          const team = await aTeam(db(), scope().workspaceId, { pattern: "handoff", agents: [{}, { name: "Second" }] });
          const over = call("agent__handoff", { agent: "Second", reason: "It knows the way.", tell: "Go on." });
          const runId = await desk().play(team, "hand it over", turns({ calls: [over] }));
          await desk().ended(runId);
          return runId;
        },
        taken: [
          {
            source: "model-stated",
            chosen: "agent:Second",
            offered: ["agent:Second", "agent__handoff", "answer"],
            reason: /^It knows the way\.$/,
          },
        ],
      },
    ],
    tool_choice: [
      {
        play: () =>
          play(
            turns(
              { calls: [call("look", { reason: "To see." })] },
              { text: "Once more.", calls: [call("look", { at: 2 })] },
              { calls: [call("look", { at: 3 })] },
              DONE,
            ),
            { tools: [tool("look")] },
          ),
        taken: [
          { source: "model-stated", chosen: "look", offered: ["look", "answer"], reason: /^To see\.$/ },
          { source: "model-stated", chosen: "look", offered: ["look", "answer"], reason: /^Once more\.$/ },
          { source: "not-stated", chosen: "look", offered: ["look", "answer"], reason: null },
        ],
      },
    ],
    finish: [
      {
        play: () => play(turns(DONE)),
        taken: [{ source: "not-stated", chosen: "answer", offered: ["answer"], reason: null }],
      },
    ],
    retry: [
      {
        play: () => play((_, { attempt }) => (attempt === 0 ? { fault: "status", status: 503 } : DONE)),
        taken: [
          {
            source: "runtime-rule",
            chosen: "retry",
            offered: ["retry", "give_up"],
            reason: /waiting 0\.\d s; retry 1 of 3$/,
          },
        ],
      },
      {
        play: () => play(() => ({ fault: "status", status: 401 })),
        taken: [
          { source: "runtime-rule", chosen: "give_up", offered: ["retry", "give_up"], reason: /is not worth a retry$/ },
        ],
      },
      {
        // A read, as its policy says.
        play: () => {
          const name = tool("look again", () => Promise.reject(new ToolError("no answer", "NETWORK")));
          const retry = resiliencePolicy.parse({ retry: { maxAttempts: 1, backoffMs: 1, jitter: false } });
          return play(turns({ calls: [call(name)] }, DONE), { tools: [name], toolResilience: retry });
        },
        taken: [
          {
            source: "policy",
            chosen: "retry",
            offered: ["retry", "give_up"],
            reason: /^no answer; waiting .*; retry 1 of 1$/,
          },
          {
            source: "policy",
            chosen: "give_up",
            offered: ["retry", "give_up"],
            reason: /^refused: 1 retries were used$/,
          },
        ],
      },
      {
        // The same call of another run that ended before anybody learned what became of it.
        play: async () => {
          const policy = toolPolicy.parse({ idempotency: { strategy: "hash_input", hint: "optional" } });
          const gate = desk().gate("send once", { sideEffect: "external", idempotency: "optional", policy });
          const team = await teamOf({ tools: ["send once"] });
          const script = turns({ calls: [call("send once")] }, DONE);
          const first = await desk().play(team, "send it", script);
          await eventually(() => expect(gate.calls).toBe(1));
          await stopRun({ scope: scope(), runId: first });
          const runId = await desk().play(team, "send the same", script);
          await eventually(() => expect(gate.calls).toBe(2));
          gate.open();
          await desk().ended(runId);
          return runId;
        },
        taken: [
          {
            source: "runtime-rule",
            chosen: "retry",
            offered: ["retry"],
            reason: /^The same call was under way when the agent run that made it ended/,
          },
        ],
      },
      {
        // A writing call the far side can tell apart.
        play: () => {
          let calls = 0;
          const losing = async () => {
            calls += 1;
            if (calls === 1) throw new Error("the answer was lost");
            return "ok";
          };
          const name = tool("send keyed", losing, { sideEffect: "external", idempotency: "required" });
          return play(turns({ calls: [call(name)] }, DONE), { tools: [name] });
        },
        taken: [
          {
            source: "runtime-rule",
            chosen: "retry",
            offered: ["retry", "give_up"],
            reason: /^the answer was lost; waiting .*; retry 1 of 2$/,
          },
        ],
      },
    ],
    fallback: [
      {
        // A tool that only reads, by a fixed text.
        play: () => {
          const fallback = { use: null, text: "Later.", on: [] };
          const name = tool("look it up", () => Promise.reject(new Error("it is down")));
          return play(turns({ calls: [call(name)] }, DONE), { tools: [name], toolResilience: { fallback } });
        },
        taken: [
          {
            source: "policy",
            chosen: "fallback",
            offered: ["fallback", "give_up"],
            reason: /^look it up failed \(tool_failed\): it is down$/,
          },
        ],
      },
      {
        play: () => {
          desk().models.set("other/model", desk().scripted({ name: "other" }));
          return play((request) => (request.model === "other" ? DONE : { fault: "status", status: 401 }), {
            fallbackModel: "other/model",
          });
        },
        taken: [
          {
            source: "policy",
            chosen: "fallback",
            offered: ["fallback", "give_up"],
            reason: /^unauthorized is not worth a retry; other\/model stands in for scripted$/,
          },
        ],
      },
    ],
    limit: [
      {
        play: () => play(turns({ calls: [call("look")] }), { tools: [tool("look")], maxToolRounds: 1 }),
        taken: [
          {
            source: "runtime-rule",
            chosen: "stop",
            offered: STOP_OR_GO_ON,
            reason: /^1 tool rounds were used, which is this agent's limit\.$/,
          },
        ],
      },
      {
        // Only running children count.
        play: async () => {
          const gate = desk().gate("stays at work");
          const team = await teamOf({ maxConcurrentAgents: 1 }, [{ name: "Scout", tools: ["stays at work"] }]);
          const task = desk().words("stay", turns({ calls: [call("stays at work")] }, DONE));
          const script = turns({ calls: [spawn("Scout", task)] }, { calls: [spawn("Scout", task)] }, collectAll, DONE);
          const runId = await desk().play(team, "start two", script);
          await eventually(async () => {
            expect((await soundRecord(scope(), runId)).root.openSteps).toMatchObject([{ name: "agent__collect" }]);
          });
          gate.open();
          await desk().ended(runId);
          return runId;
        },
        taken: [capped(/^1 agents are running, and 1 may\./)],
      },
      {
        // A task that nothing else keeps waits for room.
        play: async () => {
          const gate = desk().gate("has the only place");
          const team = await teamOf({ maxConcurrentAgents: 1 }, [{ name: "Scout", tools: ["has the only place"] }]);
          const prompt = desk().words("hold it", turns({ calls: [call("has the only place")] }, DONE));
          const tasks = ["One", "Two"].map((subject) =>
            call("agent__task_create", { subject, agent: "Scout", prompt }),
          );
          const runId = await desk().play(
            team,
            "queue two",
            turns(
              { calls: tasks },
              (request) => ({ calls: [call("agent__collect", { id: startedIn(request) })] }),
              DONE,
            ),
          );
          await eventually(() => expect(gate.calls).toBe(1));
          gate.open();
          await desk().ended(runId);
          return runId;
        },
        taken: [{ ...capped(/^Task 2 waits for room: one agent may run at a time\.$/), chosen: "wait" }],
      },
      {
        play: async () => {
          const team = await teamOf({}, [{ name: "Scout", canSpawnAgents: true, maxAgentDepth: 1 }, { name: "Below" }]);
          const [scout, below] = team.children;
          await db().teamNode.update({
            where: { id: below?.teamNodeId ?? "" },
            data: { parentId: scout?.teamNodeId ?? "" },
          });
          const subject = { subject: "Deeper", agent: "Below", prompt: "Go on." };
          const deeper = turns(
            { calls: [spawn("Below", "Go on.")] },
            { calls: [call("agent__task_create", subject)] },
            DONE,
          );
          const task = desk().words("go deeper", deeper);
          const runId = await desk().play(team, "go deep", turns({ calls: [spawn("Scout", task)] }, collectAll, DONE));
          await desk().ended(runId);
          return runId;
        },
        taken: [capped(/^Agents may be nested 1 deep/), capped(/^Agents may be nested 1 deep/)],
      },
      {
        play: () => {
          const name = tool("look", undefined, {});
          const calls = Array.from({ length: 101 }, (_, nth) => call(name, { nth }));
          return play(turns({ calls }, DONE), { tools: [name] });
        },
        taken: [capped(/^At most 100 calls are carried out in one turn\./)],
      },
      {
        play: async () => {
          const { runId, open } = await atWork("for too long");
          await pool().query("update runs set active_ms = 1000 * 60 * 60 * 9 where id = $1", [runId]);
          await stopOverdueRuns(pool());
          open();
          await desk().ended(runId);
          return runId;
        },
        taken: [
          {
            source: "policy",
            chosen: "stop",
            offered: STOP_OR_GO_ON,
            reason: /^The run was at work for 480 minutes, which is its limit\./,
          },
        ],
      },
    ],
    answer: [
      {
        play: async () => {
          const runId = await desk().play(await teamOf({ tools: ["user__ask"] }), "ask", turns({ calls: [ASK] }, DONE));
          await answerNext(runId, "Blue");
          await desk().ended(runId);
          return runId;
        },
        taken: [byPerson("Blue", [...COLOURS, "other"], /answered “Blue”\.$/)],
      },
      {
        play: () =>
          playPair(
            turns({ calls: [ASK] }, DONE),
            (task) => turns({ calls: [spawn("Scout", task)] }, collectAll, replyRed, collectAll, DONE),
            { agent: { tools: ["user__ask"] } },
          ),
        taken: [
          {
            source: "model-stated",
            chosen: "Red",
            offered: [...COLOURS, "other"],
            reason: /answered “Red”\. It says so\.$/,
          },
        ],
      },
    ],
    uncertain_effect: [
      {
        play: async () => {
          const name = tool("pay", () => Promise.reject(new Error("the answer was lost")), { sideEffect: "external" });
          const runId = await desk().play(await teamOf({ tools: [name] }), "pay", turns({ calls: [call(name)] }, DONE));
          await answerNext(runId, "happened");
          await desk().ended(runId);
          return runId;
        },
        taken: [
          {
            source: "runtime-rule",
            chosen: "ask",
            offered: ["ask"],
            reason: /^The outcome of pay was not recorded/,
          },
        ],
      },
    ],
    approval: [
      {
        play: async () => {
          const name = tool("post", async () => "ok", { sideEffect: "external" });
          const team = await teamOf({ tools: [name], askBefore: [name] });
          const runId = await desk().play(team, "post", turns({ calls: [call(name)] }, DONE));
          await answerNext(runId, "allow");
          await desk().ended(runId);
          return runId;
        },
        taken: [{ source: "policy", chosen: "ask", offered: ["ask"], reason: /post/ }],
      },
    ],
    stop: [
      {
        play: async () => {
          const { runId, open } = await atWork("stop me");
          await stopRun({ scope: scope(), runId });
          open();
          return runId;
        },
        taken: [byPerson("stop", ["stop", "let_run"], /^stopped by /)],
      },
      {
        play: async () => {
          let isAtWork = false;
          tool("stop my child", () => {
            isAtWork = true;
            return new Promise(() => {});
          });
          const team = await teamOf({}, [{ name: "Scout", tools: ["stop my child"] }]);
          const task = desk().words("be stopped", turns({ calls: [call("stop my child")] }));
          const runId = await desk().play(team, "lead", turns({ calls: [spawn("Scout", task)] }, collectAll, DONE));
          await eventually(() => expect(isAtWork).toBe(true));
          const { agent } = await soundRecord(scope(), runId);
          await stopAgentRun({ scope: scope(), runId, agentRunId: agent("Scout").id });
          await desk().ended(runId);
          return runId;
        },
        taken: [byPerson("stop", ["stop", "let_run"], / stopped Scout\.$/)],
      },
    ],
    pause: [{ play: pauseAndResume, taken: [byPerson("pause", ["pause", "let_run"], /^paused by /)] }],
    resume: [{ play: pauseAndResume, taken: [byPerson("resume", ["resume", "leave"], /^resumed by /)] }],
    steer: [
      {
        play: async () => {
          const { runId, agentRunId, open } = await atWork("steer me");
          await steerAgentRun({ scope: scope(), runId, agentRunId, text: "The second page, too." });
          open();
          await desk().ended(runId);
          return runId;
        },
        taken: [byPerson("steer", ["steer"], /: The second page, too\.$/)],
      },
    ],
    fork: [
      {
        play: async () => {
          const runId = await play(turns(DONE));
          await desk().ended(runId);
          const agentRunId = deriveId(runId, "root");
          const input = { runId, agentRunId, position: 0, askBeforeWrites: true };
          const forkId = await storeFork({ scope: scope(), input });
          await desk().ended(forkId);
          return forkId;
        },
        taken: [byPerson("retry", ["retry", "leave"], / retried “.+” from step 0 of .+ \(scripted\)\.$/)],
      },
    ],
    budget: [
      {
        play: async () => {
          const runId = await limited(await teamOf(), turns(DONE), { maxTokens: 10 });
          await becomes(runId, "suspended");
          return runId;
        },
        taken: [
          {
            source: "policy",
            chosen: "suspend",
            offered: ["suspend", "stop", "call"],
            reason: /^This run may use 10 tokens:/,
          },
        ],
      },
      {
        play: () => play(turns(DONE), { maxTokens: 10 }),
        taken: [
          {
            source: "policy",
            chosen: "stop",
            offered: ["suspend", "stop", "call"],
            reason: / may use 10 tokens:/,
          },
        ],
      },
    ],
    takeover: [
      {
        play: async () => {
          const { runId, open } = await atWork("go on elsewhere");
          await desk().shut();
          open();
          await desk().open();
          await desk().ended(runId);
          return runId;
        },
        taken: [
          {
            source: "runtime-rule",
            chosen: "resume",
            offered: ["resume"],
            reason: /^Worker .* stopped; worker .* goes on after 1 step\.$/,
          },
        ],
      },
    ],
    guard: [
      {
        play: async () => {
          const team = await teamOf({ tools: [tool("look")], maxRepeatedCalls: 1 });
          const repeating = turns({ calls: [again] }, { calls: [again] }, { calls: [again] }, DONE);
          const runId = await desk().play(team, "repeat", repeating);
          await answerNext(runId, "allow");
          await desk().ended(runId);
          return runId;
        },
        taken: ["refuse", "ask"].map((chosen) => ({
          ...{ source: "runtime-rule", chosen, offered: ["refuse", "ask"], reason: /look/ },
        })),
      },
    ],
    continue: [
      {
        play: () =>
          play(turns({ calls: [call("todo__init", { goal: "Tidy" }), call("todo__add", { task: "Sweep" })] }, DONE), {
            autoContinue: true,
          }),
        taken: [
          {
            source: "runtime-rule",
            chosen: "send_on",
            offered: ["send_on", "end"],
            reason: /^Sent on, 1 of at most 10 times, with 1 item open\.$/,
          },
          {
            source: "runtime-rule",
            chosen: "end",
            offered: ["send_on", "end"],
            reason: /^It answered the same as before:/,
          },
        ],
      },
    ],
    summary: [
      {
        play: async () => {
          const long = desk().words("A long story. ".padEnd(900, "-"), turns({ text: "A story." }));
          return playPair(
            () => ({ text: long }),
            (task) => turns({ calls: [spawn("Scout", task)] }, collectAll, DONE),
            { supervisor: { summarizationThreshold: 500 } },
          );
        },
        taken: [
          {
            source: "policy",
            chosen: "condense",
            offered: ["condense", "hand_over"],
            reason: /^Scout answered with \d+ characters; from 500 on they are condensed\./,
          },
        ],
      },
    ],
    compaction: [
      {
        play: async () => {
          const name = tool("read", async () => "sheep ".repeat(300));
          let asked = 0;
          const before = desk().fallback;
          // Once it is condensed, a request no longer begins with words the desk knows.
          desk().fallback = ({ messages }) =>
            messages[0]?.content?.startsWith("You condense the conversation") ? { text: "Many sheep." } : DONE;
          try {
            return await play(
              () => {
                asked += 1;
                if (asked === 4)
                  return {
                    fault: "status",
                    status: 400,
                    message: "This model's maximum context length is 900 tokens.",
                  };
                return asked > 4 ? DONE : { calls: [call(name, { page: asked })] };
              },
              { tools: [name], compaction: { ...COMPACTION, preserveLastN: 2 } },
            );
          } finally {
            desk().fallback = before;
          }
        },
        taken: [
          {
            source: "runtime-rule",
            chosen: "condense",
            offered: ["condense", "go_on"],
            reason: /^context_too_long: about /,
          },
          {
            source: "runtime-rule",
            chosen: "condense",
            offered: ["condense", "go_on"],
            reason: /messages were condensed by scripted to/,
          },
        ],
      },
    ],
    dispatch: [
      {
        play: () =>
          playPair(turns(DONE), (prompt) =>
            turns(
              { calls: [call("agent__task_create", { subject: "A part", agent: "Scout", prompt })] },
              (request) => ({ calls: [call("agent__collect", { id: startedIn(request) })] }),
              DONE,
            ),
          ),
        taken: [
          {
            source: "runtime-rule",
            chosen: "agent:Scout",
            offered: ["agent:Scout", "wait"],
            reason: /^Task 1 has no dependencies\.$/,
          },
        ],
      },
    ],
    escalation: [
      {
        play: async () => {
          const asker = { tools: ["user__ask"], escalationTimeoutMs: 100, name: "Scout" };
          const team = await teamOf({}, [asker]);
          const task = desk().words("ask in vain", turns({ calls: [ASK] }, DONE));
          const lead = turns({ calls: [spawn("Scout", task)] }, collectAll, collectAll, DONE);
          const runId = await desk().play(team, "leave it to time", lead);
          await answerNext(runId, "Red");
          await desk().ended(runId);
          return runId;
        },
        taken: [
          { ...escalated },
          {
            source: "runtime-rule",
            chosen: "person",
            offered: escalated.offered,
            reason: /did not answer within 0\.1 s\.$/,
          },
        ],
      },
      {
        play: async () => {
          const team = await teamOf({}, [{ tools: ["user__ask"], name: "Scout" }]);
          const task = desk().words("ask for a person", turns({ calls: [ASK] }, DONE));
          const lead = turns({ calls: [spawn("Scout", task)] }, collectAll, leaveIt, collectAll, DONE);
          const runId = await desk().play(team, "leave it to people", lead);
          await answerNext(runId, "Red");
          await desk().ended(runId);
          return runId;
        },
        taken: [
          { ...escalated },
          { source: "model-stated", chosen: "person", offered: escalated.offered, reason: /Nobody told me\.$/ },
        ],
      },
    ],
    cache_hit: [
      {
        play: async () => {
          const name = keyedTool({ strategy: "hash_input" });
          return play(turns({ calls: [call(name), call(name)] }, DONE), { tools: [name] });
        },
        taken: [
          {
            source: "policy",
            chosen: "repeat",
            offered: ["repeat", "refuse", "run"],
            reason: /^The same call was made at \S+ in step [12], and succeeded\.$/,
          },
        ],
      },
    ],
    refusal: [
      {
        play: async () => {
          const name = keyedTool({ strategy: "hash_input", onHit: "fail_fast" });
          return play(turns({ calls: [call(name)] }, { calls: [call(name)] }, DONE), { tools: [name] });
        },
        taken: [
          { ...notMade, reason: /^The same call was made at \S+ in step 1, and succeeded\. It was not made again\.$/ },
        ],
      },
      {
        play: async () => {
          const name = keyedTool({ hint: "required", strategy: "explicit", fields: ["id"] });
          return play(turns({ calls: [call(name)] }, DONE), { tools: [name] });
        },
        taken: [
          { ...notMade, reason: /is not called without an idempotency key\. .* missing: id\. Nothing was sent\.$/ },
        ],
      },
    ],
  };

  async function pauseAndResume(): Promise<string> {
    const { runId, open } = await atWork("pause me");
    await pauseRun({ scope: scope(), runId });
    open();
    await resumeRun({ scope: scope(), runId });
    await desk().ended(runId);
    return runId;
  }

  const cases = DECISION_KINDS.flatMap((what) =>
    situations[what].map((situation, nth) => ({ name: `${what} ${nth + 1}`, what, ...situation })),
  );

  test("each kind has a situation, and a line in the documentation", () => {
    expect([...new Set(cases.map(({ what }) => what))]).toEqual([...DECISION_KINDS]);
    const page = readFileSync(new URL("../../docs/decisions-and-traces.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| ([a-z_, -]+) \|/gm)].flatMap(([, names]) => names?.split(", ") ?? []);
    expect(rows).toEqual(
      expect.arrayContaining([...DECISION_KINDS, ...cases.flatMap(({ taken }) => taken.map(({ source }) => source))]),
    );
  });

  test.for(cases)("$name", async ({ what, play: happen, taken }) => {
    const runId = await happen();
    const { decisions, events, offered } = await soundRecord(scope(), runId);
    const found = decisions.filter((decision) => decision.kind === what).toSorted((a, b) => a.at.localeCompare(b.at));
    expect(found.map(({ source, chosen }) => ({ source, chosen: chosen[0]?.option }))).toEqual(
      taken.map(({ source, chosen }) => ({ source, chosen })),
    );
    for (const [nth, decision] of found.entries()) {
      const { reason, offered: among = [] } = taken[nth] ?? {};
      if (reason) expect(decision.reason).toMatch(reason);
      else expect(decision.reason).toBeNull();
      const options = offered.get(decision.id)?.map(({ key }) => key);
      expect(options).toEqual(expect.arrayContaining([...among]));
      // Whatever was taken was offered.
      for (const { option } of decision.chosen) expect(options).toContain(option);
      const told = events.filter(({ body }) => body.kind === "decision.made" && body.decision.id === decision.id);
      expect(told).toMatchObject([{ agentRunId: decision.agentRunId, body: { decision: { kind: what } } }]);
    }
  });
});

/** Compaction as it is without a setting, but for what a test needs small. */
const COMPACTION: AgentConfig["compaction"] = {
  enabled: true,
  thresholdRatio: 0.8,
  preserveLastN: 5,
  minMessages: 10,
  model: null,
  maxSummaryTokens: 500,
  prompt: null,
};

/** The id of the question an agent below asked, as this model was told it last. */
function askedOf({ messages }: ChatRequest): unknown {
  return /"escalation_id":"(esc_\w+)"/.exec(messages.at(-1)?.content ?? "")?.[1];
}
const replyRed: Script = (request) => ({
  calls: [call("agent__reply_escalation", { escalation_id: askedOf(request), reply: "Red", reason: "It says so." })],
});
const leaveIt: Script = (request) => ({
  calls: [call("agent__reply_escalation", { escalation_id: askedOf(request), reason: "Nobody told me." })],
});

/** The agent a task was given to at once. */
function startedIn({ messages }: ChatRequest): unknown {
  const results = messages.flatMap(({ role, content }) => (role === "tool" ? [JSON.parse(content ?? "{}")] : []));
  return results.find(({ auto_dispatch }) => auto_dispatch?.id)?.auto_dispatch.id;
}
