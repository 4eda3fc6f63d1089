import { v7 as uuid } from "uuid";
import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { Flusher } from "@/server/engine/journal/flusher";
import { Journal } from "@/server/engine/journal/journal";
import { FenceLostError } from "@/server/engine/journal/unit";
import { DEFAULT_RUN_LIMITS, type SpendLimits } from "@/server/engine/run-limits";
import { storeRun } from "@/server/runs/store-run";
import { DEFAULT_LIMITS } from "@/server/usage/schema";
import { saveLimits } from "@/server/usage/service/save-settings";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aTeam, aWorkspace, type NodeFixture, type TeamFixture } from "@/tests/support/factories";
import { oneOf, seededRandom } from "@/tests/support/seeded-random";
import { useDatabase } from "@/tests/support/use-database";

const SEEDS = [1, 2, 3];
const STEPS = 200;

type Amount = { cost: number; tokens: number };
const NOTHING: Amount = { cost: 0, tokens: 0 };
/** One call: what is counted for it, as this test knows it. */
type Call = Amount & { agent: Agent; position: number; epoch: number; status: string };
type Agent = {
  id: string;
  name: string;
  runId: string;
  /** Itself and those above it. */
  chain: Agent[];
  limits: SpendLimits;
  journal: Journal | null;
  next: number;
  isStopped: boolean;
};
type Limit = { scope: string; agent: string | null; limits: SpendLimits; calls: (call: Call) => boolean };
type Refusal = {
  scope: string;
  unit: "usd" | "tokens";
  limit: number;
  used: number;
  flying: number;
  agent: string | null;
};

const counts = ({ status }: Call) => status !== "released";
const sum = (calls: readonly Call[]): Amount =>
  calls.reduce((all, { cost, tokens }) => ({ cost: all.cost + cost, tokens: all.tokens + tokens }), NOTHING);

describe.each(DATABASE_KINDS)("reservations in a random order on the %s database", (kind) => {
  useDatabase(kind);

  test.each(SEEDS)("no limit is passed, and every amount is counted once: seed %i", async (seed) => {
    const random = seededRandom(seed);
    const upTo = (most: number) => 1 + Math.floor(random() * most);
    const flusher = new Flusher(pool());
    const scope = await aMember(db(), await aWorkspace(db()));
    const calls: Call[] = [];
    const agents: Agent[] = [];
    const runLimits = new Map<string, SpendLimits>();
    let dayLimits: SpendLimits = { maxCostNanoUsd: null, maxTokens: null };

    const execute = async (agent: Agent) => {
      const opened = await Journal.open(
        { pool: pool(), flusher, workerId: `walker ${seed}` },
        { agentRunId: agent.id, generation: 0 },
      );
      if (!opened) throw new Error(`${agent.name} has ended`);
      // What was under way before is cut off.
      for (const call of calls) if (call.agent === agent && call.status === "reserved") call.status = "unconfirmed";
      agent.journal = opened;
      return opened;
    };
    const aRoot = async (team: TeamFixture, limits: SpendLimits, own: SpendLimits): Promise<Agent> => {
      const runId = await storeRun({
        ...{ workspaceId: scope.workspaceId, userId: scope.userId, input: "Spend.", model: "acme/general" },
        ...{ teamId: team.teamId, teamVersionId: team.teamVersionId },
        root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
        limits: { ...DEFAULT_RUN_LIMITS, ...limits },
      });
      runLimits.set(runId, limits);
      const id = deriveId(runId, "root");
      const root: Agent = { ...fresh(id, team.root.name, runId), chain: [], limits: own };
      root.chain = [root];
      agents.push(root);
      await execute(root);
      return root;
    };
    const aChild = async (parent: Agent, node: NodeFixture, limits: SpendLimits): Promise<Agent> => {
      const id = uuid();
      await parent.journal?.append({
        children: [
          {
            ...{ id, decision: null, handle: id, name: node.name, version: node.agentVersionId },
            ...{ node: node.teamNodeId, depth: parent.chain.length, task: "Spend." },
          },
        ],
      });
      const child: Agent = { ...fresh(id, node.name, parent.runId), chain: [], limits };
      child.chain = [child, ...parent.chain];
      agents.push(child);
      await execute(child);
      return child;
    };

    const perAgent: SpendLimits[] = [
      { maxCostNanoUsd: 400_000, maxTokens: null },
      { maxCostNanoUsd: null, maxTokens: 9_000 },
      { maxCostNanoUsd: 90_000, maxTokens: 4_000 },
      { maxCostNanoUsd: null, maxTokens: null },
    ];
    const [lead, first, second, third] = perAgent;
    if (!lead || !first || !second || !third) throw new Error("four kinds of agents");
    const team = await aTeam(db(), scope.workspaceId, { supervisor: lead, agents: [first, second, third] });
    const [a, b, c] = team.children;
    if (!a || !b || !c) throw new Error("three kinds of children");
    const root = await aRoot(team, { maxCostNanoUsd: 600_000, maxTokens: 12_000 }, lead);
    const child = await aChild(root, a, first);
    await aChild(child, b, second);
    await aChild(root, c, third);
    const plain = await aTeam(db(), scope.workspaceId, { supervisor: third, agents: [] });
    await aRoot(plain, { maxCostNanoUsd: null, maxTokens: 10_000 }, third);

    /** Everything that holds for a call of this agent. */
    const limitsOf = (agent: Agent): Limit[] => [
      ...agent.chain.map((above) => ({
        ...{ scope: "agent", agent: above.name, limits: above.limits },
        calls: (call: Call) => call.agent.chain.includes(above),
      })),
      {
        ...{ scope: "run", agent: null, limits: runLimits.get(agent.runId) ?? third },
        calls: (call: Call) => call.agent.runId === agent.runId,
      },
      { scope: "day", agent: null, limits: dayLimits, calls: () => true },
    ];
    const usedIn = (limit: Limit) => sum(calls.filter((call) => limit.calls(call) && counts(call)));
    const fits = (limit: Limit, more: Amount) => {
      const { cost, tokens } = usedIn(limit);
      const { maxCostNanoUsd, maxTokens } = limit.limits;
      return {
        usd: maxCostNanoUsd === null || cost + more.cost <= maxCostNanoUsd,
        tokens: maxTokens === null || tokens + more.tokens <= maxTokens,
      };
    };
    const living = () => agents.filter(({ isStopped }) => !isStopped);
    const flying = () => calls.filter(({ status }) => status === "reserved");
    const ask = async (agent: Agent, epoch: number, position: number, { cost, tokens }: Amount) => {
      const { rows } = await pool().query<{ refusal: Refusal | { scope: "lost" } | null }>(
        "select reserve_call($1, $2, $3, $4, $5) as refusal",
        [agent.id, epoch, position, cost, tokens],
      );
      return rows[0]?.refusal ?? null;
    };

    const reserve = async (again?: Call) => {
      const agent = again?.agent ?? oneOf(random, living());
      const epoch = agent.journal?.row.epoch ?? 0;
      const more = { cost: upTo(40_000), tokens: upTo(1_000) };
      const position = again?.position ?? agent.next++;
      const limits = limitsOf(agent);
      const refusal = (await ask(agent, epoch, position, more)) as Refusal | null;
      if (limits.every((limit) => fits(limit, more).usd && fits(limit, more).tokens)) {
        expect(refusal).toBeNull();
        if (again) calls.splice(calls.indexOf(again), 1);
        calls.push({ agent, position, epoch, status: "reserved", ...more });
        // An answer that was lost: asked again, nothing more is reserved.
        if (random() < 0.2) expect(await ask(agent, epoch, position, more)).toBeNull();
        return;
      }
      const limit = limits.find((one) => one.scope === refusal?.scope && one.agent === (refusal?.agent ?? null));
      if (!refusal || !limit) throw new Error(`a call that fits nowhere was not refused: ${JSON.stringify(refusal)}`);
      expect(fits(limit, more)[refusal.unit]).toBe(false);
      expect(refusal.used).toBe(refusal.unit === "usd" ? usedIn(limit).cost : usedIn(limit).tokens);
      expect(refusal.flying).toBe(flying().filter((call) => limit.calls(call) && !call.agent.isStopped).length);
    };
    const settle = async (call: Call) => {
      // Some say nothing of what they used.
      const tokens = random() < 0.2 ? 0 : upTo(call.tokens);
      const cost = tokens === 0 ? 0 : upTo(call.cost);
      const at = new Date().toISOString();
      const { position } = call;
      const usage = { position, provider: "acme", model: "general", input: tokens, cached: 0, output: 0, cost };
      const step = { position, turn: 1, kind: "model" as const, name: "general", status: "completed" as const };
      await call.agent.journal?.append({
        steps: [
          {
            ...{ ...step, error: null, call: null, sent: null, reply: null, request: null },
            ...{ inb: 0, outb: 0, streamed: false, t0: at, t1: at },
          },
        ],
        usages: [{ ...usage, reserved: true }],
        agent: { input: tokens, cost },
        head: { input: tokens, cost },
        events: [{ body: { kind: "step.finished", position } }],
      });
      if (tokens === 0) call.status = "unconfirmed";
      else Object.assign(call, { status: "settled", cost, tokens });
    };
    const release = async (call: Call) => {
      const status = random() < 0.7 ? "released" : "unconfirmed";
      await pool().query("select release_call($1, $2, $3, $4)", [call.agent.id, call.epoch, call.position, status]);
      call.status = status;
    };
    /** Another worker has it: what the one before was about to write or to reserve is refused. */
    const lose = async () => {
      const agent = oneOf(random, living());
      const before = agent.journal;
      const cutOff = flying().filter((call) => call.agent === agent);
      await execute(agent);
      expect(await ask(agent, before?.row.epoch ?? 0, 9_000, { cost: 1, tokens: 1 })).toEqual({ scope: "lost" });
      for (const call of cutOff) {
        const usage = { position: call.position, provider: "acme", model: "general", input: 1, cached: 0, output: 0 };
        const late = before?.append({ usages: [{ ...usage, cost: 1, reserved: true }] });
        await expect(late).rejects.toBeInstanceOf(FenceLostError);
      }
    };
    const stop = async () => {
      const below = living().filter(({ chain }) => chain.length > 1);
      if (below.length < 2) return;
      const { id } = oneOf(random, below);
      const { rows } = await pool().query<{ ids: string[] }>(
        "select abort_agent_runs(array[$1::uuid], 'a walk') as ids",
        [id],
      );
      for (const agent of agents) if (rows[0]?.ids.includes(agent.id)) agent.isStopped = true;
      for (const call of flying()) if (call.agent.isStopped) call.status = "unconfirmed";
    };
    const limitTheDay = async () => {
      const most = sum(calls.filter(counts));
      dayLimits = { maxCostNanoUsd: most.cost + 300_000, maxTokens: most.tokens + 7_000 };
      await saveLimits({
        scope,
        input: {
          ...DEFAULT_LIMITS,
          spendPerDayNanoUsd: dayLimits.maxCostNanoUsd,
          tokensPerDay: dayLimits.maxTokens,
        },
      });
    };

    /** What is stored says what happened here, amount by amount, and no limit is passed. */
    const expectRowsToAgree = async () => {
      const { rows } = await pool().query<{
        agent: string;
        position: number;
        status: string;
        cost: number;
        tokens: number;
      }>(
        `select agent_run_id as agent, position, status, cost_nano_usd::float8 as cost, tokens::float8 as tokens
         from reservations where workspace_id = $1 order by agent_run_id, epoch, position`,
        [scope.workspaceId],
      );
      const told = calls
        .toSorted((x, y) => x.agent.id.localeCompare(y.agent.id) || x.epoch - y.epoch || x.position - y.position)
        .map(({ agent, position, status, cost, tokens }) => ({ agent: agent.id, position, status, cost, tokens }));
      expect(rows).toEqual(told);
      const settled = (whose: (call: Call) => boolean) =>
        sum(calls.filter((call) => call.status === "settled" && whose(call)));
      const { rows: totals } = await pool().query<{ id: string; cost: number; tokens: number }>(
        `select id, cost_nano_usd::float8 as cost, (input_tokens + output_tokens)::float8 as tokens from runs where workspace_id = $1
         union all select id, cost_nano_usd::float8, (input_tokens + output_tokens)::float8 from agent_runs where workspace_id = $1
         union all select workspace_id, cost_nano_usd::float8, tokens::float8 from workspace_days where workspace_id = $1`,
        [scope.workspaceId],
      );
      for (const { id, ...total } of totals) {
        expect(total).toEqual(
          settled(({ agent }) => id === agent.id || id === agent.runId || id === scope.workspaceId),
        );
      }
      for (const limit of agents.flatMap(limitsOf)) expect(fits(limit, NOTHING)).toEqual({ usd: true, tokens: true });
    };

    const did: string[] = [];
    try {
      for (let nth = 0; nth < STEPS; nth++) {
        const under = flying();
        const does =
          nth === STEPS / 2
            ? "limit the day"
            : oneOf(
                random,
                [
                  "reserve",
                  "reserve",
                  "reserve",
                  "settle",
                  "settle",
                  "release",
                  "reserve again",
                  "lose",
                  "stop",
                ].filter((one) => (one !== "lose" && one !== "stop") || random() < 0.3),
              );
        did.push(does);
        if (does === "reserve") await reserve();
        if (does === "settle" && under.length) await settle(oneOf(random, under));
        if (does === "release" && under.length) await release(oneOf(random, under));
        if (does === "lose") await lose();
        if (does === "stop") await stop();
        if (does === "limit the day") await limitTheDay();
        const failed = calls.filter(
          ({ status, agent, epoch }) => status === "released" && !agent.isStopped && epoch === agent.journal?.row.epoch,
        );
        if (does === "reserve again" && failed.length) await reserve(oneOf(random, failed));
        if (nth % 10 === 9) await expectRowsToAgree();
      }
      did.push("the end");
      for (const agent of living().filter(({ chain }) => chain.length === 1)) {
        await pool().query("select abort_agent_runs(array[$1::uuid], 'the end')", [agent.id]);
      }
      for (const call of flying()) call.status = "unconfirmed";
      await expectRowsToAgree();
      expect(flying()).toEqual([]);
      // Something of everything happened, or this proves little.
      for (const status of ["settled", "unconfirmed"]) {
        expect(calls.filter((call) => call.status === status).length).toBeGreaterThan(3);
      }
    } catch (error) {
      throw new Error(`seed ${seed}, after ${did.length} steps: … ${did.slice(-12).join(", ")}`, { cause: error });
    }
  });
});

function fresh(id: string, name: string, runId: string): Omit<Agent, "chain" | "limits"> {
  return { id, name, runId, journal: null, next: 0, isStopped: false };
}
