import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "@auth/core/jwt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "@/server/env";
import { storeRun } from "@/server/runs/store-run";
import { provenWorkspace } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aTeam, aWorkspace } from "../support/factories";
import { eventually } from "../support/launcher-process";
import { callTrpc, createOwner, OWNER, type Product, queryTrpc, readTrpc, startProduct } from "../support/product";
import type { Visitor } from "../support/web";

type Listed = { name: string; problem: string | null; reason: string; key: string };
type View = { backups: Listed[]; taking: unknown; failure: string | null; restore: { state: string } | null };

describe.each(DATABASE_KINDS)("the system page (%s)", (kind) => {
  let product: Product;
  let dataDirectory: string;
  let owner: Visitor;
  /** Look as if they might, but may not: a viewer here, an owner of another workspace, and nobody at all. */
  let others: { who: string; visitor: Visitor; status: number }[];
  beforeAll(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), "troupe-system-"));
    product = await startProduct(kind, { DATA_DIR: dataDirectory });
    owner = product.visitor();
    await createOwner(owner);
    await owner.signIn(OWNER.email, OWNER.password);
    const { id } = await product.db.workspace.findFirstOrThrow({ select: { id: true } });
    const viewer = await aMember(product.db, provenWorkspace(id), "viewer");
    const second = await aMember(product.db, await aWorkspace(product.db, "Second"), "owner");
    others = [
      { who: "a viewer", visitor: await signedIn(viewer.userId), status: 403 },
      { who: "an owner of a second workspace", visitor: await signedIn(second.userId), status: 403 },
      { who: "nobody", visitor: product.visitor(), status: 401 },
    ];
  });
  afterAll(async () => {
    await product?.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  async function signedIn(userId: string): Promise<Visitor> {
    const visitor = product.visitor();
    const salt = "troupe.session";
    const token = await encode({ token: { sub: userId }, salt, secret: env().AUTH_SECRET ?? "" });
    visitor.cookies.set(salt, token);
    return visitor;
  }

  const view = async () => (await readTrpc(await queryTrpc(owner, "system.backups"))).data as View;

  async function backUp(): Promise<Listed> {
    const before = (await view()).backups.length;
    expect((await callTrpc(owner, "system.backUp", {})).status).toBe(200);
    const after = await eventually("the backup", async () => {
      const now = await view();
      expect(now.failure).toBeNull();
      return now.taking === null && now.backups.length > before ? now : null;
    });
    const newest = after?.backups[0];
    if (!newest) throw new Error("no backup is listed");
    return newest;
  }

  const send = (visitor: Visitor, body: BodyInit, headers: Record<string, string> = {}) =>
    visitor.fetch("/api/backups", {
      method: "POST",
      headers: { "content-type": "application/octet-stream", ...headers },
      body,
    });

  test("is shut to everybody but owners of the first workspace, and says so to members", async () => {
    const { name } = await backUp();
    for (const { who, visitor, status } of others) {
      for (const path of ["system.health", "system.backups"]) {
        expect({ who, path, status: (await queryTrpc(visitor, path)).status }).toEqual({ who, path, status });
      }
      const calls: [string, unknown][] = [
        ["system.backUp", {}],
        ["system.test", { what: "providers" }],
        ["system.checkBackup", { name }],
        ["system.deleteBackup", { name }],
        ["system.restore", { name, workspaceName: OWNER.workspaceName }],
      ];
      for (const [path, input] of calls) {
        expect({ who, path, status: (await callTrpc(visitor, path, input)).status }).toEqual({ who, path, status });
      }
      expect((await visitor.fetch(`/api/backups/${name}`)).status).toBe(status);
      expect((await send(visitor, "x")).status).toBe(status);
    }
    const whyNot = others.slice(0, 2).map(async ({ visitor }) => {
      const { data } = await readTrpc(await queryTrpc(visitor, "system.access"));
      return (data as { whyNot: string | null }).whyNot;
    });
    expect(await Promise.all(whyNot)).toEqual([
      expect.stringMatching(/only owners/),
      expect.stringMatching(/first workspace/),
    ]);
    expect((await readTrpc(await queryTrpc(owner, "system.access"))).data).toEqual({ whyNot: null });
    expect((await view()).backups.map((backup) => backup.name)).toContain(name);
    expect(existsSync(join(dataDirectory, "restore.json"))).toBe(false);
  });

  test("a backup is downloaded byte for byte, and comes back by upload only when it is whole", async () => {
    const { name } = await backUp();
    const response = await owner.fetch(`/api/backups/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; .*troupe-backup\.gz/);
    expect(response.headers.get("cache-control")).toContain("no-store");
    const bytes = new Uint8Array(await response.arrayBuffer());

    const uploaded = await send(owner, bytes);
    expect(uploaded.status).toBe(200);
    const { name: newName } = (await uploaded.json()) as { name: string };
    expect((await view()).backups.find((backup) => backup.name === newName)).toMatchObject({
      reason: "uploaded",
      problem: null,
    });
    const check = await readTrpc(await callTrpc(owner, "system.checkBackup", { name: newName }));
    expect(check.status).toBe(200);

    const count = (await view()).backups.length;
    const flipped = bytes.slice();
    flipped[Math.floor(bytes.length / 2)] = (flipped[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff;
    for (const damaged of [flipped, bytes.slice(0, bytes.length - 20), new Uint8Array(0), "not a backup"]) {
      const refused = await send(owner, damaged);
      expect(refused.status).toBe(400);
      expect(((await refused.json()) as { error: { message: string } }).error.message).toMatch(/\.$/);
    }
    expect((await send(owner, bytes, { "content-type": "text/plain" })).status).toBe(415);
    expect((await send(owner, bytes, { origin: "https://evil.example" })).status).toBe(403);
    expect((await view()).backups).toHaveLength(count);
    expect(readdirSync(join(dataDirectory, "backups")).filter((file) => !file.endsWith(".troupe-backup.gz"))).toEqual(
      [],
    );
  });

  test("a name leads to a backup and to nothing else", async () => {
    writeFileSync(join(dataDirectory, "secrets-key"), "not for anybody");
    const names = ["../secrets-key", "..%2Fsecrets-key", "%2e%2e%2fsecrets-key", "secrets-key", ".", "..", "%00"];
    for (const name of [...names, "..%5Csecrets-key", "a.troupe-backup.gz", "x".repeat(300)]) {
      const response = await owner.fetch(`/api/backups/${name}`);
      expect([400, 404, 405], name).toContain(response.status);
      expect(await response.text()).not.toContain("not for anybody");
      const decoded = decodeURIComponent(name);
      const { status } = await callTrpc(owner, "system.deleteBackup", { name: decoded });
      expect([400, 404], name).toContain(status);
    }
    expect(existsSync(join(dataDirectory, "secrets-key"))).toBe(true);
  });

  test("a restore is asked for with the workspace's name, once, and makes the server not ready", async () => {
    const { name } = await backUp();
    const ask = async (input: Record<string, unknown>) =>
      readTrpc(await callTrpc(owner, "system.restore", { name, ...input }));
    expect((await ask({ workspaceName: "Another" })).error?.userMessage).toContain(OWNER.workspaceName);
    expect((await ask({ name: "a.troupe-backup.gz", workspaceName: OWNER.workspaceName })).status).toBe(404);
    expect(existsSync(join(dataDirectory, "restore.json"))).toBe(false);
    expect((await ask({ workspaceName: OWNER.workspaceName })).status).toBe(200);
    expect((await view()).restore).toMatchObject({ state: "requested", name });
    expect((await ask({ workspaceName: OWNER.workspaceName })).status).toBe(409);
    expect((await callTrpc(owner, "system.backUp", {})).status).toBe(409);
    const ready = await product.visitor().fetch("/healthz/ready");
    expect({ status: ready.status, ...((await ready.json()) as object) }).toMatchObject({
      status: 503,
      ok: false,
      checks: { server: "restoring" },
    });
    rmSync(join(dataDirectory, "restore.json"));
  });

  test("health tells strangers a word or a number each, and misses a worker only when told to", async () => {
    const ask = async (path: string) => {
      const response = await product.visitor().fetch(path);
      return { status: response.status, body: await response.json() };
    };
    expect(await ask("/healthz/live")).toEqual({ status: 200, body: { ok: true } });
    const checks = { server: "ok", database: "ok", schema: "ok", worker: "none", queue: { depth: 0, lagMs: 0 } };
    expect(await ask("/healthz/ready")).toEqual({ status: 200, body: { ok: true, checks } });
    expect(await ask("/healthz/ready?worker=required")).toEqual({ status: 503, body: { ok: false, checks } });
    await product.db
      .$executeRaw`INSERT INTO workers (id, host, pid, beat_at) VALUES ('w', 'h', 1, clock_timestamp() + interval '1 minute')`;
    expect((await ask("/healthz/ready?worker=required")).status).toBe(200);

    // Waits for a worker that never comes.
    const since = Date.now();
    const workspaceId = await aWorkspace(product.db, "Third");
    const { userId } = await aMember(product.db, workspaceId, "owner");
    const team = await aTeam(product.db, workspaceId, { agents: [] });
    const { root } = team;
    await storeRun({
      ...{ workspaceId, userId, teamId: team.teamId, teamVersionId: team.teamVersionId, input: "Wait.", model: "none" },
      root: { nodeId: root.teamNodeId, agentVersionId: root.agentVersionId, name: root.name },
    });
    const { queue } = (await ask("/healthz/ready")).body.checks;
    expect(queue).toEqual({ depth: 1, lagMs: expect.any(Number) });
    expect(queue.lagMs).toBeLessThanOrEqual(Date.now() - since + 1_000);
    await product.db.$executeRaw`UPDATE _prisma_migrations SET migration_name = '2999_newer'
      WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`;
    expect(await ask("/healthz/ready")).toMatchObject({ status: 503, body: { checks: { schema: "newer" } } });
  });
});
