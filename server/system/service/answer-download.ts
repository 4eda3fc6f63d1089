import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { BackupError } from "@/server/backup/backup-error";
import { backupPath } from "@/server/backup/backups";
import { AppError } from "@/server/errors";
import { attachmentOf } from "@/server/files/file-name";
import { answerRefusal } from "@/server/files/http";
import { dataDirectory } from "../queries/here";
import { proveInstallationOwner } from "./prove-owner";

/** GET /api/backups/<name>: the backup as a file, for owners of the installation. It holds all of it but the secrets key. */
export async function answerBackupDownload(
  request: Request,
  { params }: { params: Promise<{ name: string }> },
): Promise<Response> {
  try {
    await proveInstallationOwner(request);
    const { name } = await params;
    const path = pathOf(name);
    const file = await stat(/* turbopackIgnore: true */ path).catch(() => null);
    if (!file?.isFile()) throw new AppError("NOT_FOUND", "There is no such backup. It may have been deleted.");
    // The types of Node and of the browser differ in name only.
    const body = Readable.toWeb(createReadStream(/* turbopackIgnore: true */ path)) as ReadableStream<Uint8Array>;
    return new Response(body, {
      headers: {
        "content-type": "application/gzip",
        "content-length": String(file.size),
        "content-disposition": attachmentOf(name),
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
      },
    });
  } catch (error) {
    return answerRefusal(error, "A backup could not be sent");
  }
}

/** A name that is none is as unknown as one that is gone. */
function pathOf(name: string): string {
  try {
    return backupPath(dataDirectory(), name);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new AppError("NOT_FOUND", "There is no such backup.", { cause: error });
  }
}
