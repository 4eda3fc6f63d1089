/**
 * States of a run and of an agent run (one vocabulary for both), and which may follow which.
 *
 * queued       stored, no worker has begun it
 * running      a worker is executing it
 * waiting      nothing moves until a person answers
 * paused       a person stopped the clock; resumes where it was
 * suspended    a limit stopped it; resumes with a changed limit
 * interrupted  no worker could carry it on; shown with its last event
 * completed    ended with an answer
 * failed       ended with an error
 * aborted      ended by a person or by a policy, see the reason
 */
export const RUN_STATUSES = [
  "queued",
  "running",
  "waiting",
  "paused",
  "suspended",
  "interrupted",
  "completed",
  "failed",
  "aborted",
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

const FOLLOWERS: Record<RunStatus, readonly RunStatus[]> = {
  queued: ["running", "paused", "suspended", "interrupted", "failed", "aborted"],
  running: ["waiting", "paused", "suspended", "interrupted", "completed", "failed", "aborted"],
  waiting: ["running", "paused", "suspended", "interrupted", "completed", "failed", "aborted"],
  paused: ["running", "waiting", "aborted"],
  suspended: ["running", "waiting", "aborted"],
  interrupted: ["running", "waiting", "aborted"],
  completed: [],
  failed: [],
  aborted: [],
};

export const TERMINAL_STATUSES = ["completed", "failed", "aborted"] as const satisfies readonly RunStatus[];

/**
 * Not ended, which is what “active” means wherever runs are counted or listed: at work, waiting, or held. An interrupted one is, too: it may be
 * resumed.
 */
export const ACTIVE_STATUSES = RUN_STATUSES.filter((status) => !isTerminal(status));

/** Nobody executes it until somebody resumes it. */
export const HELD_STATUSES = ["paused", "suspended", "interrupted"] as const satisfies readonly RunStatus[];

export function isHeld(status: RunStatus): boolean {
  return (HELD_STATUSES as readonly RunStatus[]).includes(status);
}

export function isTerminal(status: RunStatus): boolean {
  return FOLLOWERS[status].length === 0;
}

/** Over for its parent: also when no worker could carry it on. */
export function hasEnded(status: RunStatus): boolean {
  return isTerminal(status) || status === "interrupted";
}

export function canFollow(from: RunStatus, to: RunStatus): boolean {
  return FOLLOWERS[from].includes(to);
}
