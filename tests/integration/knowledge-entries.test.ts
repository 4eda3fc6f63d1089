import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { env } from "@/server/env";
import { queueDocument } from "@/server/files/queue-document";
import { receiveFile } from "@/server/files/store-file";
import type { EntryKind } from "@/server/knowledge/entry-schema";
import { indexDocumentNow } from "@/server/retrieval/index-document-now";
import { removeRuns } from "@/server/runs/service/remove-runs";
import { knowledgeSearchTool, loadKnowledge } from "@/server/tools/knowledge-search";
import type { Role, Scope, WorkspaceId } from "@/server/workspaces/scope";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, anAgent, aRun, aTeam, aWorkspace } from "../support/factories";
import { aBase, aDocument, aLiveDocument } from "../support/knowledge";
import { storeSecrets } from "../support/stored-secrets";
import { useDatabase } from "../support/use-database";

const KEY = "provider-key-Hw53-pLkMnBv";

describe.each(DATABASE_KINDS)("entries (%s)", (kind) => {
  useDatabase(kind);
  let workspaceId: WorkspaceId;
  let owner: Scope;
  let baseId: string;
  beforeAll(async () => {
    env().SECRETS_KEY = "a key for tests that is long enough, really";
    workspaceId = await aWorkspace(db());
    owner = await aMember(db(), workspaceId);
    baseId = await aBase(db(), workspaceId);
  });
  const knowledge = () => callerOf(owner).knowledge;
  const as = async (role: Role) => callerOf(await aMember(db(), workspaceId, role)).knowledge;
  const SAMPLE = { entryKind: "decision" as EntryKind, title: "A title", text: "Trains before planes." };
  const write = async (entry: Partial<Parameters<ReturnType<typeof knowledge>["createEntry"]>[0]> = {}) =>
    knowledge().createEntry({ baseId, ...SAMPLE, title: `Entry ${uuid()}`, ...entry });
  const written = async (entry: Parameters<typeof write>[0] = {}) => {
    const document = await write(entry);
    await indexDocumentNow(document.id);
    return document;
  };
  const countFiles = () => db().file.count({ where: { workspaceId } });
  const storedText = async (fileId: string) => {
    const parts = await db().filePart.findMany({ where: { fileId }, orderBy: { part: "asc" } });
    return Buffer.concat(parts.map(({ content }) => content)).toString("utf8");
  };

  test("one is written, indexed like an upload, found by its title, and read again as it was written", async () => {
    const base = await aBase(db(), workspaceId);
    const text = "We go by train.\n\n- Below 800 km.\n- Sleepers are paid for.";
    const made = await write({ baseId: base, title: "Travel: trains/planes?", text });
    expect(made).toMatchObject({
      ...{ name: "Travel: trains/planes?", status: "queued", mediaType: "text/markdown", baseId: base },
      entry: { kind: "decision", changedAt: null, changedBy: null, from: null },
      createdBy: owner.userName,
    });
    expect(await storedText(made.fileId)).toBe(`# Travel: trains/planes?\n\n${text}\n`);
    expect((await db().file.findUniqueOrThrow({ where: { id: made.fileId } })).name).toBe("Travel_ trains-planes_.md");
    await indexDocumentNow(made.id);
    expect(await knowledge().base({ baseId: base })).toMatchObject({ documents: 1, entries: 1, chunks: 1 });
    const { hits } = await knowledge().search({ baseIds: [base], query: "planes" });
    expect(hits).toMatchObject([{ documentId: made.id, entryKind: "decision", heading: "Travel: trains/planes?" }]);
    expect(await knowledge().entry({ documentId: made.id })).toMatchObject({
      ...{ documentId: made.id, fileId: made.fileId, title: "Travel: trains/planes?", text },
      ...{ entryKind: "decision", savedBy: owner.userName },
    });
    await knowledge().removeDocuments({ baseId: base, documentIds: [made.id] });
    expect(await db().file.count({ where: { id: made.fileId } })).toBe(0);
  });

  test("a change is a new revision of the same document: the old text is found until the new one is indexed", async () => {
    const made = await written({ text: "Invoices are kept for seven years." });
    const editor = await aMember(db(), workspaceId, "editor");
    const title = `Retention ${uuid()}`;
    const changed = await callerOf(editor).knowledge.changeEntry({
      ...{ documentId: made.id, fileId: made.fileId, title, entryKind: "learning" },
      text: "Invoices are kept for ten years.",
    });
    expect(changed).toMatchObject({
      ...{ id: made.id, name: title, status: "queued", isReplacing: true, createdBy: owner.userName },
      entry: { kind: "learning", changedBy: editor.userName, changedAt: expect.any(String) },
    });
    const found = async () => (await knowledge().search({ baseIds: [baseId], query: "invoices" })).hits[0]?.text;
    expect(await found()).toContain("seven");
    await indexDocumentNow(made.id);
    expect(await found()).toContain("ten");
    expect(await db().file.count({ where: { id: made.fileId } })).toBe(0);
  });

  test("what somebody else saved meanwhile is told, and neither text is lost", async () => {
    const made = await write();
    const editor = await aMember(db(), workspaceId, "editor");
    const change = { documentId: made.id, fileId: made.fileId, title: made.name, entryKind: "pattern" as const };
    const theirs = await callerOf(editor).knowledge.changeEntry({ ...change, text: "Theirs." });
    const files = await countFiles();
    await expect(knowledge().changeEntry({ ...change, text: "Mine." })).rejects.toThrow(
      new RegExp(`^${editor.userName} saved this entry at \\d\\d:\\d\\d UTC\\. Your text is still in the form\\.$`),
    );
    expect(await countFiles()).toBe(files);
    expect(await knowledge().entry({ documentId: made.id })).toMatchObject({ text: "Theirs.", fileId: theirs.fileId });
    // Having seen it, one may save over it.
    await knowledge().changeEntry({ ...change, fileId: theirs.fileId, text: "Mine." });
    expect(await knowledge().entry({ documentId: made.id })).toMatchObject({ text: "Mine." });
  });

  test("two who save at once never both win", async () => {
    const made = await write();
    const change = { documentId: made.id, fileId: made.fileId, title: made.name, entryKind: "pattern" as const };
    const saves = await Promise.allSettled(
      ["One.", "Two."].map((text) => knowledge().changeEntry({ ...change, text })),
    );
    expect(saves.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("a title is used once in a base, and no file takes the place of an entry", async () => {
    const [one, other] = [await write(), await write()];
    const taken = `There is already a document called “${one.name}” in this base.`;
    const files = await countFiles();
    await expect(write({ title: one.name })).rejects.toThrow(taken);
    await expect(
      knowledge().changeEntry({ ...SAMPLE, documentId: other.id, fileId: other.fileId, title: one.name }),
    ).rejects.toThrow(taken);
    const body = new Blob(["A file."]).stream();
    const request = { body, signal: AbortSignal.timeout(10_000) };
    const sent = { name: one.name, request, mostBytes: 100, tooLarge: "", announcedBytes: 7 };
    const received = await receiveFile(owner, sent);
    await expect(queueDocument(owner, { ...received, baseId, name: one.name })).rejects.toThrow(
      "is an entry that somebody wrote in this base",
    );
    await db().file.delete({ where: { id: received.fileId } });
    expect(await countFiles()).toBe(files);
    expect(await knowledge().entry({ documentId: one.id })).toMatchObject({ text: SAMPLE.text });
  });

  test("they are listed by kind, page by page, beside uploads", async () => {
    const base = await aBase(db(), workspaceId);
    await aDocument(db(), workspaceId, base);
    for (const entryKind of ["pattern", "decision", "decision", "decision"] as const) {
      await write({ baseId: base, entryKind });
    }
    const first = await knowledge().documents({ baseId: base, entryKind: "decision", limit: 2 });
    const rest = await knowledge().documents({
      ...{ baseId: base, entryKind: "decision", limit: 2, cursor: first.nextCursor },
    });
    expect([first.total, first.items.length, rest.items.length, rest.nextCursor]).toEqual([3, 2, 1, null]);
    const count = async (entryKind: "all" | "entry" | EntryKind) =>
      (await knowledge().documents({ baseId: base, entryKind })).total;
    expect([await count("all"), await count("entry"), await count("pattern"), await count("antipattern")]).toEqual([
      ...[5, 4, 1, 0],
    ]);
  });

  test("a search of one kind looks at nothing else, on both sides, however much else would come first", async () => {
    const base = await aBase(db(), workspaceId);
    const crowd = Array.from({ length: 120 }, (_, i) => `Refunds: refunds are refunds, page ${i}.`);
    await aLiveDocument(db(), { workspaceId, baseId: base }, ...crowd);
    await written({ baseId: base, entryKind: "pattern", text: "Refunds are approved by two people." });
    const made = await written({ baseId: base, text: "In the end we chose to let two people look at refunds." });
    const { settings } = await knowledge().base({ baseId: base });
    const search = async (weights: { keywordWeight: number; vectorWeight: number }, entryKind?: EntryKind) => {
      const tried = { ...settings, ...weights, similarityFloor: 0 };
      const { hits } = await knowledge().search({ baseIds: [base], query: "refunds", settings: tried, entryKind });
      return hits.map(({ documentId }) => documentId);
    };
    const [words, vectors] = [
      { keywordWeight: 1, vectorWeight: 0 },
      { keywordWeight: 0, vectorWeight: 1 },
    ];
    for (const side of [words, vectors]) {
      expect(await search(side)).not.toContain(made.id);
      expect(await search(side, "decision")).toEqual([made.id]);
      expect(await search(side, "antipattern")).toEqual([]);
    }
  });

  test("agents are offered the kinds there are, find by them, and are told which kind a passage is of", async () => {
    const base = await aBase(db(), workspaceId);
    await aLiveDocument(db(), { workspaceId, baseId: base }, "Refunds take two days.");
    const { id: runId } = await aRun(db(), workspaceId, await aTeam(db(), workspaceId));
    const context = { workspaceId, runId, agentRunId: uuid(), key: "k", signal: AbortSignal.timeout(30_000) };
    const tool = async () =>
      knowledgeSearchTool({ baseIds: [base], bases: (await loadKnowledge(workspaceId, [base], null)).bases });
    const kindOf = ({ parameters }: Awaited<ReturnType<typeof tool>>) =>
      (parameters.properties as Record<string, { enum?: string[] }>).kind?.enum;
    expect(kindOf(await tool())).toBeUndefined();
    const waiting = await write({
      baseId: base,
      text: "Refunds are decided by two people.",
      title: `Refunds ${uuid()}`,
    });
    // Nothing of it can be found yet.
    expect(kindOf(await tool())).toBeUndefined();
    await indexDocumentNow(waiting.id);
    await written({ baseId: base, entryKind: "problem-solution", text: "The printer is jammed: open flap B." });
    expect(kindOf(await tool())).toEqual(["problem-solution", "decision"]);
    const ask = async (args: object) =>
      (await (await tool()).run(args, context)) as { passages: Record<string, unknown>[]; note?: string };
    const all = await ask({ query: "refunds" });
    expect(all.passages.map((passage) => passage.kind)).toEqual(expect.arrayContaining(["decision", undefined]));
    expect(await ask({ query: "refunds", kind: "decision" })).toMatchObject({
      passages: [{ kind: "decision", document: waiting.name, text: expect.stringContaining("two people") }],
    });
    expect(await ask({ query: "refunds", kind: "pattern" })).toEqual({
      ...{
        passages: [],
        note: "No entry of the kind “pattern” matches. Search again without a kind, or in other words.",
      },
    });
    await expect(ask({ query: "refunds", kind: "rumour" })).rejects.toThrow(/knowledge_search: .*kind/s);
  });

  test("it keeps a link to the run it came from, and outlives that", async () => {
    const team = await aTeam(db(), workspaceId);
    const { id: runId } = await aRun(db(), workspaceId, team, { status: "completed", title: "Refunds?" });
    const place = `decision:${uuid()}`;
    const made = await written({ from: { runId, place } });
    expect(made.entry?.from).toEqual({ runId, runTitle: "Refunds?", place });
    const changed = await knowledge().changeEntry({ ...SAMPLE, documentId: made.id, fileId: made.fileId });
    expect(changed.entry?.from).toEqual({ runId, runTitle: "Refunds?", place });
    await removeRuns({ scope: owner, runIds: [runId] });
    expect((await knowledge().document({ documentId: made.id })).entry).toMatchObject({ kind: "decision", from: null });
    await db().run.deleteMany({ where: { id: runId } });
    const { rows } = await pool().query(
      "SELECT workspace_id AS workspace, from_run_id AS run FROM documents WHERE id = $1",
      [made.id],
    );
    expect(rows).toEqual([{ workspace: workspaceId, run: null }]);
    // Gone before it was saved: what was written is not lost for that.
    expect((await write({ from: { runId, place: null } })).entry).toMatchObject({ from: null });
    await expect(write({ from: { runId, place: "<script>" } })).rejects.toThrow("There is no such place in a run.");
  });

  test("another workspace's bases, entries and runs do not exist", async () => {
    const stranger = await aMember(db(), await aWorkspace(db()));
    const theirs = callerOf(stranger).knowledge;
    const made = await write();
    const change = { ...SAMPLE, documentId: made.id, fileId: made.fileId };
    await expect(theirs.createEntry({ baseId, ...SAMPLE })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(theirs.entry({ documentId: made.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(theirs.changeEntry(change)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { id: runId } = await aRun(db(), workspaceId, await aTeam(db(), workspaceId));
    const own = await aBase(db(), stranger.workspaceId);
    const linked = await theirs.createEntry({ baseId: own, ...SAMPLE, from: { runId, place: null } });
    expect(linked.entry).toMatchObject({ from: null });
  });

  test("only who may fill bases writes entries; uploads and attachments are none", async () => {
    const made = await write();
    const change = { ...SAMPLE, documentId: made.id, fileId: made.fileId, title: made.name };
    for (const role of ["viewer", "operator"] as const) {
      const someone = await as(role);
      await expect(someone.createEntry({ baseId, ...SAMPLE })).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(someone.entry({ documentId: made.id })).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(someone.changeEntry(change)).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await someone.document({ documentId: made.id })).toMatchObject({ entry: { kind: "decision" } });
    }
    expect(await (await as("editor")).changeEntry(change)).toMatchObject({ id: made.id });
    const uploaded = await aDocument(db(), workspaceId, baseId);
    const { fileId } = await db().document.findUniqueOrThrow({ where: { id: uploaded } });
    await expect(knowledge().entry({ documentId: uploaded })).rejects.toThrow("There is no such entry");
    await expect(knowledge().changeEntry({ ...SAMPLE, documentId: uploaded, fileId })).rejects.toThrow(
      "There is no such entry",
    );
    const { agentId } = await anAgent(db(), workspaceId);
    const { id: conversationId } = await db().conversation.create({
      data: { id: uuid(), workspaceId, title: "A talk", agentId },
    });
    const hidden = await aBase(db(), workspaceId, { conversationId });
    await expect(write({ baseId: hidden })).rejects.toThrow("There is no such knowledge base");
  });

  test("what is kept secret is taken out, and what is personal where the workspace wants that", async () => {
    await storeSecrets(db(), workspaceId, { providerKey: KEY, header: "Bearer Yx72-kJhGfDs-0001" });
    const made = await written({ title: `Opens with ${KEY}`, text: `Use ${KEY}, says jane@example.com.` });
    expect(made.name).toBe("Opens with [hidden]");
    const text = await storedText(made.fileId);
    expect(text).not.toContain(KEY);
    expect(text).toContain("jane@example.com");
    await callerOf(owner).workspace.savePrivacy({ redactsPii: true });
    const change = { ...SAMPLE, documentId: made.id, fileId: made.fileId, title: "Whom to ask" };
    const changed = await knowledge().changeEntry({ ...change, text: `Ask jane@example.com for ${KEY}.` });
    await callerOf(owner).workspace.savePrivacy({ redactsPii: false });
    const cleaned = await storedText(changed.fileId);
    for (const gone of [KEY, "jane@example.com"]) expect(cleaned).not.toContain(gone);
    await indexDocumentNow(made.id);
    const { items } = await knowledge().chunks({ documentId: made.id });
    expect(items.map((chunk) => chunk.text).join()).not.toContain(KEY);
  });

  test("what is no entry is refused in words, and the limits of the workspace hold for it", async () => {
    const files = await countFiles();
    for (const [entry, sentence] of [
      [{ title: " " }, "Give it a title."],
      [{ title: "x".repeat(121) }, "At most 120 characters."],
      [{ title: "two\nlines" }, "in one line"],
      [{ title: "a\u202eb" }, "in one line"],
      [{ text: "\n " }, "Write something."],
      [{ text: "x".repeat(100_001) }, "At most 100,000 characters."],
      [{ text: "a\0b" }, "a character that no text has"],
      [{ entryKind: "rumour" as EntryKind }, "Choose what kind of entry it is."],
    ] as const) {
      await expect(write(entry)).rejects.toThrow(sentence);
    }
    const limit = (limits: object) => db().workspace.update({ where: { id: workspaceId }, data: { limits } });
    const base = await aBase(db(), workspaceId);
    const first = await write({ baseId: base, text: "é".repeat(100_000) });
    expect(await knowledge().entry({ documentId: first.id })).toMatchObject({ text: "é".repeat(100_000) });
    await limit({ documentsPerBase: 1 });
    await expect(write({ baseId: base })).rejects.toThrow("A knowledge base may hold 1 documents");
    // A change takes no place.
    const change = { ...SAMPLE, documentId: first.id, fileId: first.fileId };
    expect(await knowledge().changeEntry({ ...change, title: first.name })).toMatchObject({ id: first.id });
    await limit({ storageMb: 1 });
    const large = {
      workspaceId,
      name: "large.pdf",
      mediaType: "application/pdf",
      sizeBytes: 2 ** 21,
      status: "stored",
    };
    const { id } = await db().file.create({ data: { id: uuid(), ...large } });
    await expect(write({ baseId: base })).rejects.toThrow("This workspace may keep 1 MB");
    await db().file.delete({ where: { id } });
    await limit({});
    expect(await countFiles()).toBe(files + 1);
    await expect(db().document.update({ where: { id: first.id }, data: { entryKind: "rumour" } })).rejects.toThrow(
      "documents_entry_kind_check",
    );
  });
});
