import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { env } from "@/server/env";
import { toolServerConnections } from "@/server/mcp/connections";
import { mcpTools } from "@/server/mcp/mcp-tools";
import { answerRequest } from "@/server/requests/service/answer";
import { getStep } from "@/server/runs/queries/get-step";
import { checkToolServer } from "@/server/tool-servers/service/check-tool-server";
import { setToolPolicy } from "@/server/tool-servers/service/set-tool-policy";
import { type ToolPolicy, toolPolicy } from "@/server/tools/tool-policy";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { call, lastResults } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import { startKeyedServer } from "@/tests/support/keyed-server";
import { aToolServer, everything, filesystem, odd } from "@/tests/support/tool-servers";

describe.each(DATABASE_KINDS)("runs with tools of MCP servers on the %s database", (kind) => {
  const desk = useDesk(kind);
  let folder: string;
  let log: string;
  beforeAll(async () => {
    env().SECRETS_KEY = "a key for tests that is long enough, really";
    folder = await realpath(await mkdtemp(join(tmpdir(), "troupe-test-")));
    log = join(folder, "effects.log");
  });
  afterEach(async () => {
    await toolServerConnections.closeAll();
    await db().toolServer.deleteMany();
    writeFileSync(log, "");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Attaches a server, tests it, and gives its tools to the engine. */
  const attach = async (server: Parameters<typeof aToolServer>[2], ...names: string[]) => {
    const { workspaceId } = desk().scope;
    const { id } = await aToolServer(db(), workspaceId, server);
    await checkToolServer({ scope: desk().scope, input: { toolServerId: id } });
    const { tools, missing } = await mcpTools(pool(), workspaceId, names);
    expect(missing).toEqual([]);
    for (const [name, tool] of tools) desk().tools.set(name, tool);
  };
  const attachOdd = (...names: string[]) => attach({ ...odd, name: "odd", secrets: { TOOL_LOG: log } }, ...names);
  const solo = (config: Partial<AgentConfig>) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const play = async (config: Partial<AgentConfig>, ...calls: ReturnType<typeof call>[]) =>
    desk().play(
      await solo(config),
      "use your tools",
      turns({ calls }, (request) => ({ text: JSON.stringify(lastResults(request)) })),
    );
  const answer = (requestId: string, text: string) =>
    answerRequest({ scope: desk().scope, input: { requestId, answer: text } });
  const effects = () =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line && line !== "started");

  test("an agent calls the official everything and filesystem servers in one turn", async () => {
    writeFileSync(join(folder, "facts.txt"), "The shop opens at nine.");
    await attach({ ...everything, name: "all" }, "all__echo");
    await attach(filesystem(folder), "files__read_text_file");
    const runId = await play(
      { tools: ["all__echo", "files__read_text_file"] },
      call("all__echo", { message: "hello" }),
      call("files__read_text_file", { path: join(folder, "facts.txt") }),
      call("files__read_text_file", { path: "/etc/passwd" }),
    );
    const run = await desk().ended(runId);
    expect(run.status).toBe("completed");
    expect(run.answer).toContain("Echo: hello");
    expect(run.answer).toContain("The shop opens at nine.");
    expect(run.answer).toMatch(/tool_call_error.*outside allowed directories/);
    await soundRecord(desk().scope, runId);
  });

  test("a server that dies while it reads gives the model an error, and the run goes on", async () => {
    await attachOdd("odd__die");
    const runId = await play({ tools: ["odd__die"] }, call("odd__die", {}));
    expect(await desk().ended(runId)).toMatchObject({
      status: "completed",
      answer: expect.stringMatching(/tool_call_error.*“odd” ended before it answered/),
    });
  });

  test("a server that dies while it writes is asked about, and nothing is sent twice", async () => {
    await attachOdd("odd__die_writing");
    const runId = await play({ tools: ["odd__die_writing"] }, call("odd__die_writing", {}));
    const request = await desk().openRequest(runId);
    expect(request.prompt).toBe("Did this call of odd__die_writing take effect?");
    await answer(request.id, "give_up");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(effects()).toEqual(["die_writing"]);
  });

  test("F36: a program that computes and computes holds up no other run of its worker", async () => {
    await attachOdd("odd__compute");
    const computing = await play({ tools: ["odd__compute"] }, call("odd__compute", {}));
    await eventually(() => expect(effects()).toEqual(["compute"]));
    const beside = await desk().play(await solo({}), "beside it", turns({ text: "Done meanwhile." }));
    expect(await desk().ended(beside)).toMatchObject({ status: "completed", answer: "Done meanwhile." });
    expect(await desk().statusOf(computing)).toMatchObject({ status: "running" });
    writeFileSync(`${log}.enough`, "");
    expect(await desk().ended(computing)).toMatchObject({ answer: expect.stringContaining("computed") });
  });

  test("F36: an answer of a hundred megabytes is refused before it is read to its end, and the run goes on", async () => {
    await attachOdd("odd__flood");
    const runId = await play({ tools: ["odd__flood"] }, call("odd__flood", {}));
    expect(await desk().ended(runId)).toMatchObject({
      status: "completed",
      answer: expect.stringMatching(/tool_call_error.*“odd”/),
    });
    await soundRecord(desk().scope, runId);
  });

  describe("over streamable HTTP, called as its owner says", () => {
    let shop: Awaited<ReturnType<typeof startKeyedServer>>;
    afterEach(async () => {
      await toolServerConnections.closeAll();
      await shop.stop();
      await db().allowedHost.deleteMany();
    });

    const attachShop = async (policy: ToolPolicy | null, server: Parameters<typeof startKeyedServer>[0] = {}) => {
      shop = await startKeyedServer(server);
      const { workspaceId } = desk().scope;
      await db().allowedHost.create({ data: { workspaceId, host: "127.0.0.1", port: shop.port } });
      const { id } = await aToolServer(db(), workspaceId, { transport: "http", url: shop.url, name: "shop" });
      await checkToolServer({ scope: desk().scope, input: { toolServerId: id } });
      if (policy) await setToolPolicy({ scope: desk().scope, input: { toolServerId: id, tool: "order", policy } });
      await offerShop();
    };
    /** As the next execution of an agent run finds it. */
    const offerShop = async () => {
      const { tools } = await mcpTools(pool(), desk().scope.workspaceId, ["shop__order"]);
      for (const [name, tool] of tools) desk().tools.set(name, tool);
    };
    const order = (to: string) => play({ tools: ["shop__order"] }, call("shop__order", { to }));
    const effectOf = async (runId: string) => {
      const { root } = await soundRecord(desk().scope, runId);
      return (await getStep(desk().scope.workspaceId, { runId, agentRunId: root.id, position: 1 })).effect;
    };

    test("its call, and no other request of the connection, carries the key; the same call is not sent again", async () => {
      await attachShop(toolPolicy.parse({ idempotency: { hint: "optional", strategy: "hash_input" } }));
      const first = await order("Ada");
      expect(await desk().ended(first)).toMatchObject({ answer: '[{"output":"receipt 1"}]' });
      const effect = await effectOf(first);
      expect(shop.calls).toEqual([{ to: "Ada", key: effect?.key, meta: effect?.key }]);
      const keyed = shop.requests.filter(({ key }) => key !== null);
      expect(keyed).toEqual([{ method: "tools/call", key: effect?.key }]);
      expect(shop.requests.length).toBeGreaterThan(2);

      const second = await order("Ada");
      expect(await desk().ended(second)).toMatchObject({ answer: '[{"output":"receipt 1"}]' });
      expect(await effectOf(second)).toMatchObject({ status: "repeated", repeats: { runId: first, position: 1 } });
      await desk().ended(await order("Eve"));
      expect(shop.ordered).toEqual(["Ada", "Eve"]);
      expect(new Set(shop.calls.map(({ key }) => key)).size).toBe(2);
    });

    test("nothing of it carries a key where nobody asks for one; where the server says it keeps keys, it does", async () => {
      await attachShop(null);
      await desk().ended(await order("Ada"));
      expect(shop.calls).toEqual([{ to: "Ada", key: null, meta: null }]);
      await shop.stop();
      await db().toolServer.deleteMany();
      await attachShop(null, { annotations: { idempotentHint: true } });
      const runId = await order("Ada");
      await desk().ended(runId);
      expect(shop.calls).toEqual([{ to: "Ada", key: (await effectOf(runId))?.key, meta: expect.any(String) }]);
    });

    test("a failure the tool reports is kept where its owner says so", async () => {
      const idempotency = { strategy: "hash_input", cacheFailures: true, onHit: "fail_fast" } as const;
      await attachShop(toolPolicy.parse({ idempotency }));
      expect((await desk().ended(await order("nobody"))).answer).toMatch(/There is no such customer/);
      expect((await desk().ended(await order("nobody"))).answer).toMatch(/The same call was made/);
      expect(shop.calls).toHaveLength(1);
    });

    test("a worker that ends during the call sends it again under its key, and what is ordered is ordered once", async () => {
      const policy = toolPolicy.parse({ idempotency: { hint: "required", strategy: "explicit", fields: ["to"] } });
      await attachShop(policy, { honours: true });
      const answerNow = shop.hold();
      const runId = await order("Ada");
      await expect.poll(() => shop.calls.length).toBe(1);
      await desk().shut();
      await toolServerConnections.closeAll();
      await desk().open();
      await expect.poll(() => shop.calls.length, { timeout: 20_000 }).toBe(2);
      answerNow();
      expect(await desk().ended(runId)).toMatchObject({ answer: '[{"output":"receipt 1"}]' });
      expect(new Set(shop.calls.map(({ key }) => key)).size).toBe(1);
      expect(shop.ordered).toEqual(["Ada"]);
    });

    test("it is given up at the time limit its owner set, and a person is asked", async () => {
      await attachShop(toolPolicy.parse({ timeoutMs: 1000 }));
      const answerNow = shop.hold();
      const runId = await order("Ada");
      const request = await desk().openRequest(runId);
      await answer(request.id, "give_up");
      await desk().ended(runId);
      answerNow();
      expect(shop.calls).toHaveLength(1);
    });
  });

  test("a tool set to ask waits for a person before anything is sent, then is called once", async () => {
    await attachOdd("odd__note");
    const config = { tools: ["odd__note"], askBefore: ["odd__note"] };
    const allowed = await play(config, call("odd__note", { text: "hello" }));
    const request = await desk().openRequest(allowed);
    expect(request.prompt).toMatch(/May .* call odd__note\?/);
    expect(effects()).toEqual([]);
    await answer(request.id, "allow");
    expect(await desk().ended(allowed)).toMatchObject({ status: "completed", answer: expect.stringContaining("done") });
    expect(effects()).toEqual(["note"]);

    const refused = await play(config, call("odd__note", { text: "again" }));
    await answer((await desk().openRequest(refused)).id, "refuse");
    expect(await desk().ended(refused)).toMatchObject({ answer: expect.stringContaining("did not allow this call") });
    expect(effects()).toEqual(["note"]);
  });
});
