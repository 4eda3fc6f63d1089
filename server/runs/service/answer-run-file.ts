import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { z } from "zod";
import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import { attachmentOf } from "@/server/files/file-name";
import { answerRefusal } from "@/server/files/http";
import { logger } from "@/server/logger";
import { FILE_ENDING } from "../file/format";
import { fileNameOf, openRunFile } from "../file/write-run-file";

/** GET /api/runs/<id>/file: a run as one file, for members of its workspace. */
export async function answerRunFile(
  request: Request,
  { params }: { params: Promise<{ runId: string }> },
): Promise<Response> {
  try {
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const scope = await proveScope(user);
    const runId = z.uuid().safeParse((await params).runId).data;
    if (!runId) throw new AppError("NOT_FOUND", "There is no such run.");
    const { title, lines } = await openRunFile(scope, runId);
    const packed = createGzip({ level: 6 });
    const source = Readable.from(lines, { objectMode: false });
    // The download then breaks off, and what arrived of it says so when it is opened.
    source.on("error", (error) => {
      logger.error({ err: error, runId }, "a run could not be sent to its end");
      packed.destroy(error);
    });
    packed.on("close", () => source.destroy());
    // The types of Node and of the browser differ in name only.
    const body = Readable.toWeb(source.pipe(packed)) as ReadableStream<Uint8Array>;
    return new Response(body, {
      headers: {
        "content-type": "application/gzip",
        "content-disposition": attachmentOf(`${fileNameOf(title) || "run"}${FILE_ENDING}`),
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
      },
    });
  } catch (error) {
    return answerRefusal(error, "A run could not be sent");
  }
}
