import { createHash } from "node:crypto";
import { v7 as uuid } from "uuid";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { inTransaction } from "@/server/transaction";
import { assertRoom, lockUpkeep } from "@/server/usage/service/count-against-limits";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { piecesOf } from "./body-pieces";
import { type MediaType, MediaTypeCheck } from "./media-type";

/** Parts are read and written one at a time: this is what a file costs in memory, however large it is. */
const PART_BYTES = 1024 * 1024;

export type ReceivedFile = { fileId: string; mediaType: MediaType; sizeBytes: number; sha256: string };

/** More bytes than one file may have; the door answers it with 413. */
export class FileTooLarge extends AppError {
  constructor(sentence: string) {
    super("INVALID", sentence);
  }
}

export type Incoming = {
  name: string;
  request: Pick<Request, "body" | "signal">;
  mostBytes: number;
  /** The sentence for a file with more. */
  tooLarge: string;
  /** What the sender says it will send: room for it is reserved. 0 when it does not say. */
  announcedBytes: number;
};

/**
 * Writes a body into parts as it comes. The file stays "uploading" until the caller marks it as stored; whatever fails here
 * leaves nothing behind, and what a dead process leaves behind is swept away. Room for what was announced is reserved before
 * the first byte, and piece by piece for what comes beyond, so that all uploads together never pass the workspace's limit.
 * Throws FileTooLarge, StorageFull, and INVALID when it is empty, of a type we cannot read, or cut off.
 */
export async function receiveFile(
  { workspaceId, userId }: Pick<Scope, "workspaceId" | "userId">,
  { name, request, mostBytes, tooLarge, announcedBytes }: Incoming,
): Promise<ReceivedFile> {
  const fileId = uuid();
  await inTransaction(async (client) => {
    await lockUpkeep(client, workspaceId);
    await client.query(
      `INSERT INTO files (id, workspace_id, name, media_type, created_by_id, size_bytes)
       VALUES ($1, $2, $3, 'application/octet-stream', $4, $5)`,
      [fileId, workspaceId, name, userId, announcedBytes],
    );
    await assertRoom(client, workspaceId, announcedBytes);
  });
  let reservedBytes = announcedBytes;
  try {
    const hash = createHash("sha256");
    const type = new MediaTypeCheck();
    let sizeBytes = 0;
    let part = 0;
    for await (const content of inParts(request, { mostBytes, tooLarge })) {
      hash.update(content);
      type.add(content);
      sizeBytes += content.byteLength;
      if (sizeBytes > reservedBytes) {
        await reserve(workspaceId, fileId, sizeBytes - reservedBytes);
        reservedBytes = sizeBytes;
      }
      await storePart(workspaceId, { fileId, part: part++, content });
    }
    if (sizeBytes === 0) throw new AppError("INVALID", `“${name}” is empty. Choose a file with something in it.`);
    const told = type.end(name);
    if ("problem" in told) throw new AppError("INVALID", told.problem);
    return { fileId, mediaType: told.mediaType, sizeBytes, sha256: hash.digest("hex") };
  } catch (error) {
    await forgetFile(workspaceId, fileId);
    throw error;
  }
}

function reserve(workspaceId: WorkspaceId, fileId: string, moreBytes: number): Promise<void> {
  return inTransaction(async (client) => {
    await lockUpkeep(client, workspaceId);
    await client.query("UPDATE files SET size_bytes = size_bytes + $3 WHERE workspace_id = $1 AND id = $2", [
      ...[workspaceId, fileId, moreBytes],
    ]);
    await assertRoom(client, workspaceId, moreBytes);
  });
}

/** Removes a file that was not stored after all. Never throws: the sweep removes what this cannot. */
export async function forgetFile(workspaceId: WorkspaceId, fileId: string): Promise<void> {
  await pool()
    .query("DELETE FROM files WHERE workspace_id = $1 AND id = $2 AND status = 'uploading'", [workspaceId, fileId])
    .catch(() => {});
}

/** Uploads whose sender or server went away. Returns how many there were. */
export async function sweepUploads(silentForMs: number): Promise<number> {
  const { rowCount } = await pool().query(
    "DELETE FROM files WHERE status = 'uploading' AND touched_at < now() - make_interval(secs => $1)",
    [silentForMs / 1000],
  );
  return rowCount ?? 0;
}

async function storePart(
  workspaceId: WorkspaceId,
  { fileId, part, content }: { fileId: string; part: number; content: Buffer },
): Promise<void> {
  const { rowCount } = await pool().query({
    name: "store_file_part",
    text: `WITH file AS (
        UPDATE files SET touched_at = now() WHERE workspace_id = $1 AND id = $2 AND status = 'uploading' RETURNING id, workspace_id)
      INSERT INTO file_parts (file_id, part, workspace_id, content) SELECT id, $3, workspace_id, $4 FROM file`,
    values: [workspaceId, fileId, part, content],
  });
  if (rowCount === 0) throw new AppError("CONFLICT", "This upload stood still for too long. Upload the file again.");
}

/** The body in pieces of one part's size, the last one smaller. */
async function* inParts(
  { body, signal }: Pick<Request, "body" | "signal">,
  { mostBytes, tooLarge }: Pick<Incoming, "mostBytes" | "tooLarge">,
): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let sizeBytes = 0;
  for await (const piece of piecesOf(body, signal)) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > mostBytes) throw new FileTooLarge(tooLarge);
    held.push(piece);
    heldBytes += piece.byteLength;
    if (heldBytes < PART_BYTES) continue;
    const bytes = Buffer.concat(held);
    const whole = bytes.length - (bytes.length % PART_BYTES);
    for (let at = 0; at < whole; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
    held = [bytes.subarray(whole)];
    heldBytes = bytes.length - whole;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
