import { describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { removeMember, setRole } from "@/server/members/service/members";
import { getRequest, listOpenRequests } from "@/server/requests/queries";
import { answerRequest } from "@/server/requests/service/answer";
import { assignRequest } from "@/server/requests/service/assign";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { expectRowsToSay } from "@/tests/support/fold-events";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("whose a request is, on the %s database", (kind) => {
  useDatabase(kind);

  async function aWaitingRun() {
    const starter = await aMember(db(), await aWorkspace(db()));
    const colleague = await aMember(db(), starter.workspaceId, "operator");
    const team = await aSampleTeam(db(), starter.workspaceId);
    const runId = await insertSampleRun(db(), { ...starter, team, startedById: starter.userId, state: "waiting" });
    const { id: requestId } = await db().humanRequest.findFirstOrThrow({ where: { runId } });
    const assign = (assigneeId: string | null, scope = starter) =>
      assignRequest({ scope, input: { requestId, assigneeId } });
    const inbox = async (scope: typeof starter, whose: "everybody" | "mine" | "nobody") =>
      (await listOpenRequests(scope, { limit: 10, whose })).total;
    const look = async () => [
      await inbox(starter, "mine"),
      await inbox(colleague, "mine"),
      await inbox(starter, "nobody"),
      await inbox(colleague, "everybody"),
    ];
    /** Events since the sample was written, and that they tell what the rows say. */
    const told = async () => {
      const events = await listEventsAfter(starter.workspaceId, { runId, seq: 0, limit: 500 });
      expectRowsToSay(await getRunTree(starter.workspaceId, runId), events);
      return events.flatMap(({ body }) =>
        body.kind === "request.assigned" ? [[body.assignee?.name ?? null, body.by]] : [],
      );
    };
    return { starter, colleague, runId, requestId, assign, look, told };
  }

  test("what is nobody's is for whoever started the run; what is assigned is for them alone, and everybody may answer", async () => {
    const { starter, colleague, requestId, assign, look, told } = await aWaitingRun();
    expect(await look()).toEqual([1, 0, 1, 1]);
    await assign(colleague.userId);
    await assign(colleague.userId);
    expect(await look()).toEqual([0, 1, 0, 1]);
    expect(await getRequest(starter.workspaceId, requestId)).toMatchObject({
      status: "open",
      assignee: { id: colleague.userId, name: colleague.userName },
    });
    await assign(null, colleague);
    expect(await look()).toEqual([1, 0, 1, 1]);
    await assign(colleague.userId);
    expect(await told()).toEqual([
      [colleague.userName, starter.userName],
      [null, colleague.userName],
      [colleague.userName, starter.userName],
    ]);
    expect(await answerRequest({ scope: starter, input: { requestId, answer: "Returns" } })).toMatchObject({
      counted: true,
    });
    await expect(assign(null)).rejects.toMatchObject({ code: "CONFLICT" });
    await told();
  });

  test("nobody is assigned who could not answer, nor what is elsewhere", async () => {
    const { starter, requestId, assign, look, told } = await aWaitingRun();
    const viewer = await aMember(db(), starter.workspaceId, "viewer");
    const stranger = await aMember(db(), await aWorkspace(db()));
    await expect(assign(viewer.userId)).rejects.toMatchObject({
      code: "INVALID",
      message: expect.stringContaining("may only look"),
    });
    await expect(assign(stranger.userId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(
      assignRequest({ scope: stranger, input: { requestId, assigneeId: stranger.userId } }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await look()).toEqual([1, 0, 1, 1]);
    expect(await told()).toEqual([]);
  });

  test.each([
    [
      "removed",
      (scope: Parameters<typeof removeMember>[0]["scope"], userId: string) => removeMember({ scope, userId }),
    ],
    [
      "made a viewer",
      (scope: Parameters<typeof setRole>[0]["scope"], userId: string) => setRole({ scope, userId, role: "viewer" }),
    ],
  ])("what is assigned to somebody who is %s is for nobody in particular again", async (_, change) => {
    const { starter, colleague, assign, look, told } = await aWaitingRun();
    await assign(colleague.userId);
    await change(starter, colleague.userId);
    expect(await look()).toEqual([1, 0, 1, 1]);
    expect((await told()).at(-1)).toEqual([null, starter.userName]);
  });
});
