import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pool } from "@/server/db";
import { MOST_EXPORTED } from "@/server/decisions/schema";
import { provenWorkspace } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aWorkspace } from "../support/factories";
import { type Product, signedInOwner, startProduct } from "../support/product";
import { aSampleTeam, insertSampleRun } from "../support/sample-run";
import type { Visitor } from "../support/web";

describe.each(DATABASE_KINDS)("the labelled set as a file (%s)", (kind) => {
  let product: Product;
  let ada: Visitor;
  let workspaceId: string;
  let userId: string;
  beforeAll(async () => {
    product = await startProduct(kind);
    ada = await signedInOwner(product);
    workspaceId = (await product.db.workspace.findFirstOrThrow()).id;
    userId = (await product.db.user.findFirstOrThrow()).id;
    const team = await aSampleTeam(product.db, provenWorkspace(workspaceId));
    await insertSampleRun(product.db, { workspaceId, team, state: "finished" });
  });
  afterAll(() => product?.stop());

  const linesOf = (text: string) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  async function exported(query = "") {
    const response = await ada.fetch(`/api/decisions/labelled${query}`);
    return { response, lines: linesOf(await response.text()) };
  }
  const label = (decisionId: string, verdict: string) =>
    pool().query(
      `INSERT INTO decision_labels (id, workspace_id, decision_id, user_id, verdict, note)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, 'As seen.')`,
      [workspaceId, decisionId, userId, verdict],
    );

  test("is empty while nothing is labelled", async () => {
    const { response, lines } = await exported();
    expect(response.status).toBe(200);
    expect(lines).toEqual([]);
  });

  test("holds a line for each labelled decision of the filter, with all it takes to learn from it", async () => {
    const delegate = await product.db.decision.findFirstOrThrow({ where: { workspaceId, kind: "delegate" } });
    const finish = await product.db.decision.findFirstOrThrow({ where: { workspaceId, kind: "finish" } });
    await label(delegate.id, "right");
    await label(finish.id, "wrong");
    const { response, lines } = await exported("?kind=delegate");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(response.headers.get("content-disposition")).toContain('filename="labelled-decisions.jsonl"');
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      ...{ id: delegate.id, runId: delegate.runId, agentName: "Desk lead", agentVersion: 1, kind: "delegate" },
      ...{ model: "api.example.com/general-1", source: "model-stated", outcome: "completed" },
      task: "May a customer return a parcel that arrived damaged? File a note with the answer.",
      reason: "Finding and writing do not depend on each other.",
      chosen: [
        { option: "agent:Searcher", label: "Searcher", reason: "It can search." },
        { option: "agent:Writer", label: "Writer", reason: "It files notes." },
      ],
      labels: [{ verdict: "right", option: null, words: null, note: "As seen.", by: "Ada Owner" }],
      at: delegate.at.toISOString(),
    });
    expect(lines[0].options).toContainEqual({
      ...{ key: "agent:Writer", kind: "agent", label: "Writer", description: "Writes notes and files them." },
    });
    expect((await exported()).lines.map(({ id }) => id).sort()).toEqual([delegate.id, finish.id].sort());
    expect((await exported("?label=wrong")).lines.map(({ id }) => id)).toEqual([finish.id]);
  });

  test("is refused to strangers and for filters nobody could choose, and holds nothing of another workspace", async () => {
    expect((await product.visitor().fetch("/api/decisions/labelled")).status).toBe(401);
    for (const query of ["?kind=lost", "?nothing=known", "?from=yesterday"]) {
      const { response, lines } = await exported(query);
      expect({ query, status: response.status }).toEqual({ query, status: 400 });
      expect(lines[0].error.message).toBe("These filters do not exist. Export from the page of the list.");
    }
    const elsewhere = await aWorkspace(product.db);
    const { userId: stranger } = await aMember(product.db, elsewhere);
    const team = await aSampleTeam(product.db, elsewhere);
    await insertSampleRun(product.db, { workspaceId: elsewhere, team, state: "finished" });
    await pool().query(
      `INSERT INTO decision_labels (id, workspace_id, decision_id, user_id, verdict)
       SELECT gen_random_uuid(), workspace_id, id, $2, 'right' FROM decisions WHERE workspace_id = $1`,
      [elsewhere, stranger],
    );
    expect((await exported()).lines).toHaveLength(2);
  });

  test("ends with a clear sentence where there are more than one file takes", async () => {
    const { runId, agentRunId } = await product.db.decision.findFirstOrThrow({ where: { workspaceId } });
    await pool().query(
      `WITH made AS (
         INSERT INTO decisions (id, workspace_id, run_id, agent_run_id, position, ordinal, kind, chosen, source, cost_so_far_nano_usd, at)
         SELECT gen_random_uuid(), $1, $2, $3, 1000 + n, 0, 'guard', '[]', 'runtime-rule', 0, now() + n * interval '1 second'
         FROM generate_series(1, $5::int) n RETURNING id)
       INSERT INTO decision_labels (id, workspace_id, decision_id, user_id, verdict)
       SELECT gen_random_uuid(), $1, id, $4, 'right' FROM made`,
      [workspaceId, runId, agentRunId, userId, MOST_EXPORTED + 1],
    );
    const { lines } = await exported("?kind=guard");
    expect(lines).toHaveLength(MOST_EXPORTED + 1);
    expect(lines.at(-1)).toEqual({
      isCut: true,
      notice:
        "Only the newest 10,000 of 10,001 labelled decisions are in this file. Filter by dates and export the others apart.",
    });
    const ids = new Set(lines.slice(0, -1).map(({ id }) => id));
    expect(ids.size).toBe(MOST_EXPORTED);
  }, 300_000);
});
