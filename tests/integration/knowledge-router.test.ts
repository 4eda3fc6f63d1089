import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { BUILT_IN_DIMS } from "@/server/retrieval/built-in-embedder";
import type { Role, Scope, WorkspaceId } from "@/server/workspaces/scope";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, anAgent, aWorkspace } from "../support/factories";
import { aBase, aDocument, aLiveDocument, indexPassages, passagesOf } from "../support/knowledge";
import { useDatabase } from "../support/use-database";

describe.each(DATABASE_KINDS)("knowledge (%s)", (kind) => {
  useDatabase(kind);
  let workspaceId: WorkspaceId;
  let owner: Scope;
  beforeAll(async () => {
    workspaceId = await aWorkspace(db());
    owner = await aMember(db(), workspaceId);
  });
  const knowledge = () => callerOf(owner).knowledge;
  const as = async (role: Role) => callerOf(await aMember(db(), workspaceId, role)).knowledge;
  const aConversation = async () => {
    const { agentId } = await anAgent(db(), workspaceId);
    const data = { id: uuid(), workspaceId, title: "Returns", agentId };
    return db().conversation.create({ data, select: { id: true } });
  };

  test("a base is made, renamed and set, and keeps what it is told", async () => {
    const name = `Policies ${uuid()}`;
    const { baseId } = await knowledge().create({ name, description: "What we pay for." });
    const made = await knowledge().base({ baseId });
    expect(made).toMatchObject({ name, embeddingModel: "built-in", dims: BUILT_IN_DIMS, reembedding: null, chunks: 0 });
    expect(made.settings).toEqual({
      ...{ keywordWeight: 0.95, vectorWeight: 0.05, similarityFloor: 0.5 },
      ...{ perDocument: 3, topK: 5 },
    });
    const settings = { ...made.settings, topK: 9 };
    const changed = await knowledge().update({ baseId, name: `${name}!`, description: "", settings });
    expect(changed).toMatchObject({ name: `${name}!`, description: "", settings });
  });

  test("a name in use, both weights at 0 and an unknown embedding model are refused in words, and nothing is kept", async () => {
    const name = `Taken ${uuid()}`;
    const { baseId } = await knowledge().create({ name });
    await expect(knowledge().create({ name })).rejects.toThrow(`There is already a knowledge base called “${name}”.`);
    const { settings } = await knowledge().base({ baseId });
    const nothing = { ...settings, keywordWeight: 0, vectorWeight: 0 };
    await expect(knowledge().update({ baseId, name, description: "", settings: nothing })).rejects.toThrow(
      "nothing is ever found",
    );
    const unknown = { name: `Other ${uuid()}`, embeddingModel: "nowhere/embed" };
    await expect(knowledge().create(unknown)).rejects.toThrow(/cannot be used: .*nowhere\/embed/);
    await expect(knowledge().changeEmbedding({ baseId, embeddingModel: "nowhere/embed" })).rejects.toThrow(
      /cannot be used/,
    );
    expect((await knowledge().bases()).map((base) => base.name)).not.toContain(unknown.name);
    expect(await knowledge().base({ baseId })).toMatchObject({ settings, reembedding: null });
  });

  test("the list counts documents and names agents, without attachments of conversations", async () => {
    const baseId = await aBase(db(), workspaceId, { name: `Listed ${uuid()}` });
    const hidden = await aBase(db(), workspaceId, { conversationId: (await aConversation()).id });
    await aLiveDocument(db(), { workspaceId, baseId }, "One.", "Two words.");
    await aDocument(db(), workspaceId, baseId);
    const failed = await aDocument(db(), workspaceId, baseId);
    await db().document.update({ where: { id: failed }, data: { status: "failed" } });
    const agent = await anAgent(db(), workspaceId, { knowledge: [baseId] });
    const bases = await knowledge().bases();
    expect(bases.find(({ id }) => id === baseId)).toMatchObject({
      ...{ documents: 3, busy: 1, failed: 1, chunks: 2, sizeBytes: 3 },
      agents: [{ id: agent.agentId, name: agent.name }],
    });
    expect(bases.map(({ id }) => id)).not.toContain(hidden);
    await expect(knowledge().base({ baseId: hidden })).rejects.toThrow("There is no such knowledge base");
    await expect(knowledge().remove({ baseId: hidden })).rejects.toThrow("There is no such knowledge base");
  });

  test("documents come newest first, page by page, by name and by state", async () => {
    const baseId = await aBase(db(), workspaceId);
    const names = ["a_1.txt", "b.txt", "c%.txt", "d.txt", "e.txt"];
    for (const name of names) await aDocument(db(), workspaceId, baseId, name);
    const first = await knowledge().documents({ baseId, limit: 2 });
    const second = await knowledge().documents({ baseId, limit: 2, cursor: first.nextCursor });
    const third = await knowledge().documents({ baseId, limit: 2, cursor: second.nextCursor });
    const seen = [first, second, third].flatMap(({ items }) => items.map(({ name }) => name));
    expect(seen).toEqual(names.reverse());
    expect([first.total, third.nextCursor]).toEqual([5, null]);
    const named = async (search: string) =>
      (await knowledge().documents({ baseId, search })).items.map((one) => one.name);
    expect([await named("%"), await named("A_"), await named("zzz")]).toEqual([["c%.txt"], ["a_1.txt"], []]);
    expect(await knowledge().documents({ baseId, status: "ready" })).toMatchObject({ items: [], total: 0 });
    await expect(knowledge().documents({ baseId, cursor: "1" })).rejects.toThrow("Open the list again");
  });

  test("only what may pass is offered to be tried again: a file that cannot be read is not", async () => {
    const baseId = await aBase(db(), workspaceId);
    const documentId = await aDocument(db(), workspaceId, baseId);
    const mayPass = async (status: string, statusReason: string | null) => {
      await db().document.update({ where: { id: documentId }, data: { status, statusReason } });
      return (await knowledge().document({ documentId })).mayPass;
    };
    for (const code of ["embedding", "internal", "timed_out", "too_heavy", "gave_up", "removal_cut_off"]) {
      expect([code, await mayPass("failed", `${code}: It went wrong.`)]).toEqual([code, true]);
    }
    for (const code of ["broken_pdf", "broken_docx", "no_text", "encrypted", "empty", "gone"]) {
      expect([code, await mayPass("failed", `${code}: It went wrong.`)]).toEqual([code, false]);
    }
    expect(await mayPass("failed", null)).toBe(true);
    expect(await mayPass("ready", null)).toBe(false);
  });

  test("a document that failed says why and is tried again as a new revision; what was found before stays", async () => {
    const baseId = await aBase(db(), workspaceId);
    const documentId = await aLiveDocument(db(), { workspaceId, baseId }, "Still here.");
    const reason = "no_text: This PDF holds no text.";
    await db().document.update({ where: { id: documentId }, data: { status: "failed", statusReason: reason } });
    expect(await knowledge().document({ documentId })).toMatchObject({ problem: "This PDF holds no text." });
    expect(await knowledge().retry({ documentId })).toMatchObject({
      status: "queued",
      problem: null,
      isReplacing: true,
    });
    await expect(knowledge().retry({ documentId })).rejects.toThrow("did not fail");
    const { hits } = await knowledge().search({ baseIds: [baseId], query: "still" });
    expect(hits.map(({ text }) => text)).toEqual(["Still here."]);
    expect((await knowledge().chunks({ documentId })).items.map(({ text }) => text)).toEqual(["Still here."]);
  });

  test("passages come in reading order, page by page, and those that hold a text", async () => {
    const baseId = await aBase(db(), workspaceId);
    const texts = ["Alpha 100%.", "Beta.", "Gamma 100.", "Delta."];
    const documentId = await aLiveDocument(db(), { workspaceId, baseId }, ...texts);
    const first = await knowledge().chunks({ documentId, limit: 3 });
    expect(first).toMatchObject({
      items: [{ position: 0, terms: 2 }, { position: 1 }, { position: 2 }],
      nextCursor: 3,
    });
    const second = await knowledge().chunks({ documentId, limit: 3, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ text: "Delta." }], nextCursor: null });
    expect((await knowledge().chunks({ documentId, search: "100%" })).items).toMatchObject([{ text: "Alpha 100%." }]);
  });

  test("the search says what would be sent and follows settings that are only being tried", async () => {
    const baseId = await aBase(db(), workspaceId);
    await aLiveDocument(db(), { workspaceId, baseId }, "Travel is paid.", "Travel by train.");
    const { settings } = await knowledge().base({ baseId });
    const tried = { ...settings, topK: 1 };
    const { hits, vectorProblem } = await knowledge().search({
      baseIds: [baseId],
      query: "travel paid",
      settings: tried,
    });
    expect(hits.map(({ result }) => result)).toEqual(["sent", "over-top"]);
    expect(vectorProblem).toBeNull();
    await expect(knowledge().search({ baseIds: [uuid()], query: "travel" })).rejects.toThrow("does not exist");
  });

  test("removing documents takes files and passages, once", async () => {
    const baseId = await aBase(db(), workspaceId);
    const documentId = await aLiveDocument(db(), { workspaceId, baseId }, "Gone soon.");
    const kept = await aLiveDocument(db(), { workspaceId, baseId }, "Kept.");
    expect(await knowledge().removeDocuments({ baseId, documentIds: [documentId, uuid()] })).toEqual({ removed: 1 });
    expect(await knowledge().removeDocuments({ baseId, documentIds: [documentId] })).toEqual({ removed: 0 });
    await expect(knowledge().document({ documentId })).rejects.toThrow("There is no such document");
    expect(await knowledge().documents({ baseId })).toMatchObject({ items: [{ id: kept, chunks: 1 }], total: 1 });
  });

  test("removing a base names the agents that used it and takes everything in it", async () => {
    const baseId = await aBase(db(), workspaceId, { name: `Old ${uuid()}` });
    await aLiveDocument(db(), { workspaceId, baseId }, "Gone soon.");
    const { agentId, name } = await anAgent(db(), workspaceId, { knowledge: [baseId] });
    expect(await knowledge().remove({ baseId })).toMatchObject({ agents: [{ id: agentId, name }] });
    const left = await pool().query(
      "SELECT 1 FROM chunks WHERE base_id = $1 UNION ALL SELECT 1 FROM documents WHERE base_id = $1",
      [baseId],
    );
    expect(left.rowCount).toBe(0);
    await expect(knowledge().base({ baseId })).rejects.toThrow("There is no such knowledge base");
  });

  test("who may look may not change, and an operator may change attachments only", async () => {
    const baseId = await aBase(db(), workspaceId);
    const documentId = await aLiveDocument(db(), { workspaceId, baseId }, "Ours.");
    const attachments = await aBase(db(), workspaceId, { conversationId: (await aConversation()).id });
    const attached = await aLiveDocument(db(), { workspaceId, baseId: attachments }, "Attached.");
    await db().document.update({ where: { id: attached }, data: { status: "failed" } });
    const [viewer, operator] = [await as("viewer"), await as("operator")];
    expect(await viewer.documents({ baseId })).toMatchObject({ total: 1 });
    for (const refused of [
      () => viewer.create({ name: "Mine" }),
      () => viewer.removeDocuments({ baseId: attachments, documentIds: [attached] }),
      () => operator.create({ name: "Mine" }),
      () => operator.remove({ baseId }),
      () => operator.changeEmbedding({ baseId, embeddingModel: "built-in" }),
      () => operator.removeDocuments({ baseId, documentIds: [documentId] }),
      () => operator.retry({ documentId }),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    expect(await operator.retry({ documentId: attached })).toMatchObject({ status: "queued" });
    expect(await operator.removeDocuments({ baseId: attachments, documentIds: [attached] })).toEqual({ removed: 1 });
    expect(await knowledge().base({ baseId })).toMatchObject({ documents: 1 });
  });

  test("a passage is shown while its document is first being indexed, and not searched", async () => {
    const baseId = await aBase(db(), workspaceId);
    const documentId = await aDocument(db(), workspaceId, baseId);
    await indexPassages({ workspaceId, baseId, documentId, revision: 2 }, passagesOf("Not of this revision."));
    expect(await knowledge().chunks({ documentId })).toEqual({ items: [], nextCursor: null });
  });
});
