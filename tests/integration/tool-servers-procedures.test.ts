import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { env } from "@/server/env";
import { mcpTools } from "@/server/mcp/mcp-tools";
import type { SetToolPolicyInput } from "@/server/tool-servers/schema";
import { type ToolPolicy, toolPolicy } from "@/server/tools/tool-policy";
import { createInnerContext } from "@/server/trpc/context";
import { appRouter } from "@/server/trpc/root";
import type { Role, Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, anAgent, aWorkspace } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

const KEY = "sk-very-secret-key-0123456789";
const NOT_FOUND = { code: "NOT_FOUND" };
const web = { transport: "http", url: "https://tools.example.test/mcp", command: "" } as const;
const program = { transport: "stdio", url: "", command: "no-such-program" } as const;

describe.each(DATABASE_KINDS)("the procedures of tool servers on the %s database", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  let folder: string;
  beforeAll(async () => {
    env().SECRETS_KEY = "a key for tests that is long enough, really";
    folder = await mkdtemp(join(tmpdir(), "troupe-test-"));
    owner = await aMember(db(), await aWorkspace(db()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const as = ({ userId, userName }: Scope) =>
    appRouter.createCaller(createInnerContext({ user: { id: userId, name: userName, email: "a@example.test" } }))
      .toolServers;
  const anew = async () => as(await aMember(db(), await aWorkspace(db())));
  const problemOf = (refused: Promise<unknown>) =>
    refused.then(
      () => expect.fail("it was taken"),
      (error: { cause?: { issues?: { path: PropertyKey[]; message: string }[] }; message: string }) => {
        const [issue] = error.cause?.issues ?? [];
        return issue ? `${issue.path.join(".")}: ${issue.message}` : error.message;
      },
    );

  test.each<Role>(["viewer", "operator", "editor"])("a %s sees them and changes nothing", async (role) => {
    const server = await as(owner).create({ name: `for-${role}`, ...program });
    const caller = as(await aMember(db(), owner.workspaceId, role));
    expect((await caller.list()).map(({ name }) => name)).toContain(`for-${role}`);
    const toolServerId = server.id;
    for (const refused of [
      () => caller.create({ name: "mine", ...program }),
      () => caller.create({ name: "mine", ...web }),
      () => caller.update({ toolServerId, enabled: false, ...program }),
      () => caller.setToolEffect({ toolServerId, tool: "a", effect: "reads" }),
      () => caller.setToolPolicy({ toolServerId, tool: "a", policy: null }),
      () => caller.check({ toolServerId }),
      () => caller.remove({ toolServerId }),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    expect((await as(owner).list()).find(({ id }) => id === toolServerId)).toEqual(server);
  });

  test("saving starts nothing, on create and on update; only a test does", async () => {
    const mark = join(folder, "started");
    const script = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "x")`;
    const starts = { ...program, command: process.execPath, args: ["-e", script] };
    const caller = await anew();
    const { id: toolServerId } = await caller.create({ name: "marks", ...starts });
    await caller.update({ toolServerId, enabled: true, ...starts });
    await caller.list();
    expect(existsSync(mark)).toBe(false);
    await caller.check({ toolServerId });
    expect(existsSync(mark)).toBe(true);
  });

  test("secrets are sealed, and only their names come back", async () => {
    const caller = await anew();
    const saved = await caller.create({ name: "web", ...web, secrets: [{ name: "Authorization", value: KEY }] });
    expect(saved.secretNames).toEqual(["Authorization"]);
    const { rows } = await pool().query<{ row: string }>("select s::text as row from tool_servers s where id = $1", [
      saved.id,
    ]);
    expect(JSON.stringify([saved, rows, await caller.list()])).not.toContain(KEY);
    const { secretSealed } = await db().toolServer.findUniqueOrThrow({ where: { id: saved.id } });
    expect(secretSealed).toMatch(/^v1\./);
  });

  test("a secret without a value keeps the stored one, but does not go to another address or program", async () => {
    const caller = await anew();
    const { id: toolServerId } = await caller.create({
      ...{ name: "web", ...web },
      secrets: [{ name: "Authorization", value: KEY }],
    });
    const sealed = async () => (await db().toolServer.findUniqueOrThrow({ where: { id: toolServerId } })).secretSealed;
    const before = await sealed();
    const kept = { toolServerId, enabled: true, secrets: [{ name: "Authorization", value: null }] };
    await caller.update({ ...kept, ...web, url: "https://tools.example.test/other" });
    expect(await sealed()).toBe(before);
    for (const elsewhere of [
      { ...web, url: "https://evil.example.test/mcp" },
      { ...web, url: "http://tools.example.test/mcp" },
    ]) {
      expect(await problemOf(caller.update({ ...kept, ...elsewhere }))).toMatch(/Enter Authorization again/);
    }
    expect(await problemOf(caller.update({ ...kept, ...program, secrets: [{ name: "A", value: null }] }))).toMatch(
      /Enter A again/,
    );
    expect(await problemOf(caller.update({ ...kept, ...web, secrets: [{ name: "X-Other", value: null }] }))).toBe(
      "X-Other has no stored value. Enter one.",
    );
    expect(await sealed()).toBe(before);
    const npx = { ...program, command: "npx", args: ["-y", "a-server"] };
    await caller.update({ ...kept, ...npx, secrets: [{ name: "A", value: KEY }] });
    const another = { ...kept, ...npx, args: ["-y", "another-server"], secrets: [{ name: "A", value: null }] };
    expect(await problemOf(caller.update(another))).toMatch(/Enter A again/);
    await caller.update({ ...another, args: npx.args });
    expect((await caller.update({ ...kept, ...web, secrets: [] })).secretNames).toEqual([]);
    expect(await sealed()).toBeNull();
  });

  test("a change of how it is reached counts as not tested; turning it off does not", async () => {
    const caller = await anew();
    const { id: toolServerId } = await caller.create({ name: "odd", ...program });
    await caller.check({ toolServerId });
    const off = await caller.update({ toolServerId, ...program, enabled: false });
    expect(off).toMatchObject({ enabled: false, checkedAt: expect.any(String), checkError: expect.any(String) });
    const changed = await caller.update({ toolServerId, ...program, args: ["more"], enabled: true });
    expect(changed).toMatchObject({ args: ["more"], checkedAt: null, checkError: null });
  });

  test("bad input is refused beside its field, and nothing is kept of it", async () => {
    const caller = await anew();
    const refused = async (input: object, problem: string | RegExp) =>
      expect(await problemOf(caller.create({ name: "bad", ...web, ...input }))).toMatch(problem);
    await refused({ name: "Bad name" }, /^name: Small letters, digits and hyphens/);
    await refused({ name: "docs" }, /^name: This name is taken by Troupe's own tools/);
    for (const url of ["", "tools", "file:///etc/passwd", "gopher://a.test/", "data:text/plain,x", "http://"]) {
      await refused({ url }, /^url: A web address/);
    }
    await refused({ url: "https://ada:secret@a.test/mcp" }, /^url: Put the user name and password into a header/);
    await refused({ command: "npx" }, /^command: A server at an address has no command/);
    await refused({ ...program, command: " " }, /^command: Name the program/);
    await refused({ ...program, url: web.url }, /^url: A program has no address/);
    await refused({ ...program, args: ["a\0b"] }, /^command: Leave out the NUL/);
    await refused({ secrets: [{ name: "Bad Header", value: "x" }] }, /^secrets.0.name: A header name/);
    await refused({ secrets: [{ name: "Host", value: "x" }] }, /^secrets.0.name: Host is set by Troupe/);
    await refused({ secrets: [{ name: "A", value: "x\r\nB: y" }] }, /^secrets.0.value: One line/);
    await refused({ secrets: [{ name: "A", value: null }] }, /^secrets.0.value: Give it a value/);
    await refused({ secrets: ["A", "a"].map((name) => ({ name, value: "x" })) }, /^secrets.1.name: a is there twice/);
    await refused({ ...program, secrets: [{ name: "A-B", value: "x" }] }, /^secrets.0.name: A variable name/);
    await refused({ url: "https://a../" }, /Only web addresses/);
    await refused({ extra: 1 }, /Unrecognized key/);
    expect(await caller.list()).toEqual([]);
    await caller.create({ name: "bad", ...web });
    await refused({ url: "https://b.test/", allowPrivateHost: true }, /already a tool server called “bad”/);
    expect(await caller.list()).toMatchObject([{ url: web.url, privateHostAllowed: false }]);
  });

  test("an owner's word allows a private host for this workspace", async () => {
    const caller = await anew();
    const url = "http://10.1.2.3:8080/mcp";
    expect(await caller.create({ name: "one", ...web, url })).toMatchObject({ privateHostAllowed: false });
    expect(await caller.create({ name: "two", ...web, url, allowPrivateHost: true })).toMatchObject({
      privateHostAllowed: true,
    });
    expect((await caller.list()).map(({ privateHostAllowed }) => privateHostAllowed)).toEqual([true, true]);
    const other = await anew();
    expect(await other.create({ name: "one", ...web, url })).toMatchObject({ privateHostAllowed: false });
  });

  test("the word is taken back with the tick, with the address and with the server, once nobody else needs it", async () => {
    const member = await aMember(db(), await aWorkspace(db()));
    const caller = as(member);
    const reach = { ...web, url: "http://10.1.2.3:8080/mcp" };
    const allowed = async () =>
      (await db().allowedHost.findMany({ where: { workspaceId: member.workspaceId } })).map(({ host }) => host);
    const [one, two] = [
      await caller.create({ name: "one", ...reach, allowPrivateHost: true }),
      await caller.create({ name: "two", ...reach, allowPrivateHost: true }),
    ];
    await caller.remove({ toolServerId: one.id });
    expect(await allowed()).toEqual(["10.1.2.3"]);
    const update = { toolServerId: two.id, enabled: true };
    expect(await caller.update({ ...update, ...reach })).toMatchObject({ privateHostAllowed: false });
    expect(await allowed()).toEqual([]);
    await caller.update({ ...update, ...reach, allowPrivateHost: true });
    await caller.update({ ...update, ...web, url: "http://10.9.9.9/mcp", allowPrivateHost: true });
    expect(await allowed()).toEqual(["10.9.9.9"]);
    await caller.update({ ...update, ...web, url: "http://8.8.8.8/mcp", allowPrivateHost: true });
    expect(await allowed()).toEqual([]);
    await caller.update({ ...update, ...reach, allowPrivateHost: true });
    await caller.remove({ toolServerId: two.id });
    expect(await allowed()).toEqual([]);
  });

  test("an owner's word on what writes counts until it is taken back", async () => {
    const caller = await anew();
    const { id: toolServerId } = await caller.create({ name: "odd", ...program });
    const tools = [{ name: "look", annotations: { readOnlyHint: true } }, { name: "do" }];
    await db().toolServer.update({ where: { id: toolServerId }, data: { tools } });
    const set = async (tool: string, effect: "reads" | "writes" | "as-stated") =>
      (await caller.setToolEffect({ toolServerId, tool, effect })).tools.map(({ writes, override }) => ({
        writes,
        override,
      }));
    const [look, act] = [
      { writes: false, override: null },
      { writes: true, override: null },
    ];
    expect(await set("look", "writes")).toEqual([{ writes: true, override: "writes" }, act]);
    const [both] = await Promise.all([set("do", "reads"), set("look", "as-stated")]);
    expect(both[1]).toEqual({ writes: false, override: "reads" });
    expect(await set("look", "as-stated")).toEqual([look, { writes: false, override: "reads" }]);
    await expect(set("nothing", "reads")).rejects.toMatchObject(NOT_FOUND);
  });

  test("how a tool is called is an owner's word, over what the server says, until it is taken back", async () => {
    const member = await aMember(db(), await aWorkspace(db()));
    const caller = as(member);
    const { id: toolServerId } = await caller.create({ name: "odd", ...program });
    const tools = [{ name: "put", annotations: { idempotentHint: true } }, { name: "send" }];
    await db().toolServer.update({ where: { id: toolServerId }, data: { tools } });
    const set = async (tool: string, policy: SetToolPolicyInput["policy"]) =>
      (await caller.setToolPolicy({ toolServerId, tool, policy })).tools.map(({ policy: said, hasOwnPolicy }) => ({
        ...said,
        hasOwnPolicy,
      }));
    const asStated = (hint: "none" | "optional") => ({
      ...toolPolicy.parse({ idempotency: { hint } }),
      hasOwnPolicy: false,
    });
    const own = toolPolicy.parse({
      timeoutMs: 5000,
      idempotency: { hint: "required", strategy: "explicit", fields: ["order.id"], ttlSeconds: 86_400 },
    });
    expect(await set("send", own)).toEqual([asStated("optional"), { ...own, hasOwnPolicy: true }]);
    await Promise.all([set("put", toolPolicy.parse({})), set("send", null)]);
    expect(await set("send", null)).toEqual([{ ...toolPolicy.parse({}), hasOwnPolicy: true }, asStated("none")]);
    await expect(set("nothing", null)).rejects.toMatchObject(NOT_FOUND);

    // Written by a later version: it must not be called in another way than it says.
    await db().toolServer.update({ where: { id: toolServerId }, data: { policies: { put: { later: true } } } });
    await set("send", own);
    const { tools: found, missing } = await mcpTools(pool(), member.workspaceId, ["odd__put", "odd__send"]);
    expect([...found.values()]).toMatchObject([{ name: "odd__send", timeoutMs: 5000, idempotency: "required" }]);
    expect(missing).toEqual([
      "The tool “odd__put” cannot be used: What an owner said of how put is called cannot be read. Save it again.",
    ]);
  });

  test("a setting that could not be kept is refused, and says why", async () => {
    const caller = await anew();
    const { id: toolServerId } = await caller.create({ name: "odd", ...program });
    await db().toolServer.update({ where: { id: toolServerId }, data: { tools: [{ name: "send" }] } });
    const refusal = (idempotency: object, timeoutMs = 60_000) =>
      problemOf(caller.setToolPolicy({ toolServerId, tool: "send", policy: { timeoutMs, idempotency } as ToolPolicy }));
    for (const strategy of ["none", "uuid"])
      expect(await refusal({ hint: "required", strategy })).toMatch(/A required key must be the same/);
    expect(await refusal({ strategy: "explicit" })).toMatch(/Name at least one argument/);
    expect(await refusal({ strategy: "explicit", fields: ["a", "a"] })).toMatch(/there twice/);
    expect(await refusal({ strategy: "explicit", fields: ["a..b"] })).toMatch(/joined by dots/);
    expect(await refusal({}, 999)).toMatch(/1000/);
    expect(await refusal({}, 30 * 60_000 + 1)).toMatch(/1800000/);
    expect(await refusal({ ttlSeconds: 0 })).toMatch(/1/);
    expect((await caller.list())[0]?.tools).toMatchObject([{ hasOwnPolicy: false }]);
  });

  test("removing one says which agents name its tools, drafts and published ones", async () => {
    const member = await aMember(db(), await aWorkspace(db()));
    const caller = as(member);
    const { id: toolServerId } = await caller.create({ name: "odd", ...program, secrets: [{ name: "A", value: KEY }] });
    const uses = { tools: ["odd__look", "docs__search"] };
    const published = await anAgent(db(), member.workspaceId, { name: "Published", ...uses });
    await db().agent.update({ where: { id: published.agentId }, data: { draft: { tools: [] } } });
    await anAgent(db(), member.workspaceId, { name: "Drafted", ...uses });
    const gone = await anAgent(db(), member.workspaceId, { name: "Deleted", ...uses });
    await db().agent.update({ where: { id: gone.agentId }, data: { archivedAt: new Date() } });
    await anAgent(db(), member.workspaceId, { name: "Other", tools: ["odder__look"] });
    const names = ({ usedBy }: { usedBy: { name: string }[] }) => usedBy.map(({ name }) => name);
    expect((await caller.list()).map(names)).toEqual([["Drafted", "Published"]]);
    expect(names(await caller.remove({ toolServerId }))).toEqual(["Drafted", "Published"]);
    expect(await caller.list()).toEqual([]);
  });

  test("another workspace's tool servers do not exist", async () => {
    const { id: toolServerId } = await as(owner).create({ name: "ours", ...program });
    const caller = await anew();
    expect(await caller.list()).toEqual([]);
    await expect(caller.check({ toolServerId })).rejects.toMatchObject(NOT_FOUND);
    await expect(caller.remove({ toolServerId })).rejects.toMatchObject(NOT_FOUND);
    await expect(caller.update({ toolServerId, enabled: false, ...program })).rejects.toMatchObject(NOT_FOUND);
    await expect(caller.setToolEffect({ toolServerId, tool: "a", effect: "reads" })).rejects.toMatchObject(NOT_FOUND);
    await expect(caller.setToolPolicy({ toolServerId, tool: "a", policy: null })).rejects.toMatchObject(NOT_FOUND);
  });

  test("without a key to seal with, secrets are refused and servers without any are not", async () => {
    const caller = await anew();
    const key = env().SECRETS_KEY;
    env().SECRETS_KEY = undefined;
    try {
      expect(await problemOf(caller.create({ name: "a", ...web, secrets: [{ name: "A", value: KEY }] }))).toMatch(
        /SECRETS_KEY is not set/,
      );
      expect(await caller.list()).toEqual([]);
      expect((await caller.create({ name: "a", ...web })).name).toBe("a");
    } finally {
      env().SECRETS_KEY = key;
    }
  });
});
