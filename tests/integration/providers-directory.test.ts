import { v7 as uuid } from "uuid";
import { afterEach, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { env } from "@/server/env";
import { defaultModelRef, describeDefaultModel } from "@/server/models/default-model";
import { embeddingClient } from "@/server/models/embedding-client";
import type { ModelError, ModelRequest } from "@/server/models/model";
import { modelDirectory } from "@/server/models/model-directory";
import { providerKeyPurpose } from "@/server/models/stored-model";
import { sealSecret } from "@/server/secrets/seal";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aWorkspace } from "@/tests/support/factories";
import { eventually } from "@/tests/support/launcher-process";
import { SCRIPTED_DIMS, scriptedVector } from "@/tests/support/scripted-embeddings";
import { type ScriptedModel, startScriptedModel } from "@/tests/support/scripted-model";
import { useDatabase } from "@/tests/support/use-database";

const KEY = "sk-very-secret-0123456789";

describe.each(DATABASE_KINDS)("the models of a workspace (%s)", (kind) => {
  useDatabase(kind);
  const servers: ScriptedModel[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  const serve = async () => {
    const server = await startScriptedModel(() => ({ text: "Hello." }), { apiKey: KEY });
    servers.push(server);
    return server;
  };

  async function aProvider(
    workspaceId: WorkspaceId,
    server: ScriptedModel,
    { apiKey = KEY, isAllowed = true, sealedFor = workspaceId as string } = {},
  ): Promise<string> {
    const id = uuid();
    const apiKeySealed = sealSecret({ workspaceId: sealedFor, purpose: providerKeyPurpose(id) }, apiKey);
    const price = { inputNanoUsdPerMtok: 2_000_000_000, outputNanoUsdPerMtok: 8_000_000_000 };
    await db().provider.create({
      data: {
        ...{ id, workspaceId, name: "local", baseUrl: server.url, apiKeySealed },
        models: {
          create: [
            { id: uuid(), name: "vendor/chat:free", kind: "chat", contextTokens: 1000, ...price },
            {
              id: uuid(),
              name: "with-own",
              kind: "chat",
              ...price,
              cachedNanoUsdPerMtok: 0,
              reasoningNanoUsdPerMtok: 9,
            },
            { id: uuid(), name: "unpriced", kind: "chat", inputNanoUsdPerMtok: 5 },
            { id: uuid(), name: "embed", kind: "embedding" },
          ],
        },
      },
    });
    if (isAllowed) await db().allowedHost.create({ data: { workspaceId, host: "127.0.0.1", port: server.port } });
    return id;
  }

  const request = (): ModelRequest => ({
    messages: [{ role: "user", content: `hello ${uuid()}` }],
    tools: [],
    signal: new AbortController().signal,
  });
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: ModelError) => `${error.code}: ${error.message}`,
    );

  test("a model whose name holds slashes is found, priced and called with the workspace's key and host", async () => {
    const server = await serve();
    const workspaceId = await aWorkspace(db());
    await aProvider(workspaceId, server);
    const directory = modelDirectory({ pool: pool() });
    const model = await directory.find(workspaceId, "local/vendor/chat:free");
    expect(model).toMatchObject({
      provider: "local",
      name: "vendor/chat:free",
      price: { inputNanoUsd: 2_000_000_000, cachedNanoUsd: null, outputNanoUsd: 8_000_000_000, reasoningNanoUsd: null },
      contextTokens: 1000,
    });
    // Cached tokens may be free.
    const { price } = await directory.find(workspaceId, "local/with-own");
    expect(price).toMatchObject({ cachedNanoUsd: 0, reasoningNanoUsd: 9 });
    expect((await model.complete(request())).text).toBe("Hello.");
    // Half a price is no price.
    const unpriced = await directory.find(workspaceId, "local/unpriced");
    expect([unpriced.price, unpriced.contextTokens]).toEqual([undefined, undefined]);
  });

  test("what is not there is refused by name: provider, model, kind, and another workspace's", async () => {
    const server = await serve();
    const workspaceId = await aWorkspace(db());
    await aProvider(workspaceId, server);
    const directory = modelDirectory({ pool: pool() });
    const find = (ref: string, where = workspaceId) => errorOf(directory.find(where, ref));
    expect(await find("nobody/model")).toMatch(/^unknown_model: There is no provider “nobody” .* add it under Models/);
    expect(await find("local/gone")).toMatch(/^unknown_model: The provider “local” has no model “gone” here/);
    expect(await find("local")).toMatch(/^unknown_model: The provider “local” has no model “”/);
    expect(await find("local/embed")).toMatch(/^unknown_model: The model “local\/embed” makes vectors and cannot chat/);
    expect(await find("local/vendor/chat:free", await aWorkspace(db()))).toMatch(
      /^unknown_model: There is no provider/,
    );
    expect(await errorOf(embeddingClient(workspaceId, "local/unpriced"))).toMatch(/chats and makes no vectors/);
  });

  test("a private host that no owner allowed is not called, however the row came to be", async () => {
    const server = await serve();
    const workspaceId = await aWorkspace(db());
    await aProvider(workspaceId, server, { isAllowed: false });
    const model = await modelDirectory({ pool: pool() }).find(workspaceId, "local/vendor/chat:free");
    expect(await errorOf(model.complete(request()))).toMatch(
      /^bad_request: The model was not called\. The address is on/,
    );
    expect(server.stats().requests).toBe(0);
  });

  test("a key sealed for another workspace does not open", async () => {
    const server = await serve();
    const workspaceId = await aWorkspace(db());
    await aProvider(workspaceId, server, { sealedFor: uuid() });
    const directory = modelDirectory({ pool: pool() });
    expect(await errorOf(directory.find(workspaceId, "local/vendor/chat:free"))).toMatch(
      /^unauthorized: The key of “local” cannot be used\. This stored secret cannot be opened/,
    );
  });

  test("many calls ask the database once, and a new key counts within seconds", async () => {
    const server = await serve();
    const workspaceId = await aWorkspace(db());
    const id = await aProvider(workspaceId, server, { apiKey: "sk-a-wrong-key-of-before" });
    let queries = 0;
    const counting = new Proxy(pool(), {
      get: (target, name) => {
        if (name === "query") queries++;
        return Reflect.get(target, name, target);
      },
    });
    const directory = modelDirectory({ pool: counting });
    const ask = async () => (await directory.find(workspaceId, "local/vendor/chat:free")).complete(request());
    const refused = await Promise.all(Array.from({ length: 5 }, () => errorOf(ask())));
    expect(new Set(refused)).toEqual(
      new Set([
        "unauthorized: The endpoint refused the key (401). An owner can enter a new key for “local” under Models.",
      ]),
    );
    expect(queries).toBe(1);
    const apiKeySealed = sealSecret({ workspaceId, purpose: providerKeyPurpose(id) }, KEY);
    await db().provider.update({ where: { id }, data: { apiKeySealed } });
    await eventually("a call with the new key", async () => (await errorOf(ask())) === "no error", 10_000);
  });

  test("texts become vectors in their order, in batches, and a call that fails says what to do", async () => {
    const server = await serve();
    const workspaceId = await aWorkspace(db());
    await aProvider(workspaceId, server);
    const client = await embeddingClient(workspaceId, "local/embed");
    const texts = Array.from({ length: 70 }, (_, at) => `text number ${at} of its kind`);
    const { signal } = new AbortController();
    const vectors = await client.embed(texts, { signal });
    expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => SCRIPTED_DIMS));
    for (const at of [0, 31, 32, 69]) expect(vectors[at]).toEqual(scriptedVector(texts[at] ?? ""));
    expect(server.stats().embedded).toBe(70);
    expect(await client.embed([], { signal })).toEqual([]);
    expect(await errorOf(client.embed(["x"], { signal: AbortSignal.abort() }))).toMatch(/^cancelled/);
    await server.close();
    servers.splice(0);
    // A kept connection may have to be found broken first.
    await eventually("an endpoint found away", async () =>
      /^unreachable: .*could not be reached.*address of “local” under Models/.test(
        await errorOf(client.embed(["x"], { signal })),
      ),
    );
  });

  test("what answers by default: the workspace's choice, else the environment's model, else the rehearsal model", async () => {
    const workspaceId = await aWorkspace(db());
    expect(await defaultModelRef(workspaceId)).toBe("rehearsal/rehearsal");
    const server = await serve();
    Object.assign(env(), { MODEL_BASE_URL: server.url, MODEL_NAME: "own/model", MODEL_API_KEY: KEY });
    try {
      const ref = `127.0.0.1:${server.port}/own/model`;
      expect(await describeDefaultModel(workspaceId)).toEqual({
        ...{ ref, provider: `127.0.0.1:${server.port}`, name: "own/model", isRehearsal: false },
        label: `own/model at 127.0.0.1:${server.port}`,
      });
      const model = await modelDirectory({ pool: pool() }).find(workspaceId, ref);
      // Whoever runs the server named it, so its private host needs no owner's word.
      expect((await model.complete(request())).text).toBe("Hello.");
      await db().workspace.update({ where: { id: workspaceId }, data: { defaultModel: "local/a/b" } });
      expect(await describeDefaultModel(workspaceId)).toMatchObject({
        ref: "local/a/b",
        provider: "local",
        name: "a/b",
      });
      await db().workspace.update({ where: { id: workspaceId }, data: { defaultModel: "rehearsal/rehearsal" } });
      expect(await describeDefaultModel(workspaceId)).toMatchObject({ isRehearsal: true });
    } finally {
      Object.assign(env(), { MODEL_BASE_URL: undefined, MODEL_NAME: undefined, MODEL_API_KEY: undefined });
    }
  });
});
