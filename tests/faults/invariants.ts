import { pool } from "@/server/db";
import type { ScriptedModelStats } from "@/tests/support/scripted-model";
import { countOf, type World } from "./world";

type Finished = { agent_run_id: string; task: string; turn: number; at: Date };

/**
 * Model calls that were asked for although their step was recorded already. A request that is in flight when the step is
 * recorded arrived before, so whatever arrives after the commit repeats a recorded step.
 * Conversations are found by the first words of the task, which the runs of a world do not share.
 */
export function requestsAfterRecord(finished: readonly Finished[], { conversations }: ScriptedModelStats): string[] {
  const byLabel = new Map(Object.values(conversations).map((one) => [one.label, one]));
  const owners = new Map<string, string>();
  return finished.flatMap(({ agent_run_id, task, turn, at }) => {
    const label = task.slice(0, 120);
    const owner = owners.get(label) ?? agent_run_id;
    owners.set(label, owner);
    if (owner !== agent_run_id) return [`two agent runs share the words “${label}”`];
    const askedAt = byLabel.get(label)?.lastRequestedAt[turn - 1];
    if (askedAt === undefined) return [`turn ${turn} of “${label}” was recorded and never asked for`];
    return askedAt > at.getTime() ? [`turn ${turn} of “${label}” was asked for after it was recorded`] : [];
  });
}

export type Verdict = {
  finished: number;
  runs: number;
  effectsTwice: number;
  effectsMissing: number;
  /** Requests a far side got twice that cannot tell them apart. */
  requestsTwice: number;
  repeatedModelCalls: number;
  /** Said, and decide nothing. */
  figures?: Record<string, number>;
  problems: string[];
};

/**
 * Checks what must hold after any fault: I1 every run ended, I2 seq gap-free, I3 no recorded step done again, I5 a cost
 * for every answered and recorded call, I6 nothing left open. `expectedEffects` is the number of distinct effects of all runs.
 */
export async function judge(
  world: World,
  runIds: readonly string[],
  expected: {
    effects: number;
    mostRepeatedCalls: number;
    /** Model calls a worker that had been stopped may have begun before it noticed; none unless given. */
    mostLateCalls?: number;
    /** Runs a person stopped; none unless given. */
    stopped?: number;
    /** What was recorded first says now that it happened so much earlier. */
    movedBackMs?: number;
  },
): Promise<Verdict> {
  const problems: string[] = [];
  const must = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  const { rows: runs } = await pool().query<{ status: string; answer: string | null; status_reason: string | null }>(
    "select status, answer, status_reason from runs where id = any($1)",
    [runIds],
  );
  const finished = runs.filter(({ status, answer }) => status === "completed" && answer?.startsWith("FINAL")).length;
  const stopped = runs.filter(({ status }) => status === "aborted").length;
  must(
    finished + stopped === runIds.length && stopped === (expected.stopped ?? 0),
    `${finished} of ${runIds.length} runs finished: ${JSON.stringify(runs.filter((r) => r.status !== "completed").slice(0, 3))}`,
  );

  const gaps = await countOf(
    `select count(*)::int as n from (
       select r.id from runs r left join events e on e.run_id = r.id where r.id = any($1)
       group by r.id, r.last_seq having count(e.seq) <> r.last_seq or max(e.seq) <> r.last_seq or min(e.seq) <> 1) gaps`,
    [runIds],
  );
  must(gaps === 0, `${gaps} runs have gaps in seq`);

  const applied = world.effects.applied();
  const effectsTwice = [...applied.values()].filter((times) => times > 1).length;
  const effectsMissing = expected.effects - applied.size;
  must(effectsTwice === 0, `${effectsTwice} effects took place twice`);
  must(effectsMissing === 0, `${effectsMissing} effects are missing`);

  const resent = [...world.effects.requests().values()].filter((times) => times > 1).length;
  const asked = await countOf(
    "select count(*)::int as n from human_requests where run_id = any($1) and kind = 'uncertain_effect' and answer #>> '{}' = 'retry'",
    [runIds],
  );
  const requestsTwice = world.honoursKey ? 0 : Math.max(0, resent - asked);
  must(requestsTwice === 0, `${requestsTwice} requests were sent twice to a far side that cannot tell`);

  const finishedTwice = await countOf(
    `select count(*)::int as n from (select 1 from events where run_id = any($1) and kind = 'step.finished'
       group by agent_run_id, body -> 'position' having count(*) > 1) twice`,
    [runIds],
  );
  must(finishedTwice === 0, `${finishedTwice} steps were recorded twice`);

  const { rows: recorded } = await pool().query<Finished>(
    `select e.agent_run_id, a.task, s.turn, e.at
     from events e join agent_runs a on a.id = e.agent_run_id
     join steps s on s.agent_run_id = e.agent_run_id and s.position = (e.body -> 'position')::int
     where e.run_id = any($1) and e.kind = 'step.finished' and s.kind = 'model' and s.status = 'completed'`,
    [runIds],
  );
  const { movedBackMs = 0 } = expected;
  const isMoved = (at: Date) => movedBackMs > 0 && at.getTime() < Date.now() - movedBackMs / 2;
  const happened = recorded.map((one) =>
    isMoved(one.at) ? { ...one, at: new Date(one.at.getTime() + movedBackMs) } : one,
  );
  const late = requestsAfterRecord(happened, world.model.stats());
  must(recorded.length > 0, "no model call was recorded");
  must(late.length <= (expected.mostLateCalls ?? 0), `recorded steps were done again: ${late.slice(0, 3).join("; ")}`);

  let repeatedModelCalls = 0;
  for (const { steps } of Object.values(world.model.stats().conversations)) {
    for (const step of Object.values(steps)) repeatedModelCalls += Math.max(0, step.answered - 1);
  }
  must(
    repeatedModelCalls <= expected.mostRepeatedCalls,
    `${repeatedModelCalls} answered model calls were repeated; at most ${expected.mostRepeatedCalls} can have been in flight`,
  );

  const uncounted = await countOf(
    `select count(*)::int as n from steps s left join usages u on u.agent_run_id = s.agent_run_id and u.position = s.position
     where s.run_id = any($1) and s.kind in ('model', 'summary') and s.status = 'completed' and u.position is null and s.reused is null`,
    [runIds],
  );
  must(uncounted === 0, `${uncounted} recorded model calls have no usage`);
  const wrongTotals = await countOf(
    `select count(*)::int as n from runs r left join lateral (
       select coalesce(sum(u.input_tokens), 0) as input, coalesce(sum(u.output_tokens), 0) as output
       from usages u where u.run_id = r.id) sums on true
     where r.id = any($1) and (r.input_tokens <> sums.input or r.output_tokens <> sums.output)`,
    [runIds],
  );
  must(wrongTotals === 0, `${wrongTotals} runs have totals that are not the sum of their calls`);
  const left = await countOf(
    `select (select count(*) from effects where run_id = any($1) and status = 'intended')::int
       + (select count(*) from agent_runs where run_id = any($1) and not is_terminal(status))::int
       + (select count(*) from human_requests where run_id = any($1) and status in ('open', 'escalated'))::int
       + (select coalesce(sum(open_requests), 0) from runs where id = any($1))::int as n`,
    [runIds],
  );
  must(left === 0, `${left} intents, agent runs or requests were left open`);
  return { finished, runs: runIds.length, effectsTwice, effectsMissing, requestsTwice, repeatedModelCalls, problems };
}
