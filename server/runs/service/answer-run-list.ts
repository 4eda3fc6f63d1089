import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import { answerRefusal } from "@/server/files/http";
import { answerTable, type TableRow } from "@/server/files/table-file";
import { workspaceRedactor } from "@/server/secrets/workspace-redactor";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type RunFilters, runListFile } from "../list-schema";
import { listRuns } from "../queries/list-runs";

const RUNS_A_READ = 100;

const COLUMNS = [
  ...[
    "id",
    "title",
    "state",
    "reason",
    "kind",
    "target",
    "version",
    "model",
    "startedBy",
    "createdAt",
    "startedAt",
    "finishedAt",
  ],
  ...["inputTokens", "outputTokens", "costUsd", "unpricedCalls", "tags", "imported"],
];

/** GET /api/runs/list?format=csv&filters={…}: the runs of a filter, the newest first, for members of the workspace. */
export async function answerRunList(request: Request): Promise<Response> {
  try {
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const { workspaceId } = await proveScope(user);
    const asked = runListFile.safeParse(Object.fromEntries(new URL(request.url).searchParams)).data;
    if (!asked) throw new AppError("INVALID", "These filters do not exist. Download from the page of runs.");
    const pages = readPages(workspaceId, asked.filters, await workspaceRedactor(workspaceId));
    return answerTable({ format: asked.format, name: "runs", columns: COLUMNS, pages });
  } catch (error) {
    return answerRefusal(error, "A list of runs could not be sent");
  }
}

async function* readPages(
  workspaceId: WorkspaceId,
  filters: RunFilters,
  redact: <T>(value: T) => T,
): AsyncGenerator<TableRow[]> {
  let cursor: string | null | undefined;
  do {
    const page = await listRuns(workspaceId, { ...filters, limit: RUNS_A_READ, ...(cursor ? { cursor } : {}) });
    yield page.items.map((run) =>
      redact({
        ...{ id: run.id, title: run.title, state: run.status, reason: run.statusReason, kind: run.target.kind },
        ...{ target: run.target.name, version: run.target.version, model: run.model, startedBy: run.startedBy },
        ...{ createdAt: run.createdAt, startedAt: run.startedAt, finishedAt: run.finishedAt },
        ...{ inputTokens: run.inputTokens, outputTokens: run.outputTokens, costUsd: run.costNanoUsd / 1e9 },
        ...{ unpricedCalls: run.unpricedCalls, tags: run.tags.join(" · "), imported: run.imported !== null },
      }),
    );
    cursor = page.nextCursor;
  } while (cursor);
}
