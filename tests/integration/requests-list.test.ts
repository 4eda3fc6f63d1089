import { describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { getRequest, listOpenRequests } from "@/server/requests/queries";
import { requestList } from "@/server/requests/schema";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("the inbox on the %s database", (kind) => {
  useDatabase(kind);

  test("holds what is open, the nearest deadline first, and counts beyond its page", async () => {
    const scope = await aMember(db(), await aWorkspace(db()));
    const team = await aSampleTeam(db(), scope.workspaceId);
    const runs: string[] = [];
    for (let index = 0; index < 3; index++) {
      runs.push(await insertSampleRun(db(), { ...scope, team, startedById: scope.userId, state: "waiting" }));
    }
    await insertSampleRun(db(), { ...scope, team, startedById: scope.userId, state: "finished" });
    const deadlineAt = new Date(Date.now() + 60_000);
    await db().humanRequest.updateMany({ where: { runId: runs[2] }, data: { deadlineAt, defaultAnswer: "Returns" } });

    const inbox = requestList.parse(await listOpenRequests(scope, { limit: 2, whose: "everybody" }));
    expect(inbox.total).toBe(3);
    expect(inbox.items.map(({ runId }) => runId)).toEqual([runs[2], runs[0]]);
    expect(inbox.items[0]).toMatchObject({
      agentName: "Writer",
      runTitle: expect.stringContaining("damaged"),
      deadlineAt: deadlineAt.toISOString(),
      defaultAnswer: "Returns",
      options: [{ value: "Returns" }, { value: "Damaged parcels" }],
      answer: null,
    });
    const stranger = await aMember(db(), await aWorkspace(db()));
    expect(await listOpenRequests(stranger, { limit: 2, whose: "everybody" })).toEqual({ items: [], total: 0 });
  });

  test("a request of another workspace does not exist", async () => {
    const scope = await aMember(db(), await aWorkspace(db()));
    const team = await aSampleTeam(db(), scope.workspaceId);
    const runId = await insertSampleRun(db(), { ...scope, team, state: "waiting" });
    const { id } = await db().humanRequest.findFirstOrThrow({ where: { runId } });
    expect(await getRequest(scope.workspaceId, id)).toMatchObject({ id, runId, status: "open" });
    await expect(getRequest(await aWorkspace(db()), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
