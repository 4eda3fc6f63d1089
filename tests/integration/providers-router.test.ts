import { createServer } from "node:http";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DATABASE_KINDS } from "../support/databases";
import { eventually } from "../support/launcher-process";
import { callTrpc, createOwner, OWNER, type Product, queryTrpc, readTrpc, startProduct } from "../support/product";
import { type Script, type ScriptedModel, startScriptedModel } from "../support/scripted-model";
import type { Visitor } from "../support/web";

const KEY = "sk-very-secret-0123456789";
const MODEL = { kind: "chat", contextTokens: 128_000, inputNanoUsdPerMtok: 2_500_000_000, outputNanoUsdPerMtok: null };
const callsTool: Script = (request) => ({
  calls: (request.tools ?? []).map((tool) => ({ name: tool.function.name, arguments: {} })),
});

type Saved = { id: string; isPrivateHost: boolean; models: { id: string; ref: string }[] };

describe.each(DATABASE_KINDS)("providers (%s)", (kind) => {
  let product: Product;
  let ada: Visitor;
  let workspaceId: string;
  const servers: ScriptedModel[] = [];
  /** Everything answered in this file, to be searched for the key. */
  let answers = "";

  beforeAll(async () => {
    product = await startProduct(kind);
    ada = product.visitor();
    await createOwner(ada);
    await ada.signIn(OWNER.email, OWNER.password);
    workspaceId = (await product.db.workspace.findFirstOrThrow()).id;
  });
  afterAll(() => product?.stop());
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await product.db.workspace.updateMany({ data: { defaultModel: null } });
    await product.db.provider.deleteMany();
    await product.db.allowedHost.deleteMany();
    await product.db.agent.deleteMany();
    await product.db.knowledgeBase.deleteMany();
    await product.db.member.updateMany({ data: { role: "owner" } });
  });

  const serve = async (options: Parameters<typeof startScriptedModel>[1] = {}, script: Script = callsTool) => {
    const server = await startScriptedModel(script, { apiKey: KEY, ...options });
    servers.push(server);
    return server;
  };
  async function call(path: string, input: unknown) {
    const response = await callTrpc(ada, `providers.${path}`, input);
    const read = await readTrpc(response.clone());
    answers += await response.text();
    return { ...read, sentence: read.error?.userMessage };
  }
  async function query(path: string) {
    const response = await queryTrpc(ada, path);
    const read = await readTrpc(response.clone());
    answers += await response.text();
    return read.data;
  }
  const create = async (server: ScriptedModel, more: object = {}) => {
    const input = { name: "local", baseUrl: server.url, apiKey: KEY, allowPrivateHost: true, ...more };
    const { data, error } = await call("create", input);
    expect(error).toBeUndefined();
    return data as Saved;
  };
  const code = (data: unknown) => (data as { code: string }).code;
  const problem = (data: unknown) => (data as { problem: string }).problem;

  test("an endpoint of one's own is found out, allowed, listed, saved, tested and made the default", async () => {
    const server = await serve();
    const input = { baseUrl: server.url, apiKey: KEY };
    const first = await call("check", input);
    expect(first.data).toMatchObject({ ok: false, code: "private-host", models: [] });
    expect(problem(first.data)).toMatch(
      /on this machine or a private network\. Calls there need an owner's permission/,
    );

    const { data: found } = await call("check", { ...input, allowPrivateHost: true });
    expect(found).toMatchObject({
      ok: true,
      problem: null,
      models: [
        { name: "scripted", kind: "chat", contextTokens: 128_000, inputNanoUsdPerMtok: 2_500_000_000 },
        { name: "scripted/embed-small", kind: "embedding", contextTokens: null },
      ],
    });
    // The allowance was for that call: nothing is stored before it is saved.
    expect(await product.db.allowedHost.count()).toBe(0);
    expect((await call("create", { name: "local", ...input })).sentence).toMatch(/Allow calls there, then save/);
    expect(await product.db.provider.count()).toBe(0);

    const models = (found as { models: object[] }).models;
    const saved = await create(server, { models });
    expect(saved).toMatchObject({ isPrivateHost: true, apiKeyHint: "…6789" });
    expect(await product.db.allowedHost.findMany({ select: { host: true, port: true } })).toEqual([
      { host: "127.0.0.1", port: server.port },
    ]);
    expect(await query("providers.list")).toEqual([saved]);

    const [chat, embedding] = saved.models;
    expect((await call("testModel", { modelId: chat?.id })).data).toMatchObject({
      ok: true,
      detail: "It answers and calls tools.",
    });
    expect((await call("testModel", { modelId: embedding?.id })).data).toMatchObject({
      ok: true,
      detail: "It makes vectors of 64 numbers.",
    });
    expect((await call("checkSaved", { providerId: saved.id })).data).toMatchObject({ ok: true });
    expect(await query("workspace.me")).toMatchObject({ model: { isRehearsal: true } });
    expect((await call("setDefaultModel", { model: chat?.ref })).data).toMatchObject({ ref: "local/scripted" });
    expect(await query("workspace.me")).toMatchObject({
      model: { ref: "local/scripted", provider: "local", name: "scripted", isRehearsal: false },
    });
    expect(await query("providers.models")).toMatchObject([
      { ref: "local/scripted", kind: "chat", isDefault: true },
      { ref: "local/scripted/embed-small", kind: "embedding", isDefault: false },
      { ref: "rehearsal/rehearsal", isRehearsal: true, isDefault: false, inputNanoUsdPerMtok: 0 },
    ]);
  });

  test("what was tested is saved as tested, and only that; a change of address or key makes it untested", async () => {
    const [server, other] = [await serve(), await serve()];
    const local = { allowPrivateHost: true, baseUrl: server.url, apiKey: KEY };
    expect((await call("check", { ...local, apiKey: "sk-wrong-9876543210-zyxw" })).data).toMatchObject({ proof: null });
    const { proof } = (await call("check", local)).data as { proof: string };
    const checkedAt = async (name: string, more: object) =>
      ((await call("create", { ...local, name, ...more })).data as { checkedAt: string | null }).checkedAt;
    expect(await checkedAt("untested", {})).toBeNull();
    expect(await checkedAt("other-address", { proof, baseUrl: other.url })).toBeNull();
    expect(await checkedAt("other-key", { proof, apiKey: `${KEY}0` })).toBeNull();
    expect(await checkedAt("made-up", { proof: "v1.0.0.0" })).toBeNull();
    // The same address: it is kept without the slash.
    const tested = (await call("create", { ...local, name: "tested", baseUrl: `${server.url}/`, proof })).data;
    expect(tested).toMatchObject({ checkedAt: expect.any(String), checkError: null });
    const { id: providerId, checkedAt: at } = tested as { id: string; checkedAt: string };
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);

    const same = { providerId, baseUrl: server.url };
    expect((await call("update", { ...same, mostCalls: 4 })).data).toMatchObject({ checkedAt: at });
    expect((await call("update", { ...same, apiKey: KEY })).data).toMatchObject({ checkedAt: null });
    await call("checkSaved", { providerId });
    expect((await call("update", { ...same, baseUrl: `${server.url}/v2` })).data).toMatchObject({ checkedAt: null });
  });

  test("a wrong key, a missing one, a page, a failing server and no server are told apart, and the outcome is kept", async () => {
    const server = await serve();
    const local = { allowPrivateHost: true, baseUrl: server.url };
    const wrong = await call("check", { ...local, apiKey: "sk-wrong-9876543210-zyxw" });
    expect(code(wrong.data)).toBe("unauthorized");
    expect(problem(wrong.data)).toBe(
      "The endpoint refused the key (401). Check that it was copied whole and is still valid.",
    );
    expect(JSON.stringify(wrong)).not.toContain("sk-wrong");
    expect(problem((await call("check", local)).data)).toBe("The endpoint asks for a key (401). Enter one.");

    const page = await serve({ models: { hello: "world" } });
    expect(code((await call("check", { ...local, baseUrl: page.url, apiKey: KEY })).data)).toBe("not-compatible");
    const wrongPath = await serve({ models: 404 });
    expect(code((await call("check", { ...local, baseUrl: wrongPath.url, apiKey: KEY })).data)).toBe("not-compatible");
    const failing = await serve({ models: 503 });
    expect((await call("check", { ...local, baseUrl: failing.url, apiKey: KEY })).data).toMatchObject({
      code: "refused",
      problem: expect.stringMatching(/^The endpoint failed \(503\)/),
    });
    const saved = await create(failing);
    await call("checkSaved", { providerId: saved.id });
    expect(await query("providers.list")).toMatchObject([
      { checkedAt: expect.any(String), checkError: expect.stringMatching(/failed \(503\)/) },
    ]);
    await failing.close();
    servers.splice(servers.indexOf(failing), 1);
    expect((await call("checkSaved", { providerId: saved.id })).data).toMatchObject({
      code: "unreachable",
      problem: expect.stringMatching(/could not be reached \(ECONNREFUSED\)\. Check the address/),
    });
  });

  test("a redirect to another private host is refused, whatever was allowed first", async () => {
    const victim = await serve();
    const open = createServer((_request, response) =>
      response.writeHead(307, { location: `${victim.url}/models` }).end(),
    );
    await new Promise<void>((resolve) => open.listen(0, "127.0.0.1", resolve));
    const { port } = open.address() as { port: number };
    const input = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: KEY, allowPrivateHost: true };
    expect(code((await call("check", input)).data)).toBe("private-host");
    open.close();
    open.closeAllConnections();
  });

  test("addresses that hide something, and a name in use, save nothing", async () => {
    const server = await serve();
    for (const baseUrl of ["https://me:pw@api.example.org/v1", "https://api.example.org/v1?key=abc"]) {
      expect((await call("create", { name: "other", baseUrl })).error?.code).toBe("INVALID");
    }
    await create(server);
    const again = { name: "local", baseUrl: "http://127.0.0.2:9/v1", allowPrivateHost: true };
    expect((await call("create", again)).sentence).toMatch(/^There is already a provider called “local”/);
    expect(
      (await call("create", { ...again, name: "two", models: [1, 2].map(() => ({ ...MODEL, name: "m" })) })).sentence,
    ).toBe("A model is in the list twice. Name each once.");
    expect(await product.db.provider.count()).toBe(1);
    expect(await product.db.allowedHost.count()).toBe(1);
  });

  test("a key stays with its server: another address needs it again; its own may be rotated and removed", async () => {
    const server = await serve();
    const other = await serve();
    const { id: providerId } = await create(server, { models: [{ ...MODEL, name: "scripted" }] });
    const moved = { providerId, baseUrl: other.url, allowPrivateHost: true };
    expect((await call("update", moved)).sentence).toMatch(/another server\. Enter its key, or remove/);
    expect((await call("update", { providerId, baseUrl: `${server.url}/` })).data).toMatchObject({
      baseUrl: server.url,
      apiKeyHint: "…6789",
    });
    expect((await call("update", { ...moved, apiKey: "sk-another-key-abcd" })).data).toMatchObject({
      apiKeyHint: "…abcd",
      checkedAt: null,
    });
    // The first host is nobody's any more.
    expect(await product.db.allowedHost.findMany({ select: { port: true } })).toEqual([{ port: other.port }]);
    expect((await call("checkSaved", { providerId })).data).toMatchObject({ code: "unauthorized" });
    expect((await call("update", { ...moved, apiKey: "" })).data).toMatchObject({ apiKeyHint: null });
    // How many calls may be under way stays until it is said anew.
    expect((await call("update", { ...moved, mostCalls: 4 })).data).toMatchObject({ mostCalls: 4 });
    expect((await call("update", moved)).data).toMatchObject({ mostCalls: 4 });
    expect((await call("update", { ...moved, mostCalls: 0 })).sentence).toMatch(/At least 1/);
    expect((await call("update", { ...moved, mostCalls: null })).data).toMatchObject({ mostCalls: null });
  });

  test("an owner says how its calls are guarded; what was counted by another policy counts no more", async () => {
    const server = await serve();
    const { id: providerId } = await create(server);
    const update = { providerId, baseUrl: server.url };
    const breaker = { enabled: true, failureThreshold: 2 };
    const { data } = await call("update", { ...update, resilience: { breaker } });
    expect(data).toMatchObject({ resilience: { breaker: { ...breaker, resetTimeoutMs: 30_000 } }, breaker: null });
    const { workspaceId } = await product.db.provider.findUniqueOrThrow({ where: { id: providerId } });
    const until = Date.parse("2030-01-01T00:00:00.000Z");
    const open = { version: 0, breaker: { is: "open", round: 1, until } };
    await product.db.gate.create({ data: { workspaceId, subject: `provider:${providerId}`, ...open } });
    expect((await call("update", update)).data).toMatchObject({
      breaker: { is: "open", until: new Date(until).toISOString() },
    });
    const other = { breaker: { ...breaker, failureThreshold: 3 } };
    expect((await call("update", { ...update, resilience: other })).data).toMatchObject({ breaker: null });
    expect(await product.db.gate.count()).toBe(0);
    const refused = async (resilience: object) => (await call("update", { ...update, resilience })).sentence;
    expect(await refused({ fallback: { use: "nobody/here" } })).toMatch(/no chat model “nobody\/here”/);
    expect(await refused({ fallback: { text: "Sorry." } })).toMatch(/Choose the model that stands in/);
    expect(await refused({ rateLimit: { enabled: true, maxRequests: 5_000 } })).toMatch(/at most 1,000/);
    expect(await refused({ retry: { maxAttempts: -1 } })).toMatch(/At least 0/);
  });

  // The embedded database has one session: nobody could hold a row there while others wait for it.
  test.runIf(kind === "postgres")(
    "of two who change a provider at once the second is told, and no key moves",
    async () => {
      const server = await serve();
      const other = await serve();
      const { id: providerId } = await create(server);
      const { both } = await product.db.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM providers WHERE id = ${providerId}::uuid FOR UPDATE`;
        const moves = { providerId, baseUrl: other.url, apiKey: "sk-another-key-abcd", allowPrivateHost: true };
        const both = [call("update", moves), call("update", { providerId, baseUrl: `${server.url}/v2` })];
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return { both };
      });
      const ends = await Promise.all(both);
      expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
      const isMoved = ends[0]?.status === 200;
      expect(await query("providers.list")).toMatchObject([
        isMoved ? { baseUrl: other.url, apiKeyHint: "…abcd" } : { baseUrl: `${server.url}/v2`, apiKeyHint: "…6789" },
      ]);
      const { port } = isMoved ? other : server;
      expect(await product.db.allowedHost.findMany({ select: { port: true } })).toEqual([{ port }]);
    },
  );

  test("what is in use is not removed: whatever uses it is named", async () => {
    const server = await serve();
    const saved = await create(server, {
      models: [
        { ...MODEL, name: "scripted" },
        { ...MODEL, name: "embed", kind: "embedding" },
      ],
    });
    const providerId = saved.id;
    const idOf = (ref: string) => saved.models.find((model) => model.ref === ref)?.id;
    const draft = { purpose: "p", instructions: "i", model: "local/scripted" };
    const agent = await product.db.agent.create({ data: { id: uuid(), workspaceId, name: "Clerk", draft } });
    const settings = { workspaceId, settings: {}, dims: 64 };
    await product.db.knowledgeBase.create({
      data: { id: uuid(), name: "Handbook", embeddingModel: "local/embed", ...settings },
    });
    await call("setDefaultModel", { model: "local/scripted" });
    expect((await call("remove", { providerId })).sentence).toBe(
      "Models of “local” are still in use: it is the workspace's default model; the agent “Clerk”; the knowledge base “Handbook”. Choose other models there first.",
    );
    expect((await call("removeModel", { modelId: idOf("local/embed") })).sentence).toMatch(/knowledge base “Handbook”/);
    const asEmbedding = { providerId, ...MODEL, name: "scripted", kind: "embedding" };
    expect((await call("saveModel", asEmbedding)).error?.code).toBe("CONFLICT");

    await call("setDefaultModel", { model: "rehearsal/rehearsal" });
    await product.db.knowledgeBase.deleteMany();
    await product.db.agent.update({ where: { id: agent.id }, data: { draft: { ...draft, model: null } } });
    // Its published version still names it.
    const version = { id: uuid(), workspaceId, agentId: agent.id, number: 1, config: draft };
    await product.db.agentVersion.create({ data: version });
    expect((await call("removeModel", { modelId: idOf("local/scripted") })).sentence).toMatch(/the agent “Clerk”/);
    await product.db.agentVersion.create({ data: { ...version, id: uuid(), number: 2, config: { model: null } } });
    expect((await call("removeModel", { modelId: idOf("local/scripted") })).error).toBeUndefined();
    expect((await call("remove", { providerId })).error).toBeUndefined();
    expect(await product.db.allowedHost.count()).toBe(0);
  });

  test("a model is saved by name: prices change in place, and an unknown default is refused", async () => {
    const server = await serve();
    const { id: providerId } = await create(server);
    const added = await call("saveModel", { providerId, ...MODEL, name: "vendor/model:free" });
    expect(added.data).toMatchObject({ ref: "local/vendor/model:free", outputNanoUsdPerMtok: null });
    const changed = await call("saveModel", {
      providerId,
      ...MODEL,
      name: "vendor/model:free",
      outputNanoUsdPerMtok: 5,
    });
    expect(changed.data).toMatchObject({ id: (added.data as { id: string }).id, outputNanoUsdPerMtok: 5 });
    // LLM-OBS-07: prices of some tokens, which need not be there.
    expect(changed.data).toMatchObject({ cachedNanoUsdPerMtok: null, reasoningNanoUsdPerMtok: null });
    const own = { cachedNanoUsdPerMtok: 250_000_000, reasoningNanoUsdPerMtok: 0 };
    await call("saveModel", { providerId, ...MODEL, ...own, name: "vendor/model:free" });
    const [saved] = ((await query("providers.list")) as { models: { name: string }[] }[]).flatMap(
      ({ models }) => models,
    );
    expect(saved).toMatchObject({ name: "vendor/model:free", ...own });
    expect((await call("setDefaultModel", { model: "local/nothing" })).sentence).toMatch(
      /no chat model “local\/nothing”/,
    );
    expect((await call("saveModel", { providerId: uuid(), ...MODEL, name: "x" })).error?.code).toBe("NOT_FOUND");
  });

  test("several models are added at once, all or none, and one that is there already is left alone", async () => {
    const server = await serve();
    const { id: providerId } = await create(server, { models: [{ ...MODEL, name: "first", inputNanoUsdPerMtok: 7 }] });
    const named = (...names: string[]) => names.map((name) => ({ ...MODEL, name }));
    const twice = await call("addModels", { providerId, models: named("second", "third", "second") });
    expect(twice.error?.code).toBe("INVALID");
    const added = await call("addModels", { providerId, models: named("first", "second", "third") });
    const { models } = added.data as { models: { name: string; inputNanoUsdPerMtok: number | null }[] };
    expect(models.map(({ name }) => name).sort()).toEqual(["first", "second", "third"]);
    expect(models.find(({ name }) => name === "first")?.inputNanoUsdPerMtok).toBe(7);
    expect((await call("addModels", { providerId, models: [] })).error?.code).toBe("INVALID");
    expect((await call("addModels", { providerId: uuid(), models: named("x") })).error?.code).toBe("NOT_FOUND");
  });

  test("a model that is unknown, refuses tools or is away is a failed test with a sentence, not an error", async () => {
    const unknown = await serve({}, () => ({ fault: "status", status: 404, message: `no such model, said ${KEY}` }));
    const saved = await create(unknown, { models: [{ ...MODEL, name: "gone" }] });
    const modelId = saved.models[0]?.id;
    const { data } = await call("testModel", { modelId });
    expect(data).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/does not know the model “gone”; remove it/),
    });
    expect(JSON.stringify(data)).toContain("[hidden]");
    await unknown.close();
    servers.splice(0);
    // A kept connection may have to be found broken first.
    await eventually("an endpoint found away", async () =>
      /could not be reached.*address of “local” under Models/.test(
        ((await call("testModel", { modelId })).data as { detail: string }).detail,
      ),
    );
    const talker = await serve({}, () => ({ text: "I would rather talk." }));
    await call("update", { providerId: saved.id, baseUrl: talker.url, apiKey: KEY, allowPrivateHost: true });
    expect((await call("testModel", { modelId })).data).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/“I would rather talk\.”.*did not call the tool/),
    });
  });

  test("only an owner changes or tests anything; everybody sees the list, without keys", async () => {
    const server = await serve();
    const { id } = await create(server, { models: [{ ...MODEL, name: "scripted" }] });
    for (const role of ["editor", "operator", "viewer"] as const) {
      await product.db.member.updateMany({ data: { role } });
      const paths = [
        "check",
        "checkSaved",
        "create",
        "update",
        "remove",
        "saveModel",
        "addModels",
        "removeModel",
        "testModel",
      ];
      for (const path of [...paths, "setDefaultModel"]) {
        expect({ path, code: (await call(path, {})).error?.code }).toEqual({ path, code: "NOT_ALLOWED" });
      }
      expect(await query("providers.list")).toMatchObject([{ id, apiKeyHint: "…6789" }]);
    }
  });

  test("tests are counted: after thirty a person waits", async () => {
    await product.db.rateLimit.deleteMany();
    const input = { baseUrl: "http://127.0.0.1:1/v1" };
    for (let at = 0; at < 30; at++) expect((await call("check", input)).status).toBe(200);
    expect(await call("check", input)).toMatchObject({ status: 429, sentence: /^Too many attempts/ });
    await product.db.rateLimit.deleteMany();
  });

  // Last, because it looks at all that the tests above were answered.
  test("the key is in no answer and in no row in clear", async () => {
    const server = await serve();
    await create(server, { models: [{ ...MODEL, name: "scripted" }] });
    expect(answers.length).toBeGreaterThan(1000);
    const forms = [KEY, Buffer.from(KEY).toString("base64"), Buffer.from(KEY).toString("hex")];
    const rows = JSON.stringify(
      [await product.db.provider.findMany(), await product.db.providerModel.findMany()],
      (_, value) => (typeof value === "bigint" ? String(value) : value),
    );
    expect(rows).toMatch(/"apiKeySealed":"v1\./);
    for (const form of forms) {
      expect(answers).not.toContain(form);
      expect(rows).not.toContain(form);
    }
    expect(answers).not.toContain("apiKeySealed");
  });
});
