import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { getModelCall } from "@/server/runs/queries/get-model-call";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { getRunCosts, listAgentCosts, listTimings } from "@/server/runs/queries/inside/get-costs";
import { getSnapshot, listMoments } from "@/server/runs/queries/inside/get-snapshot";
import {
  listAttached,
  listLargeResults,
  listResults,
  listUsedDocuments,
} from "@/server/runs/queries/inside/list-files";
import { listFrames } from "@/server/runs/queries/inside/list-frames";
import { listRunMessages } from "@/server/runs/queries/inside/list-messages";
import { listRetrievals } from "@/server/runs/queries/inside/list-retrievals";
import { listSaid } from "@/server/runs/queries/inside/list-said";
import {
  agentCostPage,
  agentResultPage,
  attachedPage,
  framePage,
  largeResultPage,
  messagePage,
  momentPage,
  retrievalPage,
  runCosts,
  saidPage,
  snapshot,
  timingPage,
  usedDocumentPage,
} from "@/server/runs/queries/inside/schema";
import type { RunTree } from "@/server/runs/schema";
import { modelCall } from "@/server/runs/step-schema";
import type { Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { aBase, aDocument } from "@/tests/support/knowledge";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("the views of one run on the %s database", (kind) => {
  useDatabase(kind);
  let scope: Scope;
  let tree: RunTree;
  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    const team = await aSampleTeam(db(), scope.workspaceId);
    const runId = await insertSampleRun(db(), { ...scope, team, startedById: scope.userId, state: "finished" });
    tree = await getRunTree(scope.workspaceId, runId);
  });
  const agentNamed = (name: string) => tree.agents.find((agent) => agent.name === name)?.id ?? "";
  const said = async (more: { agentRunId?: string; search?: string } = {}) =>
    saidPage.parse(await listSaid(scope.workspaceId, { runId: tree.run.id, search: "", ...more }));

  const retrievals = async (more: { agentRunId?: string; search?: string } = {}) =>
    retrievalPage.parse(await listRetrievals(scope.workspaceId, { runId: tree.run.id, search: "", ...more }));

  test("what was said goes by time, from whom to whom, with the row it belongs to", async () => {
    const { items, total, nextCursor } = await said();
    const [lead, searcher, writer] = ["Desk lead", "Searcher", "Writer"].map(agentNamed);
    expect(items.map(({ kind: is, fromId, toId }) => [is, fromId, toId])).toEqual([
      ["task", null, lead],
      ...[searcher, writer].sort().map((child) => ["task", lead, child]),
      ["result", searcher, lead],
      ["question", writer, null],
      ["answer", null, writer],
      ["result", writer, lead],
      ["result", lead, null],
    ]);
    expect([total, nextCursor]).toEqual([8, null]);
    expect(items[0]).toMatchObject({ by: scope.userName, key: `agent:${lead}`, isCut: false });
    const answer = items.find(({ kind: is }) => is === "answer");
    expect(answer).toMatchObject({ by: scope.userName, text: "Returns", key: `${writer}.1` });
  });

  test("what was said is found by words, and narrowed to one agent", async () => {
    expect((await said({ search: "WHICH title" })).items.map(({ kind: is }) => is)).toEqual(["question"]);
    expect((await said({ search: "100%_" })).items).toEqual([]);
    const ofSearcher = (await said({ agentRunId: agentNamed("Searcher") })).items;
    expect(ofSearcher.map(({ kind: is }) => is)).toEqual(["task", "result"]);
  });

  test("letters are in it, too", async () => {
    const [from, to] = [agentNamed("Searcher"), agentNamed("Writer")];
    const mail = { ...{ id: uuid(), workspaceId: scope.workspaceId, runId: tree.run.id }, fromId: from, toId: to };
    await db().mail.create({ data: { ...mail, kind: "text", text: "The rule is thirty days.", sentAt: new Date() } });
    const { items } = await said({ search: "thirty days" });
    expect(items).toEqual([expect.objectContaining({ kind: "mail", fromId: from, toId: to })]);
    await db().mail.delete({ where: { id: mail.id } });
  });

  test("costs by model, tool and agent add up to the run's", async () => {
    const costs = runCosts.parse(await getRunCosts(scope.workspaceId, tree.run.id));
    const { inputTokens, outputTokens, costNanoUsd } = tree.run;
    expect(costs.total).toMatchObject({ inputTokens, outputTokens, costNanoUsd, unpricedCalls: 0, silentCalls: 0 });
    expect(costs.models).toEqual([
      expect.objectContaining({ model: "general-1", costNanoUsd, calls: costs.total.calls }),
    ]);
    expect(costs.tools.map(({ name, calls }) => [name, calls]).sort()).toEqual([
      ["agent__collect", 2],
      ["agent__spawn", 2],
      ["docs__search", 1],
      ["notes__write", 1],
    ]);
    const search = tree.steps.find(({ name }) => name === "docs__search");
    const tookMs = Date.parse(search?.finishedAt ?? "") - Date.parse(search?.startedAt ?? "");
    expect(costs.tools.find(({ name }) => name === "docs__search")).toMatchObject({ totalMs: tookMs, mostMs: tookMs });
    const human = tree.steps.find(({ kind: is }) => is === "human");
    expect(costs.times.waitingMs).toBe(Date.parse(human?.finishedAt ?? "") - Date.parse(human?.startedAt ?? ""));

    const { items, total } = agentCostPage.parse(await listAgentCosts(scope.workspaceId, { runId: tree.run.id }));
    expect(total).toBe(3);
    expect(items[0]).toMatchObject({ name: "Desk lead", tree: { costNanoUsd, inputTokens } });
    for (const agent of tree.agents) {
      expect(items.find(({ id }) => id === agent.id)?.own).toMatchObject({
        ...{ costNanoUsd: agent.costNanoUsd, inputTokens: agent.inputTokens },
      });
    }
    expect(items[0]?.times.childrenMs).toBeGreaterThan(0);
  });

  test("more tools than are listed are counted, and those that took longest are listed", async () => {
    const place = { agentRunId: agentNamed("Writer"), workspaceId: scope.workspaceId, runId: tree.run.id };
    const at = new Date();
    const steps = Array.from({ length: 300 }, (_, n) => ({
      ...{ ...place, position: 1_000 + n, turn: 1, kind: "tool", name: `made_up_${n}`, status: "failed", epoch: 1 },
      ...{ startedAt: at, finishedAt: at },
    }));
    await db().step.createMany({ data: steps });
    const costs = runCosts.parse(await getRunCosts(scope.workspaceId, tree.run.id));
    expect([costs.tools.length, costs.toolsTotal]).toEqual([300, 304]);
    expect(costs.tools[0]?.totalMs).toBeGreaterThan(0);
    await db().step.deleteMany({ where: { agentRunId: place.agentRunId, position: { gte: 1_000 } } });
  });

  test("a call of which the provider told nothing is silent, not free", async () => {
    const place = { agentRunId: agentNamed("Writer"), position: 0 };
    const before = await db().usage.findUniqueOrThrow({ where: { agentRunId_position: place } });
    const where = { agentRunId_position: place };
    await db().usage.update({ where, data: { inputTokens: 0, outputTokens: 0, costNanoUsd: 0 } });
    expect((await getRunCosts(scope.workspaceId, tree.run.id)).total.silentCalls).toBe(1);
    const call = { runId: tree.run.id, ...place };
    const record = modelCall.parse(await getModelCall(scope.workspaceId, call));
    expect(record.usage).toMatchObject({ total: 0, isKnown: false });
    const { inputTokens, outputTokens, costNanoUsd } = before;
    await db().usage.update({ where, data: { inputTokens, outputTokens, costNanoUsd } });
  });

  test("times by agent and what it did, slowest first", async () => {
    const { items } = timingPage.parse(await listTimings(scope.workspaceId, { runId: tree.run.id }));
    expect(items.map(({ totalMs }) => totalMs)).toEqual(items.map(({ totalMs }) => totalMs).sort((a, b) => b - a));
    const lead = items.find(({ agent, kind: is }) => agent === "Desk lead" && is === "model");
    const calls = tree.steps.filter((step) => step.agentRunId === agentNamed("Desk lead") && step.kind === "model");
    const took = calls.map((step) => Date.parse(step.finishedAt) - Date.parse(step.startedAt));
    const totalMs = took.reduce((sum, ms) => sum + ms, 0);
    expect(lead).toMatchObject({ visits: took.length, totalMs, mostMs: Math.max(...took) });
    expect(lead?.averageMs).toBe(Math.round(totalMs / took.length));
    expect(lead?.slowest.position).toBe(calls[took.indexOf(Math.max(...took))]?.position);
  });

  test("a retrieval tells its query and its passages, also of a result kept in parts", async () => {
    const { items, total } = await retrievals();
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      ...{ agentName: "Searcher", tool: "docs__search", query: "damaged parcel refund" },
      reason: "The rule is in the handbook.",
      passages: [{ mark: null, text: expect.stringContaining("within 30 days"), scores: null }],
    });
  });

  test("retrievals are found by what was looked for, by what it brought, also in parts, and by agent", async () => {
    for (const search of ["DAMAGED parcel refund", "in the handbook", "within 30 days"]) {
      expect((await retrievals({ search })).items, search).toHaveLength(1);
    }
    expect(await retrievals({ search: "100%_" })).toEqual({ items: [], nextCursor: null, total: 0 });
    expect((await retrievals({ agentRunId: agentNamed("Searcher") })).total).toBe(1);
    expect((await retrievals({ agentRunId: agentNamed("Writer") })).total).toBe(0);
  });

  test("large results and what agents handed in are listed as files, and found by name", async () => {
    const input = { runId: tree.run.id, search: "" };
    const large = largeResultPage.parse(await listLargeResults(scope.workspaceId, input));
    expect(large).toEqual({
      items: [expect.objectContaining({ name: "docs__search", agentName: "Searcher", position: 1 })],
      ...{ nextCursor: null, total: 1 },
    });
    const results = async (search: string) =>
      agentResultPage.parse(await listResults(scope.workspaceId, { ...input, search })).items.map(({ name }) => name);
    expect((await results("")).sort()).toEqual(["Desk lead", "Searcher", "Writer"]);
    expect(await results("WRIT")).toEqual(["Writer"]);
    expect(attachedPage.parse(await listAttached(scope.workspaceId, input)).total).toBe(0);
    expect(usedDocumentPage.parse(await listUsedDocuments(scope.workspaceId, input)).total).toBe(0);
  });

  test("documents that are still there are listed with their sizes", async () => {
    const { workspaceId } = scope;
    const baseId = await aBase(db(), workspaceId);
    const documentId = await aDocument(db(), workspaceId, baseId, "rules.md");
    await db().document.update({ where: { id: documentId }, data: { sizeBytes: 5_000_000_000n } });
    const place = { workspaceId, runId: tree.run.id, agentRunId: agentNamed("Searcher") };
    const mark = { mark: "rules.md#1", chunkId: uuid(), documentName: "rules.md", text: "The rule.", scores: {} };
    await db().citation.create({ data: { ...place, ...mark, baseId, documentId } });
    const used = await listUsedDocuments(workspaceId, { runId: tree.run.id, search: "" });
    expect(usedDocumentPage.parse(used).items).toMatchObject([{ documentId, sizeBytes: 5_000_000_000 }]);
    await db().citation.deleteMany({ where: { runId: tree.run.id } });
  });

  test("documents agents were shown are listed to the last, page by page", async () => {
    const documents = Array.from({ length: 120 }, (_, i) => `handbook-${String(i).padStart(3, "0")}.md`);
    const place = { workspaceId: scope.workspaceId, runId: tree.run.id, agentRunId: agentNamed("Searcher") };
    const rows = documents.map((name) => ({
      ...{ ...place, mark: `${name}#1`, chunkId: uuid(), baseId: uuid(), documentId: uuid(), documentName: name },
      ...{ text: "The rule.", scores: {} },
    }));
    await db().citation.createMany({ data: rows });
    const page = async (cursor?: number, search = "") =>
      usedDocumentPage.parse(await listUsedDocuments(scope.workspaceId, { runId: tree.run.id, cursor, search }));
    const names: string[] = [];
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const { items, nextCursor, total } = await page(cursor);
      expect(total).toBe(documents.length);
      names.push(...items.map(({ name }) => name));
      cursor = nextCursor;
    }
    expect(names).toEqual(documents);
    expect((await page(undefined, "book-11")).items.map(({ name }) => name)).toEqual(documents.slice(110));
    await db().citation.deleteMany({ where: { runId: tree.run.id } });
  });

  test("messages of the whole run are found by agent, role and words", async () => {
    const list = async (more: object) =>
      messagePage.parse(await listRunMessages(scope.workspaceId, { runId: tree.run.id, search: "", ...more }));
    const all = await list({});
    expect(all.total).toBe(await db().message.count({ where: { agentRun: { runId: tree.run.id } } }));
    const tools = await list({ role: "tool", agentRunId: agentNamed("Searcher") });
    expect(tools.items).toEqual([expect.objectContaining({ role: "tool", isCut: true, position: 1 })]);
    expect(tools.items[0]?.text).toContain("within 30 days");
    expect((await list({ search: "filed under returns" })).items.map(({ role }) => role)).toContain("assistant");
    expect((await list({ search: "damaged parcel refund" })).items[0]).toMatchObject({ calls: ["docs__search"] });
  });

  test("an agent's state before and after a decision differs by what the decision led to", async () => {
    const place = { runId: tree.run.id, agentRunId: agentNamed("Desk lead") };
    const moments = momentPage.parse(await listMoments(scope.workspaceId, place));
    expect(moments.items.map(({ kind: is }) => is)).toEqual(["delegate", "tool_choice", "finish"]);
    expect([moments.total, moments.nextCursor]).toEqual([3, null]);
    const at = async (seq: number) => snapshot.parse(await getSnapshot(scope.workspaceId, { ...place, seq }));

    const unborn = await at(0);
    expect(unborn).toMatchObject({ status: null, steps: 0, children: [], spent: { costNanoUsd: 0 }, at: null });
    const before = await at((moments.items[0]?.seq ?? 0) - 1);
    const after = await at((moments.items[1]?.seq ?? 0) - 1);
    expect(before).toMatchObject({ status: "running", children: [], task: tree.run.input });
    expect(after.children.map(({ name, status }) => [name, status]).sort()).toEqual([
      ["Searcher", "running"],
      ["Writer", "running"],
    ]);
    expect(after.context.tool.messages).toBe(2);
    expect(after.spent.costNanoUsd).toBeGreaterThan(before.spent.costNanoUsd);

    const end = await at(moments.lastSeq);
    const lead = tree.agents.find(({ id }) => id === place.agentRunId);
    expect(end).toMatchObject({ status: "completed", spent: { costNanoUsd: lead?.costNanoUsd } });
    expect(end.children.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(end.at).toBe((await getSnapshot(scope.workspaceId, { ...place, seq: moments.lastSeq })).at);
    const writer = snapshot.parse(
      await getSnapshot(scope.workspaceId, { ...place, agentRunId: agentNamed("Writer"), seq: moments.lastSeq }),
    );
    expect(writer.requests).toEqual([expect.objectContaining({ status: "answered", answer: "Returns" })]);
  });

  test("played back to its end, the graph stands as the run does", async () => {
    const { items, more } = framePage.parse(await listFrames(scope.workspaceId, { runId: tree.run.id, afterSeq: 0 }));
    expect(more).toBe(false);
    expect(items.map(({ seq }) => seq)).toEqual(items.map(({ seq }) => seq).sort((a, b) => a - b));
    const status = new Map(
      items.flatMap(({ kind: is, agentRunId, word }) => (is === "agent.status" ? [[agentRunId, word] as const] : [])),
    );
    for (const agent of tree.agents) expect(status.get(agent.id)).toBe(agent.status);
    expect(items.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)).toBe(tree.run.costNanoUsd);
    const later = await listFrames(scope.workspaceId, { runId: tree.run.id, afterSeq: items[4]?.seq ?? 0 });
    expect(later.items).toEqual(items.slice(5));
  });

  test("of another workspace none of it exists", async () => {
    const stranger = await aWorkspace(db());
    const runId = tree.run.id;
    const place = { runId, agentRunId: agentNamed("Searcher") };
    for (const asked of [
      () => listSaid(stranger, { runId, search: "" }),
      () => listRunMessages(stranger, { runId, search: "" }),
      () => getRunCosts(stranger, runId),
      () => listAgentCosts(stranger, { runId }),
      () => listTimings(stranger, { runId }),
      () => listRetrievals(stranger, { runId, search: "" }),
      () => listAttached(stranger, { runId, search: "" }),
      () => listUsedDocuments(stranger, { runId, search: "" }),
      () => listResults(stranger, { runId, search: "" }),
      () => listLargeResults(stranger, { runId, search: "" }),
      () => listMoments(stranger, place),
      () => getSnapshot(stranger, { ...place, seq: 1 }),
      () => listFrames(stranger, { runId, afterSeq: 0 }),
    ]) {
      await expect(asked()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});
