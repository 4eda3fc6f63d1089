import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import type { PrismaClient } from "@/prisma/generated/client";
import { pool } from "@/server/db";
import { checkRunFile } from "@/server/runs/file/read-run-file";
import { storeRunFile } from "@/server/runs/file/store-run-file";
import { openRunFile as writeRunFile } from "@/server/runs/file/write-run-file";
import type { Scope } from "@/server/workspaces/scope";
import type { TeamFixture } from "./factories";
import { insertSampleRun } from "./sample-run";
import { storeSecrets } from "./stored-secrets";
import type { Visitor } from "./web";

/** What is planted in a run, and must come out of it nowhere. */
export const PLANTED = {
  providerKey: "provider-key-Zq81-mNbVcXz",
  header: 'header"secret\\Yx72-kJhGfDs',
  unknown: "sk-live-Wv63tRfDeS41pLmNbQ",
};

const blobOf = (content: string) => ({ hash: createHash("sha256").update(content).digest("hex"), content });

/**
 * A failed run with children, a delegation, retries, a label, tags, a letter, a task, a list, an effect and an answered question; secrets
 * stand in its prompt, in the arguments of a tool, in what it said, in an error, in a header it was told and in a large value.
 */
export async function aRichRun(
  db: PrismaClient,
  { workspaceId, team, userId }: { workspaceId: string; team: TeamFixture; userId: string },
): Promise<string> {
  const { providerKey, header, unknown } = PLANTED;
  await storeSecrets(db, workspaceId, { providerKey, header: `Bearer ${header}` });
  const runId = await insertSampleRun(db, { workspaceId, team, startedById: userId, state: "failed" });
  const agents = await db.agentRun.findMany({ where: { runId }, orderBy: { depth: "asc" } });
  const [lead, child] = agents;
  if (!lead || !child) throw new Error("The sample run has children.");
  const on = (sql: string, values: unknown[]) => pool().query(sql, values);
  await on("UPDATE runs SET input = input || $2 WHERE id = $1", [runId, ` Use ${providerKey} and ${unknown}.`]);
  await on("UPDATE agent_runs SET task = task || $2, todo = $3 WHERE id = $1", [
    ...[lead.id, ` With ${encodeURIComponent(header)}.`],
    JSON.stringify({ goal: "File it", items: [{ id: 1, text: `Say ${unknown}`, done: true }], continues: 0 }),
  ]);
  const said = {
    role: "assistant",
    content: `I send ${providerKey}.`,
    calls: [
      { id: "c", name: "http__get", arguments: JSON.stringify({ headers: { authorization: `Bearer ${header}` } }) },
    ],
  };
  await on(
    "INSERT INTO messages (agent_run_id, index, workspace_id, role, content) SELECT $1, max(index) + 1, $2, 'assistant', $3 FROM messages WHERE agent_run_id = $1",
    [lead.id, workspaceId, JSON.stringify(said)],
  );
  const large = blobOf(
    JSON.stringify({
      role: "user",
      content: `${"words ".repeat(2_000)}${header} ${Buffer.from(providerKey).toString("base64")}`,
    }),
  );
  await on("INSERT INTO blobs (workspace_id, hash, part, content) VALUES ($1, $2, 0, $3)", [
    workspaceId,
    large.hash,
    large.content,
  ]);
  await on(
    "INSERT INTO messages (agent_run_id, index, workspace_id, role, content) SELECT $1, max(index) + 1, $2, 'user', $3 FROM messages WHERE agent_run_id = $1",
    [child.id, workspaceId, JSON.stringify({ blob: large.hash, bytes: large.content.length })],
  );
  await on(
    "UPDATE steps SET error = jsonb_set(error, '{message}', to_jsonb($2::text)) WHERE run_id = $1 AND error IS NOT NULL",
    [runId, `Refused: ${providerKey} is not ${unknown}.`],
  );
  await on(
    "UPDATE events SET body = jsonb_set(body, '{reason}', to_jsonb($2::text)) WHERE run_id = $1 AND kind = 'run.status' AND seq = (SELECT last_seq FROM runs WHERE id = $1)",
    [...[runId, `With ${header}`]],
  );
  const decision = await db.decision.findFirstOrThrow({ where: { runId, kind: "delegate" } });
  await on(
    "INSERT INTO decision_labels (id, workspace_id, decision_id, user_id, verdict, note) VALUES (gen_random_uuid(), $1, $2, $3, 'wrong', $4)",
    [workspaceId, decision.id, userId, `Never say ${unknown}`],
  );
  await on("INSERT INTO run_tags (run_id, key, workspace_id, tag) VALUES ($1, 'audit', $2, 'Audit')", [
    runId,
    workspaceId,
  ]);
  await on(
    `INSERT INTO tasks (agent_run_id, number, workspace_id, run_id, subject, description, status, blocked_by, child_id, is_automatic, created_at)
     VALUES ($1, 1, $2, $3, 'Find it', $4, 'completed', '[]', $5, true, now())`,
    [lead.id, workspaceId, runId, `By ${providerKey}`, child.id],
  );
  await on(
    "INSERT INTO reasonings (agent_run_id, position, workspace_id, text) SELECT $1, min(position), $2, $3 FROM steps WHERE agent_run_id = $1",
    [lead.id, workspaceId, `I could send ${providerKey} and ${unknown}.`],
  );
  await on(
    "INSERT INTO mails (id, workspace_id, run_id, from_id, to_id, kind, text, sent_at) VALUES (gen_random_uuid(), $1, $2, $3, $4, 'text', $5, now())",
    [...[workspaceId, runId, child.id, lead.id, `Key ${providerKey}`]],
  );
  await on(
    "INSERT INTO steers (id, workspace_id, run_id, agent_run_id, author, text) VALUES (gen_random_uuid(), $1, $2, $3, 'Ada', $4)",
    [...[workspaceId, runId, lead.id, `Take ${unknown}`]],
  );
  return runId;
}

export async function saveRunFile(visitor: Visitor, runId: string): Promise<Buffer<ArrayBuffer>> {
  const response = await visitor.fetch(`/api/runs/${runId}/file`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

export async function openRunFile(
  visitor: Visitor,
  file: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<{ status: number; runId: string; error?: { code: string; message: string } }> {
  const response = await visitor.fetch("/api/runs/import", {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...headers },
    body: file,
  });
  return { status: response.status, ...((await response.json()) as { runId: string }) };
}

/** Saves a run as a file and opens that in another workspace. Returns the id it has there. */
export async function carryRun(from: Scope, runId: string, to: Scope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "troupe-test-"));
  try {
    const path = join(folder, "run");
    const { lines } = await writeRunFile(from, runId);
    await pipeline(Readable.from(lines, { objectMode: false }), createGzip(), createWriteStream(path));
    return await storeRunFile(to, path, await checkRunFile(path));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The lines of a file as values, without its end. */
export function linesOf(file: Buffer): unknown[] {
  return gunzipSync(file)
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** A file of these lines, each a value or its text, with a checksum that is right. */
export function fileOf(lines: readonly unknown[]): Buffer<ArrayBuffer> {
  const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  return Buffer.from(gzipSync(`${text}${JSON.stringify({ end: { sha256 } })}\n`));
}
