import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { v7 as uuid } from "uuid";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { indexDocumentNow } from "@/server/retrieval/index-document-now";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "../support/databases";
import { aWorkspace } from "../support/factories";
import { type Killable, startKillable } from "../support/killable";
import { aBase } from "../support/knowledge";
import { createOwner, OWNER } from "../support/product";
import { textFile } from "../support/sample-files";
import { useDatabase } from "../support/use-database";
import { Visitor, type Web } from "../support/web";

const MB = 1024 * 1024;
/** Several processes are started, one after the other. */
const PATIENCE_MS = 180_000;
const SECRET = "test-secret-that-is-long-enough-to-sign";
const CONTENT = Array.from(
  { length: 2_400 },
  (_, i) => `## Part ${i}\n\nSentence ${i} of part ${i % 40} tells of kills, restarts and what is left of them.\n`,
).join("\n");

describe.each(DATABASE_KINDS)("processes killed at work (%s)", { timeout: PATIENCE_MS }, (kind) => {
  const database = useDatabase(kind);
  const started: Killable[] = [];
  let workspaceId: WorkspaceId;
  let expected: Awaited<ReturnType<typeof indexOf>>;

  const start = async (...args: Parameters<typeof startKillable>) => {
    const [program, options = {}] = args;
    const environment = { DATABASE_URL: database().url, AUTH_SECRET: SECRET };
    const killable = await startKillable(program, { ...options, environment });
    started.push(killable);
    return killable;
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((killable) => killable.kill()));
  });

  beforeAll(async () => {
    workspaceId = await aWorkspace(db());
    const documentId = await aQueued(await aBase(db(), workspaceId));
    await indexDocumentNow(documentId);
    expected = await indexOf(documentId);
    expect(expected.chunks).toBeGreaterThan(128);
    expect(expected.vectors).toBe(expected.chunks);
  });

  async function aQueued(baseId: string): Promise<string> {
    const [id, fileId] = [uuid(), uuid()];
    const content = textFile(CONTENT);
    const common = { workspaceId, name: "long.md", mediaType: "text/markdown", sizeBytes: content.byteLength };
    const sha256 = createHash("sha256").update(content).digest("hex");
    const parts = { create: [{ part: 0, content }] };
    await db().file.create({ data: { id: fileId, ...common, sha256, status: "stored", parts } });
    await db().document.create({ data: { id, baseId, fileId, ...common, sha256 } });
    return id;
  }

  /** Everything that is stored of a document, as figures that two indexings of the same text share. */
  async function indexOf(documentId: string) {
    const { rows } = await pool().query<{
      status: string;
      chunks: number;
      positions: number;
      text: string;
      postings: number;
      vectors: number;
      counted: number;
      terms: number;
      live: number;
    }>(
      `SELECT d.status, count(c.*)::int AS chunks, count(DISTINCT c.position)::int AS positions,
         md5(string_agg(c.text, '|' ORDER BY c.position)) AS text,
         (SELECT count(*)::int FROM postings p WHERE p.base_id = d.base_id) AS postings,
         (SELECT count(*)::int FROM chunk_embeddings e WHERE e.base_id = d.base_id) AS vectors,
         b.chunk_count AS counted, b.term_count::int AS terms, d.live_revision AS live
       FROM documents d JOIN knowledge_bases b ON b.id = d.base_id LEFT JOIN chunks c ON c.document_id = d.id
       WHERE d.id = $1 GROUP BY d.id, b.id`,
      [documentId],
    );
    if (!rows[0]) throw new Error("The document is gone.");
    return rows[0];
  }

  async function isReady(documentId: string): Promise<void> {
    const status = async () => (await db().document.findUniqueOrThrow({ where: { id: documentId } })).status;
    await expect.poll(status, { timeout: 60_000, interval: 100 }).toBe("ready");
  }

  test.each([
    ["before-read", 1],
    ["after-read", 1],
    ["after-store", 2],
    ["before-publish", 1],
    ["after-publish", 1],
  ])("a worker killed %s (%i) leaves what another completes, once and whole", async (point, nth) => {
    const documentId = await aQueued(await aBase(db(), workspaceId));
    const doomed = await start("tests/support/indexer-main.ts", { settings: { killAt: { point, nth } } });
    expect(await doomed.ended).toBe("SIGKILL");
    const before = await indexOf(documentId);
    expect(before.live).toBe(point === "after-publish" ? 1 : 0);
    await start("tests/support/indexer-main.ts");
    await isReady(documentId);
    expect(await indexOf(documentId)).toEqual(expected);
  });

  test("killed from outside again and again it still ends, and no reader outlives its worker", async () => {
    const documentId = await aQueued(await aBase(db(), workspaceId));
    for (let kill = 0; kill < 3; kill++) {
      const worker = await start("tests/support/indexer-main.ts");
      const claimed = async () => {
        const { workerId, status } = await db().document.findUniqueOrThrow({ where: { id: documentId } });
        return status === "ready" || (workerId?.includes(`-${worker.process.pid}-`) ?? false);
      };
      await expect.poll(claimed, { timeout: 30_000, interval: 10 }).toBe(true);
      await worker.kill();
      await expect.poll(() => readersOf(worker.process.pid), { timeout: 10_000 }).toEqual([]);
    }
    await start("tests/support/indexer-main.ts");
    await isReady(documentId);
    expect(await indexOf(documentId)).toEqual(expected);
  });

  test("a web server killed in the middle of an upload leaves parts that are swept, and the next attempt works", async () => {
    const baseId = await aBase(db(), workspaceId);
    const first = await start("tests/support/web-main.ts");
    const visitor = async (url: string) => {
      const ada = new Visitor({ url } as Web);
      await createOwner(ada);
      expect((await ada.signIn(OWNER.email, OWNER.password)).status).toBe(200);
      await db().member.updateMany({ data: { workspaceId } });
      return ada;
    };
    const upload = (ada: Visitor, body: unknown) =>
      ada.fetch(`/api/upload?baseId=${baseId}&name=cut.txt`, {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body,
        duplex: "half",
      } as RequestInit);
    const partsThere = () => db().filePart.count({ where: { file: { status: "uploading" } } });

    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      async pull(controller) {
        sent += 1;
        if (sent > 4) await expect.poll(partsThere, { timeout: 10_000 }).toBeGreaterThan(1);
        if (sent > 4) await first.kill();
        controller.enqueue(new Uint8Array(MB).fill(65));
      },
    });
    await expect(upload(await visitor(first.line), endless)).rejects.toThrow();
    expect(await partsThere()).toBeGreaterThan(1);
    expect(await db().document.count({ where: { baseId } })).toBe(0);

    const second = await start("tests/support/web-main.ts");
    const again = await upload(await visitor(second.line), textFile("All of it, this time. ".repeat(100)));
    expect(again.status).toBe(200);
    const { document } = (await again.json()) as { document: { id: string } };
    await start("tests/support/indexer-main.ts", { settings: { silentUploadMs: 500 } });
    await isReady(document.id);
    await expect.poll(partsThere, { timeout: 20_000 }).toBe(0);
    expect(await db().file.count({ where: { documents: { none: {} } } })).toBe(0);
    expect(await db().chunk.count({ where: { baseId } })).toBe(2);
  });
});

/** Process ids of readers whose parent is, or was, this process. */
function readersOf(pid: number | undefined): string[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        const args = readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0");
        return args.some((arg) => arg.endsWith("child-main.ts")) && args.includes(String(pid));
      } catch {
        return false;
      }
    });
}
