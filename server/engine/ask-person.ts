import { answerSchema } from "./answer-schema";
import { type Asker, type Escalation, escalationOf, passOnInTime } from "./escalation";
import type { AnswerKind, RequestOption, RequestView } from "./events";
import type { Execution } from "./execution";
import { expireRequest } from "./expire-requests";
import { deriveId, hashOf } from "./ids";
import { merged, runEvent } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";

export type Question<Kind extends AnswerKind = "choice"> = {
  position: number;
  /** Tells apart several requests of one step. */
  place: string;
  kind: RequestView["kind"];
  prompt: string;
  options: RequestOption[];
  /** A choice unless it says otherwise. */
  answerKind?: Kind;
  call: { tool: string; arguments: string } | null;
  decisionId: string | null;
  /** Committed together with the request. */
  unit?: JournalUnit;
};

export type AnswerTo<Kind extends AnswerKind> = Kind extends "several" ? string[] : string;

/**
 * Asks a person and waits (promise 7) for as long as it takes: the request is stored before it is shown, and the row decides which answer
 * counts. After a crash the same request is waited for again. The caller commits `execution.endWaiting()` with what follows.
 */
export async function askPerson<Kind extends AnswerKind = "choice">(
  execution: Execution,
  question: Question<Kind>,
): Promise<AnswerTo<Kind>> {
  const answer = await askPersonFor(execution, question, null);
  if (answer === null) throw new Error(`A request without a deadline expired: ${question.place}.`);
  return answer;
}

/**
 * The same, for at most `timeoutMs` (null: any time) from when people are asked, without the time their run is held. Null: nobody answered
 * in time. A child's question is asked of the agents above first (escalation.ts).
 */
export async function askPersonFor<Kind extends AnswerKind = "choice">(
  execution: Execution,
  question: Question<Kind>,
  timeoutMs: number | null,
): Promise<AnswerTo<Kind> | null> {
  const { id, known, again } = requestFor(execution, question.place);
  const waiting = execution.beginWaiting();
  if (!known) {
    const escalation = escalationOf(execution, question);
    const decisions = again ? {} : merged(question.unit ?? {}, escalation?.unit ?? {});
    // What is asked of agents first has its deadline from when it is passed on.
    const deadlineAt =
      timeoutMs === null || escalation ? null : new Date(execution.resources.now().getTime() + timeoutMs).toISOString();
    const asked = requestUnit(execution, { id, question, escalation, deadlineAt });
    await execution.journal.append(merged(decisions, asked, waiting));
  } else if (known.status === "open" || known.status === "escalated") await execution.journal.append(waiting);
  await execution.faultPoint("in-wait", question.position);
  return answerOf(execution, { id, agentRunId: execution.row.id, position: question.position });
}

/**
 * Waits for the answer. Whoever waits also sees to it that people are asked once the agents above have let their time pass, and that
 * the request is closed once people have; null: it was.
 */
async function answerOf<Kind extends AnswerKind>(execution: Execution, request: Asker): Promise<AnswerTo<Kind> | null> {
  const { hub, pool, now } = execution.resources;
  let alarm: NodeJS.Timeout | undefined;
  const look = async () => {
    const { rows } = await pool.query<Standing<Kind>>({
      name: "request_answer",
      text: `select status, answer, escalated_until as until,
          (extract(epoch from deadline_at - clock_timestamp()) * 1000)::float8 as left_ms from human_requests where id = $1`,
      values: [request.id],
    });
    const [row] = rows;
    clearTimeout(alarm);
    if (row?.status === "escalated" && row.until) {
      const leftMs = row.until.getTime() - now().getTime();
      if (leftMs > 0) alarm = setTimeout(() => hub.tell("answered", request.id), leftMs);
      else await passOnInTime(execution, request);
    }
    if (row?.status === "open" && row.left_ms !== null) {
      if (row.left_ms > 0) alarm = setTimeout(() => hub.tell("answered", request.id), Math.ceil(row.left_ms));
      // Not while the run is held: whoever resumes it asks for as long as was left.
      else if (await expireRequest(pool, request.id)) hub.tell("answered", request.id);
    }
    if (row?.status === "expired") return { answer: null };
    return row?.status === "answered" ? { answer: row.answer } : undefined;
  };
  try {
    return (await hub.waitFor("answered", request.id, execution.signal, look)).answer;
  } finally {
    clearTimeout(alarm);
  }
}

type Standing<Kind extends AnswerKind> = {
  status: RequestView["status"];
  answer: AnswerTo<Kind>;
  until: Date | null;
  left_ms: number | null;
};

/** The request of this place that counts: one that was withdrawn with an interruption can no longer be answered. */
function requestFor(execution: Execution, place: string) {
  for (let again = 0; ; again++) {
    const id = deriveId(execution.row.id, again ? `request ${place} again ${again}` : `request ${place}`);
    const known = execution.journal.opened.requests.find((request) => request.id === id);
    if (known?.status !== "withdrawn") return { id, known, again };
  }
}

/** What stores a request and shows it. */
export function requestUnit(
  execution: Execution,
  {
    id,
    question,
    escalation,
    deadlineAt,
  }: { id: string; question: Question<AnswerKind>; escalation: Escalation | null; deadlineAt: string | null },
): JournalUnit {
  const at = execution.now();
  const { answerKind = "choice" } = question;
  const request: RequestView = {
    id,
    runId: execution.row.runId,
    agentRunId: execution.row.id,
    agentName: execution.row.name,
    position: question.position,
    kind: question.kind,
    prompt: question.prompt,
    options: question.options,
    answerKind,
    call: question.call,
    deadlineAt,
    defaultAnswer: null,
    status: escalation ? "escalated" : "open",
    answer: null,
    answeredBy: null,
    answeredByAgentId: null,
    answeredAt: null,
    escalatedUntil: escalation?.until ?? null,
    assignee: null,
    createdAt: at,
  };
  const asked: JournalUnit = {
    requests: [
      {
        id,
        position: question.position,
        decision: question.decisionId,
        kind: question.kind,
        prompt: question.prompt,
        options: question.options,
        schema: answerSchema(answerKind, question.options),
        call: question.call,
        args: question.call ? hashOf(question.call.arguments) : null,
        ...(escalation ? { until: escalation.until } : {}),
        ...(deadlineAt ? { deadline: deadlineAt } : {}),
      },
    ],
    events: [{ body: { kind: "request.opened", request } }],
  };
  // The run goes on: it waits for nobody but itself.
  if (escalation) return asked;
  return merged(asked, {
    events: [runEvent({ kind: "run.status", status: "waiting", reason: null, answer: null, at })],
    head: { requests: 1, status: "waiting", reason: null },
  });
}
