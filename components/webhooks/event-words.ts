import type { WebhookEvent } from "@/server/webhooks/schema";

/** What happened, as a person would say it. */
export const EVENT_WORDS: Record<WebhookEvent, string> = {
  "run.created": "A run was started",
  "run.completed": "A run is completed",
  "run.failed": "A run failed",
  "run.aborted": "A run was stopped",
  "run.paused": "A run was paused",
  "run.suspended": "A run was suspended",
  "run.interrupted": "A run was interrupted",
  "request.opened": "A run waits for a person",
  "request.assigned": "A request was assigned",
  "request.answered": "A request was answered",
  "request.expired": "A request was answered by nobody in time",
  "request.withdrawn": "A request needs no answer any more",
  "agent.completed": "An agent has done its task",
  "agent.failed": "An agent failed",
  "agent.aborted": "An agent was stopped",
  "agent.published": "An agent published an event of its own",
};

/** As they are offered: what most want to hear of comes first. */
export const EVENT_GROUPS: readonly { title: string; events: readonly WebhookEvent[] }[] = [
  {
    title: "Runs",
    events: [
      ...(["run.created", "run.completed", "run.failed", "run.aborted"] as const),
      ...(["run.paused", "run.suspended", "run.interrupted"] as const),
    ],
  },
  {
    title: "Requests to people",
    events: [
      ...(["request.opened", "request.assigned", "request.answered", "request.expired", "request.withdrawn"] as const),
    ],
  },
  {
    title: "Agents, each of a run’s tree",
    events: ["agent.completed", "agent.failed", "agent.aborted", "agent.published"],
  },
];

/** What a new one begins with: what somebody should know of. */
export const FIRST_EVENTS: WebhookEvent[] = ["run.failed", "request.opened"];
