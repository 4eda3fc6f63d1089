import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import { answerRefusal } from "@/server/files/http";
import { answerTable, type TableRow } from "@/server/files/table-file";
import { workspaceRedactor } from "@/server/secrets/workspace-redactor";
import { readSpending, SPENDING_COLUMNS } from "../queries/read-spending";
import { spendingFile } from "../schema";

/** GET /api/usage/models?format=csv: what each run used of each model, the newest first, for members of the workspace. */
export async function answerSpending(request: Request): Promise<Response> {
  try {
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const { workspaceId } = await proveScope(user);
    const asked = spendingFile.safeParse(Object.fromEntries(new URL(request.url).searchParams)).data;
    if (!asked) throw new AppError("INVALID", "There is no such file. Download from the page of usage.");
    const redact = await workspaceRedactor(workspaceId);
    const pages = redacted(readSpending(workspaceId), redact);
    return answerTable({ format: asked.format, name: "model-usage", columns: SPENDING_COLUMNS, pages });
  } catch (error) {
    return answerRefusal(error, "The usage could not be sent");
  }
}

async function* redacted(pages: AsyncGenerator<TableRow[]>, redact: <T>(value: T) => T): AsyncGenerator<TableRow[]> {
  for await (const page of pages) yield redact(page);
}
