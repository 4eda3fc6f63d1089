import { describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { getDecision } from "@/server/decisions/queries/get-decision";
import { readLabelled } from "@/server/decisions/queries/read-labelled";
import { storable } from "@/server/engine/stored-json";
import { getSnapshot } from "@/server/runs/queries/inside/get-snapshot";
import { findEdited } from "@/server/runs/service/find-edited";
import { whatIf } from "@/server/runs/service/retry-from";
import { storeFork } from "@/server/runs/service/store-fork";
import type { WhatIfEdit } from "@/server/runs/step-schema";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import type { ChatRequest } from "@/tests/support/scripted-model";

describe.each(DATABASE_KINDS)("what if, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const fork = async (runId: string, agentRunId: string, position: number, edit: WhatIfEdit) => {
    const { scope } = desk();
    const place = { runId, agentRunId, position };
    const edited = await findEdited({ scope, place, edit });
    return storeFork({ scope, input: { ...place, askBeforeWrites: true }, edited });
  };
  const chosen = (name: string, args: object): WhatIfEdit => ({
    ...{ kind: "reply", text: "" },
    calls: [{ name, arguments: JSON.stringify(args) }],
  });

  /** Reads once, then answers with what it read. */
  async function aReaderRun(words: string) {
    const asked: ChatRequest[] = [];
    const read = { calls: 0 };
    const tool = `look ${words}`;
    desk().tools.set(
      tool,
      aTool(tool, async () => {
        read.calls += 1;
        return "as it is";
      }),
    );
    const team = await aTeam(db(), desk().scope.workspaceId, { supervisor: { tools: [tool] }, agents: [] });
    const runId = await desk().play(
      team,
      words,
      turns({ calls: [call(tool)] }, (request) => {
        asked.push(request);
        return { text: `Read: ${String(request.messages.at(-1)?.content)}` };
      }),
    );
    await desk().ended(runId);
    return { runId, root: (await record(runId)).root, asked, read, tool };
  }

  test("another agent is chosen: it does the work, no model is asked for the choice, and the record says who chose", async () => {
    const { scope } = desk();
    const team = await aTeam(db(), scope.workspaceId, { agents: [{}, {}] });
    const [first, second] = team.children.map(({ name }) => name);
    const task = desk().words("do it", turns({ text: "Done by the one that was asked." }));
    const runId = await desk().play(
      team,
      "choose one of two",
      turns({ calls: [spawn(first ?? "", task)] }, collectAll, (request) => ({
        text: String(lastResults(request)[0]?.output),
      })),
    );
    await desk().ended(runId);
    const before = await record(runId);
    expect(before.agents.map(({ name }) => name)).toContain(first);

    const edit = chosen("agent__spawn", { agent: second, prompt: task, reason: "It knows more." });
    const forkId = await fork(runId, before.root.id, 0, edit);
    expect(await desk().ended(forkId)).toMatchObject({
      status: "completed",
      answer: "Done by the one that was asked.",
    });
    const after = await record(forkId);
    expect(after.agents.map(({ name }) => name)).toEqual([before.root.name, second]);
    const decision = after.decisions.find(({ kind }) => kind === "delegate");
    expect(decision).toMatchObject({
      ...{ source: "human", reason: `${scope.userName} chose this in place of what the model had chosen.` },
      chosen: [{ option: `agent:${second}`, position: 1 }],
    });
    // Both were offered at that moment, and it hangs on the choice.
    expect(after.offered.get(decision?.id ?? "")?.map(({ key }) => key)).toEqual(
      expect.arrayContaining([`agent:${first}`, `agent:${second}`]),
    );
    expect(after.agent(second ?? "").spawnedById).toBe(decision?.id);
    const [made] = after.steps.filter(({ agentRunId, position }) => agentRunId === after.root.id && position === 0);
    expect(made?.reused).toBeDefined();
    expect(after.decisions.find(({ kind }) => kind === "fork")?.reason).toContain("with another choice");
    // The run it came from stays as it was.
    expect((await record(runId)).decisions.find(({ kind }) => kind === "delegate")?.source).not.toBe("human");
  });

  test("an answer is given in place of a call: the run ends with it, and the tool is not called", async () => {
    const { runId, root, read } = await aReaderRun("answer at once");
    const forkId = await fork(runId, root.id, 0, { kind: "reply", text: "No need to look.", calls: [] });
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: "No need to look." });
    expect(read.calls).toBe(1);
    expect((await record(forkId)).decisions.find(({ kind }) => kind === "finish")).toMatchObject({ source: "human" });
  });

  test.each([
    ["short", "as it might be"],
    ["that goes to parts", "z".repeat(20_000)],
    ["with what a row cannot hold", "half \ud800 and \u0000 nothing"],
  ])("another result, %s: whoever reads it reads that, and nothing is called again", async (_, content) => {
    const { runId, root, read, asked } = await aReaderRun(`another result ${content.length}`);
    const forkId = await fork(runId, root.id, 1, { kind: "result", content });
    const stored = storable(content);
    expect(await desk().ended(forkId)).toMatchObject({ status: "completed", answer: `Read: ${stored}` });
    expect(read.calls).toBe(1);
    expect(asked).toHaveLength(2);
    const after = await record(forkId);
    expect(after.steps.find(({ position }) => position === 1)?.outputBytes).toBe(Buffer.byteLength(content));
    expect((await record(runId)).steps.find(({ position }) => position === 1)?.outputBytes).not.toBe(content.length);
  });

  test.each([
    ["before its first call", 0],
    ["before a later one", 2],
  ])("other instructions, %s: the agent is told those from there on", async (_, position) => {
    const { runId, root, asked, read } = await aReaderRun(`other instructions ${position}`);
    const forkId = await fork(runId, root.id, position, { kind: "instructions", content: "You are brief." });
    await desk().ended(forkId);
    const first = asked.at(-1)?.messages[0];
    expect(first).toMatchObject({ role: "system", content: "You are brief." });
    // Once, and before the task.
    expect(asked.at(-1)?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(read.calls).toBe(position === 0 ? 2 : 1);
    await record(forkId);
  });

  test("another model answers from there on, also for agents that name one", async () => {
    const { runId, root } = await aReaderRun("another model");
    desk().models.set("other/model", desk().scripted({ name: "other" }));
    const forkId = await fork(runId, root.id, 2, { kind: "model", model: "other/model" });
    await desk().ended(forkId);
    expect((await record(forkId)).steps.map(({ name, kind }) => (kind === "model" ? name : kind))).toEqual([
      ...["scripted", "tool"],
      "other",
    ]);
    expect((await record(forkId)).run.model).toBe("other/model");
    const forked = (await record(forkId)).root.id;
    expect(
      await getSnapshot(desk().scope.workspaceId, { runId: forkId, agentRunId: forked, seq: 1_000 }),
    ).toMatchObject({ model: "other/model" });
    // A retry from a step of it goes on with what it was made with.
    const { root: again } = await record(forkId);
    const input = { runId: forkId, agentRunId: again.id, position: 2, askBeforeWrites: true };
    const retryId = await storeFork({ scope: desk().scope, input });
    await desk().ended(retryId);
    expect((await record(retryId)).steps.at(-1)?.name).toBe("other");
    expect((await record(retryId)).run).toMatchObject({ model: "other/model", forkOf: { edit: null } });
    // Each says of those made from it what is otherwise in them, and of whom.
    const { name: agentName } = root;
    expect((await record(runId)).run.forks).toMatchObject([{ id: forkId, position: 2, edit: "model", agentName }]);
    expect((await record(forkId)).run.forks).toMatchObject([{ id: retryId, edit: null, agentName }]);
    desk().models.delete("other/model");
  });

  test("of each decision it is told which model took it, also of a call that failed and of what was copied", async () => {
    const { scope } = desk();
    desk().models.set("own/model", desk().scripted({ name: "own" }));
    desk().models.set("other/model", desk().scripted({ name: "other" }));
    desk().tools.set(
      "look twice",
      aTool("look twice", async () => "as it is"),
    );
    const supervisor = { tools: ["look twice"], model: "own/model" };
    const team = await aTeam(db(), scope.workspaceId, { supervisor, agents: [] });
    const runId = await desk().play(
      team,
      "fail once",
      turns({ calls: [call("look twice")] }, (_request, { attempt }) =>
        attempt === 0 ? { fault: "status", status: 503, message: "away" } : { text: "Looked." },
      ),
    );
    await desk().ended(runId);
    const forkId = await fork(runId, (await record(runId)).root.id, 3, { kind: "model", model: "other/model" });
    await desk().ended(forkId);
    const { provider } = desk().model;
    const models = async (of: string) => {
      const { decisions } = await record(of);
      const byModel = decisions.filter(({ kind }) => kind === "tool_choice" || kind === "retry" || kind === "finish");
      const ids = byModel.sort((a, b) => a.position - b.position).map(({ id }) => id);
      const told = await Promise.all(ids.map(async (id) => (await getDecision(scope.workspaceId, id)).model));
      for await (const exported of readLabelled(scope.workspaceId, ids)) {
        expect(exported.map(({ model }) => model)).toEqual(told);
      }
      return told;
    };
    expect(await models(runId)).toEqual([`${provider}/own`, "own/model", `${provider}/own`]);
    expect(await models(forkId)).toEqual([`${provider}/own`, "own/model", `${provider}/other`]);
    // Of a failed call from before its request was kept, the one that was to be used.
    await db().step.updateMany({
      where: { runId, status: "failed", workspaceId: scope.workspaceId },
      data: { requestHash: null, name: "model" },
    });
    expect((await models(runId))[1]).toBe("own/model");
    for (const name of ["own/model", "other/model"]) desk().models.delete(name);
  });

  test("what cannot be changed is refused in words, and nothing is stored", async () => {
    const { runId, root, tool } = await aReaderRun("refused edits");
    const { workspaceId } = desk().scope;
    const before = await db().run.count({ where: { workspaceId } });
    const tries: [number, WhatIfEdit, string][] = [
      [0, chosen("no_such_tool", {}), "“no_such_tool” was not offered in this step."],
      [0, { kind: "reply", text: "", calls: [{ name: tool, arguments: "[1]" }] }, "are no JSON object."],
      [0, { kind: "reply", text: " ", calls: [] }, "Choose a call, or write the answer."],
      [1, { kind: "reply", text: "Me.", calls: [] }, "No model replied in this step."],
      [0, { kind: "result", content: "x" }, "This step is no call"],
      [2, { kind: "result", content: "x" }, "This step is no call"],
      [1, { kind: "instructions", content: "x" }, "No model was asked in this step"],
    ];
    for (const [position, edit, sentence] of tries) {
      await expect(fork(runId, root.id, position, edit), sentence).rejects.toThrow(sentence);
    }
    const input = { runId, agentRunId: root.id, position: 2, askBeforeWrites: true };
    await expect(
      whatIf({ scope: desk().scope, input: { ...input, edit: { kind: "model", model: "gone/model" } } }),
    ).rejects.toThrow("gone/model");
    const stranger = await aMember(db(), await aWorkspace(db()));
    await expect(
      whatIf({ scope: stranger, input: { ...input, edit: { kind: "model", model: "gone/model" } } }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await db().run.count({ where: { workspaceId } })).toBe(before);
    expect(await toolResults(desk().scope, root.id)).toEqual([{ output: "as it is" }]);
  });
});
