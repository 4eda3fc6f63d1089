import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { db, pool } from "@/server/db";
import { env } from "@/server/env";
import { toolServerConnections } from "@/server/mcp/connections";
import { mcpTools } from "@/server/mcp/mcp-tools";
import { checkToolServer } from "@/server/tool-servers/service/check-tool-server";
import { updateToolServer } from "@/server/tool-servers/service/update-tool-server";
import { ToolError } from "@/server/tools/tool";
import type { Scope } from "@/server/workspaces/scope";
import { bundled } from "@/tests/support/bundled";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import {
  aToolServer,
  everything,
  filesystem,
  odd,
  root,
  startEverything,
  startHangingServer,
} from "@/tests/support/tool-servers";
import { useDatabase } from "@/tests/support/use-database";

const KEY = "sk-very-secret-key-0123456789";

describe.each(DATABASE_KINDS)("the tools of MCP servers on the %s database", (kind) => {
  useDatabase(kind);
  let folder: string;
  let owner: Scope;
  beforeAll(async () => {
    env().SECRETS_KEY = "a key for tests that is long enough, really";
    folder = await realpath(await mkdtemp(join(tmpdir(), "troupe-test-")));
    owner = await aMember(db(), await aWorkspace(db()));
  });
  afterEach(async () => {
    await toolServerConnections.closeAll();
    await db().toolServer.deleteMany();
    await db().allowedHost.deleteMany();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const checked = async (server: Parameters<typeof aToolServer>[2]) => {
    const { id } = await aToolServer(db(), owner.workspaceId, server);
    const found = await checkToolServer({ scope: owner, input: { toolServerId: id } });
    expect(found).toMatchObject({ ok: true });
    return id;
  };
  const toolset = (...names: string[]) => mcpTools(pool(), owner.workspaceId, names);
  const tool = async (name: string) => {
    const { tools, missing } = await toolset(name);
    expect(missing).toEqual([]);
    const found = tools.get(name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  const call = async (name: string, args: unknown = {}, signal = new AbortController().signal) =>
    (await tool(name)).run(args, { workspaceId: owner.workspaceId, runId: "r", agentRunId: "a", key: "k", signal });
  const failure = async (...args: Parameters<typeof call>) =>
    call(...args).then(
      (value) => expect.fail(`it answered ${JSON.stringify(value)}`),
      (error: Error) => error,
    );

  test("are known from the stored list, without anything being started", async () => {
    const tools = [
      { name: "read", description: "Reads.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      { name: "put", inputSchema: { type: "object" }, annotations: { idempotentHint: true } },
      { name: "send", inputSchema: { type: "object" } },
    ];
    await aToolServer(db(), owner.workspaceId, { transport: "stdio", command: "/no/such/program", tools });
    const found = await toolset("files__read", "files__put", "files__send");
    expect(found.missing).toEqual([]);
    expect([...found.tools.values()]).toMatchObject([
      { name: "files__read", description: "Reads.", sideEffect: "read", idempotency: "none", timeoutMs: 60_000 },
      { name: "files__put", sideEffect: "external", idempotency: "optional" },
      { name: "files__send", sideEffect: "external", idempotency: "none" },
    ]);
    expect(await failure("files__read")).toBeInstanceOf(ToolError);
  });

  test("that cannot be used are named, one sentence each", async () => {
    const { id } = await aToolServer(db(), owner.workspaceId, { ...everything, tools: [{ name: "echo" }] });
    await aToolServer(db(), await aWorkspace(db()), { ...everything, name: "theirs", tools: [{ name: "echo" }] });
    expect((await toolset("files__echo", "files__no", "nobody__echo", "theirs__echo", "odd")).missing).toEqual([
      expect.stringMatching(/“files__no” is missing: the tool server “files” does not offer it/),
      expect.stringMatching(/“nobody__echo” is missing: there is no tool server “nobody”/),
      expect.stringMatching(/“theirs__echo” is missing: there is no tool server “theirs”/),
      expect.stringMatching(/“odd” is missing/),
    ]);
    const known = await tool("files__echo");
    await db().toolServer.update({ where: { id }, data: { enabled: false } });
    expect((await toolset("files__echo")).missing).toEqual([expect.stringMatching(/“files” is turned off/)]);
    const late = known.run(
      {},
      { workspaceId: owner.workspaceId, runId: "r", agentRunId: "a", key: "k", signal: AbortSignal.timeout(9000) },
    );
    await expect(late).rejects.toThrow(/turned off/);
  });

  test("of the everything server answer over stdio with text, data and descriptions of the rest", async () => {
    await checked({ ...everything, name: "all" });
    expect(await call("all__echo", { message: "hello" })).toBe("Echo: hello");
    expect(await call("all__get-sum", { a: 2, b: 3 })).toMatch(/5/);
    expect(await call("all__get-structured-content", { location: "Chicago" })).toMatchObject({
      temperature: expect.any(Number),
    });
    expect(await call("all__get-tiny-image")).toMatch(/\[image\/png, \d+ (bytes|kB)\]/);
    const refused = await failure("all__echo", { message: 3 });
    expect(refused).toBeInstanceOf(ToolError);
    expect(refused.message).toMatch(/message/);
  });

  test("of a program see none of this installation's environment", async () => {
    vi.stubEnv("AUTH_SECRET", "auth-secret-of-ours-123456");
    vi.stubEnv("SECRETS_KEY", "secrets-key-of-ours-123456");
    vi.stubEnv("MODEL_API_KEY", "model-key-of-ours-123456");
    try {
      await checked({ ...everything, name: "all", secrets: { TOOL_KEY: KEY } });
      const seen = JSON.parse(String(await call("all__get-env"))) as Record<string, string>;
      const allowed = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TOOL_KEY"];
      expect(Object.keys(seen).filter((name) => !allowed.includes(name))).toEqual([]);
      expect(seen.TOOL_KEY).toBe("[hidden]");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("of the filesystem server keep to their folder: a path outside is an error for the model", async () => {
    writeFileSync(join(folder, "facts.txt"), "The answer is 42.");
    await checked(filesystem(folder));
    expect(await call("files__read_text_file", { path: join(folder, "facts.txt") })).toBe("The answer is 42.");
    const outside = await failure("files__read_text_file", { path: "/etc/passwd" });
    expect(outside).toBeInstanceOf(ToolError);
    expect(outside.message).toMatch(/outside allowed directories/);
    expect(await tool("files__read_text_file")).toMatchObject({ sideEffect: "read" });
    expect(await tool("files__write_file")).toMatchObject({ sideEffect: "external" });
    expect((await toolset("files__no_such_tool")).missing).toHaveLength(1);
  });

  test("never say a secret: not in results, errors, descriptions or rows", async () => {
    const id = await checked({ ...odd, secrets: { TOOL_KEY: KEY } });
    const revealed = await call("files__reveal");
    expect(revealed).toMatch(/^\[hidden\] and \[hidden\]/);
    expect((await failure("files__fail")).message).toBe("The far side refused [hidden].");
    expect((await failure("files__die")).message).toMatch(/Its last words: out of order, key \[hidden\]/);
    expect((await tool("files__reveal")).description).toBe("Knows [hidden].");
    const { rows } = await pool().query<{ row: string }>("select s::text as row from tool_servers s where id = $1", [
      id,
    ]);
    const text = JSON.stringify([rows, revealed]);
    for (const form of [KEY, Buffer.from(KEY).toString("base64"), Buffer.from(KEY).toString("hex")]) {
      expect(text).not.toContain(form);
    }
  });

  test("of a program that dies are errors, and the next call starts it again", async () => {
    await checked({ ...odd });
    const first = Number(await call("files__pid"));
    const reading = await failure("files__die");
    expect(reading.message).toMatch(/“files” ended before it answered\. Its last words: out of order/);
    // The engine asks a person about a call that writes: nobody can tell whether it acted.
    expect(await failure("files__die_writing")).not.toBeInstanceOf(ToolError);
    const second = Number(await call("files__pid"));
    expect(second).not.toBe(first);
    process.kill(second, "SIGKILL");
    await expect.poll(() => call("files__pid").catch(() => second)).not.toBe(second);
  });

  test("of a program killed in the middle of a call end that call only", async () => {
    const log = join(folder, "hang.log");
    await checked({ ...odd, secrets: { TOOL_LOG: log } });
    const pid = Number(await call("files__pid"));
    const hanging = failure("files__hang");
    await expect.poll(() => readFileSync(log, "utf8")).toContain("hang");
    process.kill(pid, "SIGKILL");
    expect((await hanging).message).toMatch(/ended before it answered/);
    expect(await call("files__pid")).not.toBe(String(pid));
  });

  test("that hang are given up when the signal says so, and the server is told", async () => {
    const log = join(folder, "cancelled.log");
    await checked({ ...odd, secrets: { TOOL_LOG: log } });
    await call("files__note");
    const stop = new AbortController();
    const hanging = failure("files__hang", {}, stop.signal);
    await expect.poll(() => readFileSync(log, "utf8")).toContain("hang");
    stop.abort(new Error("stopped by a person"));
    expect((await hanging).message).toMatch(/stopped by a person/);
    await expect.poll(() => readFileSync(log, "utf8")).toContain("hang was cancelled");
    expect(await call("files__note")).toBe("done");
  });

  test("share one program, which ends when nothing holds it", async () => {
    await checked({ ...odd });
    const pids = await Promise.all([call("files__pid"), call("files__pid"), call("files__pid")]);
    expect(new Set(pids).size).toBe(1);
    await toolServerConnections.closeAll();
    expect(() => process.kill(Number(pids[0]), 0)).toThrow(/ESRCH/);
  });

  test("end with the process that started their program, however busy that is", async () => {
    const holder = await bundled("tests/support/tool-server-holder-main.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [holder, ...everything.args], { cwd: root });
    const { pid, answered } = JSON.parse(stdout) as { pid: number; answered: boolean };
    expect(answered).toBe(true);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("come from a new program once the server was changed", async () => {
    const id = await checked({ ...odd });
    const before = await call("files__pid");
    const { url: _, ...reach } = { url: "", ...odd };
    const input = {
      toolServerId: id,
      enabled: true,
      url: "",
      allowPrivateHost: false,
      ...reach,
      args: [...reach.args, "changed"],
    };
    await updateToolServer({ scope: owner, input: { ...input, secrets: [] } });
    const after = await call("files__pid");
    expect(after).not.toBe(before);
    await expect.poll(() => isAlive(Number(before))).toBe(false);
  });

  test("say where a long result was cut", async () => {
    await checked({ ...odd });
    const large = String(await call("files__large"));
    expect(large).toMatch(/^x{200000}\n\[cut here: at least 100000 more characters/);
  });

  describe("over streamable HTTP", () => {
    const allowed = async (server: { url: string; port: number }, secrets: Record<string, string> = {}) => {
      const { workspaceId } = owner;
      await db().allowedHost.create({ data: { workspaceId, host: "127.0.0.1", port: server.port } });
      return checked({ transport: "http", url: server.url, name: "web", secrets });
    };

    test("answer, and go on after the server was started anew", async () => {
      const server = await startEverything();
      await allowed(server);
      expect(await call("web__echo", { message: "one" })).toBe("Echo: one");
      await server.stop();
      const refused = await failure("web__echo", { message: "two" });
      expect(refused).toBeInstanceOf(ToolError);
      expect(refused.message).toBe(
        `Nobody answers at 127.0.0.1:${server.port}. Check the address, and that the server runs.`,
      );
      const again = await startEverything(server.port);
      expect(await call("web__echo", { message: "three" })).toBe("Echo: three");
      await again.stop();
      // The session of the connection that is still kept is unknown to this one.
      const third = await startEverything(server.port);
      expect(await call("web__echo", { message: "four" })).toBe("Echo: four");
      await third.stop();
    });

    test("end with an error when the server dies in the middle of a call", async () => {
      const server = await startHangingServer();
      await allowed(server);
      const lost = failure("web__hang");
      await server.called;
      await server.stop();
      const error = await lost;
      expect(error).not.toBeInstanceOf(ToolError);
      expect(error.message).toBe("The tool server “web” went away before it answered.");
    });

    test("call no private host that no owner allowed", async () => {
      const server = await startEverything();
      const tools = [{ name: "echo", inputSchema: { type: "object" } }];
      await aToolServer(db(), owner.workspaceId, { transport: "http", url: server.url, name: "web", tools });
      const refused = await failure("web__echo", { message: "x" });
      expect(refused).toBeInstanceOf(ToolError);
      expect(refused.message).toMatch(/on a private network. An owner must allow this host/);
      await server.stop();
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // One whose parent has ended stays in the table until the system's first process collects it.
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}
