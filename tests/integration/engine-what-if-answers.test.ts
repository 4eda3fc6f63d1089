import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { answerRequest } from "@/server/requests/service/answer";
import { findEdited } from "@/server/runs/service/find-edited";
import { storeFork } from "@/server/runs/service/store-fork";
import type { WhatIfEdit } from "@/server/runs/step-schema";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, lastResults } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("what if a person had answered otherwise, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const solo = (config: Partial<AgentConfig>) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const fork = async (runId: string, agentRunId: string, position: number, edit: WhatIfEdit) => {
    const { scope } = desk();
    const place = { runId, agentRunId, position };
    const edited = await findEdited({ scope, place, edit });
    return storeFork({ scope, input: { ...place, askBeforeWrites: true }, edited });
  };
  const answer = (requestId: string, said: string | string[]) =>
    answerRequest({ scope: desk().scope, input: { requestId, answer: said } });
  const tellsResult = turns(
    { calls: [call("user__ask", { question: "How long?", options: ["Short", "Long"] })] },
    (request) => ({
      text: JSON.stringify(lastResults(request)[0]),
    }),
  );

  test("to a question: the agent goes on with the other answer, and nobody is asked again", async () => {
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "ask how long", tellsResult);
    await answer((await desk().openRequest(runId)).id, "Short");
    expect((await desk().ended(runId)).answer).toContain("Short");
    const { root } = await record(runId);

    const forkId = await fork(runId, root.id, 1, { kind: "answer", answer: "Long" });
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed" });
    const after = await record(forkId);
    expect(after.run.answer).toContain("Long");
    expect(after.requests).toMatchObject([{ kind: "question", status: "answered", answer: "Long" }]);
    expect(after.decisions.find(({ kind }) => kind === "answer")).toMatchObject({
      ...{ source: "human", chosen: [{ option: "Long" }] },
      reason: `${desk().scope.userName} answered “Long”.`,
    });
    expect(after.decisions.find(({ kind }) => kind === "fork")?.reason).toContain("with another answer");
    expect((await record(runId)).requests).toMatchObject([{ status: "answered", answer: "Short" }]);
  });

  /** Asks for one call that a person must allow. */
  async function aCallThatIsAskedAbout(name: string, first: string) {
    const calls: unknown[] = [];
    desk().tools.set(
      name,
      aTool(
        name,
        async (args) => {
          calls.push(args);
          return "done";
        },
        { sideEffect: "external" },
      ),
    );
    const runId = await desk().play(
      await solo({ tools: [name], askBefore: [name] }),
      `ask before ${name}`,
      turns({ calls: [call(name, { to: "Ada" })] }, (request) => ({ text: JSON.stringify(lastResults(request)[0]) })),
    );
    await answer((await desk().openRequest(runId)).id, first);
    await desk().ended(runId);
    return { runId, root: (await record(runId)).root, calls };
  }

  test("allowed what had been refused: exactly that call is made, once", async () => {
    const { runId, root, calls } = await aCallThatIsAskedAbout("send_late", "refuse");
    expect(calls).toEqual([]);
    const forkId = await fork(runId, root.id, 1, { kind: "answer", answer: "allow" });
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: '{"output":"done"}' });
    expect(calls).toEqual([{ to: "Ada" }]);
    const after = await record(forkId);
    expect(after.requests).toMatchObject([{ kind: "approval", status: "answered", answer: "allow" }]);
    expect(after.decisions.filter(({ kind }) => kind === "approval")).toHaveLength(1);
  });

  test("refused what had been allowed: it is not made again, and the agent is told in those words", async () => {
    const { runId, root, calls } = await aCallThatIsAskedAbout("send_early", "allow");
    const forkId = await fork(runId, root.id, 1, { kind: "answer", answer: "Ask Bob first." });
    expect((await desk().ended(forkId)).answer).toContain("Ask Bob first.");
    expect(calls).toEqual([{ to: "Ada" }]);
    // The copy of it is allowed anew, by an answer of its own.
    const again = await fork(forkId, (await record(forkId)).root.id, 1, { kind: "answer", answer: "allow" });
    await desk().ended(again);
    expect(calls).toHaveLength(2);
  });

  test("what nobody had answered in time is answered", async () => {
    const config = { tools: ["user__ask"], questionTimeoutMs: 1_000 };
    const runId = await desk().play(await solo(config), "nobody answers", tellsResult);
    await desk().ended(runId);
    const { root, requests } = await record(runId);
    expect(requests).toMatchObject([{ status: "expired" }]);
    const forkId = await fork(runId, root.id, 1, { kind: "answer", answer: "Long" });
    expect((await desk().ended(forkId)).answer).toContain("Long");
  });

  test("another task: the agent is asked for that, and the record says so", async () => {
    const asked: unknown[] = [];
    const tells = turns((request) => {
      asked.push(request.messages.find(({ role }) => role === "user")?.content);
      return { text: "Done." };
    });
    const runId = await desk().play(await solo({}), "the first task", tells);
    await desk().ended(runId);
    const { root, run } = await record(runId);
    const task = desk().words("another task", tells);
    const forkId = await fork(runId, root.id, 0, { kind: "instructions", content: "Be brief.", task });
    await desk().ended(forkId);
    expect(asked).toEqual([run.input, task]);
    const after = await record(forkId);
    expect([after.run.input, after.root.task]).toEqual([task, task]);
    expect((await record(runId)).root.task).toBe(run.input);
  });

  test("what was asked of nobody, or has no other answer, is refused in words", async () => {
    const { runId, root } = await aCallThatIsAskedAbout("send_no_more", "refuse");
    await expect(fork(runId, root.id, 0, { kind: "answer", answer: "allow" })).rejects.toThrow("Nobody was asked");
    await pool().query("update human_requests set kind = 'budget' where run_id = $1", [runId]);
    await expect(fork(runId, root.id, 1, { kind: "answer", answer: "allow" })).rejects.toThrow("cannot be answered");
  });
});
