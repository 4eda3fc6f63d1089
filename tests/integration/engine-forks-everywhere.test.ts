import { beforeEach, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { patternSettings } from "@/server/engine/pattern-settings";
import { answerRequest } from "@/server/requests/service/answer";
import { steerAgentRun } from "@/server/runs/service/control-agent";
import { storeFork } from "@/server/runs/service/store-fork";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { ChatRequest, Script } from "@/tests/support/scripted-model";
import { oneOf, seededRandom } from "@/tests/support/seeded-random";

type Tree = Awaited<ReturnType<typeof soundRecord>>;
type Place = { agentRunId: string; position: number };

/** Tokens the model takes in the story of the long book; a page has some 500 by the engine's estimate. */
const WINDOW = 4_000;
const PAGE = "sheep ".repeat(250);
const MOST_FORKS = 12;

/**
 * Wherever a run is cut, its fork's rows say what its events say, nothing that was recorded before is done again, nothing is paid for
 * twice, and it comes to an end.
 */
describe.each(DATABASE_KINDS)("a run retried from any of its steps on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const record = (runId: string) => soundRecord(scope(), runId);
  const written: string[] = [];

  beforeEach(() => {
    desk().model = desk().scripted();
    desk().fallback = () => ({ text: "Done." });
    desk().tools.set(
      "look",
      aTool("look", async (args) => ({ seen: args })),
    );
    desk().tools.set(
      "write",
      aTool(
        "write",
        async (_, { runId, agentRunId, key }) => {
          written.push(`${runId} ${agentRunId} ${key}`);
          return { written: true };
        },
        { sideEffect: "write", idempotency: "none" },
      ),
    );
  });

  /** Answers whatever people are asked until the run has ended. */
  async function finished(runId: string): Promise<string> {
    return eventually(async () => {
      const { rows } = await pool().query<{ id: string; kind: string; options: { value: string }[] }>(
        "select id, kind, options from human_requests where run_id = $1 and status = 'open'",
        [runId],
      );
      for (const { id: requestId, kind: what, options } of rows) {
        const answer = what === "approval" ? "allow" : (options[0]?.value ?? "As you like.");
        await answerRequest({ scope: scope(), input: { requestId, answer } });
      }
      const { status } = await desk().statusOf(runId);
      if (!["completed", "failed", "aborted"].includes(status)) throw new Error(`${runId} is still ${status}`);
      return status;
    });
  }

  /** What must hold for any fork that has ended. */
  function expectSound(source: Tree, fork: Tree, { agentRunId, position }: Place): void {
    const begun = source.events.find(
      ({ body, agentRunId: whose }) =>
        whose === agentRunId &&
        ((body.kind === "steps.started" && body.steps.some((step) => step.position === position)) ||
          (body.kind === "step.finished" && body.step.position === position)),
    );
    const kept = source.events.slice(0, (begun?.seq ?? 0) - 1);
    expect(fork.events.slice(0, kept.length).map(({ body }) => body.kind)).toEqual(kept.map(({ body }) => body.kind));
    const reused = fork.steps.filter((step) => step.reused);
    expect(reused).toHaveLength(kept.filter(({ body }) => body.kind === "step.finished").length);
    // Nothing of the fork has an id of the run it came from.
    const ids = new Set(
      [...source.agents, ...source.decisions, ...source.requests, ...source.mails].map(({ id }) => id),
    );
    for (const { id } of [...fork.agents, ...fork.decisions, ...fork.requests, ...fork.mails])
      expect(ids.has(id)).toBe(false);
    const told = JSON.stringify(fork.events);
    for (const { id } of source.agents) expect(told).not.toContain(id);
  }

  async function forkAt(source: Tree, place: Place, askBeforeWrites = true): Promise<Tree> {
    const runId = await storeFork({ scope: scope(), input: { runId: source.run.id, ...place, askBeforeWrites } });
    const status = await finished(runId).catch((error: unknown) => {
      throw new Error(`retried from step ${place.position} of ${place.agentRunId}`, { cause: error });
    });
    expect({ ...place, status }).toEqual({ ...place, status: "completed" });
    const fork = await record(runId);
    expectSound(source, fork, place);
    return fork;
  }

  /** Retries from steps of a run, each of them where there are few, and then from some of what came of that. */
  async function everywhere(runId: string, seed: number): Promise<Tree[]> {
    expect(await finished(runId)).toBe("completed");
    const source = await record(runId);
    const random = seededRandom(seed);
    const forks: Tree[] = [];
    const places = source.steps.filter(() => random() < MOST_FORKS / source.steps.length);
    for (const { agentRunId, position } of places) {
      forks.push(await forkAt(source, { agentRunId, position }, random() < 0.5));
    }
    expect(forks.length).toBeGreaterThan(3);
    for (let n = 0; n < 3; n++) {
      const fork = oneOf(random, forks);
      const { agentRunId, position } = oneOf(random, fork.steps);
      await forkAt(fork, { agentRunId, position });
    }
    return forks;
  }

  const solo = (config: Partial<AgentConfig>) =>
    aTeam(db(), scope().workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });

  test("of an agent with a list, a question, calls that write and something said to it", async () => {
    const gate = desk().gate("gate");
    const team = await solo({ tools: ["look", "write", "gate", "user__ask"], autoContinue: true, notesContext: true });
    const runId = await desk().play(
      team,
      "do many things",
      turns(
        { calls: [call("todo__init", { goal: "All" }), call("todo__add", { task: "One" })] },
        { calls: [call("gate"), call("write", { n: 1 }), call("context__track", { type: "order", id: "1" })] },
        { calls: [call("look", { n: 1 }), call("user__ask", { question: "Which?", options: ["red", "blue"] })] },
        { text: "I believe I am done." },
        { calls: [call("write", { n: 2 }), call("look", { n: 2 })] },
        { calls: [call("todo__done", { id: 1 }), call("context__set", { name: "tries", value: 2 })] },
        { text: "All done." },
      ),
    );
    await eventually(() => expect(gate.calls).toBe(1));
    const { rows } = await pool().query<{ id: string }>("select id from agent_runs where run_id = $1", [runId]);
    await steerAgentRun({ scope: scope(), runId, agentRunId: rows[0]?.id ?? "", text: "Mind the gap." });
    gate.open();
    const forks = await everywhere(runId, 1);
    for (const { run, root, requests, steps } of forks) {
      expect(run.answer).toBe("All done.");
      expect(root.context).toEqual({
        variables: [{ name: "tries", value: 2 }],
        entities: [{ type: "order", id: "1" }],
      });
      // Nothing was written that no person was asked about.
      const reused = new Set(steps.flatMap((step) => (step.reused ? [step.position] : [])));
      const allowed = requests.filter(({ kind: what, position }) => what === "approval" && !reused.has(position));
      expect(written.filter((one) => one.startsWith(run.id))).toHaveLength(allowed.length);
      // What a person said is in it once: kept where it had been read, told again where it had not.
      const said = await pool().query<{ times: number }>(
        "select count(*)::int as times from messages where agent_run_id = $1 and content ->> 'content' like '%Mind the gap.'",
        [root.id],
      );
      const { rows: steers } = await pool().query("select read_at from steers where run_id = $1", [run.id]);
      expect(said.rows[0]?.times).toBe(steers.length);
      expect(steers.every(({ read_at }) => read_at !== null)).toBe(true);
    }
  });

  test("of a supervisor with tasks, letters and agents that ask", async () => {
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { tools: ["look"] },
      agents: [{ tools: ["look", "user__ask"] }, { tools: ["look"] }],
    });
    const [first = "", second = ""] = team.children.map(({ name }) => name);
    const asks = desk().words(
      "ask above",
      turns(
        { calls: [call("user__ask", { question: "Which?", options: ["red", "blue"] })] },
        { calls: [call("agent__send_message", { id: "parent", message: "I was told." })] },
        { text: "Asked." },
      ),
    );
    const part = (n: number) =>
      desk().words(`part ${n}`, turns({ calls: [call("look", { n })] }, { text: `Part ${n}.` }));
    const task = (n: number, blocked_by: number[] = []) =>
      call("agent__task_create", { subject: `Part ${n}`, agent: second, prompt: part(n), blocked_by });
    // What is asked may be told in a result or in a message, and again under another short name in a fork.
    const replyOrCollect: Script = (request) => {
      const replied = request.messages
        .flatMap(({ tool_calls }) => tool_calls ?? [])
        .map((one) => one.function.arguments);
      const asked = JSON.stringify(request.messages).match(/esc_[0-9a-f]{8}/g) ?? [];
      const open = [...new Set(asked)].filter((id) => !replied.join().includes(id));
      const reply = (escalation_id: string) => call("agent__reply_escalation", { escalation_id, reply: "blue" });
      return open.length ? { calls: open.map(reply) } : collectAll(request);
    };
    const runId = await desk().play(
      team,
      "lead them",
      turns(
        { calls: [task(1), task(2, [1])] },
        { calls: [spawn(first, asks)] },
        ...[replyOrCollect, replyOrCollect, replyOrCollect],
        { calls: [call("agent__check_inbox"), call("agent__list")] },
        { text: "Led." },
      ),
    );
    await everywhere(runId, 2);
  });

  test("of an agent whose conversation was condensed", async () => {
    desk().model = desk().scripted({ contextTokens: WINDOW });
    desk().tools.set(
      "read",
      aTool("read", async () => ({ text: PAGE })),
    );
    const isCondensing = ({ messages }: ChatRequest) =>
      messages[0]?.content?.startsWith("You condense the conversation");
    // What is read next is one more than what was read last, wherever one begins.
    desk().fallback = (request) => {
      if (isCondensing(request)) return { text: "Many sheep so far." };
      const pages = request.messages.flatMap(({ tool_calls }) => tool_calls ?? []);
      const last = pages.map((one) => Number((JSON.parse(one.function.arguments) as { page?: number }).page));
      const next = Math.max(0, ...last) + 1;
      return next > 12 ? { text: "Done." } : { calls: [call("read", { page: next })] };
    };
    const runId = await desk().start(await solo({ tools: ["read"] }), desk().words("Count all sheep in the book"));
    const forks = await everywhere(runId, 3);
    expect(forks.some(({ steps }) => steps.some((step) => step.kind === "summary" && step.reused))).toBe(true);
  });

  test.each(["pipeline", "broadcast", "debate", "handoff"] as const)(
    "of a team that is led as a %s",
    async (pattern) => {
      const team = await aTeam(db(), scope().workspaceId, {
        ...{
          pattern,
          patternSettings: patternSettings.parse({ broadcast: { combine: "all" } }),
          supervisor: { canSpawnAgents: false },
        },
        agents: [1, 2, 3].map(() => ({ tools: ["look"], canSpawnAgents: false })),
      });
      const names = team.children.map(({ name }) => name);
      const looks = turns({ calls: [call("look", { n: 1 })] }, { text: "A part." });
      desk().fallback = (request, place) => {
        // The root's own model is offered no tools.
        if (!request.tools) return { text: "The whole." };
        const nth = names.findIndex((name) => request.messages[0]?.content?.includes(`You are ${name}.`));
        return pattern === "handoff" && nth < 2 && place.step > 0
          ? {
              calls: [
                call("agent__handoff", { agent: names[nth + 1], reason: "It knows more.", tell: "All I found." }),
              ],
            }
          : looks(request, place);
      };
      const runId = await desk().start(team, desk().words(`be led as a ${pattern}`));
      await everywhere(runId, 4);
    },
  );
});
