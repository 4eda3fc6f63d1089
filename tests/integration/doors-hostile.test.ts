import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "@/server/trpc/root";
import { FORM_SAMPLES, listProcedures, outcomeOf, type Procedure, sampleInput, send } from "../support/procedures";
import { callTrpc, createOwner, OWNER, type Product, readTrpc, startProduct } from "../support/product";
import type { Visitor } from "../support/web";

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

/** Every POST that reads a body, from the one anybody may reach to those behind the session. */
const DOORS = [
  "/api/trpc/users.createOwner",
  "/api/trpc/users.createOwner?batch=1",
  "/api/trpc/runs.start",
  "/api/auth/callback/credentials",
  "/api/auth/signout",
];

const form = (parts: Record<string, string>) =>
  `${Object.entries(parts)
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join("")}--b--\r\n`;
const flight =
  '{"then":"$1:__proto__:then","status":"resolved_model","reason":-1,"value":"{\\"then\\":\\"$B1337\\"}",' +
  '"_response":{"_prefix":"process.exit(3);//","_formData":{"get":"$1:constructor:constructor"}}}';
const ACTION = "40".padEnd(42, "0");
const multipart = { "content-type": "multipart/form-data; boundary=b" };
const json = { "content-type": "application/json" };

/** Bodies made for React's server-function decoder, for JSON readers, and for superjson. */
const BODIES: [string, Record<string, string>, string | Uint8Array<ArrayBuffer>][] = [
  ["a server action by multipart", { ...multipart, "next-action": ACTION }, form({ 0: '["$K1"]', 1: "{}" })],
  ["a Flight prototype walk", { ...multipart, "next-action": "x" }, form({ 0: flight, 1: '"$@0"' })],
  ["a Flight reference loop", { ...multipart, "next-action": "x" }, form({ 0: '"$1"', 1: '"$0"' })],
  ["an action field without JavaScript", multipart, form({ [`$ACTION_ID_${ACTION}`]: "", $ACTION_KEY: "k" })],
  ["a bound action reference", multipart, form({ $ACTION_REF_1: "", "$ACTION_1:0": '{"id":"x","bound":"$@1"}' })],
  ["Flight as JSON", { ...json, "next-action": ACTION }, `[${flight},"$1:__proto__:constructor"]`],
  ["Flight as text", { "content-type": "text/plain;charset=UTF-8", "next-action": ACTION }, '["$undefined"]'],
  ["Flight rows", { "content-type": "text/x-component", rsc: "1" }, '0:["$@1"]\n1:{"then":"$0"}\n'],
  ["nothing", json, ""],
  ["null", json, "null"],
  ["a number", json, "7"],
  ["half an object", json, '{"json":'],
  ["an array of everything", json, '[null,true,"",{},[]]'],
  ["bytes that are no text", json, Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28, 0xf0)],
  ["10,000 levels", json, `${'{"json":'.repeat(10_000)}1${"}".repeat(10_000)}`],
  ["100,000 brackets", json, "[".repeat(100_000)],
  ["prototype keys", json, '{"json":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}'],
  ["superjson paths to the prototype", json, '{"json":{"a":1},"meta":{"values":{"__proto__.polluted":["Date"]}}}'],
  ["superjson into a constructor", json, '{"json":{"a":{}},"meta":{"values":{"a.constructor.prototype.p":["set"]}}}'],
  ["superjson unknown types", json, '{"json":{"a":1},"meta":{"values":{"a":[["class","Function"]]}}}'],
  ["superjson circular", json, '{"json":{"a":null},"meta":{"referentialEqualities":{"a":[""],"":["a"]}}}'],
  ["superjson meta of the wrong shape", json, '{"json":{},"meta":"x"}'],
  ["a bomb of a big integer", json, `{"json":{"a":"${"9".repeat(200_000)}"},"meta":{"values":{"a":["bigint"]}}}`],
  ["two megabytes", json, JSON.stringify({ json: { name: "x".repeat(2_000_000) } })],
];

describe("hostile bodies", () => {
  let product: Product;
  let ada: Visitor;
  beforeAll(async () => {
    product = await startProduct("embedded");
    await createOwner(product.visitor());
    ada = product.visitor();
    await ada.signIn(OWNER.email, OWNER.password);
  });
  afterAll(() => product?.stop());
  afterEach(async () => {
    expect(product.web.crashes).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await ada.fetch("/api/trpc/workspace.me")).status).toBe(200);
    expect(await product.db.user.count()).toBe(1);
  });

  test.each(BODIES)("%s is refused at every door, with and without a session", async (_, headers, body) => {
    for (const door of DOORS) {
      for (const visitor of [product.visitor(), ada]) {
        const response = await visitor.fetch(door, { method: "POST", headers, body });
        // 207: the entries of a batch, each refused.
        const text = await response.text();
        const statuses =
          response.status === 207 ? [...text.matchAll(/"httpStatus":(\d+)/g)].map(([, n]) => Number(n)) : [];
        for (const status of statuses.length > 0 ? statuses : [response.status]) {
          expect(status, `${door}: ${text.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
          expect(status, `${door}: ${text.slice(0, 200)}`).toBeLessThan(500);
        }
        expect(text).not.toMatch(/node_modules|\.ts:\d|at async/);
      }
    }
  });

  test("a body that lies about its length is cut off", async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
    });
    const init = { method: "POST", headers: json, body: endless, duplex: "half" } as RequestInit;
    const outcome = await product
      .visitor()
      .fetch("/api/trpc/users.createOwner", init)
      .then(
        ({ status }) => status,
        () => "connection closed",
      );
    expect([413, "connection closed"]).toContain(outcome);
  });

  test("A49: a batch of ten thousand calls is refused as a whole, as is one that is one call too long", async () => {
    const batchOf = (calls: number, path: string) =>
      product.visitor().post(`/api/trpc/${Array.from({ length: calls }, () => path).join(",")}?batch=1`, {});
    // Names as short as can be: an address of ten thousand whole ones is too long for any request.
    for (const long of [await batchOf(10_000, ""), await batchOf(51, "users.createOwner")]) {
      expect(long.status).toBe(400);
      // One refusal, not one for each call.
      expect(await long.json()).toMatchObject({ error: { json: { data: { code: "INVALID", httpStatus: 400 } } } });
    }
    const taken = await batchOf(50, "users.createOwner");
    expect(await taken.json()).toHaveLength(50);
    expect((await batchOf(10_000, "users.createOwner")).status).toBe(431);
  });

  test("no JSON whatever gets past the public door but as a refusal", async () => {
    const field = fc.constantFrom(
      "name",
      "email",
      "password",
      "workspaceName",
      "setupToken",
      "__proto__",
      "role",
      "id",
    );
    const value = fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (body, wrapped) => {
        const response = await product
          .visitor()
          .post("/api/trpc/users.createOwner", wrapped ? { json: body } : { body });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });
});

describe("fields nobody may set", () => {
  let product: Product;
  let ada: Visitor;
  let procedures: Procedure[];
  beforeAll(async () => {
    product = await startProduct("embedded");
    await createOwner(product.visitor());
    ada = product.visitor();
    await ada.signIn(OWNER.email, OWNER.password);
    procedures = listProcedures(appRouter);
  });
  afterAll(() => product?.stop());

  const EXTRAS = { id, workspaceId: id, tenantId: id, ownerId: id, userId: id, role: "owner", createdAt: "2020-01-01" };

  test("every input refuses keys it does not name", () => {
    const loose = procedures.filter(({ input }) => input && !input.strict).map(({ path }) => path);
    expect(loose).toEqual([]);
    expect(procedures.filter(({ input }) => input).length).toBeGreaterThan(8);
  });

  test.each(Object.entries(EXTRAS))("%s is refused by every procedure that takes input", async (key, value) => {
    for (const procedure of procedures) {
      if (!procedure.input || key in procedure.input.properties) continue;
      const input = { ...sampleInput(procedure, SAMPLES), [key]: value };
      const { status, body } = await outcomeOf(await send(ada, procedure, input));
      expect({ path: procedure.path, status }).toEqual({ path: procedure.path, status: 400 });
      expect(body).toContain(`Unrecognized key: \\"${key}\\"`);
    }
  });

  test("creating the owner with a role, an id or a workspace creates nobody", async () => {
    await product.db.user.deleteMany();
    for (const [key, value] of Object.entries(EXTRAS)) {
      const { status } = await readTrpc(
        await callTrpc(product.visitor(), "users.createOwner", { ...OWNER, [key]: value }),
      );
      expect({ key, status }).toEqual({ key, status: 400 });
    }
    expect(await product.db.user.count()).toBe(0);
  });

  test("the sign-in door takes an address, a password and the page's token, and nothing else", async () => {
    const eve = product.visitor();
    const { csrfToken } = (await (await eve.fetch("/api/auth/csrf")).json()) as { csrfToken: string };
    for (const [key, value] of Object.entries({ ...EXTRAS, callbackUrl: "https://evil.example", json: "true" })) {
      const body = { email: OWNER.email, password: OWNER.password, csrfToken, [key]: value };
      expect((await eve.post("/api/auth/callback/credentials", body)).status).toBe(400);
      expect((await eve.post("/api/auth/signout", { csrfToken, [key]: value })).status).toBe(400);
    }
  });
});

describe("what the doors are built on", () => {
  const sources = ["app", "components", "server", "prisma/seed"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(tsx?|m?js)$/.test(file))
      .map((file) => join(folder, file)),
  );

  test("there are no server actions", () => {
    expect(sources.length).toBeGreaterThan(30);
    const actions = sources.filter((file) => /["'`]use server["'`]/.test(readFileSync(join(root, file), "utf8")));
    expect(actions).toEqual([]);
  });

  // The batch of May 2026; earlier ones let a request body run code in the server (CVE-2025-55182).
  test.each([
    ["next", "16.2.5"],
    ["react", "19.2.6"],
    ["react-dom", "19.2.6"],
  ])("%s is pinned to exactly one version, not older than %s", (name, oldest) => {
    const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
    const pinned: string = read("package.json").dependencies[name];
    expect(pinned).toMatch(/^\d+\.\d+\.\d+$/);
    expect(read(`node_modules/${name}/package.json`).version).toBe(pinned);
    expect(pinned.localeCompare(oldest, "en", { numeric: true })).toBeGreaterThanOrEqual(0);
  });
});
