import type { RequestView } from "./events";
import type { Execution } from "./execution";
import { deriveId, hashOf } from "./ids";
import { merged, runEvent } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";

export type Question = {
  position: number;
  /** Tells apart several requests of one step. */
  place: string;
  kind: RequestView["kind"];
  prompt: string;
  options: { value: string; label: string; description?: string }[];
  call: { tool: string; arguments: string } | null;
  decisionId: string | null;
  /** Committed together with the request. */
  unit?: JournalUnit;
};

/**
 * Asks a person and waits (promise 7): the request is stored before it is shown, and the row decides which answer counts.
 * After a crash the same request is waited for again. The caller commits `execution.endWaiting()` with what follows.
 */
export async function askPerson(execution: Execution, question: Question): Promise<string> {
  const { id, known, again } = requestFor(execution, question.place);
  const waiting = execution.beginWaiting();
  if (!known)
    await execution.journal.append(
      merged(again ? {} : (question.unit ?? {}), requestUnit(execution, id, question), waiting),
    );
  else if (known.status === "open") await execution.journal.append(waiting);
  await execution.faultPoint("in-wait", question.position);
  return execution.resources.hub.waitFor("answered", id, execution.signal, async () => {
    const { rows } = await execution.resources.pool.query<{ status: string; answer: string | null }>({
      name: "request_answer",
      text: "select status, answer #>> '{}' as answer from human_requests where id = $1",
      values: [id],
    });
    return rows[0]?.status === "answered" ? (rows[0].answer ?? "") : undefined;
  });
}

/** The request of this place that counts: one that was withdrawn with an interruption can no longer be answered. */
function requestFor(execution: Execution, place: string) {
  for (let again = 0; ; again++) {
    const id = deriveId(execution.row.id, again ? `request ${place} again ${again}` : `request ${place}`);
    const known = execution.journal.opened.requests.find((request) => request.id === id);
    if (known?.status !== "withdrawn") return { id, known, again };
  }
}

function requestUnit(execution: Execution, id: string, question: Question): JournalUnit {
  const at = execution.now();
  const request: RequestView = {
    id,
    runId: execution.row.runId,
    agentRunId: execution.row.id,
    agentName: execution.row.name,
    position: question.position,
    kind: question.kind,
    prompt: question.prompt,
    options: question.options,
    call: question.call,
    deadlineAt: null,
    defaultAnswer: null,
    status: "open",
    answer: null,
    answeredBy: null,
    answeredAt: null,
    createdAt: at,
  };
  return {
    requests: [
      {
        id,
        position: question.position,
        decision: question.decisionId,
        kind: question.kind,
        prompt: question.prompt,
        options: question.options,
        schema: { type: "string", minLength: 1 },
        call: question.call,
        args: question.call ? hashOf(question.call.arguments) : null,
      },
    ],
    events: [
      { body: { kind: "request.opened", request } },
      runEvent({ kind: "run.status", status: "waiting", reason: null, answer: null, at }),
    ],
    head: { requests: 1, status: "waiting", reason: null },
  };
}
