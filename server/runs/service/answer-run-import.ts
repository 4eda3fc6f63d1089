import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { proveScope } from "@/server/auth/prove-scope";
import { isCrossSite } from "@/server/auth/request-guard";
import { getSessionUser } from "@/server/auth/session";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { piecesOf } from "@/server/files/body-pieces";
import { answerRefusal, refuseWith } from "@/server/files/http";
import { sealRun } from "@/server/ledger/jobs/seal-runs";
import { logger } from "@/server/logger";
import { StorageFull } from "@/server/usage/service/count-against-limits";
import type { Scope } from "@/server/workspaces/scope";
import { checkRunFile } from "../file/read-run-file";
import { storeRunFile } from "../file/store-run-file";

/** Packed. A run of 10,000 steps takes a few of them. */
const MOST_MB = 100;

class TooLarge extends AppError {
  constructor() {
    super("INVALID", `This file is too large: a run file has at most ${MOST_MB} MB.`);
  }
}

/**
 * POST /api/runs/import, the body being a run file's bytes and nothing else: the run is stored to be looked at, under an id of its own. For
 * editors and owners. Answers {runId}, or {error: {code, message, …}}; then nothing was kept.
 */
export async function answerRunImport(request: Request): Promise<Response> {
  try {
    if (isCrossSite(request.headers)) throw new AppError("NOT_ALLOWED", "Requests from other sites are refused.");
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const scope = await proveScope(user);
    if (scope.role !== "owner" && scope.role !== "editor") {
      throw new AppError("NOT_ALLOWED", "You cannot open run files here. Ask an owner for the editor role.");
    }
    const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (type !== "application/octet-stream") {
      return refuseWith(415, "INVALID", "Send the file itself as application/octet-stream.");
    }
    if (Number(request.headers.get("content-length") ?? 0) > MOST_MB * 1_000_000) throw new TooLarge();
    const runId = await receive(scope, request);
    await pool().query("SELECT tell_changed($1, 'runs', NULL), tell_changed($1, 'decisions', NULL)", [
      scope.workspaceId,
    ]);
    return Response.json({ runId }, { headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (error instanceof TooLarge || error instanceof StorageFull)
      return refuseWith(413, error.code, error.userMessage);
    return answerRefusal(error, "A run file could not be opened");
  }
}

/** The file is judged to its end before anything of it is stored. */
async function receive(scope: Scope, request: Request): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "troupe-run-"));
  try {
    const path = join(folder, "arriving");
    const bytes = Readable.from(bounded(request), { objectMode: false });
    await pipeline(bytes, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    const checked = await checkRunFile(path);
    const runId = await storeRunFile(scope, path, checked);
    const { workspaceId, userId } = scope;
    // It ended long ago: the job that seals what ended lately would come by later.
    await sealRun({ id: runId, workspaceId, events: checked.header.run.last_seq });
    logger.info({ workspaceId, userId, runId, sourceRunId: checked.header.run.id }, "a run file was imported");
    return runId;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* bounded({ body, signal }: Request): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of piecesOf(body, signal)) {
    bytes += piece.byteLength;
    if (bytes > MOST_MB * 1_000_000) throw new TooLarge();
    yield piece;
  }
  if (bytes === 0) throw new AppError("INVALID", "This file is empty. Choose a run file.");
}
