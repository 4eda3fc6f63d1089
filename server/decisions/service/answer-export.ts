import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import { attachmentOf } from "@/server/files/file-name";
import { answerRefusal } from "@/server/files/http";
import { findLabelled, type LabelledDecision, readLabelled } from "../queries/read-labelled";
import { decisionFilters, MOST_EXPORTED } from "../schema";

const FILE_NAME = "labelled-decisions.jsonl";

/**
 * GET /api/decisions/labelled?kind=…: the labelled decisions of a filter as JSON lines, for members of the workspace. The parameters are
 * the fields of `decisionFilters`. Where there are more than one file takes, its last line says so.
 */
export async function answerLabelledExport(request: Request): Promise<Response> {
  try {
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const { workspaceId } = await proveScope(user);
    const filters = decisionFilters.safeParse(Object.fromEntries(new URL(request.url).searchParams)).data;
    if (!filters) throw new AppError("INVALID", "These filters do not exist. Export from the page of decisions.");
    const { ids, total } = await findLabelled(workspaceId, filters, MOST_EXPORTED);
    const notice = total > ids.length ? cutNotice(total) : null;
    return new Response(toLines(readLabelled(workspaceId, ids), notice), {
      headers: {
        "content-type": "application/x-ndjson; charset=utf-8",
        "content-disposition": attachmentOf(FILE_NAME),
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
      },
    });
  } catch (error) {
    return answerRefusal(error, "Labelled decisions could not be sent");
  }
}

function cutNotice(total: number): string {
  const [most, all] = [MOST_EXPORTED, total].map((count) => count.toLocaleString("en-US"));
  return `Only the newest ${most} of ${all} labelled decisions are in this file. Filter by dates and export the others apart.`;
}

/** The next decisions are read when the reader has taken those before. */
function toLines(pages: AsyncGenerator<LabelledDecision[]>, notice: string | null): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lineOf = (value: object) => `${JSON.stringify(value)}\n`;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pages.next();
        if (!done) return controller.enqueue(encoder.encode(value.map(lineOf).join("")));
        if (notice !== null) controller.enqueue(encoder.encode(lineOf({ isCut: true, notice })));
        controller.close();
      },
      async cancel() {
        await pages.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
