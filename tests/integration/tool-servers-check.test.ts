import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { env } from "@/server/env";
import { checkToolServer } from "@/server/tool-servers/service/check-tool-server";
import type { Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { aToolServer, everything, filesystem, odd, startEverything } from "@/tests/support/tool-servers";
import { useDatabase } from "@/tests/support/use-database";

const KEY = "sk-very-secret-key-0123456789";
const node = process.execPath;

describe.each(DATABASE_KINDS)("the test of a tool server on the %s database", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  beforeAll(() => {
    env().SECRETS_KEY = "a key for tests that is long enough, really";
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const open: Server[] = [];
  async function answering(listener: RequestListener): Promise<{ url: string; port: number }> {
    const server = createServer(listener);
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/mcp`, port };
  }
  async function check(server: Parameters<typeof aToolServer>[2], { allow = null }: { allow?: number | null } = {}) {
    owner = await aMember(db(), await aWorkspace(db()));
    const { workspaceId } = owner;
    if (allow !== null) await db().allowedHost.create({ data: { workspaceId, host: "127.0.0.1", port: allow } });
    const { id } = await aToolServer(db(), workspaceId, server);
    const found = await checkToolServer({ scope: owner, input: { toolServerId: id } });
    expect(JSON.stringify(found)).not.toContain(KEY);
    expect(found.server.checkError).toBe(found.ok ? null : found.problem);
    expect(found.server.checkedAt).not.toBeNull();
    return found;
  }
  const namesOf = ({ server }: Awaited<ReturnType<typeof check>>) => server.tools.map(({ name }) => name);

  test("lists the everything server's tools over stdio and over HTTP, with what it says of them", async () => {
    const local = await check({ ...everything, name: "all" });
    expect(local).toMatchObject({ ok: true, code: "ok", problem: null });
    expect(namesOf(local)).toEqual(expect.arrayContaining(["echo", "get-sum", "get-tiny-image", "get-env"]));
    const echo = local.server.tools.find(({ name }) => name === "echo");
    expect(echo).toMatchObject({ fullName: "all__echo", stated: "reads", writes: false, override: null });
    expect(echo?.parameters).toMatchObject({ type: "object", properties: { message: { type: "string" } } });

    const server = await startEverything();
    const remote = await check({ transport: "http", url: server.url, name: "all" }, { allow: server.port });
    await server.stop();
    expect(remote).toMatchObject({ ok: true, server: { privateHostAllowed: true } });
    expect(namesOf(remote)).toEqual(namesOf(local));
  });

  test("lists the filesystem server's tools, and which of them write", async () => {
    const { server } = await check(filesystem(tmpdir()));
    const writes = (name: string) => server.tools.find((tool) => tool.name === name)?.writes;
    expect([writes("read_text_file"), writes("write_file"), writes("list_directory")]).toEqual([false, true, false]);
  });

  test("reads all pages, and leaves out a tool that is none", async () => {
    const found = await check({ ...odd, secrets: { TOOL_KEY: KEY } });
    expect(namesOf(found)).toEqual([
      "note",
      "set mark",
      "reveal",
      "die",
      "die_writing",
      "hang",
      "large",
      "flood",
      "compute",
      "fail",
      "pid",
    ]);
    expect(found).toMatchObject({ ok: true, problem: expect.stringMatching(/^One tool was left out/) });
    expect(found.server).toMatchObject({ secretNames: ["TOOL_KEY"], checkError: null });
  });

  test.each([
    [
      "a program that is not there",
      { command: "no-such-program" },
      "failed",
      /“no-such-program” was not found on the server/,
    ],
    ["a folder", { command: tmpdir() }, "failed", /may not be started/],
    [
      "a program that ends at once",
      { command: node, args: ["-e", `console.error("no " + process.env.TOOL_KEY); process.exit(3)`] },
      "failed",
      /ended before it answered\. Its last words: no \[hidden\]/,
    ],
    [
      "a program that says nothing and ends",
      { command: "true" },
      "failed",
      /ended before it answered\. It said nothing/,
    ],
    ["a program that is no MCP server", { command: "cat" }, "not-mcp", /answers, but not as an MCP server/],
  ] as const)("of %s says so", async (_, program, code, problem) => {
    const found = await check({ transport: "stdio", ...program, secrets: { TOOL_KEY: KEY } });
    expect(found).toMatchObject({ ok: false, code, problem: expect.stringMatching(problem), server: { tools: [] } });
  });

  test.each([
    ["refuses the key", 401, "text/plain", "unauthorized", /refused the credentials \(401\)/],
    ["forbids it", 403, "text/plain", "unauthorized", /refused the credentials \(403\)/],
    ["has another page there", 200, "text/html", "not-mcp", /not as an MCP server.*path/],
    ["has nothing there", 404, "text/plain", "not-mcp", /it said 404/],
    ["answers with JSON of another kind", 200, "application/json", "not-mcp", /could not be read/],
    ["has trouble", 502, "text/plain", "failed", /a problem of its own \(502\)/],
  ] as const)("of an address that %s says so, without the key it echoes", async (_, status, type, code, problem) => {
    const server = await answering((request, response) => {
      response.writeHead(status, { "content-type": type });
      response.end(JSON.stringify({ you: "sent", key: request.headers.authorization }));
    });
    const secrets = { Authorization: `Bearer ${KEY}` };
    const found = await check({ transport: "http", url: server.url, secrets }, { allow: server.port });
    expect(found).toMatchObject({ ok: false, code, problem: expect.stringMatching(problem) });
  });

  test("of an address where nobody listens says so", async () => {
    const { url, port } = await answering(() => {});
    await new Promise((resolve) => open.pop()?.close(resolve));
    const found = await check({ transport: "http", url }, { allow: port });
    expect(found).toMatchObject({
      code: "unreachable",
      problem: expect.stringMatching(/^Nobody answers at 127\.0\.0\.1:/),
    });
  });

  test("follows no redirect to a private host, and sends it no key", async () => {
    const seen: (string | undefined)[] = [];
    const inner = await answering((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    for (const status of [302, 307, 308]) {
      const outer = await answering((_, response) => void response.writeHead(status, { location: inner.url }).end());
      const secrets = { Authorization: `Bearer ${KEY}` };
      expect(await check({ transport: "http", url: outer.url, secrets }, { allow: outer.port })).toMatchObject({
        ok: false,
      });
    }
    expect(seen).toEqual([]);
  });

  test("asks for an owner's word before it calls a private host, however it is written", async () => {
    let calls = 0;
    const { port } = await answering((_, response) => {
      calls++;
      response.end();
    });
    const hosts = [
      "127.0.0.1",
      "localhost",
      "localhost.",
      "0.0.0.0",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "127.1",
    ];
    const six = ["[::1]", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]", "[::]", "[fd00:ec2::254]", "[64:ff9b::7f00:1]"];
    for (const host of [...hosts, ...six, "169.254.169.254", "10.0.0.1", "１２７。０。０。１"]) {
      const found = await check({ transport: "http", url: `http://${host}:${port}/mcp` });
      expect({ host, code: found.code }).toEqual({ host, code: "private-host" });
      expect(found.problem).toMatch(/is on a private network. An owner must allow this host/);
    }
    expect(calls).toBe(0);
  });

  test("keeps the tools found before when it fails", async () => {
    const { server } = await check({ ...everything, name: "all" });
    await db().toolServer.update({ where: { id: server.id }, data: { command: "no-such-program" } });
    const again = await checkToolServer({ scope: owner, input: { toolServerId: server.id } });
    expect(again.ok).toBe(false);
    expect(again.server.tools.map(({ name }) => name)).toEqual(server.tools.map(({ name }) => name));
  });

  test("is refused after many tries", async () => {
    const { server } = await check({ transport: "stdio", command: "no-such-program" });
    const again = () => checkToolServer({ scope: owner, input: { toolServerId: server.id } });
    const tries = async () => {
      for (let i = 0; i < 40; i++) await again();
    };
    await expect(tries()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  });
});
