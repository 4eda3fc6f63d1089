import { createWriteStream } from "node:fs";
import { link, mkdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { v7 as uuid } from "uuid";
import { isCrossSite } from "@/server/auth/request-guard";
import { BackupError } from "@/server/backup/backup-error";
import { backupPath, backupsDirectory, checkBackup, newBackupName } from "@/server/backup/backups";
import { AppError } from "@/server/errors";
import { piecesOf } from "@/server/files/body-pieces";
import { answerRefusal, refuseWith } from "@/server/files/http";
import { tellChange } from "@/server/trpc/tell-changes";
import { dataDirectory } from "../queries/here";
import { sizeWords } from "../rules";
import { proveInstallationOwner } from "./prove-owner";

/** Left free whatever is uploaded: the embedded database lives on the same disk. */
const KEPT_FREE_BYTES = 1_000_000_000;

/** More than the disk takes; the door answers it with 413. */
class NoRoom extends AppError {
  constructor(mostBytes: number) {
    super(
      "INVALID",
      `There is room for ${sizeWords(Math.max(0, mostBytes))} here, less than this file. Free some space.`,
    );
  }
}

/**
 * POST /api/backups, the body being a backup's bytes and nothing else. It gets a name of ours and is listed only after it
 * was read to its end and found whole. Answers {name}, or {error: {code, message, …}}; then nothing was kept.
 */
export async function answerBackupUpload(request: Request): Promise<Response> {
  try {
    if (isCrossSite(request.headers)) throw new AppError("NOT_ALLOWED", "Requests from other sites are refused.");
    const { workspaceId } = await proveInstallationOwner(request);
    const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (type !== "application/octet-stream") {
      return refuseWith(415, "INVALID", "Send the file itself as application/octet-stream.");
    }
    const name = await receive(request);
    await tellChange(workspaceId, "system.backups");
    return Response.json({ name }, { headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (error instanceof NoRoom) return refuseWith(413, error.code, error.userMessage);
    return answerRefusal(error, "A backup could not be received");
  }
}

async function receive(request: Request): Promise<string> {
  const directory = dataDirectory();
  const folder = backupsDirectory(directory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const mostBytes = await roomIn(folder);
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) throw new NoRoom(mostBytes);
  // Not a name of a backup, so it is not listed.
  const arriving = join(folder, `.${uuid()}.upload`);
  try {
    const bytes = Readable.from(bounded(request, mostBytes), { objectMode: false });
    await pipeline(bytes, createWriteStream(arriving, { flags: "wx", mode: 0o600 }));
    await checkBackup(arriving);
    return await giveName(directory, arriving);
  } catch (error) {
    if (error instanceof BackupError) throw new AppError("INVALID", error.message, { cause: error });
    throw error;
  } finally {
    await rm(arriving, { force: true });
  }
}

async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize - KEPT_FREE_BYTES;
}

async function* bounded({ body, signal }: Request, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of piecesOf(body, signal)) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new NoRoom(mostBytes);
    yield piece;
  }
  if (bytes === 0) throw new AppError("INVALID", "This file is empty. Choose a backup.");
}

/** A link fails where the name is taken, unlike a rename: of two uploads in one minute none is lost. */
async function giveName(directory: string, arrived: string): Promise<string> {
  for (;;) {
    const name = await newBackupName(directory, "uploaded");
    try {
      await link(arrived, backupPath(directory, name));
      return name;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
