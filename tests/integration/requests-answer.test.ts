import { v7 as uuid } from "uuid";
import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { getRequest, listOpenRequests } from "@/server/requests/queries";
import { answerRequest } from "@/server/requests/service/answer";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("answers to requests on the %s database", (kind) => {
  useDatabase(kind);

  /** A run that waits for one answer, and in which a second question is asked of the agents above. */
  async function aWaitingRun() {
    const scope = await aMember(db(), await aWorkspace(db()));
    const team = await aSampleTeam(db(), scope.workspaceId);
    const runId = await insertSampleRun(db(), { ...scope, team, startedById: scope.userId, state: "waiting" });
    const open = await db().humanRequest.findFirstOrThrow({ where: { runId } });
    const { workspaceId, agentRunId, prompt, options, schema } = open;
    const asked = { workspaceId, runId, agentRunId, position: open.position, kind: open.kind, prompt };
    const escalated = await db().humanRequest.create({
      data: {
        ...asked,
        id: uuid(),
        options: options ?? [],
        schema: schema ?? {},
        status: "escalated",
        escalatedUntil: new Date(Date.now() + 60_000),
      },
    });
    const answer = (requestId: string, given: string) => answerRequest({ scope, input: { requestId, answer: given } });
    const standing = async () => {
      const { rows } = await pool().query(
        `select status, open_requests as open,
           (select array_agg(kind order by seq) from events e where e.run_id = runs.id and e.seq > $2) as since from runs where id = $1`,
        [runId, seqBefore],
      );
      return rows[0];
    };
    const { rows } = await pool().query<{ seq: number }>("select last_seq as seq from runs where id = $1", [runId]);
    const seqBefore = rows[0]?.seq;
    return { scope, open: open.id, escalated: escalated.id, answer, standing };
  }

  test("what the agents above are asked is not in the inbox, and a person may answer it all the same", async () => {
    const { scope, escalated, open, answer, standing } = await aWaitingRun();
    const { items, total } = await listOpenRequests(scope, { limit: 10, whose: "everybody" });
    expect({ ids: items.map(({ id }) => id), total }).toEqual({ ids: [open], total: 1 });
    expect(await getRequest(scope.workspaceId, escalated)).toMatchObject({
      status: "escalated",
      escalatedUntil: expect.any(String),
    });

    expect(await answer(escalated, "Returns")).toEqual({ requestId: escalated, counted: true });
    expect(await getRequest(scope.workspaceId, escalated)).toMatchObject({
      status: "answered",
      answer: "Returns",
      answeredBy: scope.userName,
      answeredByAgentId: null,
    });
    // The run waits for the other question, and counts as before.
    expect(await standing()).toEqual({ status: "waiting", open: 1, since: ["request.closed", "decision.made"] });
    expect(await answer(escalated, "Damaged parcels")).toEqual({ requestId: escalated, counted: false });

    expect(await answer(open, "Returns")).toMatchObject({ counted: true });
    expect(await standing()).toMatchObject({ status: "running", open: 0 });
  });

  test("the last open answer lets the run go on, also while agents are still asked", async () => {
    const { escalated, open, answer, standing } = await aWaitingRun();
    await answer(open, "Returns");
    expect(await standing()).toEqual({
      status: "running",
      open: 0,
      since: ["request.closed", "decision.made", "run.status"],
    });
    await answer(escalated, "Returns");
    expect(await standing()).toMatchObject({ status: "running", open: 0 });
  });

  test("of two people who answer at once one counts", async () => {
    const { escalated, answer, standing } = await aWaitingRun();
    const told = await Promise.all(["Returns", "Damaged parcels"].map((given) => answer(escalated, given)));
    expect(told.filter(({ counted }) => counted)).toHaveLength(1);
    expect((await standing()).since).toEqual(["request.closed", "decision.made"]);
  });

  test("what was withdrawn can no longer be answered", async () => {
    const { scope, escalated, answer } = await aWaitingRun();
    await db().humanRequest.update({ where: { id: escalated }, data: { status: "withdrawn" } });
    expect(await answer(escalated, "Returns")).toMatchObject({ counted: false });
    expect(await getRequest(scope.workspaceId, escalated)).toMatchObject({ status: "withdrawn", answer: null });
  });
});
