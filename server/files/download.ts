import { z } from "zod";
import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import { attachmentOf } from "./file-name";
import { answerRefusal } from "./http";
import { findStoredFile, readParts } from "./read-file";

/**
 * GET /api/files/<id>: the file as it was uploaded, for members of its workspace. Whatever it holds, a browser saves it and
 * runs nothing of it (A24).
 */
export async function answerDownload(
  request: Request,
  { params }: { params: Promise<{ fileId: string }> },
): Promise<Response> {
  try {
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const { workspaceId } = await proveScope(user);
    const fileId = z.uuid().safeParse((await params).fileId).data;
    const file = fileId ? await findStoredFile(workspaceId, fileId) : null;
    if (!file) throw new AppError("NOT_FOUND", "There is no such file.");
    return new Response(toStream(readParts(workspaceId, file.id)), {
      headers: {
        "content-type": file.mediaType.startsWith("text/") ? "application/octet-stream" : file.mediaType,
        "content-length": String(file.sizeBytes),
        "content-disposition": attachmentOf(file.name),
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
      },
    });
  } catch (error) {
    return answerRefusal(error, "A download failed");
  }
}

/** A part is read when the reader has taken the one before. */
function toStream(parts: AsyncGenerator<Buffer>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
