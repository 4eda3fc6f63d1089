import { beforeAll, describe, expect, test } from "vitest";
import { partsOfRequest } from "@/components/runs/inspector/request-parts";
import { db } from "@/server/db";
import { getAgentRun } from "@/server/runs/queries/get-agent-run";
import { getDecision } from "@/server/runs/queries/get-decision";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { getStep } from "@/server/runs/queries/get-step";
import { listEvents } from "@/server/runs/queries/list-events";
import { agentRunDetail, decisionDetail, eventPage, type RunTree } from "@/server/runs/schema";
import { estimateTokensOf, stepDetail } from "@/server/runs/step-schema";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { RunWriter } from "@/tests/support/run-writer";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("the parts of a run on the %s database", (kind) => {
  const database = useDatabase(kind);
  let scope: Scope;
  let tree: RunTree;
  beforeAll(async () => {
    scope = await aMember(db(), await aWorkspace(db()));
    const team = await aSampleTeam(db(), scope.workspaceId);
    const runId = await insertSampleRun(db(), { ...scope, team, startedById: scope.userId, state: "finished" });
    tree = await getRunTree(scope.workspaceId, runId);
  });
  const agentNamed = (name: string) => tree.agents.find((agent) => agent.name === name)?.id ?? "";
  const step = async (agent: string, position: number) => {
    const place = { runId: tree.run.id, agentRunId: agentNamed(agent), position };
    return stepDetail.parse(await getStep(scope.workspaceId, place));
  };

  test("a model call shows the exact request and reply, also of a message kept in parts", async () => {
    const first = await step("Searcher", 0);
    expect(first.request).toMatchObject({ model: "api.example.com/general-1", temperature: 0.2 });
    expect(first.request?.messages).toEqual([
      { role: "system", content: "You search.", calls: [], callId: null },
      { role: "user", content: "Find the rule on damaged parcels.", calls: [], callId: null },
    ]);
    expect(first.request?.tools).toEqual([
      expect.objectContaining({ name: "docs__search", description: "Searches the handbook." }),
    ]);
    expect(first.reply?.calls).toEqual([expect.objectContaining({ id: "call_1", name: "docs__search" })]);

    const second = await step("Searcher", 2);
    const messages = second.request?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(messages[3]?.callId).toBe("call_1");
    expect(messages[3]?.content?.length).toBeGreaterThan(8_192);
    expect(JSON.parse(messages[3]?.content ?? "")).toEqual({ passages: [expect.stringContaining("within 30 days")] });
    expect(second.reply?.calls).toEqual([]);
  });

  test("long texts come as their beginning, with how much there is; each whole by itself", async () => {
    const place = { runId: tree.run.id, agentRunId: agentNamed("Searcher"), position: 2 };
    const api = callerOf(scope).runs;
    const [brief, whole] = [await api.step(place), await api.step({ ...place, whole: true })];
    const [cut, full] = [brief.request?.messages[3], whole.request?.messages[3]];
    const text = full?.content ?? "";
    expect(cut?.content).toBe(text.slice(0, 1_000));
    expect(cut?.cut).toEqual({ bytes: Buffer.byteLength(text), tokens: estimateTokensOf(text) });
    expect(full?.cut).toBeUndefined();
    expect(brief.request?.messages.slice(0, 3)).toEqual(whole.request?.messages.slice(0, 3));
    expect(await api.stepText({ ...place, part: "request.messages.3" })).toEqual({ text });
    // What filled the context is told as exactly as with all of it.
    const parts = (request: typeof whole.request) => request && partsOfRequest(request, false);
    expect(parts(brief.request)).toEqual(parts(whole.request));

    // The result of the call before is that message.
    const search = { ...place, position: 1 };
    expect((await api.step(search)).call).toMatchObject({ result: text.slice(0, 1_000), resultCut: cut?.cut });
    expect(await api.stepText({ ...search, part: "call.result" })).toEqual({ text });
    await expect(api.stepText({ ...search, part: "reply" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(api.stepText({ ...search, part: "step.error" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const stranger = await aMember(db(), await aWorkspace(db()));
    await expect(callerOf(stranger).runs.stepText({ ...search, part: "call.result" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("a tool call shows arguments, result, effect, and the decision that chose it", async () => {
    const writing = await step("Writer", 3);
    expect(writing.call).toMatchObject({ name: "notes__write", result: '{"status":"ok","id":7}' });
    expect(JSON.parse(writing.call?.arguments ?? "")).toMatchObject({ title: "Returns", reason: "Asked for." });
    expect(writing.effect).toMatchObject({
      status: "applied",
      honoursKey: true,
      settledAt: expect.stringMatching(/Z$/),
    });
    expect(writing).toMatchObject({ request: null, reply: null, humanRequest: null });
    const decision = tree.decisions.find(({ id }) => id === writing.decisionId);
    expect(decision?.chosen[0]?.option).toBe("notes__write");
    expect((await step("Writer", 2)).decisionId).toBe(decision?.id);
  });

  test("a call is told apart from another of the same id in an earlier turn", async () => {
    await db().message.updateMany({
      where: { agentRunId: agentNamed("Writer"), index: 4 },
      data: {
        content: {
          role: "assistant",
          content: null,
          calls: [{ id: "call_1", name: "notes__write", arguments: '{"again":true}' }],
        },
      },
    });
    await db().step.updateMany({
      where: { agentRunId: agentNamed("Writer"), position: 3 },
      data: { callId: "call_1" },
    });
    expect((await step("Writer", 1)).call?.name).toBe("user__ask");
    expect((await step("Writer", 3)).call?.arguments).toBe('{"again":true}');
  });

  test("a wait for a person shows what was asked and answered", async () => {
    const waited = await step("Writer", 1);
    expect(waited.humanRequest).toMatchObject({
      agentName: "Writer",
      prompt: "Under which title shall the note be filed?",
      status: "answered",
      answer: "Returns",
      answeredBy: scope.userName,
    });
    expect(waited.call?.result).toBe("Returns");
  });

  test("a decision shows the options as offered and the child each choice became", async () => {
    const delegation = tree.decisions.find(({ kind: is }) => is === "delegate");
    const detail = decisionDetail.parse(
      await getDecision(scope.workspaceId, { runId: tree.run.id, decisionId: delegation?.id ?? "" }),
    );
    expect(detail.agentName).toBe("Desk lead");
    expect(detail.options.map(({ key }) => key)).toEqual([
      "agent:Searcher",
      "agent:Writer",
      "agent__collect",
      "finish",
    ]);
    expect(detail.outcomes).toMatchObject([
      { option: "agent:Searcher", status: "completed", childId: agentNamed("Searcher"), position: 1 },
      { option: "agent:Writer", status: "completed", childId: agentNamed("Writer"), position: 2 },
    ]);
  });

  test("a choice of tools shows the state of each call, also of one still at work", async () => {
    const team = await aSampleTeam(db(), await aWorkspace(db()));
    const { workspaceId } = await db().team.findUniqueOrThrow({ where: { id: team.teamId } });
    const runId = await insertSampleRun(db(), { workspaceId, team, state: "live" });
    const where = workspaceId as WorkspaceId;
    const { decisions, agents } = await getRunTree(where, runId);
    const lead = agents.find(({ parentId }) => parentId === null);
    const collects = decisions.find(({ kind: is, agentRunId }) => is === "tool_choice" && agentRunId === lead?.id);
    const { outcomes } = await getDecision(where, { runId, decisionId: collects?.id ?? "" });
    expect(outcomes.map(({ status }) => status)).toEqual(["running", "running"]);
  });

  test("an agent shows its task, instructions and result", async () => {
    const place = { runId: tree.run.id, agentRunId: agentNamed("Writer") };
    expect(agentRunDetail.parse(await getAgentRun(scope.workspaceId, place))).toMatchObject({
      task: "Prepare a note on returns.",
      instructions: "You write notes.",
      result: "Filed under Returns.",
    });
  });

  test("events are paged from the newest back, of the run or of one agent", async () => {
    const team = await aSampleTeam(db(), await aWorkspace(db()));
    const { workspaceId } = await db().team.findUniqueOrThrow({ where: { id: team.teamId } });
    const where = workspaceId as WorkspaceId;
    const runId = await insertSampleRun(db(), { workspaceId, team, state: "live" });
    const { lastSeq } = await getRunTree(where, runId);
    const { agentRunId } = await db().step.findFirstOrThrow({ where: { workspaceId, runId, position: 0 } });
    const writer = new RunWriter(database().url, { workspaceId, runId, agentRunId });
    for (let index = 0; index < 230; index++) await writer.appendStatus();
    await writer.close();

    const newest = eventPage.parse(await listEvents(where, { runId }));
    expect(newest.more).toBe(true);
    expect(newest.items.at(-1)?.seq).toBe(lastSeq + 230);
    const rest = await listEvents(where, { runId, beforeSeq: newest.items[0]?.seq });
    expect(rest.more).toBe(false);
    expect([...rest.items, ...newest.items].map(({ seq }) => seq)).toEqual(
      Array.from({ length: lastSeq + 230 }, (_, index) => index + 1),
    );
    const ofAgent = await listEvents(where, { runId, agentRunId });
    expect(new Set(ofAgent.items.map((event) => event.agentRunId))).toEqual(new Set([agentRunId]));

    // An early step has its events, however many there were since.
    expect(ofAgent.items.some(({ body }) => body.kind === "step.finished")).toBe(false);
    const early = eventPage.parse(await listEvents(where, { runId, agentRunId, position: 0 }));
    expect(early.items.map(({ body }) => body.kind)).toContain("step.finished");
    expect(early).toMatchObject({ more: false });
  });

  test("events of a step are those that name it, its decisions and what was asked in it; of a decision its own", async () => {
    const runId = tree.run.id;
    const agentRunId = agentNamed("Writer");
    const kinds = async (about: object) =>
      (await callerOf(scope).runs.events({ runId, agentRunId, ...about })).items.map(({ body }) => body.kind).sort();
    const asked = await kinds({ position: 1 });
    expect(asked).toEqual(expect.arrayContaining(["request.closed", "request.opened", "step.finished"]));
    expect(await kinds({ position: 0 })).not.toContain("request.opened");
    expect(await kinds({ position: 99 })).toEqual([]);
    const decision = tree.decisions.find((one) => one.agentRunId === agentRunId);
    const { items } = await callerOf(scope).runs.events({ runId, agentRunId, decisionId: decision?.id ?? "" });
    expect(items.map(({ body }) => body)).toMatchObject([{ kind: "decision.made", decision: { id: decision?.id } }]);
  });

  test("are not found from another workspace or under another run", async () => {
    const stranger = await aWorkspace(db());
    const runId = tree.run.id;
    const agentRunId = agentNamed("Writer");
    const decisionId = tree.decisions[0]?.id ?? "";
    const missing = { code: "NOT_FOUND" };
    await expect(getStep(stranger, { runId, agentRunId, position: 0 })).rejects.toMatchObject(missing);
    await expect(getDecision(stranger, { runId, decisionId })).rejects.toMatchObject(missing);
    await expect(getAgentRun(stranger, { runId, agentRunId })).rejects.toMatchObject(missing);
    await expect(listEvents(stranger, { runId })).rejects.toMatchObject(missing);
    const otherRun = decisionId;
    await expect(getStep(scope.workspaceId, { runId: otherRun, agentRunId, position: 0 })).rejects.toMatchObject(
      missing,
    );
    await expect(getDecision(scope.workspaceId, { runId: otherRun, decisionId })).rejects.toMatchObject(missing);
    await expect(getAgentRun(scope.workspaceId, { runId: otherRun, agentRunId })).rejects.toMatchObject(missing);
  });
});
