import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "@auth/core/jwt";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "@/server/env";
import { appRouter } from "@/server/trpc/root";
import { newSecret } from "@/server/webhooks/rules/sign";
import { sealAddress, sealSigningSecret } from "@/server/webhooks/service/webhook-secrets";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, anAgent, aRun, aTeam, aWorkspace } from "../support/factories";
import { aBase, aDocument } from "../support/knowledge";
import {
  FORM_SAMPLES,
  idFields,
  listProcedures,
  outcomeOf,
  type Procedure,
  sampleInput,
  send,
} from "../support/procedures";
import { type Product, startProduct } from "../support/product";
import type { Visitor } from "../support/web";

const ID_FIELDS = [
  ...([
    "runId",
    "agentRunId",
    "decisionId",
    "requestId",
    "teamId",
    "agentId",
    "conversationId",
    "rerunOfId",
    "leftRunId",
    "rightRunId",
    "providerId",
    "modelId",
    "baseId",
    "documentId",
    "fileId",
    "toolServerId",
    "userId",
    "inviteId",
    "assigneeId",
    "deadLetterId",
    "viewId",
    "linkId",
    "feedbackId",
    "webhookId",
    "deliveryId",
  ] as const),
];
type Ids = Record<(typeof ID_FIELDS)[number], string>;
const WORDS = {
  ...FORM_SAMPLES,
  ...{ position: 0, input: "Look it up.", answer: "Yes.", title: "A title", text: "Look again." },
  ...{ name: "some-model", kind: "chat", contextTokens: null, inputNanoUsdPerMtok: null, outputNanoUsdPerMtok: null },
  // An address: no name is looked up, and nothing is called by saving it.
  baseUrl: "https://1.1.1.1/v1",
};
const NO_SCORES = { vector: null, vectorRank: null };
/** Refused to their owner too: because of what the calls before them began, or because of what the agent is or has. */
const REFUSED_TO_OWNER = new Map([
  ["runs.clearTodo", 400],
  ["conversations.remove", 409],
  ["runs.stopAgent", 400],
  // It is still at work.
  ["runs.retryPlan", 400],
  ["runs.retryFrom", 400],
  ["runs.whatIf", 400],
  // A tool call: no model was sent anything.
  ["runs.modelCall", 404],
  // It has no text.
  ["runs.stepText", 404],
  // It has no answer yet.
  ["feedback.give", 400],
  // The entry made before has that title.
  ["knowledge.changeEntry", 409],
]);

/** A workspace with one row of everything that has an id, and somebody who owns it. */
type House = { workspaceId: WorkspaceId; owner: Visitor; ids: Ids };

describe.each(DATABASE_KINDS)("rows of another workspace (%s)", (kind) => {
  let product: Product;
  let dataDirectory: string;
  let procedures: Procedure[];
  let withIds: Procedure[];
  let ours: House;
  let theirs: House;
  beforeAll(async () => {
    // One list is of files: the backups of the installation.
    dataDirectory = mkdtempSync(join(tmpdir(), "troupe-doors-"));
    product = await startProduct(kind, { DATA_DIR: dataDirectory });
    procedures = listProcedures(appRouter);
    withIds = procedures.filter((procedure) => idFields(procedure).length > 0);
    ours = await aHouse();
    theirs = await aHouse();
  });
  afterAll(async () => {
    await product?.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  async function visitorFor(userId: string): Promise<Visitor> {
    const visitor = product.visitor();
    const salt = "troupe.session";
    const token = await encode({ token: { sub: userId }, salt, secret: env().AUTH_SECRET ?? "" });
    visitor.cookies.set(salt, token);
    return visitor;
  }

  async function aHouse(): Promise<House> {
    const { db } = product;
    const workspaceId = await aWorkspace(db);
    const { userId: ownerId } = await aMember(db, workspaceId, "owner");
    const { userId } = await aMember(db, workspaceId, "viewer");
    const inviteId = uuid();
    await db.invite.create({
      data: {
        id: inviteId,
        workspaceId,
        tokenHash: inviteId,
        role: "viewer",
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    });
    const team = await aTeam(db, workspaceId);
    const { id: runId } = await aRun(db, workspaceId, team, { status: "waiting", openRequests: 1, lastSeq: 1 });
    const [agentRunId, decisionId, requestId] = [uuid(), uuid(), uuid()];
    const inRun = { workspaceId, runId };
    await db.agentRun.create({
      data: {
        ...{ id: agentRunId, ...inRun, handle: "agent_1", name: team.root.name, depth: 0, task: "Do something." },
        ...{ agentVersionId: team.root.agentVersionId, teamNodeId: team.root.teamNodeId, status: "waiting" },
      },
    });
    await db.step.create({
      data: {
        ...{ agentRunId, position: 0, ...inRun, turn: 0, kind: "tool", name: "ask_person", status: "completed" },
        ...{ epoch: 1, startedAt: new Date(), finishedAt: new Date() },
      },
    });
    await db.decision.create({
      data: {
        ...{ id: decisionId, ...inRun, agentRunId, position: 0, ordinal: 0, kind: "tool_choice", chosen: [] },
        ...{ source: "not-stated", costSoFarNanoUsd: 0 },
      },
    });
    await db.humanRequest.create({
      data: { id: requestId, ...inRun, agentRunId, position: 1, kind: "question", prompt: "Shall I?", schema: {} },
    });
    const deadLetterId = uuid();
    await db.deadLetter.create({
      data: {
        ...{ id: deadLetterId, ...inRun, agentRunId, position: 2, kind: "tool", operation: "look", code: "timeout" },
        ...{
          stableCode: "TROUPE-TIMEOUT",
          category: "NETWORK",
          message: "No answer.",
          repeats: "reads",
          at: new Date(),
        },
        ...{ arguments: "{}", callKey: deadLetterId },
      },
    });
    const [viewId, linkId] = [uuid(), uuid()];
    await db.runView.create({ data: { id: viewId, workspaceId, userId: ownerId, name: "Failed", filters: {} } });
    await db.shareLink.create({ data: { id: linkId, workspaceId, runId, tokenHash: linkId, createdById: ownerId } });
    const feedbackId = uuid();
    await db.feedback.create({
      data: {
        ...{ id: feedbackId, ...inRun, userId: ownerId, type: "preference", content: "Shorter.", agentId: uuid() },
        ...{ agentName: team.root.name, agentVersion: 1 },
      },
    });
    const [webhookId, deliveryId] = [uuid(), uuid()];
    const webhook = { workspaceId, id: webhookId };
    await db.event.create({ data: { ...inRun, seq: 1, kind: "run.status", body: { status: "failed" } } });
    await db.webhook.create({
      data: {
        ...{
          ...webhook,
          name: "here",
          origin: "http://127.0.0.1:9",
          events: ["run.failed"],
          linkOrigin: "http://here",
        },
        ...{
          urlSealed: sealAddress(webhook, "http://127.0.0.1:9/x"),
          secretSealed: sealSigningSecret(webhook, newSecret()),
        },
      },
    });
    await db.webhookDelivery.create({ data: { id: deliveryId, ...inRun, webhookId, seq: 1, type: "run.failed" } });
    const { agentId } = await anAgent(db, workspaceId);
    const conversationId = uuid();
    await db.conversation.create({ data: { id: conversationId, workspaceId, title: "A talk", teamId: team.teamId } });
    const [providerId, modelId] = [uuid(), uuid()];
    // A private host that nobody allowed: testing it calls nothing.
    await db.provider.create({ data: { id: providerId, workspaceId, name: "here", baseUrl: "http://127.0.0.1:9/v1" } });
    await db.providerModel.create({ data: { id: modelId, workspaceId, providerId, name: "chat", kind: "chat" } });
    const toolServerId = uuid();
    const tools = [{ name: "look" }];
    await db.toolServer.create({ data: { id: toolServerId, workspaceId, name: "here", transport: "stdio", tools } });
    const baseId = await aBase(db, workspaceId);
    const documentId = await aDocument(db, workspaceId, baseId, "handbook.pdf");
    const failed = { status: "failed", entryKind: WORDS.entryKind };
    const { fileId } = await db.document.update({ where: { id: documentId }, data: failed });
    await db.citation.create({
      data: {
        ...{ ...inRun, agentRunId, baseId, documentId, chunkId: uuid(), documentName: "handbook.pdf" },
        ...{ mark: WORDS.mark, text: "As it says.", scores: { ...NO_SCORES, keyword: 1, keywordRank: 1, fused: 0.01 } },
      },
    });
    return {
      workspaceId,
      owner: await visitorFor(ownerId),
      ids: {
        ...{ runId, agentRunId, decisionId, requestId, teamId: team.teamId },
        ...{ agentId, conversationId, rerunOfId: runId, providerId, modelId, toolServerId },
        ...{ baseId, documentId, fileId, userId, inviteId, assigneeId: ownerId },
        ...{ deadLetterId, viewId, linkId, feedbackId, webhookId, deliveryId },
        ...{ leftRunId: runId, rightRunId: runId },
      },
    };
  }

  const ask = async (visitor: Visitor, procedure: Procedure, ids: Ids) =>
    outcomeOf(await send(visitor, procedure, sampleInput(procedure, samplesOf(ids))));
  const samplesOf = (ids: Ids) => ({
    ...WORDS,
    ...ids,
    baseIds: [ids.baseId],
    documentIds: [ids.documentId],
    deadLetterIds: [ids.deadLetterId],
    runIds: [ids.runId],
  });
  const nowhere = () => Object.fromEntries(ID_FIELDS.map((field) => [field, uuid()])) as Ids;
  /** Everything a stranger might have changed. */
  const rowsOf = async ({ workspaceId }: House) => ({
    runs: await product.db.run.findMany({ where: { workspaceId } }),
    agentRuns: await product.db.agentRun.findMany({ where: { workspaceId } }),
    tags: await product.db.runTag.findMany({ where: { workspaceId } }),
    views: await product.db.runView.findMany({ where: { workspaceId } }),
    requests: await product.db.humanRequest.findMany({ where: { workspaceId } }),
    events: await product.db.event.count({ where: { workspaceId } }),
    decisions: await product.db.decision.count({ where: { workspaceId } }),
    conversations: await product.db.conversation.findMany({ where: { workspaceId } }),
    agents: await product.db.agent.findMany({ where: { workspaceId }, include: { versions: true } }),
    teams: await product.db.team.findMany({ where: { workspaceId }, include: { versions: true } }),
    finding: await product.db.findingSetting.findMany({ where: { workspaceId } }),
    traceSinks: await product.db.traceSink.findMany({ where: { workspaceId } }),
    webhooks: await product.db.webhook.findMany({ where: { workspaceId } }),
    deliveries: await product.db.webhookDelivery.findMany({ where: { workspaceId } }),
    toolServers: await product.db.toolServer.findMany({ where: { workspaceId } }),
    bases: await product.db.knowledgeBase.findMany({ where: { workspaceId } }),
    documents: await product.db.document.findMany({ where: { workspaceId } }),
    citations: await product.db.citation.findMany({ where: { workspaceId } }),
    deadLetters: await product.db.deadLetter.findMany({ where: { workspaceId } }),
    providers: await product.db.provider.findMany({ where: { workspaceId }, include: { models: true } }),
  });

  test("do not exist for a stranger: the same error as for an id that was never given out", async () => {
    expect(withIds.length).toBeGreaterThan(7);
    const before = await rowsOf(theirs);
    for (const procedure of withIds) {
      const foreign = await ask(ours.owner, procedure, theirs.ids);
      const random = await ask(ours.owner, procedure, nowhere());
      expect({ path: procedure.path, status: foreign.status }).toEqual({ path: procedure.path, status: 404 });
      expect({ path: procedure.path, error: foreign.error }).toEqual({ path: procedure.path, error: random.error });
    }
    expect(await rowsOf(theirs)).toEqual(before);
  });

  test("do not exist either when only one id of several is the stranger's", async () => {
    for (const procedure of withIds) {
      const fields = idFields(procedure) as (keyof Ids)[];
      if (fields.length < 2) continue;
      for (const field of fields) {
        const foreign = await ask(ours.owner, procedure, { ...ours.ids, [field]: theirs.ids[field] });
        const random = await ask(ours.owner, procedure, { ...ours.ids, [field]: uuid() });
        // A filter by an agent run finds nothing, found or not; everything else is refused.
        expect({ path: procedure.path, field, ...foreign }).toEqual({ path: procedure.path, field, ...random });
        for (const id of Object.values(theirs.ids)) expect(foreign.body).not.toContain(id);
      }
    }
  });

  test("are in no list, count or stream of a stranger", async () => {
    for (const procedure of procedures.filter(({ type }) => type !== "mutation")) {
      if (withIds.includes(procedure) && procedure.type === "query") continue;
      const input = procedure.type === "subscription" ? {} : sampleInput(procedure, samplesOf(ours.ids));
      const { status, body } = await outcomeOf(await send(ours.owner, procedure, input));
      // It asks for a token that nobody made.
      const expected = procedure.path === "runShares.open" ? 404 : 200;
      expect({ path: procedure.path, status }).toEqual({ path: procedure.path, status: expected });
      for (const id of [...Object.values(theirs.ids), theirs.workspaceId]) expect(body).not.toContain(id);
    }
  });

  // Last, because it answers and stops: proof that the refusals above are not refusals of everybody.
  test("do exist for their owner", async () => {
    const rank = ({ path, type }: Procedure) => Number(type === "mutation") + Number(/\.(remove|archive)/.test(path));
    const writesLast = [...withIds].sort((a, b) => rank(a) - rank(b));
    const { workspaceId } = theirs;
    for (const procedure of writesLast) {
      // As if each were the first to save: what an old draft is told is tested elsewhere.
      await product.db.agent.updateMany({ where: { workspaceId }, data: { draftRevision: 1 } });
      await product.db.team.updateMany({ where: { workspaceId }, data: { draftRevision: 1 } });
      const { status, body } = await ask(theirs.owner, procedure, theirs.ids);
      const expected = REFUSED_TO_OWNER.get(procedure.path) ?? 200;
      expect({ path: procedure.path, status, body: status === expected ? "" : body }).toEqual({
        path: procedure.path,
        status: expected,
        body: "",
      });
    }
  });
});
