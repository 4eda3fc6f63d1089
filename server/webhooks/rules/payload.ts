import { MOST_SAID } from "../constants";
import type { Told } from "../queries/read-told";
import type { WebhookEvent } from "../schema";

export type Telling = {
  type: WebhookEvent;
  occurredAt: string;
  /** Scheme, host and port under which Troupe is opened. */
  linkOrigin: string;
  withContent: boolean;
};

/**
 * What is sent, as Standard Webhooks has it: type, timestamp, data. `text` says the same in a sentence, which is what chat services
 * show of a call. Nothing that was said goes along without `withContent`.
 */
export function payloadOf(told: Told, { type, occurredAt, linkOrigin, withContent }: Telling) {
  const { run, agentRun, request } = told;
  const isRequest = type.startsWith("request.");
  const url = `${linkOrigin}/runs/${run.id}`;
  return {
    type,
    timestamp: occurredAt,
    text: `${sentence(told, { type, withContent })} ${url}`,
    data: {
      workspace: told.workspaceName,
      run: {
        ...{ id: run.id, url, status: statusOf(told, type) },
        ...(run.isTeam ? { team: run.of } : { agent: run.of }),
        ...{ conversationId: run.conversationId, forkedFromRunId: run.forkedFromRunId, startedBy: run.startedBy },
        ...{ createdAt: run.createdAt, startedAt: run.startedAt, finishedAt: run.finishedAt },
        ...{ inputTokens: run.inputTokens, outputTokens: run.outputTokens, costNanoUsd: run.costNanoUsd },
        ...(withContent ? { title: said(run.title), task: said(run.input) } : {}),
        ...(withContent && type.startsWith("run.")
          ? { answer: said(told.body.answer), reason: said(told.body.reason) }
          : {}),
      },
      ...(agentRun && !type.startsWith("run.")
        ? {
            agentRun: {
              ...{ id: agentRun.id, parentId: agentRun.parentId, name: agentRun.name },
              ...(withContent ? { task: said(agentRun.task) } : {}),
              ...(type.startsWith("agent.") && type !== "agent.published"
                ? {
                    status: told.body.status,
                    ...(withContent ? { result: said(agentRun.result), reason: said(told.body.reason) } : {}),
                  }
                : {}),
            },
          }
        : {}),
      ...(request && isRequest
        ? {
            request: {
              ...{ id: request.id, kind: request.kind, deadlineAt: request.deadlineAt },
              ...{ assignee: request.assignee, answeredBy: request.answeredBy },
              ...(withContent ? { prompt: said(request.prompt), answer: request.answer } : {}),
            },
          }
        : {}),
      ...(type === "agent.published"
        ? { published: { name: told.body.name, ...(withContent ? { data: told.body.data } : {}) } }
        : {}),
    },
  };
}

/** Of a run's own event the state it moved to, which may not be the one it is in now. */
function statusOf({ run, body }: Told, type: WebhookEvent): unknown {
  return type.startsWith("run.") && type !== "run.created" ? body.status : run.status;
}

const RUN_WORDS: Partial<Record<WebhookEvent, string>> = {
  "run.created": "was started",
  "run.completed": "is completed",
  "run.failed": "failed",
  "run.aborted": "was stopped",
  "run.paused": "is paused",
  "run.suspended": "is suspended",
  "run.interrupted": "was interrupted",
};

function sentence(told: Told, { type, withContent }: Pick<Telling, "type" | "withContent">): string {
  const { run, agentRun, request, body } = told;
  const which = withContent ? `Run “${short(run.title)}” of ${run.of}` : `A run of ${run.of}`;
  const agent = agentRun?.name ?? "An agent";
  const reason = withContent && typeof body.reason === "string" && body.reason ? `: ${short(body.reason)}` : "";
  const words = RUN_WORDS[type];
  if (words) return `${which} ${words}${reason}.`;
  const asked = withContent && request ? `: ${short(request.prompt)}` : "";
  const by = request?.answeredBy ? ` by ${request.answeredBy}` : "";
  switch (type) {
    case "request.opened":
      return `${which} waits for a person${asked}`.replace(/[^.?!]$/, "$&.");
    case "request.assigned":
      return `${request?.assignee ?? "Somebody"} is to answer a request of ${which.replace(/^A/, "a")}.`;
    case "request.answered":
      return `A request of ${which.replace(/^A/, "a")} was answered${by}.`;
    case "request.expired":
      return `A request of ${which.replace(/^A/, "a")} was answered by nobody in time.`;
    case "request.withdrawn":
      return `A request of ${which.replace(/^A/, "a")} needs no answer any more.`;
    case "agent.completed":
      return `${agent} has done its task in ${which.replace(/^A/, "a")}.`;
    case "agent.failed":
      return `${agent} failed in ${which.replace(/^A/, "a")}${reason}.`;
    case "agent.aborted":
      return `${agent} was stopped in ${which.replace(/^A/, "a")}${reason}.`;
    default:
      return `${agent} published “${body.name}” in ${which.replace(/^A/, "a")}.`;
  }
}

const LONGEST_IN_SENTENCE = 200;
const short = (text: string) => cut(text.replace(/\s+/g, " ").trim(), LONGEST_IN_SENTENCE);
const said = (text: unknown) => (typeof text === "string" ? cut(text, MOST_SAID) : null);

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
