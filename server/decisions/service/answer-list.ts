import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import { answerRefusal } from "@/server/files/http";
import { answerTable, type TableRow } from "@/server/files/table-file";
import { workspaceRedactor } from "@/server/secrets/workspace-redactor";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { listDecisions } from "../queries/list-decisions";
import { type DecisionFilters, decisionListFile } from "../schema";

const DECISIONS_A_READ = 100;

const COLUMNS = [
  "id",
  "at",
  "runId",
  "runTitle",
  "agent",
  "kind",
  "chosen",
  "reason",
  "source",
  "outcome",
  "labels",
  "imported",
];

/** GET /api/decisions/list?format=csv&kind=…: the decisions of a filter, the newest first, for members of the workspace. */
export async function answerDecisionList(request: Request): Promise<Response> {
  try {
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const { workspaceId } = await proveScope(user);
    const asked = decisionListFile.safeParse(Object.fromEntries(new URL(request.url).searchParams)).data;
    if (!asked) throw new AppError("INVALID", "These filters do not exist. Download from the page of decisions.");
    const { format, ...filters } = asked;
    const pages = readPages(workspaceId, filters, await workspaceRedactor(workspaceId));
    return answerTable({ format, name: "decisions", columns: COLUMNS, pages });
  } catch (error) {
    return answerRefusal(error, "A list of decisions could not be sent");
  }
}

async function* readPages(
  workspaceId: WorkspaceId,
  filters: DecisionFilters,
  redact: <T>(value: T) => T,
): AsyncGenerator<TableRow[]> {
  let cursor: string | null | undefined;
  do {
    const page = await listDecisions(workspaceId, {
      ...filters,
      limit: DECISIONS_A_READ,
      ...(cursor ? { cursor } : {}),
    });
    yield page.items.map(({ agentName, chosen, labels, isImported, ...row }) =>
      redact({
        ...{ id: row.id, at: row.at, runId: row.runId, runTitle: row.runTitle, agent: agentName, kind: row.kind },
        ...{ chosen: chosen.map(({ label }) => label).join(" · "), reason: row.reason, source: row.source },
        ...{ outcome: row.outcome, labels: labels.map(({ verdict, by }) => `${verdict} (${by})`).join(" · ") },
        imported: isImported,
      }),
    );
    cursor = page.nextCursor;
  } while (cursor);
}
