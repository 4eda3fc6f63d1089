import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pool } from "@/server/db";
import { provenWorkspace } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aWorkspace } from "@/tests/support/factories";
import { type Product, signedInOwner, startProduct } from "@/tests/support/product";
import { aRichRun, PLANTED } from "@/tests/support/run-files";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import type { Visitor } from "@/tests/support/web";

/** RFC 4180, read back. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (const [, cells = ""] of text.matchAll(/((?:"(?:[^"]|"")*"|[^"\r\n])*)\r\n/g)) {
    rows.push(
      [...`,${cells}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
      ),
    );
  }
  return rows;
}

describe.each(DATABASE_KINDS)("lists as files (%s)", (kind) => {
  let product: Product;
  let ada: Visitor;
  let workspaceId: string;
  let runs: string[];
  beforeAll(async () => {
    product = await startProduct(kind);
    ada = await signedInOwner(product);
    workspaceId = (await product.db.workspace.findFirstOrThrow()).id;
    const userId = (await product.db.user.findFirstOrThrow()).id;
    const team = await aSampleTeam(product.db, provenWorkspace(workspaceId));
    runs = [await aRichRun(product.db, { workspaceId, team, userId })];
    for (const state of ["finished", "waiting"] as const) {
      runs.push(await insertSampleRun(product.db, { workspaceId, team, startedById: userId, state }));
    }
    const elsewhere = await aWorkspace(product.db);
    const theirs = await aSampleTeam(product.db, elsewhere);
    await insertSampleRun(product.db, { workspaceId: elsewhere, team: theirs, state: "finished" });
  });
  afterAll(() => product?.stop());

  const lists = ["runs/list", "decisions/list", "usage/models", "spending/list"] as const;
  const hrefOf = (list: (typeof lists)[number], format: string, filters: Record<string, unknown> = {}) =>
    list === "runs/list"
      ? `/api/${list}?${new URLSearchParams({ format, filters: JSON.stringify(filters) })}`
      : `/api/${list}?${new URLSearchParams({ format, ...(list === "spending/list" ? BY_RUN : {}), ...(filters as Record<string, string>) })}`;
  /** However long ago a sample run was. */
  const BY_RUN = { by: "run", period: "custom", from: "2020-01-01" };
  async function csv(list: (typeof lists)[number], filters?: Record<string, unknown>) {
    const response = await ada.fetch(hrefOf(list, "csv", filters));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/csv");
    const [head = [], ...rows] = readCsv(await response.text());
    return rows.map((row) => Object.fromEntries(head.map((name, n) => [name, row[n]])));
  }

  test("the runs of the filters that are set, and no others", async () => {
    expect((await csv("runs/list")).map(({ id }) => id)).toEqual([...runs].reverse());
    const failed = await csv("runs/list", { status: ["failed"] });
    expect(failed).toMatchObject([
      { id: runs[0], state: "failed", target: "Handbook desk", startedBy: "Ada Owner", tags: "Audit" },
    ]);
    expect(Number(failed[0]?.costUsd)).toBeGreaterThan(0);
    expect(await csv("runs/list", { search: "no such words" })).toEqual([]);
  });

  test("the decisions of the filters that are set, and what each run used of each model", async () => {
    const all = await csv("decisions/list");
    expect(new Set(all.map(({ runId }) => runId))).toEqual(new Set(runs));
    const delegated = await csv("decisions/list", { kind: "delegate" });
    expect(delegated).toHaveLength(3);
    expect(delegated[0]).toMatchObject({ agent: "Desk lead", chosen: "Searcher · Writer", source: "model-stated" });
    const usage = await csv("usage/models");
    expect(usage.map(({ runId }) => runId)).toEqual([...runs].reverse());
    expect(usage[1]).toMatchObject({ provider: "api.example.com", model: "general-1", unpricedCalls: "0" });
    const { rows } = await pool().query("SELECT count(*)::text AS calls FROM usages WHERE run_id = $1", [runs[1]]);
    expect(usage[1]?.calls).toBe(rows[0].calls);
  });

  test("spending as it is grouped, and each call by itself", async () => {
    const byRun = await csv("spending/list");
    expect(new Set(byRun.map(({ key }) => key))).toEqual(new Set(runs));
    expect(Number(byRun[0]?.costUsd)).toBeGreaterThan(0);
    const calls = await csv("spending/list", { by: "call" });
    expect(calls).toHaveLength(byRun.reduce((sum, row) => sum + Number(row.calls), 0));
    expect(calls[0]).toMatchObject({ model: "general-1", kind: "model" });
  });

  test("JSON lines say the same as CSV", async () => {
    for (const list of lists) {
      const response = await ada.fetch(hrefOf(list, "json"));
      expect(response.headers.get("content-type")).toContain("application/x-ndjson");
      const lines = (await response.text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const words = (row: object) => Object.values(row).map((value) => (value === null ? "" : String(value)));
      expect(lines.map(words)).toEqual((await csv(list)).map(words));
    }
  });

  test("a title that is a formula is none in a spreadsheet, and no secret is in any list", async () => {
    const title = '=HYPERLINK("http://evil.example","x"),\n+1';
    await pool().query("UPDATE runs SET title = $2 WHERE id = $1", [runs[1], `${title} ${PLANTED.providerKey}`]);
    const [, row] = await csv("runs/list");
    expect(row?.title).toBe(`'${title} [hidden]`);
    for (const list of lists) {
      for (const format of ["csv", "json"]) {
        const text = await (await ada.fetch(hrefOf(list, format))).text();
        expect(Object.values(PLANTED).filter((secret) => text.includes(secret))).toEqual([]);
      }
    }
  });

  test("no secret is among what is exported to learn from, labelled decisions and feedback", async () => {
    const { id } = await product.db.decision.findFirstOrThrow({ where: { runId: runs[1] } });
    const { id: userId } = await product.db.user.findFirstOrThrow();
    const words = `Never send ${PLANTED.providerKey}.`;
    await product.db.decisionLabel.create({
      data: { id: crypto.randomUUID(), workspaceId, decisionId: id, userId, verdict: "wrong", note: words },
    });
    await product.db.feedback.create({
      data: {
        ...{ id: crypto.randomUUID(), workspaceId, runId: runs[1] ?? "", userId, type: "correction", content: words },
        ...{ agentId: crypto.randomUUID(), agentName: "Desk lead", agentVersion: 1 },
      },
    });
    for (const file of ["decisions/labelled", "feedback/export"]) {
      const response = await ada.fetch(`/api/${file}`);
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text).toContain("Never send [hidden].");
      expect(Object.values(PLANTED).filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  test("strangers and filters nobody could choose are refused", async () => {
    for (const list of lists) {
      expect((await product.visitor().fetch(hrefOf(list, "csv"))).status).toBe(401);
      for (const bad of [`/api/${list}`, hrefOf(list, "xml"), `${hrefOf(list, "csv")}&workspaceId=1`]) {
        expect({ bad, status: (await ada.fetch(bad)).status }).toEqual({ bad, status: 400 });
      }
    }
    expect((await ada.fetch("/api/runs/list?format=csv&filters={")).status).toBe(400);
  });
});
