import { pool } from "@/server/db";
import { answerRequest } from "@/server/requests/service/answer";
import type { DatabaseKind } from "@/tests/support/databases";
import { Gate } from "@/tests/support/gate";
import { judge, type Verdict } from "./invariants";
import { answerUntilEnded, aWorld, countOf, endWorld, startRunOf, startTestWorker, until } from "./world";

/** F1 "in-wait": a worker is killed while a person is asked; the answer given while no worker lives is honoured. */
export async function answerWhileNobodyWorks(kind: DatabaseKind): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: true });
  try {
    const doomed = await startTestWorker(world, { point: "in-wait", nth: 1 });
    const runId = await startRunOf(world, world.solo, "[[ask=1]] in-wait");
    await doomed.ended;
    const { rows } = await pool().query<{ id: string }>("select id from human_requests where run_id = $1", [runId]);
    const input = { requestId: rows[0]?.id ?? "", answer: "Given to nobody" };
    const first = await answerRequest({ scope: world.scope, input });
    const second = await answerRequest({ scope: world.scope, input: { ...input, answer: "Too late" } });
    const heir = await startTestWorker(world);
    await answerUntilEnded(world, [runId]);
    await heir.kill();
    const verdict = await judge(world, [runId], { effects: 0, mostRepeatedCalls: 0 });
    const { rows: runs } = await pool().query<{ answer: string }>("select answer from runs where id = $1", [runId]);
    if (!first.counted || second.counted) verdict.problems.push("the first answer must count, and only the first");
    if (rows.length !== 1) verdict.problems.push(`${rows.length} requests were stored`);
    if (runs[0]?.answer !== "FINAL n=1 Given to nobody") verdict.problems.push(`the answer became ${runs[0]?.answer}`);
    return verdict;
  } finally {
    await endWorld(world);
  }
}

/** A worker is stopped, not killed, and wakes when another has ended its run: it changes nothing, and goes on to work. */
export async function wakeAfterTakeover(kind: DatabaseKind): Promise<Verdict> {
  // Until another has taken it over, the run does not get past its third call.
  const gate = new Gate();
  const world = await aWorld(kind, {
    honoursKey: true,
    answersAfter: ({ step }) => (step > 2 ? gate.opened : undefined),
  });
  const zombie = await startTestWorker(world);
  try {
    const steps = 6;
    const taken = await startRunOf(world, world.solo, `[[tools=${steps}]] taken over`);
    await until("some work", async () => world.effects.applied().size >= 2);
    zombie.process.kill("SIGSTOP");
    const heir = await startTestWorker(world);
    await until("the takeover", async () => {
      const executions = await countOf("select epoch as n from agent_runs where run_id = $1", [taken]);
      return executions > 1;
    });
    gate.open();
    await answerUntilEnded(world, [taken]);
    await heir.kill();
    const written = () =>
      countOf("select (select last_seq from runs where id = $1) + count(*)::int as n from steps where run_id = $1", [
        taken,
      ]);
    const before = await written();
    zombie.process.kill("SIGCONT");
    // Only the woken worker is left to carry this one out: by its end it has been through what it still held.
    const own = await startRunOf(world, world.solo, "[[tools=1]] after waking");
    await answerUntilEnded(world, [own]);
    const verdict = await judge(world, [taken, own], { effects: steps + 1, mostRepeatedCalls: 2, mostLateCalls: 1 });
    const more = (await written()) - before;
    if (more !== 0) verdict.problems.push(`the woken worker wrote ${more} rows to a run that had ended`);
    return verdict;
  } finally {
    gate.open();
    await zombie.kill();
    await endWorld(world);
  }
}
