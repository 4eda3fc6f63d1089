import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Limits } from "@/server/usage/schema";
import { provenWorkspace } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "../support/databases";
import { aTeam, type TeamFixture } from "../support/factories";
import { aBase } from "../support/knowledge";
import {
  callTrpc,
  type Product,
  queryTrpc,
  readTrpc,
  signedInOwner,
  startProduct,
  type UploadBody,
  uploadFile,
} from "../support/product";
import { textFile } from "../support/sample-files";
import type { Visitor } from "../support/web";

const MB = 1024 * 1024;

describe.each(DATABASE_KINDS)("limits of a workspace (%s)", (kind) => {
  let product: Product;
  let ada: Visitor;
  let workspaceId: string;
  let baseId: string;
  let team: TeamFixture;
  beforeAll(async () => {
    product = await startProduct(kind);
    ada = await signedInOwner(product);
    workspaceId = (await product.db.workspace.findFirstOrThrow()).id;
    team = await aTeam(product.db, provenWorkspace(workspaceId));
  });
  afterAll(() => product?.stop());
  beforeEach(async () => {
    await product.db.run.deleteMany();
    await product.db.document.deleteMany();
    await product.db.file.deleteMany();
    await product.db.knowledgeBase.deleteMany();
    await product.db.workspaceUsage.deleteMany();
    await product.db.workspaceUpkeep.deleteMany();
    await limit({});
    baseId = await aBase(product.db, workspaceId);
  });

  const limit = (limits: Partial<Limits>) =>
    product.db.workspace.updateMany({ where: { id: workspaceId }, data: { limits } });
  const start = async (input: Record<string, unknown> = {}) =>
    readTrpc(await callTrpc(ada, "runs.start", { teamId: team.teamId, input: "Look it up.", ...input }));
  const usage = async () => (await readTrpc(await queryTrpc(ada, "usage.get"))).data as Record<string, unknown>;
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
  const upload = (name: string, body: UploadBody) => uploadFile(ada, `baseId=${baseId}`, name, body);
  /** Text nobody else sends: the same bytes again would be a duplicate. */
  const bytesOf = (size: number) => textFile(uuid().padEnd(size, "x"));
  const inPieces = (bytes: Uint8Array) => {
    let at = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.subarray(at, at + 100_000));
        at += 100_000;
      },
    });
  };
  const storedBytes = async () =>
    Number((await product.db.file.aggregate({ _sum: { sizeBytes: true } }))._sum.sizeBytes ?? 0);
  /** As if all else of the workspace had been measured to be this large. */
  const measured = (bytes: number) =>
    product.db.workspaceUsage.create({ data: { workspaceId, kind: "runs", bytes, items: 1 } });

  test("twenty runs started at once do not pass a limit of five", async () => {
    await limit({ runsAtOnce: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => start()));
    expect(statuses(answers)).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    expect(answers.find(({ status }) => status === 429)?.error).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      userMessage:
        "This workspace may have 5 runs at work at once and has 5. Wait until one ends, or stop one. An owner can change the limit on the page Usage.",
    });
    expect(await product.db.run.count()).toBe(5);
    // Refused ones are not counted as started.
    expect(await usage()).toMatchObject({ now: { runsToday: 5, runsAtWork: 5 } });
  });

  test("a run that ended or waits for a person makes room for another", async () => {
    await limit({ runsAtOnce: 2 });
    await start();
    await start();
    expect(await start()).toMatchObject({ status: 429 });
    const [first, second] = await product.db.run.findMany();
    await product.db.run.update({ where: { id: first?.id ?? "" }, data: { status: "waiting" } });
    await product.db.run.update({ where: { id: second?.id ?? "" }, data: { status: "completed" } });
    expect(statuses(await Promise.all([start(), start(), start()]))).toEqual([200, 200, 429]);
  });

  test("runs of a day are counted over repeats and turns, and deleting them gives none back", async () => {
    await limit({ runsPerDay: 3 });
    const { data } = await start();
    const { runId } = data as { runId: string };
    expect(await start({ rerunOfId: runId })).toMatchObject({ status: 200 });
    const opened = await readTrpc(await callTrpc(ada, "conversations.start", { teamId: team.teamId }));
    const { conversationId } = opened.data as { conversationId: string };
    const ask = () => callTrpc(ada, "conversations.ask", { conversationId, input: "And then?" });
    expect((await ask()).status).toBe(200);
    await product.db.run.updateMany({ data: { status: "completed" } });
    const refused = await readTrpc(await ask());
    expect(refused).toMatchObject({
      status: 429,
      error: { userMessage: expect.stringContaining("has started 3 since midnight UTC") },
    });
    await callTrpc(ada, "conversations.remove", { conversationId });
    expect(await start()).toMatchObject({ status: 429 });
    // Another day.
    await product.db.workspaceUpkeep.updateMany({ data: { runsDay: new Date("2020-01-01") } });
    expect(await start()).toMatchObject({ status: 200 });
  });

  test("uploads at once fill the last megabytes to the byte and not further, announced or not", async () => {
    await limit({ storageMb: 4 });
    await measured(MB);
    // Three megabytes are left: five files of 0.75 and then of all that is left.
    const size = 0.75 * MB;
    const announced = await Promise.all([1, 2, 3].map((n) => upload(`a${n}.txt`, bytesOf(size))));
    expect(statuses(announced)).toEqual([200, 200, 200]);
    const mixed = await Promise.all([
      upload("b1.txt", bytesOf(size)),
      upload("b2.txt", bytesOf(size)),
      upload("b3.txt", inPieces(bytesOf(size))),
      upload("b4.txt", inPieces(bytesOf(size))),
    ]);
    expect(statuses(mixed)).toEqual([200, 413, 413, 413]);
    expect(await storedBytes()).toBe(3 * MB);
    const refused = mixed.find(({ status }) => status === 413)?.error?.message;
    expect(refused).toMatch(/^This workspace may keep 4 MB and keeps [\d.]+ MB; this file needs 0.8 MB more./);
    expect(refused).toContain("An owner can change the limit on the page Usage.");
    expect(await upload("c.txt", textFile("one more byte"))).toMatchObject({ status: 413 });
    expect(await product.db.file.count()).toBe(4);
  });

  test("the largest upload is what the workspace says, below what the product takes", async () => {
    await limit({ uploadMb: 1 });
    const before = await upload("big.txt", bytesOf(1.5 * MB));
    const during = await upload("big.txt", inPieces(bytesOf(1.5 * MB)));
    for (const { status, error } of [before, during]) {
      expect(status).toBe(413);
      expect(error?.message).toBe(
        "This file is larger than 1 MB, the most one file may have. Split it. An owner can change the limit on the page Usage.",
      );
    }
    expect(await product.db.file.count()).toBe(0);
    expect(await upload("fits.txt", bytesOf(MB))).toMatchObject({ status: 200 });
  });

  test("a full base takes no further document, but new revisions of those it has", async () => {
    await limit({ documentsPerBase: 2 });
    const answers = await Promise.all([1, 2, 3, 4].map((n) => upload(`${n}.txt`, bytesOf(100))));
    expect(statuses(answers)).toEqual([200, 200, 429, 429]);
    expect(answers.find(({ status }) => status === 429)?.error?.message).toMatch(
      /^A knowledge base may hold 2 documents and this one holds 2. Remove some, or use another base./,
    );
    const { name } = await product.db.document.findFirstOrThrow();
    expect(await upload(name, bytesOf(200))).toMatchObject({ status: 200, outcome: "replaced" });
    expect(await product.db.document.count()).toBe(2);
    expect(await product.db.file.count()).toBe(2);
  });

  test("A29: filling the disk by uploads and traces ends at the limit; what runs goes on, and what is there can be read and deleted", async () => {
    await limit({ storageMb: 2 });
    const running = await start();
    expect(await upload("kept.txt", bytesOf(MB))).toMatchObject({ status: 200 });
    // Traces grew beyond the limit: a run in flight is never cut off by it.
    await measured(3 * MB);
    for (let n = 0; n < 3; n++) expect(await upload(`${n}.txt`, bytesOf(1_000))).toMatchObject({ status: 413 });
    expect(await start()).toMatchObject({
      status: 429,
      error: {
        userMessage: expect.stringMatching(/^This workspace may keep 2 MB and keeps 4 MB: nothing new can start./),
      },
    });
    const { runId } = running.data as { runId: string };
    expect(await product.db.run.findUnique({ where: { id: runId } })).toMatchObject({ status: "queued" });
    expect((await queryTrpc(ada, "runs.tree", { runId })).status).toBe(200);
    expect((await queryTrpc(ada, "usage.get")).status).toBe(200);
    const document = await product.db.document.findFirstOrThrow();
    expect((await ada.fetch(`/api/files/${document.fileId}`)).status).toBe(200);
    const removed = await callTrpc(ada, "knowledge.removeDocuments", { baseId, documentIds: [document.id] });
    expect(removed.status).toBe(200);
    expect((await callTrpc(ada, "runs.stop", { runId })).status).toBe(200);
    // Once measured again there is room.
    await product.db.workspaceUsage.deleteMany();
    expect(await upload("again.txt", bytesOf(MB))).toMatchObject({ status: 200 });
    expect(await start()).toMatchObject({ status: 200 });
  });

  test("owners set limits, and are told what is wrong with one; others may only look", async () => {
    const limits = {
      ...{ storageMb: null, uploadMb: 20, documentsPerBase: 7, runsPerDay: null, runsAtOnce: 3 },
      ...{ spendPerDayNanoUsd: 2_500_000_000, tokensPerDay: null },
    };
    expect((await callTrpc(ada, "usage.saveLimits", limits)).status).toBe(200);
    expect(await usage()).toMatchObject({ limits });
    const wrong = await readTrpc(
      await callTrpc(ada, "usage.saveLimits", { ...limits, storageMb: 0, uploadMb: 51, runsAtOnce: 1.5 }),
    );
    expect(wrong.error).toMatchObject({
      code: "INVALID",
      fieldErrors: {
        storageMb: ["At least 1, or nothing for no limit."],
        uploadMb: ["At most 50 MB: larger files are never taken."],
        runsAtOnce: ["A whole number, or nothing for no limit."],
      },
    });
    expect(await usage()).toMatchObject({ limits });
    await product.db.member.updateMany({ data: { role: "editor" } });
    expect(await usage()).toMatchObject({ limits });
    expect((await callTrpc(ada, "usage.saveLimits", limits)).status).toBe(403);
    await product.db.member.updateMany({ data: { role: "owner" } });
  });
});
