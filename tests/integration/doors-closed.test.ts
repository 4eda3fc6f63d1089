import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "@/server/trpc/root";
import { FORM_SAMPLES, listProcedures, outcomeOf, type Procedure, sampleInput, send } from "../support/procedures";
import { createOwner, type Product, startProduct } from "../support/product";

/** Doors that answer somebody without a session. Each has a reason; adding one is a decision to review. */
const PUBLIC_PROCEDURES = new Map([
  ["users.createOwner", "makes the first person, and refuses once there is one"],
  ["members.lookAtInvite", "whoever holds the link has no account yet; the token is what is asked for"],
  ["members.acceptInvite", "makes the account of whoever holds the link, once"],
]);
const PUBLIC_ROUTES = new Map([
  ["/api/trpc/[trpc]", "each procedure guards itself; all of them are tried below"],
  ["/api/auth/[...auth]", "signing in and out; its doors are tried below"],
  ["/healthz/live", "says only that the process answers; launchers ask it"],
  ["/healthz/ready", "says in a word each how database, schema and worker stand; proxies ask it"],
]);

const root = fileURLToPath(new URL("../..", import.meta.url));
const id = "01900000-0000-7000-8000-000000000000";
const SAMPLES = {
  ...FORM_SAMPLES,
  ...{ runId: id, agentRunId: id, decisionId: id, requestId: id, teamId: id },
  ...{ agentId: id, conversationId: id, rerunOfId: id, providerId: id, modelId: id, toolServerId: id },
  ...{ leftRunId: id, rightRunId: id },
  ...{ userId: id, inviteId: id, assigneeId: id },
  ...{ deadLetterId: id, deadLetterIds: [id], runIds: [id], viewId: id, linkId: id, feedbackId: id, webhookId: id },
  ...{ deliveryId: id, fileId: id },
  ...{ baseId: id, documentId: id, baseIds: [id], documentIds: [id] },
  ...{ baseUrl: "https://1.1.1.1/v1", model: null, kind: "chat", contextTokens: null },
  ...{ inputNanoUsdPerMtok: null, outputNanoUsdPerMtok: null },
  ...{ position: 0, input: "Look it up.", answer: "Yes.", title: "A title", text: "Look again." },
  ...{ name: "Eve", email: "eve@example.test", password: "long enough to pass" },
};

/** Headers and paths that have talked a framework out of its own gate before. */
const BYPASS_HEADERS: Record<string, string>[] = [
  { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { "x-middleware-subrequest": "src/middleware:src/middleware:src/middleware:src/middleware:src/middleware" },
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
  { "x-middleware-next": "1", "x-middleware-rewrite": "/" },
  { "x-middleware-invoke": "1", "x-invoke-path": "/", "x-invoke-status": "200" },
  { "x-middleware-override-headers": "cookie", "x-middleware-request-cookie": "troupe.session=x" },
  { rsc: "1", "next-router-state-tree": "%5B%22%22%5D", "next-url": "/" },
  { "next-router-prefetch": "1", purpose: "prefetch" },
  { "x-nextjs-data": "1" },
  { "x-http-method-override": "GET", "x-method-override": "GET" },
  { "x-original-url": "/", "x-rewrite-url": "/" },
  { "x-forwarded-host": "localhost", "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1" },
  { authorization: "Bearer null" },
  { authorization: "Basic YWRhOmFkYQ==" },
  { "x-user-id": id, "x-workspace-id": id, "x-role": "owner" },
];

describe("doors without a session", () => {
  let product: Product;
  let procedures: Procedure[];
  let guarded: Procedure[];
  beforeAll(async () => {
    product = await startProduct("embedded");
    await createOwner(product.visitor());
    procedures = listProcedures(appRouter);
    guarded = procedures.filter(({ path }) => !PUBLIC_PROCEDURES.has(path));
  });
  afterAll(() => product?.stop());

  test("every procedure asks who is there, but for the reviewed ones", async () => {
    expect(guarded.length).toBeGreaterThan(10);
    for (const procedure of guarded) {
      const answer = await outcomeOf(await send(product.visitor(), procedure, sampleInput(procedure, SAMPLES)));
      expect({ path: procedure.path, status: answer.status }).toEqual({ path: procedure.path, status: 401 });
      expect(answer.body).toContain("NOT_SIGNED_IN");
      expect(answer.body).not.toMatch(/node_modules|\.ts:|stack/);
    }
  });

  test("the reviewed procedures exist, so that the list cannot outlive them", () => {
    const paths = procedures.map(({ path }) => path);
    for (const path of PUBLIC_PROCEDURES.keys()) expect(paths).toContain(path);
  });

  test("what a procedure says without a session does not depend on the input", async () => {
    for (const procedure of guarded) {
      for (const input of [{}, { id: 1 }, null]) {
        expect((await outcomeOf(await send(product.visitor(), procedure, input))).status).toBe(401);
      }
    }
  });

  test("a public call in a batch opens nothing for its neighbours", async () => {
    const batch = { 0: { json: {} }, 1: { json: {} }, 2: { json: {} } };
    const paths = "users.createOwner,runs.start,requests.answer";
    const response = await product.visitor().post(`/api/trpc/${paths}?batch=1`, batch);
    const answers = (await response.json()) as { error: { json: { data: { code: string } } } }[];
    expect(answers.map(({ error }) => error.json.data.code)).toEqual(["INVALID", "NOT_SIGNED_IN", "NOT_SIGNED_IN"]);
  });

  test("HEAD, OPTIONS and the other methods are no way in", async () => {
    for (const { path, type } of procedures) {
      for (const method of ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"]) {
        const response = await product.visitor().fetch(`/api/trpc/${path}`, { method });
        expect({ path, method, status: response.status }).toEqual({ path, method, status: 405 });
        expect(response.headers.get("access-control-allow-origin")).toBeNull();
      }
      const wrongWay = type === "mutation" ? "GET" : "POST";
      const body = wrongWay === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
      const response = await product.visitor().fetch(`/api/trpc/${path}`, { method: wrongWay, ...body });
      const { status } = await outcomeOf(response);
      expect([400, 401, 405], `${wrongWay} ${path}`).toContain(status);
    }
  });

  test("every route refuses strangers, but for the reviewed ones", async () => {
    const patterns = product.web.routes.map(({ pattern }) => pattern);
    for (const pattern of PUBLIC_ROUTES.keys()) expect(patterns).toContain(pattern);
    for (const { pattern, handlers } of product.web.routes) {
      if (PUBLIC_ROUTES.has(pattern)) continue;
      const path = pattern.replaceAll(/\[(\.\.\.)?[^\]]+\]/g, id);
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const response = await product.visitor().fetch(path, { method });
        const expected = method in handlers ? [401, 405] : [405, 401, 204];
        expect(expected, `${method} ${path}`).toContain(response.status);
        expect(await response.text()).not.toContain("data");
      }
    }
  });

  test("of the auth library only three doors are open", async () => {
    expect((await product.visitor().fetch("/api/auth/csrf")).status).toBe(200);
    const shut = ["session", "providers", "signin", "signout", "error", "verify-request", "callback/credentials"];
    for (const action of [...shut, "signin/credentials", "webauthn-options/x", "callback/x", "csrf/x", ""]) {
      const { status } = await product.visitor().fetch(`/api/auth/${action}`);
      expect({ action, status }).toEqual({ action, status: 404 });
    }
    for (const action of ["session", "signin", "signin/credentials", "callback", "callback/oidc", "csrf"]) {
      const { status } = await product.visitor().post(`/api/auth/${action}`, {});
      expect({ action, status }).toEqual({ action, status: 404 });
    }
    for (const method of ["HEAD", "OPTIONS", "PUT", "DELETE"]) {
      expect((await product.visitor().fetch("/api/auth/csrf", { method })).status).toBe(405);
    }
  });

  test("pages of other sites can neither call nor read", async () => {
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      const visitor = product.visitor();
      expect((await visitor.post("/api/trpc/users.createOwner", { json: {} }, headers)).status).toBe(403);
      expect((await visitor.fetch("/api/trpc/workspace.me", { headers })).status).toBe(403);
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]) {
      const headers = { "content-type": type };
      const response = await product.visitor().fetch("/api/trpc/runs.start", { method: "POST", headers, body: "{}" });
      expect({ type, status: response.status }).toEqual({ type, status: 415 });
    }
  });

  test("there is no middleware that could be skipped: proxy.ts only adds headers to pages", () => {
    for (const name of ["middleware", "proxy"]) {
      for (const folder of ["", "src", "app"]) {
        for (const extension of ["ts", "tsx", "js", "mjs", "cjs"]) {
          const path = join(root, folder, `${name}.${extension}`);
          expect(existsSync(path), path).toBe(path === join(root, "proxy.ts"));
        }
      }
    }
    // Whatever it answered by itself would be a door with rules of its own.
    const source = readFileSync(join(root, "proxy.ts"), "utf8");
    expect(source).toContain("NextResponse.next(");
    expect(source).not.toMatch(/redirect|rewrite|new (Next)?Response|Response\.json|cookies|session/i);
    const [, matcher = ""] = /matcher: \["([^"]+)"\]/.exec(source) ?? [];
    const isMatched = (path: string) => new RegExp(`^${matcher.replaceAll("\\\\", "\\")}$`).test(path);
    expect(isMatched("/runs")).toBe(true);
    expect(["/api/trpc/runs.list", "/api/upload", "/healthz/ready"].filter(isMatched)).toEqual([]);
  });

  test.each(BYPASS_HEADERS.map((headers) => [JSON.stringify(headers), headers] as const))(
    "the headers %s change nothing",
    async (_, headers) => {
      const visitor = product.visitor();
      const follow = "/api/trpc/live.follow?input=%7B%22json%22%3A%7B%7D%7D";
      for (const response of [
        await visitor.fetch("/api/trpc/workspace.me", { headers }),
        await visitor.fetch(follow, { headers }),
        await visitor.post("/api/trpc/runs.start", { json: {} }, headers),
      ]) {
        expect((await outcomeOf(response)).status).toBe(401);
      }
    },
  );

  test.each([
    "/api/trpc/workspace%2Eme",
    "/api/trpc/workspace.me/",
    "/api/trpc//workspace.me",
    "/api/trpc/./workspace.me",
    "/api/trpc/x/../workspace.me",
    "/api/trpc/workspace.me%00",
    "/api/trpc/workspace.me%2f",
    "/api/trpc/workspace.me;a=b",
    "/api/trpc/workspace.me,workspace.me?batch=1",
    "/api/trpc/__proto__.me",
    "/api/trpc/constructor",
    "/api/trpc/workspace.__proto__.me",
    "/API/TRPC/workspace.me",
    "/en/api/trpc/workspace.me",
    "/_next/data/build/api/trpc/workspace.me.json",
    "/api/trpc/workspace.me.rsc",
    "/api/trpc/workspace.me?_method=GET&_rsc=1",
  ])("the path %s leads nowhere new", async (path) => {
    const { status } = await product.visitor().fetch(path);
    expect([400, 401, 404]).toContain(status);
  });
});
