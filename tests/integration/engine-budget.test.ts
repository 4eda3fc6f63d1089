import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "@/server/engine/run-limits";
import { mostCostOf } from "@/server/models/cost";
import { resumeRun } from "@/server/runs/service/control-run";
import { storeRun } from "@/server/runs/store-run";
import { DEFAULT_LIMITS } from "@/server/usage/schema";
import { saveLimits } from "@/server/usage/service/save-settings";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, PRICE, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam, type TeamFixture } from "@/tests/support/factories";
import type { ChatRequest } from "@/tests/support/scripted-model";

const OUTPUT = 50;
const words = (count: number) => new Intl.NumberFormat("en-US").format(count);
/** As the engine reserves it: three bytes a token of what is sent, and the longest reply. */
const tokensOf = (request: ChatRequest) => {
  const sent = request.messages.map((message) =>
    message.role === "tool"
      ? { role: "tool", callId: message.tool_call_id, content: message.content }
      : message.role === "assistant"
        ? {
            role: "assistant",
            content: message.content,
            calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
              id,
              name,
              arguments: args,
            })),
          }
        : { role: message.role, content: message.content },
  );
  const tools = (request.tools ?? []).map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    parameters,
  }));
  return Math.ceil(Buffer.byteLength(JSON.stringify([sent, tools])) / 3);
};

describe.each(DATABASE_KINDS)("budgets on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const record = (runId: string) => soundRecord(scope(), runId);
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, maxOutputTokens: OUTPUT, ...config },
      agents: [],
    });
  const start = (team: TeamFixture, input: string, limits: Partial<RunLimits>) =>
    storeRun({
      workspaceId: scope().workspaceId,
      userId: scope().userId,
      teamId: team.teamId,
      teamVersionId: team.teamVersionId,
      root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
      input,
      model: "scripted",
      limits: { ...DEFAULT_RUN_LIMITS, ...limits },
    });
  const suspended = (runId: string) =>
    eventually(async () => {
      const run = await desk().statusOf(runId);
      expect(run.status).toBe("suspended");
      return run;
    });
  const reservations = async (runId: string) =>
    (
      await pool().query<{ status: string; tokens: number; cost: number }>(
        "select status, tokens::int, cost_nano_usd::float8 as cost from reservations where run_id = $1 order by at, position",
        [runId],
      )
    ).rows;

  test("at its limit a run is suspended with a sentence, and goes on where it was with more", async () => {
    const sizes: number[] = [];
    desk().tools.set(
      "noop",
      aTool("noop", async () => ({ ok: true })),
    );
    const usage = (request: ChatRequest) => {
      const prompt_tokens = tokensOf(request);
      sizes.push(prompt_tokens + OUTPUT);
      return { prompt_tokens, completion_tokens: OUTPUT };
    };
    const input = desk().words("spend", (request, { step }) =>
      step < 3 ? { calls: [call("noop", { step })], usage: usage(request) } : { text: "Spent.", usage: usage(request) },
    );
    const team = await solo({ tools: ["noop"] });
    await desk().ended(await start(team, input, {}));
    const [first = 0, second = 0, third = 0] = sizes.splice(0);
    // Room for two calls, and for all of the third but a token.
    const maxTokens = first + second + third - 1;
    const runId = await start(team, input, { maxTokens });
    const { reason } = await suspended(runId);
    expect(reason).toBe(
      `This run may use ${words(maxTokens)} tokens: ${words(first + second)} are used or reserved, and the next call may use up to ${words(third)}.`,
    );
    const { run, decisions } = await record(runId);
    const spent = first + second;
    expect(sizes).toEqual([first, second]);
    expect(run.inputTokens + run.outputTokens).toBe(spent);
    expect(run).toMatchObject({ limits: { maxTokens }, reserved: { costNanoUsd: 0, tokens: 0 } });
    expect((await reservations(runId)).map(({ status }) => status)).toEqual(sizes.map(() => "settled"));
    expect(decisions.at(-1)).toMatchObject({ kind: "budget", source: "policy", reason });

    await expect(
      resumeRun({ scope: scope(), runId, limits: { maxCostNanoUsd: null, maxTokens: spent } }),
    ).rejects.toThrow("used or reserved more tokens than that already");
    await resumeRun({ scope: scope(), runId, limits: { maxCostNanoUsd: null, maxTokens: 100_000 } });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Spent." });
    expect(sizes).toHaveLength(4);
    expect((await record(runId)).run.limits).toMatchObject({ maxTokens: 100_000, maxActiveMs: 8 * 3_600_000 });
  });

  test("F20: eight children at once against a limit that allows three calls: exactly three are made", async () => {
    let calls = 0;
    let size = 0;
    const child = desk().words("one call each", (request) => {
      calls += 1;
      size = tokensOf(request) + OUTPUT;
      return { text: "Done.", usage: { prompt_tokens: size - OUTPUT, completion_tokens: OUTPUT } };
    });
    const agents = Array.from({ length: 8 }, () => ({ maxOutputTokens: OUTPUT }));
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { maxConcurrentAgents: 8, maxOutputTokens: OUTPUT, tools: ["hold back"] },
      agents,
    });
    // The supervisor's own next call waits until it is over. Instructions of the children are alike, and so are their calls.
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    desk().tools.set(
      "hold back",
      aTool("hold back", () => gate.then(() => ({ ok: true }))),
    );
    const names = team.children.map(({ name }) => name);
    let supervisor = 0;
    const script = turns(
      (request: ChatRequest) => {
        supervisor = tokensOf(request) + OUTPUT;
        return {
          calls: [...names.map((name) => spawn(name, child)), call("hold back")],
          usage: { prompt_tokens: supervisor - OUTPUT, completion_tokens: OUTPUT },
        };
      },
      { text: "Never." },
    );
    // Once without a limit, to know what a call of a child costs.
    const measuring = await start(team, desk().words("measure", script), {});
    await eventually(() => expect(calls).toBe(8));
    const costOfChild = size;
    calls = 0;
    const runId = await start(team, desk().words("race", script), { maxTokens: supervisor + 3 * costOfChild + 10 });
    await suspended(runId);
    await eventually(async () => {
      const all = await reservations(runId);
      expect(all.filter(({ status }) => status === "reserved")).toEqual([]);
    });
    expect(calls).toBe(3);
    open();
    await desk().ended(measuring);
    const { run } = await record(runId);
    expect(run.inputTokens + run.outputTokens).toBeLessThanOrEqual(supervisor + 3 * costOfChild + 10);
  });

  test("a child's own limit ends the child, and its parent is told", async () => {
    desk().tools.set(
      "noop",
      aTool("noop", async () => ({ ok: true })),
    );
    const spends = desk().words("spend it all", (request, { step }) => ({
      calls: [call("noop", { step })],
      text: "So far so good.",
      usage: { prompt_tokens: tokensOf(request), completion_tokens: OUTPUT },
    }));
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: {},
      agents: [{ tools: ["noop"], maxTokens: 2_000, maxOutputTokens: OUTPUT }],
    });
    const script = turns({ calls: [spawn(team.children[0]?.name ?? "", spends)] }, collectAll, (request) => ({
      text: JSON.stringify(lastResults(request)[0]),
    }));
    const runId = await desk().play(team, "cap the child", script);
    const { answer } = await desk().ended(runId);
    expect(JSON.parse(answer ?? "")).toMatchObject({
      exit_status: "aborted",
      output: "So far so good.",
      message: expect.stringContaining(`budget_exhausted: ${team.children[0]?.name} may use 2,000 tokens`),
    });
    const { decisions, agent } = await record(runId);
    expect(decisions.find((decision) => decision.kind === "budget")).toMatchObject({
      agentRunId: agent(team.children[0]?.name ?? "").id,
      chosen: [{ option: "stop" }],
    });
    expect(agent(team.children[0]?.name ?? "").inputTokens).toBeLessThanOrEqual(2_000);
  });

  test("money: reserved by the price, refused without one, and the limit counts to the nano-dollar", async () => {
    let made = 0;
    const input = desk().words("cost", (request) => {
      made += 1;
      return { text: "Done.", usage: { prompt_tokens: tokensOf(request), completion_tokens: OUTPUT } };
    });
    const team = await solo();
    const free = await start(team, input, {});
    await desk().ended(free);
    const { costNanoUsd } = (await record(free)).run;
    expect(costNanoUsd).toBeGreaterThan(0);
    // A limit is met by what was reserved, which here is what is used.

    const short = await start(team, input, { maxCostNanoUsd: costNanoUsd - 1 });
    expect((await suspended(short)).reason).toMatch(/^This run may cost \$0\.\d+: \$0\.00 are spent or reserved/);
    const exact = await start(team, input, { maxCostNanoUsd: costNanoUsd });
    expect(await desk().ended(exact)).toMatchObject({ status: "completed" });
    expect(made).toBe(2);

    desk().model = desk().scripted({ price: undefined });
    const unpriced = await start(team, input, { maxCostNanoUsd: 1_000_000_000 });
    expect((await suspended(unpriced)).reason).toContain("nobody said what scripted costs. Give it a price");
    expect(made).toBe(2);
    desk().model = desk().scripted();
    await resumeRun({ scope: scope(), runId: unpriced });
    expect(await desk().ended(unpriced)).toMatchObject({ status: "completed" });
  });

  test("what is reserved has no discount for cached tokens, and reasoning at the dearer of its prices; what counts has both", async () => {
    const price = { ...PRICE, cachedNanoUsd: 0, reasoningNanoUsd: PRICE.outputNanoUsd * 2 };
    desk().model = desk().scripted({ price });
    let sent = 0;
    const input = desk().words("cached and thought", (request) => {
      sent = tokensOf(request);
      const details = {
        prompt_tokens_details: { cached_tokens: sent },
        completion_tokens_details: { reasoning_tokens: OUTPUT },
      };
      return { text: "Done.", usage: { prompt_tokens: sent, completion_tokens: OUTPUT, ...details } };
    });
    const team = await solo();
    await desk().ended(await start(team, input, {}));
    const most = (sent * PRICE.inputNanoUsd + OUTPUT * PRICE.outputNanoUsd * 2) / 1_000_000;
    expect(mostCostOf({ inputTokens: sent, outputTokens: OUTPUT }, price)).toBe(most);
    const short = await start(team, input, { maxCostNanoUsd: most - 1 });
    await suspended(short);
    const exact = await start(team, input, { maxCostNanoUsd: most });
    await desk().ended(exact);
    expect((await record(exact)).run.costNanoUsd).toBe((OUTPUT * PRICE.outputNanoUsd * 2) / 1_000_000);
    desk().model = desk().scripted();
  });

  test("a call that waits for others to settle is made when they leave enough", async () => {
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { provider, name, price, complete } = desk().model;
    const answer = complete.bind(desk().model);
    let under = 0;
    let most = 0;
    desk().model = {
      provider,
      name,
      ...(price ? { price } : {}),
      complete: async (request) => {
        const isChild = request.messages.some(({ content }) => String(content).includes("take turns"));
        if (isChild) most = Math.max(most, ++under);
        if (isChild && under === 1) await held;
        const reply = await answer(request);
        if (isChild) under -= 1;
        return reply;
      },
    };
    // Reserves much and uses little: two do not fit at once, and both fit one after the other.
    const child = desk().words("take turns", () => ({
      text: "Done.",
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    }));
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { maxOutputTokens: 500 },
      agents: [{ maxOutputTokens: 20_000 }, { maxOutputTokens: 20_000 }],
    });
    const script = turns({ calls: team.children.map((one) => spawn(one.name, child)) }, collectAll, { text: "Both." });
    const runId = await start(team, desk().words("one after the other", script), { maxTokens: 35_000 });
    await eventually(() => expect(under).toBe(1));
    open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Both." });
    expect(most).toBe(1);
    desk().model = desk().scripted();
    await record(runId);
  });

  test("a call cut off with its worker stays counted at what was reserved", async () => {
    const input = desk().words("cut off in the call", (_, { attempt }) =>
      attempt === 0 ? { fault: "hang" } : { text: "Again." },
    );
    const runId = await start(await solo(), input, { maxTokens: 100_000 });
    await eventually(() => expect(desk().callsOf(input).requested).toBe(1));
    await desk().shut();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Again." });
    const all = await reservations(runId);
    expect(all.map(({ status }) => status).sort()).toEqual(["settled", "unconfirmed"]);
    const { run } = await record(runId);
    expect(run.reserved.tokens).toBe(all.find(({ status }) => status === "unconfirmed")?.tokens);
  });

  test("a call that failed before it could cost anything is released; one whose answer broke off is not", async () => {
    const input = desk().words("fail first", (_, { attempt }) => {
      if (attempt === 0) return { fault: "status", status: 503 };
      if (attempt === 1) return { fault: "drop", answer: { text: "Broken off in the middle of this" } };
      return { text: "Third time." };
    });
    const runId = await start(await solo(), input, { maxTokens: 100_000 });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Third time." });
    expect((await reservations(runId)).map(({ status }) => status)).toEqual(["released", "unconfirmed", "settled"]);
  });

  test("a limit of the day holds for all runs, also for one that is under way when it is set", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    desk().tools.set(
      "until told",
      aTool("until told", () => gate.then(() => ({ ok: true }))),
    );
    const script = turns({ calls: [call("until told")] }, { text: "Went on." });
    const team = await solo({ tools: ["until told"] });
    const runId = await start(team, desk().words("before the limit", script), {});
    await eventually(async () => expect((await record(runId)).root.openSteps).toMatchObject([{ name: "until told" }]));
    await saveLimits({ scope: scope(), input: { ...DEFAULT_LIMITS, tokensPerDay: 1 } });
    await eventually(async () => {
      const { rows } = await pool().query("select 1 from workspaces where limits ->> 'tokensPerDay' = '1'");
      expect(rows).toHaveLength(1);
    });
    open();
    expect((await suspended(runId)).reason).toMatch(/^This workspace may use 1 tokens a day \(UTC\): [1-9]/);
    const other = await start(team, desk().words("after the limit", script), {});
    await suspended(other);
    await saveLimits({ scope: scope(), input: DEFAULT_LIMITS });
    for (const id of [runId, other]) {
      await resumeRun({ scope: scope(), runId: id });
      expect(await desk().ended(id)).toMatchObject({ status: "completed", answer: "Went on." });
    }
  });
});
