import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import { answerRefusal } from "@/server/files/http";
import { answerTable, type TableRow } from "@/server/files/table-file";
import { workspaceRedactor } from "@/server/secrets/workspace-redactor";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { listCalls } from "../queries/list-calls";
import { listGroups } from "../queries/list-groups";
import {
  type ListedCall,
  type ListSpendingInput,
  type SpendingFilters,
  type SpendingGroup,
  spendingFile,
} from "../schema";

const ROWS_A_READ = 100;
const NANO_PER_USD = 1_000_000_000;

const GROUP_COLUMNS = [
  ...[
    "key",
    "name",
    "calls",
    "failedCalls",
    "inputTokens",
    "cachedTokens",
    "outputTokens",
    "reasoningTokens",
    "costUsd",
  ],
  ...["share", "unpricedCalls", "callsWithoutUsageData", "firstTokenMedianMs", "firstTokenP95Ms", "durationMedianMs"],
];
const CALL_COLUMNS = [
  ...[
    "runId",
    "runTitle",
    "agentRunId",
    "position",
    "agent",
    "at",
    "kind",
    "provider",
    "model",
    "status",
    "finishReason",
  ],
  ...["error", "attempt", "inputTokens", "cachedTokens", "outputTokens", "reasoningTokens", "costUsd", "firstTokenMs"],
  "durationMs",
];

/** GET /api/spending/list?format=csv&by=…: the list of the page of spending, in its order, for members of the workspace. */
export async function answerSpendingList(request: Request): Promise<Response> {
  try {
    const user = await getSessionUser(request);
    if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
    const { workspaceId } = await proveScope(user);
    const asked = spendingFile.safeParse(Object.fromEntries(new URL(request.url).searchParams)).data;
    if (!asked) throw new AppError("INVALID", "These filters do not exist. Download from the page of spending.");
    const { format, ...filters } = asked;
    const isCalls = filters.by === "call";
    const redact = await workspaceRedactor(workspaceId);
    const pages = isCalls
      ? readPages(listCalls, callRow, { workspaceId, filters, redact })
      : readPages(listGroups, groupRow, { workspaceId, filters, redact });
    const [name, columns] = isCalls
      ? ["model-calls", CALL_COLUMNS]
      : [`spending-by-${filters.by || "agent"}`, GROUP_COLUMNS];
    return answerTable({ format, name, columns, pages });
  } catch (error) {
    return answerRefusal(error, "A list of spending could not be sent");
  }
}

type Of = { workspaceId: WorkspaceId; filters: SpendingFilters; redact: <T>(value: T) => T };
type List<T> = (
  workspaceId: WorkspaceId,
  input: ListSpendingInput,
) => Promise<{ items: T[]; nextCursor: string | null }>;

async function* readPages<T>(
  list: List<T>,
  toRow: (item: T) => TableRow,
  { workspaceId, filters, redact }: Of,
): AsyncGenerator<TableRow[]> {
  let cursor: string | null = null;
  do {
    const page = await list(workspaceId, { ...filters, limit: ROWS_A_READ, cursor });
    yield page.items.map((item) => redact(toRow(item)));
    cursor = page.nextCursor;
  } while (cursor);
}

/** What nobody told is empty, never zero. */
function groupRow(group: SpendingGroup): TableRow {
  const isTold = group.answered > group.silentCalls;
  const told = (count: number | null) => (isTold ? count : null);
  return {
    ...{ key: group.key, name: group.name, calls: group.calls, failedCalls: group.failed },
    ...{ inputTokens: told(group.inputTokens), cachedTokens: told(group.cachedTokens) },
    ...{ outputTokens: told(group.outputTokens), reasoningTokens: told(group.reasoningTokens) },
    costUsd: group.answered > group.silentCalls + group.unpricedCalls ? group.costNanoUsd / NANO_PER_USD : null,
    ...{ share: told(group.share), unpricedCalls: group.unpricedCalls, callsWithoutUsageData: group.silentCalls },
    firstTokenMedianMs: group.firstTokenMs?.median ?? null,
    firstTokenP95Ms: group.firstTokenMs?.p95 ?? null,
    durationMedianMs: group.durationMs,
  };
}

function callRow(call: ListedCall): TableRow {
  const told = (count: number | null) => (call.isUsageKnown ? count : null);
  return {
    ...{ runId: call.runId, runTitle: call.runTitle, agentRunId: call.agentRunId, position: call.position },
    ...{ agent: call.agentName, at: call.at, kind: call.kind, provider: call.provider, model: call.model },
    ...{ status: call.status, finishReason: call.finishReason, error: call.errorCode, attempt: call.attempt },
    ...{ inputTokens: told(call.inputTokens), cachedTokens: told(call.cachedTokens) },
    ...{ outputTokens: told(call.outputTokens), reasoningTokens: told(call.reasoningTokens) },
    costUsd: call.isUsageKnown && call.costNanoUsd !== null ? call.costNanoUsd / NANO_PER_USD : null,
    ...{ firstTokenMs: call.firstTokenMs, durationMs: call.durationMs },
  };
}
