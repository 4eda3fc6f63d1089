import { z } from "zod";
import { pool } from "@/server/db";
import type { StepRow } from "@/server/engine/events";
import { entryKind } from "@/server/knowledge/entry-schema";
import { passageScores, type ScoredPassage } from "@/server/knowledge/schema";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { toInstant } from "../instant";
import { getLastSeq } from "../list-events";
import { findMessagesAt, placeKey } from "./find-messages-at";
import { pageOf } from "./page-of";
import { MOST_PREVIEW, type Passage, type Retrieval, type RetrievalsInput } from "./schema";

const PAGE = 20;
/** The documentation of the product is searched by a tool of its own, which is no knowledge base. */
const IS_RETRIEVAL = "(s.kind = 'retrieval' OR s.name = 'docs__search')";

type StepRecord = {
  agentRunId: string;
  agentName: string;
  position: number;
  tool: string;
  status: StepRow["status"];
  startedAt: Date;
  finishedAt: Date;
  callId: string | null;
  replyMessage: number | null;
  callerMessage: number | null;
  /** Null: it is from before they were kept. */
  scored: ScoredPassage[] | null;
  total: number;
};

/** What the call asked for and what it brought hold the words; of a result over 8 kB each stored part by itself. */
const HOLDS_WORDS = `EXISTS (SELECT FROM messages m
  WHERE m.workspace_id = $1 AND m.agent_run_id = x."agentRunId" AND (
    (m.index = x."replyMessage" AND (strpos(lower(m.content ->> 'content'), lower($4)) > 0
      OR EXISTS (SELECT FROM blobs b WHERE b.workspace_id = $1 AND b.hash = m.content ->> 'blob' AND strpos(lower(b.content), lower($4)) > 0)))
    OR (m.index = x."callerMessage" AND EXISTS (SELECT FROM jsonb_array_elements(m.content -> 'calls') c
      WHERE c ->> 'id' = x."callId" AND strpos(lower(c ->> 'arguments'), lower($4)) > 0))))`;

/**
 * What was looked up in a run, oldest first: the query, the passages with the scores of that search, and who cites them. Of one
 * agent run, and with words in it, where that is asked. Throws NOT_FOUND.
 */
export async function listRetrievals(
  workspaceId: WorkspaceId,
  { runId, agentRunId, search, cursor }: RetrievalsInput,
): Promise<{ items: Retrieval[]; nextCursor: number | null; total: number }> {
  await getLastSeq(workspaceId, runId);
  const offset = cursor ?? 0;
  const { rows } = await pool().query<StepRecord>(
    `SELECT x.*, (count(*) OVER ())::int AS total
     FROM (
       SELECT s.agent_run_id AS "agentRunId", a.name AS "agentName", s.position, s.name AS tool, s.status, s.started_at AS "startedAt",
         s.finished_at AS "finishedAt", s.call_id AS "callId", s.reply_message AS "replyMessage", coalesce(
           s.request_messages - 1, (SELECT m.reply_message FROM steps m
            WHERE m.workspace_id = s.workspace_id AND m.agent_run_id = s.agent_run_id AND m.position < s.position
              AND m.kind = 'model' AND m.reply_message IS NOT NULL
            ORDER BY m.position DESC LIMIT 1)) AS "callerMessage", t.passages AS scored
       FROM steps s JOIN agent_runs a ON a.workspace_id = s.workspace_id AND a.id = s.agent_run_id
       LEFT JOIN retrievals t ON t.workspace_id = s.workspace_id AND t.agent_run_id = s.agent_run_id AND t.position = s.position
       WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} AND ${IS_RETRIEVAL} AND ($3::uuid IS NULL OR s.agent_run_id = $3)) x
     WHERE $4 = '' OR ${HOLDS_WORDS}
     ORDER BY x."startedAt", x."agentRunId", x.position LIMIT $5 OFFSET $6`,
    [workspaceId, runId, agentRunId ?? null, search, PAGE + 1, offset],
  );
  const page = pageOf(rows, PAGE, offset);
  const messages = await findMessagesAt(
    workspaceId,
    page.items.flatMap(({ agentRunId, callerMessage, replyMessage }) =>
      [callerMessage, replyMessage].flatMap((index) => (index === null ? [] : [{ agentRunId, index }])),
    ),
  );
  const at = (agentRunId: string, index: number | null) =>
    index === null ? undefined : messages.get(placeKey({ agentRunId, index }));
  const read = page.items.map((step) => {
    const call = at(step.agentRunId, step.callerMessage)?.calls.find(({ id }) => id === step.callId);
    return {
      step,
      ...readCall(call?.arguments),
      ...readResult(at(step.agentRunId, step.replyMessage)?.content ?? null),
    };
  });
  const marks = await findMarks(
    workspaceId,
    runId,
    read.flatMap(({ found }) => found.flatMap(({ mark }) => (mark === null ? [] : [mark]))),
  );
  const items = read.map(({ step, query, reason, entryKind, found, note, isUnreadable }) => ({
    ...{ agentRunId: step.agentRunId, agentName: step.agentName, position: step.position, tool: step.tool },
    ...{ status: step.status, startedAt: toInstant(step.startedAt), query, reason },
    ...{ entryKind, note, isUnreadable },
    tookMs: step.finishedAt.getTime() - step.startedAt.getTime(),
    passages: found.map((passage) => ({ ...passage, ...toldOf(passage.mark, step.scored, marks) })),
    hasOwnScores: step.scored !== null,
  }));
  return { items, nextCursor: page.nextCursor, total: rows[0]?.total ?? 0 };
}

const searched = z.object({
  query: z.string(),
  reason: z.string().nullish(),
  kind: entryKind.nullish().catch(null),
});

function readCall(text: string | undefined): Pick<Retrieval, "query" | "reason" | "entryKind"> {
  const parsed = searched.safeParse(parseJson(text));
  const { query = "", reason = null, kind = null } = parsed.data ?? {};
  return { query, reason, entryKind: kind };
}

/** As the tools return them; models are given the same, so nothing else is sure to be there. */
const returned = z.object({
  passages: z.array(
    z.union([
      z.string(),
      z.object({
        citation: z.string().nullish(),
        text: z.string().default(""),
        document: z.string().nullish(),
        title: z.string().nullish(),
        heading: z.string().nullish(),
        page: z.int().nullish(),
      }),
    ]),
  ),
  note: z.string().nullish(),
});

type Found = Pick<Passage, "mark" | "document" | "heading" | "page" | "text">;

function readResult(text: string | null): { found: Found[]; note: string | null; isUnreadable: boolean } {
  const parsed = returned.safeParse(parseJson(text ?? undefined));
  if (!parsed.success) return { found: [], note: null, isUnreadable: text !== null };
  const found = parsed.data.passages.map((passage): Found => {
    if (typeof passage === "string") {
      return { mark: null, document: "", heading: "", page: null, text: passage.slice(0, MOST_PREVIEW) };
    }
    const mark = passage.citation?.replace(/^\[|\]$/g, "") || null;
    return {
      ...{ mark, page: passage.page ?? null, text: passage.text.slice(0, MOST_PREVIEW) },
      document: passage.document ?? mark?.split("#")[0] ?? "",
      heading: passage.heading ?? passage.title ?? "",
    };
  });
  return { found, note: parsed.data.note ?? null, isUnreadable: false };
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

type Marked = Pick<Passage, "scores" | "baseName" | "isKept" | "isInAnswer" | "citedBy">;

/** What is kept of each mark, with the scores of when it was given, and which texts repeat it. */
async function findMarks(
  workspaceId: WorkspaceId,
  runId: string,
  marks: readonly string[],
): Promise<Map<string, Marked>> {
  if (marks.length === 0) return new Map();
  const { rows } = await pool().query<Marked & { mark: string }>(
    `SELECT w.mark, c.scores, b.name AS "baseName", c.mark IS NOT NULL AS "isKept",
       strpos(coalesce(r.answer, ''), '[' || w.mark || ']') > 0 AS "isInAnswer",
       coalesce((SELECT array_agg(DISTINCT a.name ORDER BY a.name) FROM agent_runs a
         WHERE a.workspace_id = $1 AND a.run_id = $2 AND strpos(coalesce(a.result, ''), '[' || w.mark || ']') > 0), '{}') AS "citedBy"
     FROM (SELECT DISTINCT unnest($3::text[]) AS mark) w
     JOIN runs r ON r.workspace_id = $1 AND r.id = $2
     LEFT JOIN citations c ON c.workspace_id = $1 AND c.run_id = $2 AND c.mark = w.mark
     LEFT JOIN knowledge_bases b ON b.workspace_id = c.workspace_id AND b.id = c.base_id`,
    [workspaceId, runId, marks],
  );
  return new Map(rows.map(({ mark, ...row }) => [mark, row]));
}

const UNMARKED: Marked = { scores: null, baseName: null, isKept: false, isInAnswer: false, citedBy: [] };

/** With the scores of the very search where it kept them. */
function toldOf(
  mark: string | null,
  scored: readonly ScoredPassage[] | null,
  marks: ReadonlyMap<string, Marked>,
): Marked {
  const told = (mark === null ? undefined : marks.get(mark)) ?? UNMARKED;
  if (scored === null) return told;
  const own = scored.find((passage) => passage.mark === mark);
  return { ...told, scores: own ? passageScores.parse(own) : null };
}
