import { v7 as uuid } from "uuid";
import { afterEach, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { startPreparingFinding } from "@/server/finding/jobs/prepare-finding";
import { COMPARABLE_RUNS, prepareRuns, startPreparingRuns } from "@/server/runs/jobs/prepare-run-vectors";
import type { Role, WorkspaceId } from "@/server/workspaces/scope";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aRun, aWorkspace } from "../support/factories";
import { eventually } from "../support/launcher-process";
import { aSampleTeam, insertSampleRun } from "../support/sample-run";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model";
import { useDatabase } from "../support/use-database";

const MODEL = "local/embed";
const NEVER = new AbortController().signal;
const LONG_AGO = new Date(0);

/** What a text is about, as a model would know it: words that mean the same lie in one direction. */
const TOPICS = [/vehicle|motor|car\b|automobile/i, /cake|bake|pastry/i, /invoice|bill\b|payment/i];
const meaningOf = (text: string) => [...TOPICS.map((topic) => (topic.test(text) ? 1 : 0)), 0.05];

describe.each(DATABASE_KINDS)("finding by meaning (%s)", (kind) => {
  useDatabase(kind);
  const toClose: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of toClose.splice(0).reverse()) await one.close();
  });

  /** A workspace with an embedding model, and what its provider was sent. */
  async function aHouse(vectorOf: (text: string) => number[] | number = meaningOf) {
    const sent: string[] = [];
    const server = await startScriptedModel(() => ({ text: "Hello." }), {
      vectorOf: (text) => {
        sent.push(text);
        return vectorOf(text);
      },
    });
    toClose.push(server);
    const workspaceId = await aWorkspace(db());
    await aProvider(workspaceId, server);
    const team = await aSampleTeam(db(), workspaceId);
    const api = callerOf(await aMember(db(), workspaceId));
    const run = (input: string, answer: string) =>
      aRun(db(), workspaceId, team, { title: input, input, answer, status: "completed" }).then(({ id }) => id);
    return { workspaceId, team, api, server, sent, run };
  }
  async function aProvider(workspaceId: WorkspaceId, { url, port }: Pick<ScriptedModel, "url" | "port">) {
    await db().provider.create({
      data: {
        ...{ id: uuid(), workspaceId, name: "local", baseUrl: url },
        models: {
          create: [
            { id: uuid(), name: "embed", kind: "embedding", inputNanoUsdPerMtok: 20_000_000n },
            { id: uuid(), name: "chat", kind: "chat" },
          ],
        },
      },
    });
    await db().allowedHost.create({ data: { workspaceId, host: "127.0.0.1", port } });
  }
  type House = Awaited<ReturnType<typeof aHouse>>;
  const work = async () => {
    const workerId = `worker-${uuid()}`;
    await pool().query("INSERT INTO workers (id, host, pid, beat_at) VALUES ($1, 'here', 1, now())", [workerId]);
    const worker = startPreparingFinding({ workerId, lookEveryMs: 50 });
    toClose.push(worker);
    return worker;
  };
  const isDone = async ({ api }: House) => {
    const { prepared } = await api.finding.get();
    return Boolean(prepared && Object.values(prepared).every(({ ready, refused, total }) => ready + refused === total));
  };
  /** Chosen, and all that there is made. */
  async function byMeaning(house: House) {
    await house.api.finding.choose({ embeddingModel: MODEL });
    const worker = await work();
    await eventually("all are prepared", () => isDone(house));
    await worker.close();
  }
  const found = async ({ api }: House, search: string) =>
    (await api.runs.list({ search, rank: "likeness" })).items.map(({ id }) => id);
  const vectorsOf = async (workspaceId: WorkspaceId) => {
    const { rows } = await pool().query<{ model: string; dims: number; refused: boolean; count: number }>(
      "SELECT model, dims, refused, count(*)::int AS count FROM run_vectors WHERE workspace_id = $1 GROUP BY 1, 2, 3 ORDER BY 1, 3",
      [workspaceId],
    );
    return rows;
  };

  test("a run is found whose words share nothing with the search, and not before its vector is made", async () => {
    const house = await aHouse();
    const car = await house.run("Repair the automobile.", "The motor runs again.");
    await house.run("Bake something for Sunday.", "A lemon cake.");
    await prepareRuns(house.workspaceId, LONG_AGO, NEVER);
    expect(await found(house, "vehicle trouble")).toEqual([]);

    const chosen = await house.api.finding.choose({ embeddingModel: MODEL });
    expect(chosen).toMatchObject({ embeddingModel: MODEL, byMeaning: true, problem: null });
    expect(chosen.prepared?.runs).toEqual({ ready: 0, refused: 0, total: 2 });
    // Vectors of the other model, of another length, are there and are not compared.
    expect(await found(house, "vehicle trouble")).toEqual([]);
    await work();
    await eventually("all are prepared", () => isDone(house));
    expect((await found(house, "vehicle trouble"))[0]).toBe(car);
    expect(await vectorsOf(house.workspaceId)).toEqual([{ model: MODEL, dims: 4, refused: false, count: 2 }]);
    // One that ends later is prepared by itself.
    const later = await house.run("Pay the bill.", "Paid.");
    await eventually("the later one is prepared", () => isDone(house));
    expect((await found(house, "open invoices"))[0]).toBe(later);
  });

  test("decisions and precedents go by the same model", async () => {
    const house = await aHouse();
    const { workspaceId, api, team } = house;
    for (let n = 0; n < 2; n++) await insertSampleRun(db(), { workspaceId, team, state: "finished" });
    await db().agentRun.updateMany({ where: { workspaceId, name: "Writer" }, data: { task: "Make a pastry." } });
    const [last] = (await api.decisions.list({ agent: "Writer" })).items;
    await api.finding.choose({ embeddingModel: MODEL });
    const ask = () => api.decisions.precedents({ decisionId: last?.id ?? "", threshold: 0.5 });
    expect((await ask()).state).toBe("waiting");
    const unready = (await api.finding.get()).prepared?.decisions;
    expect(unready).toMatchObject({ ready: 0, total: await db().decision.count({ where: { workspaceId } }) });
    await work();
    await eventually("all are prepared", () => isDone(house));
    const { items } = await api.decisions.list({ search: "something to bake", rank: "likeness" });
    expect(items[0]?.agentName).toBe("Writer");
    const found = await ask();
    expect(found.state).toBe("prepared");
    expect(found.items.length).toBeGreaterThan(0);
  });

  test("back to the built-in way, its vectors are made anew and nothing more is sent", async () => {
    const house = await aHouse();
    const { api, workspaceId, sent } = house;
    const car = await house.run("Repair the automobile.", "The motor runs again.");
    await byMeaning(house);
    await api.finding.choose({ embeddingModel: "built-in" });
    const before = sent.length;
    expect((await api.finding.get()).prepared?.runs).toEqual({ ready: 0, refused: 0, total: 1 });
    // Those that serve workspaces without a setting leave this one alone.
    const other = startPreparingRuns();
    toClose.push(other);
    await work();
    await eventually("all are prepared", () => isDone(house));
    expect(await vectorsOf(workspaceId)).toEqual([{ model: "built-in", dims: 480, refused: false, count: 1 }]);
    expect(await found(house, "repairing automobiles")).toEqual([car]);
    expect(await found(house, "vehicle")).toEqual([]);
    expect(sent.length).toBe(before);
    // And to the model once more: all is sent again.
    await byMeaning(house);
    expect((await found(house, "vehicle"))[0]).toBe(car);
  });

  test("many are made in batches, each text once, by one worker of several", async () => {
    const house = await aHouse();
    for (let n = 0; n < 40; n++) await house.run(`Bake cake number ${n}.`, "The same answer.");
    await house.api.finding.choose({ embeddingModel: MODEL });
    const before = house.server.stats().embedded;
    await work();
    await work();
    await eventually("all are prepared", () => isDone(house));
    // 40 tasks, and the answer once in each of three batches.
    expect(house.server.stats().embedded - before).toBe(43);
    const { sent } = await house.api.finding.get();
    expect(sent.texts).toBe(43);
    expect(sent.costNanoUsd).toBe(Math.ceil((sent.tokens * 20_000_000) / 1_000_000));
  });

  test("one text the model will not take is passed over and said; the others are found", async () => {
    const house = await aHouse((text) => (text.includes("unspeakable") ? 400 : meaningOf(text)));
    await house.run("Something unspeakable about a car.", "No.");
    const good = await house.run("Wash the car.", "Done.");
    await byMeaning(house);
    expect(await vectorsOf(house.workspaceId)).toMatchObject([
      { refused: false, count: 1 },
      { refused: true, count: 1 },
    ]);
    const { prepared, refusal, problem } = await house.api.finding.get();
    expect(prepared?.runs).toEqual({ ready: 1, refused: 1, total: 2 });
    expect([refusal, problem]).toEqual([expect.stringContaining("scripted refusal"), null]);
    expect(await found(house, "vehicle")).toEqual([good]);
  });

  test("a provider that does not answer is said, tried again later or at once, and nothing is lost", async () => {
    let isDown = false;
    const house = await aHouse((text) => (isDown ? 503 : meaningOf(text)));
    const car = await house.run("Repair the automobile.", "The motor runs again.");
    await house.api.finding.choose({ embeddingModel: MODEL });
    isDown = true;
    await work();
    await eventually("the problem is told", async () => (await house.api.finding.get()).problem !== null);
    const { nextTryAt, prepared } = await house.api.finding.get();
    expect(Date.parse(nextTryAt ?? "")).toBeGreaterThan(Date.now());
    expect(prepared?.runs).toMatchObject({ ready: 0, total: 1 });
    isDown = false;
    expect((await house.api.finding.choose({ embeddingModel: MODEL })).problem).toBeNull();
    await eventually("all are prepared", () => isDone(house));
    expect(await found(house, "vehicle")).toEqual([car]);
  });

  test("with the provider down a search says so, and the one by words goes on", async () => {
    const house = await aHouse();
    const car = await house.run("Repair the automobile.", "The motor runs again.");
    await byMeaning(house);
    await house.server.close();
    const search = "a vehicle nobody asked for yet";
    for (const ask of [
      () => house.api.runs.list({ search, rank: "likeness" }),
      () => house.api.runs.matching({ search, rank: "likeness" }),
      () => house.api.decisions.list({ search, rank: "likeness" }),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        code: "SERVICE_UNAVAILABLE",
        message: expect.stringMatching(/searched by meaning now: .*search by words goes on/i),
      });
    }
    expect((await house.api.runs.list({ search: "automobile" })).items.map(({ id }) => id)).toEqual([car]);
    expect((await vectorsOf(house.workspaceId))[0]?.count).toBe(1);
  });

  test("a search is sent once, however often its list is read, and counted", async () => {
    const house = await aHouse();
    for (let n = 0; n < 3; n++) await house.run(`Wash car ${n}.`, "Done.");
    await byMeaning(house);
    const before = (await house.api.finding.get()).sent.texts;
    const search = "clean vehicles";
    let cursor: string | null | undefined;
    const seen: string[] = [];
    do {
      const page: Awaited<ReturnType<House["api"]["runs"]["list"]>> = await house.api.runs.list({
        ...{ search, rank: "likeness", limit: 1, cursor },
      });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(new Set(seen).size).toBe(3);
    expect(house.sent.filter((text) => text === search)).toHaveLength(1);
    expect((await house.api.finding.get()).sent.texts).toBe(before + 1);
  });

  test("what it would send and cost is told before it is chosen", async () => {
    const house = await aHouse();
    for (let n = 0; n < 40; n++) await house.run(`Bake cake number ${n} for the party.`, `Cake ${n} is baked.`);
    const estimate = await house.api.finding.estimate({ embeddingModel: MODEL });
    expect(estimate).toMatchObject({ runs: 40, decisions: 0, texts: 80 });
    expect(estimate.costNanoUsd).toBe(Math.ceil((estimate.tokens * 20_000_000) / 1_000_000));
    expect(house.sent).toEqual([]);
    await db().providerModel.updateMany({ where: { name: "embed" }, data: { inputNanoUsdPerMtok: null } });
    expect((await house.api.finding.estimate({ embeddingModel: MODEL })).costNanoUsd).toBeNull();
    expect(await house.api.finding.estimate({ embeddingModel: "built-in" })).toMatchObject({
      texts: 0,
      costNanoUsd: 0,
    });
    await byMeaning(house);
    expect(await house.api.finding.estimate({ embeddingModel: MODEL })).toMatchObject({ runs: 0, texts: 0, tokens: 0 });
  });

  test("vectors too long for a row of a page are kept and compared, too", async () => {
    const long = (text: string) => Array.from({ length: 3_072 }, (_, at) => meaningOf(text)[at % 4] ?? 0);
    const house = await aHouse(long);
    const car = await house.run("Repair the automobile.", "The motor runs again.");
    await house.run("Bake something.", "A cake.");
    await byMeaning(house);
    expect(await vectorsOf(house.workspaceId)).toMatchObject([{ dims: 3_072, count: 2 }]);
    expect((await found(house, "vehicle"))[0]).toBe(car);
  });

  test("a vector of a model that is no longer chosen replaces nothing", async () => {
    const house = await aHouse();
    await house.run("Repair the automobile.", "The motor runs again.");
    await byMeaning(house);
    await house.api.finding.choose({ embeddingModel: "built-in" });
    await pool().query("UPDATE finding_settings SET embedding_model = 'local/other' WHERE workspace_id = $1", [
      house.workspaceId,
    ]);
    const [{ id = "" } = {}] = (await house.api.runs.list({})).items;
    for (const model of ["built-in", MODEL]) {
      await COMPARABLE_RUNS.storeVectors(house.workspaceId, { model, dims: 2 }, [{ id, vector: [1, 0] }]);
    }
    expect(await vectorsOf(house.workspaceId)).toMatchObject([{ model: MODEL, dims: 4 }]);
  });

  test.each<Role>(["viewer", "operator", "editor"])("a %s may see the setting and not change it", async (role) => {
    const { workspaceId } = await aHouse();
    const { finding } = callerOf(await aMember(db(), workspaceId, role));
    expect((await finding.get()).embeddingModel).toBe("built-in");
    await expect(finding.choose({ embeddingModel: MODEL })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(finding.estimate({ embeddingModel: MODEL })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await db().findingSetting.count({ where: { workspaceId } })).toBe(0);
  });

  test("a model that is no embedding model, or of another workspace, cannot be chosen; what never was chosen leaves no row", async () => {
    const house = await aHouse();
    const stranger = callerOf(await aMember(db(), await aWorkspace(db())));
    for (const [api, embeddingModel] of [
      [house.api, "local/chat"],
      [house.api, "local/nowhere"],
      [stranger, MODEL],
    ] as const) {
      await expect(api.finding.choose({ embeddingModel })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    await house.api.finding.choose({ embeddingModel: "built-in" });
    expect(await db().findingSetting.count({ where: { workspaceId: house.workspaceId } })).toBe(0);
  });

  test("each workspace has its own setting, and finds its own rows", async () => {
    const [ours, theirs] = [await aHouse(), await aHouse()];
    const car = await ours.run("Repair the automobile.", "The motor runs again.");
    await theirs.run("Repair the other automobile.", "The motor runs again.");
    await byMeaning(ours);
    expect((await theirs.api.finding.get()).embeddingModel).toBe("built-in");
    await byMeaning(theirs);
    expect(await found(ours, "vehicle")).toEqual([car]);
    expect(ours.sent.some((text) => text.includes("other"))).toBe(false);
  });

  test("a model and a provider in use by it are not removed", async () => {
    const house = await aHouse();
    const provider = await db().provider.findFirstOrThrow({
      where: { workspaceId: house.workspaceId },
      include: { models: { where: { kind: "embedding" } } },
    });
    const remove = () => house.api.providers.removeModel({ modelId: provider.models[0]?.id ?? "" });
    await house.api.finding.choose({ embeddingModel: MODEL });
    await expect(remove()).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("found by it") });
    await expect(house.api.providers.remove({ providerId: provider.id })).rejects.toMatchObject({ code: "CONFLICT" });
    await house.api.finding.choose({ embeddingModel: "built-in" });
    await remove();
  });
});
