import { decide, decisionId } from "./decide";
import type { Execution } from "./execution";
import { deriveId } from "./ids";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import { type Asked, askRoot } from "./patterns/ask-root";
import { hearRest } from "./patterns/hear-rest";
import { agentOffers, chosenOf, endOffers, FAIL } from "./patterns/offers";
import { type Move, type PartEnd, type Policy, STOPPED } from "./patterns/policy";
import { type Placed, type PlacedPart, phaseMessage, readPlaced } from "./patterns/record";
import { recordEnds, stepOf } from "./patterns/record-ends";
import { countRunning, findTarget, startOfChild } from "./start-child";
import type { Refused } from "./task-queue";

/** Among the decisions of the last part: how it all ended. */
const END_ORDINAL = 80;

/** `left`: this execution may not go on. */
export type Led = Asked | { end: "left" };

/**
 * Carries out what a policy says, for a root that no model leads: each part is a child and a step of the root, each phase a message with
 * one call for each part and a decision. All of it is found again from the record, so a second execution goes on where the first stopped.
 * @param name of the pattern
 */
export async function leadByPattern(execution: Execution, name: string, policy: Policy): Promise<Led> {
  for (;;) {
    execution.signal.throwIfAborted();
    if (execution.resources.isLeaving() || execution.journal.isLetGo) return { end: "left" };
    const placed = await readPlaced(execution);
    const move = policy(placed.standing);
    switch (move.do) {
      case "start": {
        const refused = await beginPhase(execution, `pattern__${name}`, placed, move);
        if (refused) return { end: "failed", ...refused };
        break;
      }
      case "wait":
        await goOn(execution, placed.parts, move.atMostMs);
        break;
      case "ask": {
        const asked = await askRoot(execution, placed, move);
        return asked.end === "answered" ? hearRest(execution, asked.text, 1) : asked;
      }
      case "answer":
        await conclude(execution, placed.parts, move);
        return hearRest(execution, move.text, 0);
      case "fail":
        await conclude(execution, placed.parts, move);
        return { end: "failed", code: move.code, message: move.message };
      default:
        return move satisfies never;
    }
  }
}

/** Gives out the next phase: what ended, the decision, and the agents there is room for are one commit. Says why where it may not. */
async function beginPhase(
  execution: Execution,
  stepName: string,
  { standing, parts: before, nextPosition }: Placed,
  { parts, reason }: Extract<Move, { do: "start" }>,
): Promise<Refused["refused"] | null> {
  for (const { agent } of parts) {
    const target = findTarget(execution, agent);
    if ("refused" in target) return target.refused;
  }
  const ends = recordEnds(execution, before);
  const said = merged(execution.openingUnit(), execution.steers.takeHeard());
  const callIndex = execution.messages.size;
  const message = phaseMessage(stepName, nextPosition, parts);
  execution.messages.set(callIndex, message);
  const decision = decide(execution, {
    position: nextPosition,
    kind: "delegate",
    chosen: parts.map(({ agent }, nth) => ({
      ...{ option: `agent:${agent}`, label: agent, position: nextPosition + nth, reason: null },
    })),
    reason,
    source: "policy",
    offers: agentOffers(execution),
  });
  const placed = parts.map((part, nth): PlacedPart => {
    const position = nextPosition + nth;
    const childId = deriveId(execution.row.id, `pattern ${position}`);
    const call = message.calls[nth];
    if (!call) throw new Error("a part without a call");
    return {
      ...{ ...part, end: null, position, call, callIndex, resultIndex: callIndex + 1 + nth, childId },
      ...{ isStarted: false, isRecorded: false, phase: standing.phases.length + 1 },
    };
  });
  const started = await startSome(execution, placed);
  await execution.faultPoint("after-effect", nextPosition);
  await execution.journal.append(
    merged(ends, said, execution.journal.message(callIndex, message), decision, started.unit),
  );
  await execution.faultPoint("after-result", nextPosition);
  execution.resources.launch(started.launch);
  return null;
}

/** Records what ended and starts what there is room for; where nothing of that is to be done, waits for the next end. */
async function goOn(execution: Execution, parts: readonly PlacedPart[], atMostMs?: number): Promise<void> {
  const ends = recordEnds(execution, parts);
  const working = parts.filter(({ isStarted, end }) => isStarted && !end);
  const again = execution.begin(working.map((part) => stepOf(part)));
  const started = await startSome(execution, parts);
  const unit = merged(ends, again, started.unit);
  if (Object.keys(unit).length) {
    await execution.faultPoint("after-effect", parts.at(-1)?.position ?? 0);
    await execution.journal.append(unit);
    await execution.faultPoint("after-result", parts.at(-1)?.position ?? 0);
    execution.resources.launch(started.launch);
    return;
  }
  // To wait is to have got somewhere: a child that ends its workers must not use up its parent's attempts.
  if (!execution.hasRecorded) {
    await execution.journal.append({ agent: { recorded: true } });
    execution.hasRecorded = true;
  }
  await anyEnded(
    execution,
    working.map(({ childId }) => childId),
    atMostMs,
  );
}

async function anyEnded(execution: Execution, ids: readonly string[], atMostMs?: number): Promise<void> {
  const limit = atMostMs === undefined ? null : AbortSignal.timeout(atMostMs);
  const ended = execution.resources.hub.waitForAny(
    ids.map((id) => `ended:${id}` as const),
    limit ? AbortSignal.any([execution.signal, limit]) : execution.signal,
    async () => {
      const { rows } = await execution.resources.pool.query({
        name: "any_child_ended",
        text: "select from agent_runs where id = any($1) and (is_terminal(status) or status = 'interrupted') limit 1",
        values: [ids],
      });
      return rows.length > 0 || undefined;
    },
  );
  await ended.catch((error: unknown) => {
    if (execution.signal.aborted || !limit?.aborted) throw error;
  });
}

/** Records the last ends, what is cancelled, and why it ends so. */
async function conclude(
  execution: Execution,
  parts: readonly PlacedPart[],
  move: Extract<Move, { do: "answer" | "fail" }>,
): Promise<void> {
  const open = parts.filter(({ isRecorded }) => !isRecorded);
  if (open.length === 0) return;
  const ends = recordEnds(
    execution,
    parts.map((part) => ({ ...part, end: part.end ?? CANCELLED })),
  );
  const cancelled = open.filter(({ isStarted, end }) => isStarted && !end);
  const position = Math.max(...parts.map((part) => part.position));
  const decision = decide(execution, {
    position,
    ordinal: END_ORDINAL,
    kind: "finish",
    ...(move.do === "answer" ? chosenOf(move) : { chosen: [FAIL], reason: move.message, source: "policy" as const }),
    offers: endOffers(execution),
  });
  await execution.faultPoint("after-effect", position);
  await execution.journal.append(
    merged(
      ends,
      decision,
      cancelled.length
        ? { aborts: cancelled.map(({ childId }) => ({ id: childId, reason: "cancelled_by_parent" })) }
        : {},
    ),
  );
}

const CANCELLED: PartEnd = { status: "aborted", text: "", reason: STOPPED, finishedAt: null };

/** Starts parts in their order, as far as agents may run at the same time. */
async function startSome(
  execution: Execution,
  parts: readonly PlacedPart[],
): Promise<{ unit: JournalUnit; launch: string[] }> {
  const waiting = parts.filter(({ isStarted, isRecorded }) => !isStarted && !isRecorded);
  if (waiting.length === 0) return { unit: {}, launch: [] };
  const room = execution.config.maxConcurrentAgents - (await countRunning(execution));
  const units: JournalUnit[] = [];
  const launch: string[] = [];
  for (const part of waiting.slice(0, Math.max(0, room))) {
    const target = findTarget(execution, part.agent);
    // Not so: a phase is begun only with agents that may be started.
    if ("refused" in target) throw new Error(target.refused.message);
    const first = parts.find(({ phase }) => phase === part.phase)?.position ?? part.position;
    const decision = decisionId(execution, first);
    const child = startOfChild(execution, { id: part.childId, target, task: part.task, decision });
    units.push(child.unit, execution.begin([stepOf(part)]));
    launch.push(...child.launch);
  }
  return { unit: merged(...units), launch };
}
