import { type TrackedEnvelope, tracked } from "@trpc/server";
import { AppError } from "@/server/errors";
import { findSessionUser } from "@/server/users/queries";
import { findMembership } from "@/server/workspaces/queries";
import type { Role, Scope } from "@/server/workspaces/scope";
import { ChangeHints } from "./follow-changes";
import { DeltaBuffer } from "./follow-deltas";
import { subscribe } from "./listener";
import type { FollowInput, FollowMessage } from "./live-schema";
import { getLastSeq } from "./queries/list-events";
import { listEventsTogether } from "./queries/list-events-together";

/** What a stream reads at once, and holds until its reader has taken it: a thousand who take nothing must not fill the memory. */
const BATCH = { limit: 500, mostBytes: 256 * 1024 };
/** How long a stream goes without asking whether its reader may still read, with time to ask; also heals hints lost unnoticed. */
const CHECK_MS = 4_000;

/**
 * Everything a tab wants to hear: the events of one run after `lastEventId`, each once and in order of seq, the text
 * that streams in it, and hints that lists of the workspace changed. Ends when `signal` aborts, and within 5 s when the
 * reader's role changed: the next stream is opened with the new one. Throws NOT_FOUND for a run of another workspace, and
 * within 5 s NOT_ALLOWED when the reader lost the workspace and NOT_SIGNED_IN when a changed password ended the session.
 *
 * All messages carry the last seq sent as their id: a reader that reconnects with it continues exactly there. Events
 * are read from their table; a notification only says when to look. Text is a courtesy: a reader too slow for it
 * misses pieces and sees so by the offsets.
 */
export async function* followRun(
  scope: Scope,
  input: FollowInput,
  signal: AbortSignal,
): AsyncGenerator<TrackedEnvelope<FollowMessage>, void, void> {
  const runId = input.runId ?? null;
  const deltas = new DeltaBuffer();
  const changes = new ChangeHints();
  let seq = Number(input.lastEventId ?? 0);
  let behind = runId !== null;
  let hasRead = false;
  let wake = () => {};

  // Before the first read: what is committed after it must wake us.
  const unsubscribe = subscribe(scope.workspaceId, (hint) => {
    if (hint.type === "delta") {
      if (hint.delta.runId !== runId || !deltas.push(hint.delta)) return;
    } else if (hint.type === "missed") {
      behind = runId !== null;
      changes.addAll();
    } else if (hint.type === "noun") {
      changes.addOther(hint.noun, hint.id);
    } else {
      if (hint.runId === runId && hint.lastSeq > seq) behind = true;
      changes.add(hint);
    }
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);

  try {
    const sessionsFrom = await sessionsFromOf(scope);
    if (runId !== null) await getLastSeq(scope.workspaceId, runId);
    // Lists read before this stream began may have missed something.
    changes.addLive();
    let checkedAt = Date.now();

    while (!signal.aborted) {
      if (Date.now() - checkedAt >= CHECK_MS) {
        if ((await roleNow(scope, sessionsFrom)) !== scope.role) return;
        checkedAt = Date.now();
        // Reading after a hint brings along what was missed before it: a look of one's own is for quiet times.
        if (!hasRead) behind = runId !== null;
        hasRead = false;
      }
      // Text first: its pieces came before the event that ends their step.
      for (const delta of deltas.take()) yield tracked(String(seq), { type: "delta", delta });
      if (behind && runId !== null) {
        behind = false;
        const { events, more } = await listEventsTogether(scope.workspaceId, { runId, seq, ...BATCH });
        if (more) behind = true;
        if (events.length > 0) hasRead = true;
        for (const event of events) {
          if (signal.aborted) return;
          seq = event.seq;
          yield tracked(String(seq), { type: "event", event });
        }
      }
      for (const change of changes.takeDue(Date.now())) yield tracked(String(seq), { type: "changed", ...change });

      const idleMs = Math.min(CHECK_MS - (Date.now() - checkedAt), changes.dueInMs(Date.now()));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, idleMs));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (behind || signal.aborted || !deltas.isEmpty) wake();
      });
      wake = () => {};
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Throws NOT_ALLOWED and NOT_SIGNED_IN for a reader who may no longer read. */
async function roleNow(scope: Scope, sessionsFrom: number | null): Promise<Role> {
  const { membership, now } = await standingOf(scope);
  if (now !== sessionsFrom) throw new AppError("NOT_SIGNED_IN", "Your password was changed. Sign in with the new one.");
  if (membership?.workspaceId === scope.workspaceId) return membership.role;
  throw new AppError("NOT_ALLOWED", "You are no longer a member of this workspace.");
}

type Standing = { membership: Awaited<ReturnType<typeof findMembership>>; now: number | null };
/** Questions under way, by whom they are about. */
const asked = new Map<string, Promise<Standing>>();

/** Who has many tabs open has them all asked for at about the same time: they share the answer. */
function standingOf(scope: Scope): Promise<Standing> {
  const shared = asked.get(scope.userId);
  if (shared) return shared;
  const answer = Promise.all([findMembership(scope.userId), sessionsFromOf(scope)])
    .then(([membership, now]) => ({ membership, now }))
    .finally(() => asked.delete(scope.userId));
  asked.set(scope.userId, answer);
  return answer;
}

/** Moves when a changed password ends the sessions begun before. */
async function sessionsFromOf({ userId }: Scope): Promise<number | null> {
  return (await findSessionUser(userId))?.sessionsFrom?.getTime() ?? null;
}
