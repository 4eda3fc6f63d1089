import { z } from "zod";
import { proveScope } from "@/server/auth/prove-scope";
import { isCrossSite } from "@/server/auth/request-guard";
import { getSessionUser } from "@/server/auth/session";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { UploadResult } from "@/server/knowledge/schema";
import { hidingOf } from "@/server/secrets/redaction";
import { toInvalidInput } from "@/server/trpc/error-mapping";
import { tooLargeToUpload } from "@/server/usage/rules";
import { MB } from "@/server/usage/schema";
import { assertMayAddDocument, StorageFull } from "@/server/usage/service/count-against-limits";
import { readLimits } from "@/server/usage/service/read-standing";
import type { Role, Scope } from "@/server/workspaces/scope";
import { confineName } from "./file-name";
import { answerRefusal, refuseWith } from "./http";
import { queueDocument } from "./queue-document";
import { FileTooLarge, forgetFile, receiveFile } from "./store-file";
import { findBase, openAttachments } from "./upload-target";

const target = z
  .strictObject({
    baseId: z.uuid("There is no such knowledge base.").optional(),
    conversationId: z.uuid("There is no such conversation.").optional(),
    name: z.string().min(1, "Give the file a name."),
  })
  .refine(({ baseId, conversationId }) => (baseId === undefined) !== (conversationId === undefined), {
    message: "Say which knowledge base or which conversation the file is for.",
  });
type Target = z.infer<typeof target>;

const MAY_FILL_BASES: readonly Role[] = ["owner", "editor"];
const MAY_ATTACH: readonly Role[] = ["owner", "editor", "operator"];

/**
 * POST /api/upload?baseId=…|conversationId=…&name=…, the body being the file's bytes and nothing else. Answers uploadResult,
 * or {error: {code, message, …}} with 400, 401, 403, 404, 409, 413, 415 or 429; then nothing was stored.
 */
export async function answerUpload(request: Request): Promise<Response> {
  try {
    if (isCrossSite(request.headers)) throw new AppError("NOT_ALLOWED", "Requests from other sites are refused.");
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const scope = await proveScope(user);
    // Only this type: a form of another site cannot send it unasked, and no parser guesses at what else it may be (A23).
    const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (type !== "application/octet-stream") {
      return refuseWith(415, "INVALID", "Send the file itself as application/octet-stream.");
    }
    const parsed = target.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!parsed.success) throw new AppError("INVALID", toInvalidInput(parsed.error).userMessage);
    return Response.json(await upload(scope, parsed.data, request), { headers: { "cache-control": "no-store" } });
  } catch (error) {
    return error instanceof FileTooLarge || error instanceof StorageFull
      ? refuseWith(413, error.code, error.userMessage)
      : answerRefusal(error, "An upload failed");
  }
}

async function upload(scope: Scope, target: Target, request: Request): Promise<UploadResult> {
  assertMayUpload(scope, target);
  const name = (await hidingOf(scope.workspaceId))(confineName(target.name));
  if (!name) throw new AppError("INVALID", "This name cannot be used for a file. Rename it.");
  const limits = await readLimits(pool(), scope.workspaceId);
  const mostBytes = limits.uploadMb * MB;
  const tooLarge = tooLargeToUpload(limits);
  const announcedBytes = announced(request);
  if (announcedBytes > mostBytes) throw new FileTooLarge(tooLarge);
  const baseId = target.baseId
    ? await findBase(scope.workspaceId, target.baseId)
    : await openAttachments(scope, target.conversationId ?? "");

  await assertMayAddDocument(pool(), scope.workspaceId, { baseId, name });
  const received = await receiveFile(scope, { name, request, mostBytes, tooLarge, announcedBytes });
  try {
    return await queueDocument(scope, { ...received, baseId, name });
  } catch (error) {
    await forgetFile(scope.workspaceId, received.fileId);
    throw error;
  }
}

/** A body sent in chunks announces nothing. */
function announced(request: Request): number {
  const bytes = Number(request.headers.get("content-length") ?? 0);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}

function assertMayUpload({ role }: Scope, { baseId }: Target): void {
  if (baseId && !MAY_FILL_BASES.includes(role)) {
    throw new AppError("NOT_ALLOWED", "You cannot add documents here. Ask an owner for the editor role.");
  }
  if (!MAY_ATTACH.includes(role)) {
    throw new AppError("NOT_ALLOWED", "You can look but not act here. Ask an owner for the operator role.");
  }
}
