import { describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { answerRequest } from "@/server/requests/service/answer";
import type { RunComparison } from "@/server/runs/compare/schema";
import { storeFork } from "@/server/runs/service/store-fork";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";

/** What an entry says of both sides, for those that are not the same. */
function differing({ pairs }: RunComparison): string[] {
  return pairs.flatMap(({ entries }) =>
    entries.flatMap((entry) => {
      if (entry.state === "left-out" || entry.state === "same") return [];
      const words = ({ left, right }: typeof entry) =>
        [left, right].map((place) => {
          if (!place) return "–";
          return place.type === "step" ? place.name : place.chosen.map(({ label }) => label).join();
        });
      return [`${entry.state}: ${words(entry).join(" | ")}`];
    }),
  );
}

describe.each(DATABASE_KINDS)("comparing two runs on the %s database", (kind) => {
  const desk = useDesk(kind);
  const compare = (leftRunId: string, rightRunId: string) =>
    callerOf(desk().scope).runs.compare({ leftRunId, rightRunId });
  const names = ({ children }: TeamFixture) => children.map(({ name }) => name);

  /** A run whose lead gives the work to one agent, after a look at a tool. */
  async function delegating(team: TeamFixture, agent: string, reason: string, answer: string): Promise<string> {
    const task = desk().words("the task", turns({ text: "Found it." }));
    const runId = await desk().play(
      team,
      "find it",
      turns({ calls: [call("look")] }, { calls: [spawn(agent, task, reason)] }, collectAll, { text: answer }),
    );
    await desk().ended(runId);
    return runId;
  }

  async function aLookingTeam(): Promise<TeamFixture> {
    desk().tools.set(
      "look",
      aTool("look", async () => ({ seen: true })),
    );
    return aTeam(db(), desk().scope.workspaceId, { supervisor: { tools: ["look"] }, agents: [{}, {}] });
  }

  test("that differ at one delegation part there, and both choices are told with options, reason and source", async () => {
    const team = await aLookingTeam();
    const [first = "", second = ""] = names(team);
    const left = await delegating(team, first, "It knows.", "Short.");
    const right = await delegating(team, second, "It is free.", "Shorter.");
    const comparison = await compare(left, right);

    expect(comparison.divergence).toMatchObject({ state: "changed", pair: 0 });
    for (const [side, agent, reason] of [
      ["left", first, "It knows."],
      ["right", second, "It is free."],
    ] as const) {
      const told = comparison.divergence?.[side];
      expect(told?.decision?.decision).toMatchObject({ kind: "delegate", reason, source: "model-stated" });
      expect(told?.decision?.decision.chosen).toMatchObject([{ option: `agent:${agent}` }]);
      expect(told?.decision?.options.map(({ key }) => key)).toEqual(
        expect.arrayContaining([`agent:${first}`, `agent:${second}`]),
      );
    }
    expect(differing(comparison)[0]).toBe(`changed: ${first} | ${second}`);
    const sent = comparison.pairs[0]?.entries[comparison.divergence?.entry ?? -1];
    expect(sent).toMatchObject({ state: "changed", left: { type: "decision", kind: "delegate" } });
    expect(comparison.pairs.map(({ state }) => state)).toEqual(["same", "only-left", "only-right"]);
    // The choice, and the agent run that each of them has alone.
    expect(comparison.different).toBe(3);
    expect(comparison.left).toMatchObject({ id: left, answer: "Short.", status: "completed", agents: 2 });
    expect(comparison.right).toMatchObject({ id: right, answer: "Shorter." });
    const { run, steps, decisions } = await soundRecord(desk().scope, left);
    expect(comparison.left.costNanoUsd).toBe(run.costNanoUsd);
    expect(Object.values(comparison.left.steps).reduce((sum, count) => sum + count, 0)).toBe(steps.length);
    expect(comparison.left.decisions).toBe(decisions.length);
    expect(comparison.left.elapsedMs).toBeGreaterThan(0);
    expect(comparison.leftOut).toEqual({ same: 0, different: 0 });

    // The other way round the same is told the other way round.
    const back = await compare(right, left);
    expect(back.divergence).toMatchObject({
      state: "changed",
      left: { decision: { decision: { reason: "It is free." } } },
    });
    expect(back.pairs.map(({ state }) => state)).toEqual(["same", "only-left", "only-right"]);
  });

  test("with the same choices do not differ, whatever was written", async () => {
    const team = await aLookingTeam();
    const [first = ""] = names(team);
    const left = await delegating(team, first, "It knows.", "One answer.");
    const right = await delegating(team, first, "Why not.", "Another answer.");
    const comparison = await compare(left, right);
    expect(differing(comparison)).toEqual([]);
    expect(comparison).toMatchObject({ divergence: null, different: 0 });
    expect(comparison.same).toBeGreaterThan(5);
    expect(await compare(left, left)).toMatchObject({ divergence: null, different: 0, same: comparison.same });
  });

  test("a fork and its origin are the same up to the step, whatever had been chosen there", async () => {
    const team = await aLookingTeam();
    const [first = "", second = ""] = names(team);
    const task = desk().words("the task", turns({ text: "Found it." }));
    let chosen = first;
    const origin = await desk().play(
      team,
      "fork here",
      turns({ calls: [call("look")] }, () => ({ calls: [spawn(chosen, task)] }), collectAll, { text: "Done." }),
    );
    await desk().ended(origin);
    const { root } = await soundRecord(desk().scope, origin);
    chosen = second;
    const input = { runId: origin, agentRunId: root.id, position: 2, askBeforeWrites: false };
    const fork = await storeFork({ scope: desk().scope, input });
    await desk().ended(fork);

    const comparison = await compare(origin, fork);
    expect(comparison.divergence).toMatchObject({
      state: "changed",
      pair: 0,
      left: { place: { type: "decision", position: 2, chosen: [{ label: first }] } },
      right: { place: { type: "decision", position: 2, chosen: [{ label: second }] } },
    });
    const before = comparison.pairs[0]?.entries.slice(0, comparison.divergence?.entry ?? 0);
    expect(before?.length).toBeGreaterThan(3);
    expect(before?.every(({ state }) => state === "same")).toBe(true);
    expect(comparison.right).toMatchObject({ forkOf: { id: origin }, reused: { steps: 2 } });
    expect(comparison.left.reused.steps).toBe(0);
  });

  test("a question that was answered otherwise in a fork is where they part, in the words that were chosen", async () => {
    const team = await aTeam(db(), desk().scope.workspaceId, { supervisor: { tools: ["user__ask"] }, agents: [] });
    const question = { question: "Short or long?", options: ["Short", "Long"], reason: "It was not said." };
    const asks = turns({ calls: [call("user__ask", question)] }, { text: "Written." });
    const answerWith = async (runId: string, option: 0 | 1) => {
      const request = await desk().openRequest(runId);
      const input = { requestId: request.id, answer: request.options[option]?.value ?? "" };
      await answerRequest({ scope: desk().scope, input });
      await desk().ended(runId);
    };
    const origin = await desk().play(team, "ask first", asks);
    await answerWith(origin, 0);
    const { root } = await soundRecord(desk().scope, origin);
    const input = { runId: origin, agentRunId: root.id, position: 1, askBeforeWrites: false };
    const fork = await storeFork({ scope: desk().scope, input });
    await answerWith(fork, 1);

    const { divergence, different } = await compare(origin, fork);
    expect(divergence).toMatchObject({
      state: "changed",
      left: { place: { type: "step", kind: "human", name: "Short or long?", note: "Short" }, decision: null },
      right: { place: { note: "Long" } },
    });
    // The step, and the decision that it was answered so.
    expect(different).toBe(2);
  });

  test("a run at work is compared as far as it is", async () => {
    const team = await aLookingTeam();
    const [first = ""] = names(team);
    const done = await delegating(team, first, "It knows.", "Done.");
    const gate = desk().gate("look");
    const atWork = await desk().play(team, "not there yet", turns({ calls: [call("look")] }, { text: "Over." }));
    await expect.poll(() => gate.calls, { timeout: 20_000 }).toBe(1);
    const comparison = await compare(done, atWork);
    expect(comparison).toMatchObject({ divergence: null, different: 0, right: { elapsedMs: null } });
    expect(
      comparison.pairs[0]?.entries.filter((entry) => entry.state === "only-left" && entry.ahead).length,
    ).toBeGreaterThan(3);
    gate.open();
    await desk().ended(atWork);
    // It answered where the other one went on, which it told only when it had ended.
    expect((await compare(done, atWork)).divergence).toMatchObject({
      state: "only-left",
      left: { isNext: false, place: { kind: "delegate" } },
      right: { isNext: true, place: { kind: "finish" }, decision: { decision: { kind: "finish" } } },
    });
  });

  test("a run of another workspace does not exist, on either side", async () => {
    const team = await aLookingTeam();
    const ours = await delegating(team, names(team)[0] ?? "", "It knows.", "Ours.");
    const stranger = callerOf(await aMember(db(), await aWorkspace(db())));
    await expect(stranger.runs.compare({ leftRunId: ours, rightRunId: ours })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(stranger.runs.facts({ runId: ours })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await callerOf(desk().scope).runs.facts({ runId: ours })).toMatchObject({ id: ours, answer: "Ours." });
  });
});
