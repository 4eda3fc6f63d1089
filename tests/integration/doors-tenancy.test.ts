import { encode } from "@auth/core/jwt";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aRun, aTeam, aWorkspace } from "../support/factories";
import { idFields, listProcedures, outcomeOf, type Procedure, sampleInput, send } from "../support/procedures";
import { type Product, startProduct } from "../support/product";
import type { Visitor } from "../support/web";

type Ids = Record<"runId" | "agentRunId" | "decisionId" | "requestId" | "teamId", string>;
const WORDS = { position: 0, input: "Look it up.", answer: "Yes." };

/** A workspace with one row of everything that has an id, and somebody who owns it. */
type House = { workspaceId: WorkspaceId; owner: Visitor; ids: Ids };

describe.each(DATABASE_KINDS)("rows of another workspace (%s)", (kind) => {
  let product: Product;
  let procedures: Procedure[];
  let withIds: Procedure[];
  let ours: House;
  let theirs: House;
  beforeAll(async () => {
    product = await startProduct(kind);
    const { appRouter } = await import("@/server/trpc/root");
    procedures = listProcedures(appRouter);
    withIds = procedures.filter((procedure) => idFields(procedure).length > 0);
    ours = await aHouse();
    theirs = await aHouse();
  });
  afterAll(() => product?.stop());

  async function visitorFor(userId: string): Promise<Visitor> {
    const visitor = product.visitor();
    const salt = "troupe.session";
    const token = await encode({ token: { sub: userId }, salt, secret: process.env.AUTH_SECRET ?? "" });
    visitor.cookies.set(salt, token);
    return visitor;
  }

  async function aHouse(): Promise<House> {
    const { db } = product;
    const workspaceId = await aWorkspace(db);
    const { userId } = await aMember(db, workspaceId, "owner");
    const team = await aTeam(db, workspaceId);
    const { id: runId } = await aRun(db, workspaceId, team, { status: "waiting", openRequests: 1 });
    const [agentRunId, decisionId, requestId] = [uuid(), uuid(), uuid()];
    const inRun = { workspaceId, runId };
    await db.agentRun.create({
      data: {
        ...{ id: agentRunId, ...inRun, handle: "agent_1", name: team.root.name, depth: 0, task: "Do something." },
        ...{ agentVersionId: team.root.agentVersionId, teamNodeId: team.root.teamNodeId, status: "waiting" },
      },
    });
    await db.step.create({
      data: {
        ...{ agentRunId, position: 0, ...inRun, turn: 0, kind: "tool", name: "ask_person", status: "completed" },
        ...{ epoch: 1, startedAt: new Date(), finishedAt: new Date() },
      },
    });
    await db.decision.create({
      data: {
        ...{ id: decisionId, ...inRun, agentRunId, position: 0, ordinal: 0, kind: "tool_choice", chosen: [] },
        ...{ source: "not-stated", costSoFarNanoUsd: 0 },
      },
    });
    await db.humanRequest.create({
      data: { id: requestId, ...inRun, agentRunId, position: 1, kind: "question", prompt: "Shall I?", schema: {} },
    });
    return {
      workspaceId,
      owner: await visitorFor(userId),
      ids: { runId, agentRunId, decisionId, requestId, teamId: team.teamId },
    };
  }

  const ask = async (visitor: Visitor, procedure: Procedure, ids: Ids) =>
    outcomeOf(await send(visitor, procedure, sampleInput(procedure, { ...WORDS, ...ids })));
  const nowhere = (): Ids => ({
    ...{ runId: uuid(), agentRunId: uuid(), decisionId: uuid() },
    ...{ requestId: uuid(), teamId: uuid() },
  });
  /** Everything a stranger might have changed. */
  const rowsOf = async ({ workspaceId }: House) => ({
    runs: await product.db.run.findMany({ where: { workspaceId } }),
    agentRuns: await product.db.agentRun.findMany({ where: { workspaceId } }),
    requests: await product.db.humanRequest.findMany({ where: { workspaceId } }),
    events: await product.db.event.count({ where: { workspaceId } }),
    decisions: await product.db.decision.count({ where: { workspaceId } }),
  });

  test("do not exist for a stranger: the same error as for an id that was never given out", async () => {
    expect(withIds.length).toBeGreaterThan(7);
    const before = await rowsOf(theirs);
    for (const procedure of withIds) {
      const foreign = await ask(ours.owner, procedure, theirs.ids);
      const random = await ask(ours.owner, procedure, nowhere());
      expect({ path: procedure.path, status: foreign.status }).toEqual({ path: procedure.path, status: 404 });
      expect({ path: procedure.path, error: foreign.error }).toEqual({ path: procedure.path, error: random.error });
    }
    expect(await rowsOf(theirs)).toEqual(before);
  });

  test("do not exist either when only one id of several is the stranger's", async () => {
    for (const procedure of withIds) {
      const fields = idFields(procedure) as (keyof Ids)[];
      if (fields.length < 2) continue;
      for (const field of fields) {
        const foreign = await ask(ours.owner, procedure, { ...ours.ids, [field]: theirs.ids[field] });
        const random = await ask(ours.owner, procedure, { ...ours.ids, [field]: uuid() });
        // A filter by an agent run finds nothing, found or not; everything else is refused.
        expect({ path: procedure.path, field, ...foreign }).toEqual({ path: procedure.path, field, ...random });
        for (const id of Object.values(theirs.ids)) expect(foreign.body).not.toContain(id);
      }
    }
  });

  test("are in no list, count or stream of a stranger", async () => {
    for (const procedure of procedures.filter(({ type }) => type !== "mutation")) {
      if (withIds.includes(procedure) && procedure.type === "query") continue;
      const input = procedure.type === "subscription" ? {} : procedure.input ? {} : undefined;
      const { status, body } = await outcomeOf(await send(ours.owner, procedure, input));
      expect({ path: procedure.path, status }).toEqual({ path: procedure.path, status: 200 });
      for (const id of [...Object.values(theirs.ids), theirs.workspaceId]) expect(body).not.toContain(id);
    }
  });

  // Last, because it answers and stops: proof that the refusals above are not refusals of everybody.
  test("do exist for their owner", async () => {
    const writesLast = [...withIds].sort((a, b) => Number(a.type === "mutation") - Number(b.type === "mutation"));
    for (const procedure of writesLast) {
      const { status, body } = await ask(theirs.owner, procedure, theirs.ids);
      expect({ path: procedure.path, status, body: status === 200 ? "" : body }).toEqual({
        path: procedure.path,
        status: 200,
        body: "",
      });
    }
  });
});
