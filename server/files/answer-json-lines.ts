import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import { workspaceRedactor } from "@/server/secrets/workspace-redactor";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { attachmentOf } from "./file-name";
import { answerRefusal } from "./http";

type Lines<Filters> = {
  fileName: string;
  /** What the rows are called: "labelled decisions". */
  rows: string;
  /** Fields of the address; undefined for one that says something unknown. */
  filtersOf: (fields: Record<string, string>) => Filters | undefined;
  /** Ids of the newest rows, the newest first, and how many there are in all. */
  find: (workspaceId: WorkspaceId, filters: Filters, most: number) => Promise<{ ids: string[]; total: number }>;
  /** These rows in their order, a few at a time. */
  read: (workspaceId: WorkspaceId, ids: readonly string[]) => AsyncGenerator<object[]>;
  most: number;
};

/**
 * A filtered list as JSON lines, for members of the workspace, without what the workspace keeps secret. Where there are more rows than
 * one file takes, its last line says so.
 * Never throws: a refusal is an answer, too.
 */
export async function answerJsonLines<Filters>(request: Request, lines: Lines<Filters>): Promise<Response> {
  const { fileName, rows, filtersOf, find, read, most } = lines;
  try {
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const { workspaceId } = await proveScope(user);
    const filters = filtersOf(Object.fromEntries(new URL(request.url).searchParams));
    if (!filters) throw new AppError("INVALID", "These filters do not exist. Export from the page of the list.");
    const { ids, total } = await find(workspaceId, filters, most);
    const notice = total > ids.length ? cutNotice(rows, most, total) : null;
    const redact = await workspaceRedactor(workspaceId);
    return new Response(toLines(read(workspaceId, ids), redact, notice), {
      headers: {
        "content-type": "application/x-ndjson; charset=utf-8",
        "content-disposition": attachmentOf(fileName),
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
      },
    });
  } catch (error) {
    return answerRefusal(error, `The ${rows} could not be sent`);
  }
}

function cutNotice(rows: string, most: number, total: number): string {
  const [some, all] = [most, total].map((count) => count.toLocaleString("en-US"));
  return `Only the newest ${some} of ${all} ${rows} are in this file. Filter by dates and export the others apart.`;
}

/** The next rows are read when the reader has taken those before. */
function toLines(
  pages: AsyncGenerator<object[]>,
  redact: <T>(value: T) => T,
  notice: string | null,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lineOf = (value: object) => `${JSON.stringify(value)}\n`;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pages.next();
        if (!done) return controller.enqueue(encoder.encode(value.map((row) => lineOf(redact(row))).join("")));
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
