import { v7 as uuid } from "uuid";
import { afterEach, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { startReembedder } from "@/server/retrieval/re-embedder";
import { searchBases } from "@/server/retrieval/search";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aWorkspace } from "../support/factories";
import { aBase, aDocument, aLiveDocument, indexPassages, passagesOf } from "../support/knowledge";
import { eventually } from "../support/launcher-process";
import { SCRIPTED_DIMS } from "../support/scripted-embeddings";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model";
import { useDatabase } from "../support/use-database";

const MODEL = "local/embed";

describe.each(DATABASE_KINDS)("a change of the embedding model (%s)", (kind) => {
  useDatabase(kind);
  const toClose: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of toClose.splice(0).reverse()) await one.close();
  });

  async function aPlace() {
    const workspaceId = await aWorkspace(db());
    const server = await startScriptedModel(() => ({ text: "Hello." }));
    toClose.push(server);
    await aProvider(workspaceId, server);
    const baseId = await aBase(db(), workspaceId);
    const knowledge = callerOf(await aMember(db(), workspaceId)).knowledge;
    return { workspaceId, baseId, knowledge, server };
  }
  async function aProvider(workspaceId: WorkspaceId, { url, port }: Pick<ScriptedModel, "url" | "port">) {
    await db().provider.create({
      data: {
        ...{ id: uuid(), workspaceId, name: "local", baseUrl: url },
        models: { create: [{ id: uuid(), name: "embed", kind: "embedding" }] },
      },
    });
    await db().allowedHost.create({ data: { workspaceId, host: "127.0.0.1", port } });
  }
  const work = (workerId = `worker-${uuid()}`) => {
    const reembedder = startReembedder({ workerId, hub: { on: () => () => {} } });
    toClose.push(reembedder);
    return reembedder;
  };
  const vectorsOf = async (baseId: string) => {
    const { rows } = await pool().query<{ generation: number; dims: number; count: number }>(
      `SELECT generation, dims, count(*)::int AS count FROM chunk_embeddings WHERE base_id = $1 GROUP BY 1, 2 ORDER BY 1`,
      [baseId],
    );
    return rows;
  };
  const rowOf = (baseId: string) => db().knowledgeBase.findUniqueOrThrow({ where: { id: baseId } });
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => `Passage number${i} about trains.`);

  test("an empty base changes at once, and its untouched settings with it", async () => {
    const { baseId, knowledge } = await aPlace();
    const changed = await knowledge.changeEmbedding({ baseId, embeddingModel: MODEL });
    expect(changed).toMatchObject({ embeddingModel: MODEL, dims: SCRIPTED_DIMS, reembedding: null });
    expect(changed.settings).toMatchObject({ keywordWeight: 0.6, vectorWeight: 0.4, similarityFloor: 0 });
  });

  test("the present model answers until every passage has its new vector; then all change together", async () => {
    const { workspaceId, baseId, knowledge } = await aPlace();
    await aLiveDocument(db(), { workspaceId, baseId }, ...numbered(150));
    const begun = await knowledge.changeEmbedding({ baseId, embeddingModel: MODEL });
    expect(begun).toMatchObject({ embeddingModel: "built-in" });
    expect(begun.reembedding).toEqual({ embeddingModel: MODEL, done: 0, total: 150, problem: null });
    const search = () =>
      searchBases({ workspaceId, baseIds: [baseId], query: "trains", signal: AbortSignal.timeout(9_000) });
    expect((await search()).vectorProblem).toBeNull();
    // One that goes live meanwhile, with a vector of the present model only.
    await aLiveDocument(db(), { workspaceId, baseId }, "A late passage about trains.");
    work();
    await eventually("the switch", async () => (await rowOf(baseId)).generation === 2);
    await eventually("dropping the old vectors", async () => (await vectorsOf(baseId)).length === 1);
    expect(await vectorsOf(baseId)).toEqual([{ generation: 2, dims: SCRIPTED_DIMS, count: 151 }]);
    expect(await rowOf(baseId)).toMatchObject({ embeddingModel: MODEL, dims: SCRIPTED_DIMS, nextEmbedding: null });
    const { hits, vectorProblem } = await search();
    expect([vectorProblem, hits[0]?.vectorRank]).toEqual([null, expect.any(Number)]);
  });

  test("what a killed worker left half done another one goes on with", async () => {
    const { workspaceId, baseId, knowledge } = await aPlace();
    await aLiveDocument(db(), { workspaceId, baseId }, ...numbered(30));
    await knowledge.changeEmbedding({ baseId, embeddingModel: MODEL });
    await pool().query(
      `WITH half AS (SELECT id FROM chunks WHERE base_id = $1 LIMIT 10), dead AS (
         UPDATE knowledge_bases SET next_embedding = next_embedding || '{"workerId": "killed"}' WHERE id = $1)
       INSERT INTO chunk_embeddings (chunk_id, generation, base_id, dims, embedding)
       SELECT id, 2, $1, $2, array_fill(0.125, ARRAY[$2::int])::vector FROM half`,
      [baseId, SCRIPTED_DIMS],
    );
    expect((await knowledge.base({ baseId })).reembedding).toMatchObject({ done: 10, total: 30 });
    work();
    await eventually("the end of the job", async () => (await rowOf(baseId)).nextEmbedding === null);
    await eventually("dropping the old vectors", async () => (await vectorsOf(baseId)).length === 1);
    expect(await vectorsOf(baseId)).toEqual([{ generation: 2, dims: SCRIPTED_DIMS, count: 30 }]);
  });

  test("a job of a worker that lives is left alone", async () => {
    const { workspaceId, baseId, knowledge } = await aPlace();
    const other = await aBase(db(), workspaceId);
    for (const id of [baseId, other]) await aLiveDocument(db(), { workspaceId, baseId: id }, "Trains.");
    const alive = `alive-${uuid()}`;
    await pool().query("INSERT INTO workers (id, host, pid, beat_at) VALUES ($1, 'here', 1, now())", [alive]);
    await knowledge.changeEmbedding({ baseId, embeddingModel: MODEL });
    await pool().query(
      "UPDATE knowledge_bases SET next_embedding = next_embedding || jsonb_build_object('workerId', $2::text) WHERE id = $1",
      [baseId, alive],
    );
    await knowledge.changeEmbedding({ baseId: other, embeddingModel: MODEL });
    work();
    await eventually("the switch of the other base", async () => (await rowOf(other)).generation === 2);
    expect(await rowOf(baseId)).toMatchObject({ generation: 1, nextEmbedding: { workerId: alive } });
  });

  test("a model that does not answer is said on the base and tried again; choosing the present model ends the change", async () => {
    const { workspaceId, baseId, knowledge, server } = await aPlace();
    await aLiveDocument(db(), { workspaceId, baseId }, "Trains.");
    await knowledge.changeEmbedding({ baseId, embeddingModel: MODEL });
    await server.close();
    const reembedder = work();
    await eventually("telling the problem", async () =>
      Boolean((await knowledge.base({ baseId })).reembedding?.problem),
    );
    await reembedder.close();
    expect((await knowledge.changeEmbedding({ baseId, embeddingModel: "built-in" })).reembedding).toBeNull();
    expect(await vectorsOf(baseId)).toMatchObject([{ generation: 1, count: 1 }]);
  });

  test("what went live without vectors gets them in the background", async () => {
    const { workspaceId, baseId } = await aPlace();
    const documentId = await aDocument(db(), workspaceId, baseId);
    await indexPassages({ workspaceId, baseId, documentId }, passagesOf("Trains.", "Planes."), { isEmbedded: false });
    work();
    await eventually("the end of the job", async () => (await rowOf(baseId)).nextEmbedding === null);
    expect(await vectorsOf(baseId)).toMatchObject([{ generation: 1, count: 2 }]);
  });
});
