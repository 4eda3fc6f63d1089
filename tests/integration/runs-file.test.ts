import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pool } from "@/server/db";
import { provenWorkspace } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { type Product, signedInOwner, startProduct } from "@/tests/support/product";
import { aRichRun, fileOf, linesOf, openRunFile, PLANTED, saveRunFile } from "@/tests/support/run-files";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import type { Visitor } from "@/tests/support/web";

type Caller = ReturnType<typeof callerOf>;

/** All the run page reads of a run, by the procedures it reads it with. */
async function readAll(caller: Caller, runId: string) {
  const tree = await caller.runs.tree({ runId });
  const { steps } = tree;
  const agents = await Promise.all(tree.agents.map(({ id }) => caller.runs.agent({ runId, agentRunId: id })));
  const decisions = await Promise.all(
    tree.decisions.map(({ id }) => caller.runs.decision({ runId, decisionId: id })),
  );
  const { rows } = await pool().query<{ a: string; p: number }>(
    "SELECT agent_run_id AS a, position AS p FROM steps WHERE run_id = $1 ORDER BY started_at, agent_run_id, position",
    [runId],
  );
  const details = await Promise.all(rows.map(({ a, p }) => caller.runs.step({ runId, agentRunId: a, position: p })));
  const events = await caller.runs.events({ runId });
  const facts = await caller.runs.facts({ runId });
  return { tree, steps, agents, decisions, details, events, facts };
}

/** With ids named by when they are first met, so that two copies can be compared. */
function withoutIds(value: unknown): unknown {
  const names = new Map<string, string>();
  const name = (id: string) => names.get(id) ?? (names.set(id, `id ${names.size}`), names.get(id));
  return JSON.parse(
    JSON.stringify(value).replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => name(id) ?? ""),
  );
}

const hidden = (value: unknown) => {
  let text = JSON.stringify(value);
  const { providerKey, header, unknown } = PLANTED;
  const forms = [providerKey, unknown, header, JSON.stringify(header).slice(1, -1), encodeURIComponent(header)];
  forms.push(JSON.stringify(forms[3]).slice(1, -1), Buffer.from(providerKey).toString("base64").replace(/=+$/, "").slice(0, -1));
  for (const form of [...forms].sort((a, b) => b.length - a.length)) text = text.replaceAll(form, "[hidden]");
  return text;
};

const secretsIn = (text: string) =>
  [...Object.values(PLANTED), ...Object.values(PLANTED).map((secret) => JSON.stringify(secret).slice(1, -1)),
    encodeURIComponent(PLANTED.header), Buffer.from(PLANTED.providerKey).toString("base64").slice(0, -4)]
    .filter((secret) => text.includes(secret));

describe.each(DATABASE_KINDS)("a run as one file (%s)", (kind) => {
  let product: Product;
  let ada: Visitor;
  let caller: Caller;
  let workspaceId: string;
  let file: Buffer<ArrayBuffer>;
  let source: Awaited<ReturnType<typeof readAll>>;
  let sourceRunId: string;

  const enter = async () => {
    product = await startProduct(kind);
    ada = await signedInOwner(product);
    workspaceId = (await product.db.workspace.findFirstOrThrow()).id;
    const user = await product.db.user.findFirstOrThrow();
    caller = callerOf({ workspaceId: provenWorkspace(workspaceId), userId: user.id, userName: user.name, role: "owner" });
    return user.id;
  };
  beforeAll(async () => {
    const userId = await enter();
    const team = await aSampleTeam(product.db, provenWorkspace(workspaceId));
    sourceRunId = await aRichRun(product.db, { workspaceId, team, userId });
    source = await readAll(caller, sourceRunId);
    file = await saveRunFile(ada, sourceRunId);
    // The planted secrets were there to be found.
    expect(secretsIn(JSON.stringify(source)).length).toBeGreaterThan(3);
    await product.stop();
    // Another installation, with nothing in it.
    await enter();
  });
  afterAll(() => product?.stop());

  test("the file names itself, counts its rows, and holds none of the planted secrets", () => {
    const lines = linesOf(file);
    expect(lines[0]).toMatchObject({ troupeRun: 1, savedBy: "Ada Owner", run: { id: sourceRunId, status: "failed" }, tags: ["Audit"] });
    const text = gunzipSync(file).toString("utf8");
    expect(secretsIn(text)).toEqual([]);
    expect(text).toContain("[hidden]");
  });

  test("opened in a fresh installation it shows the same tree, decisions and costs, and no secret", async () => {
    const { status, runId } = await openRunFile(ada, file);
    expect(status).toBe(200);
    expect(runId).not.toBe(sourceRunId);
    const here = await readAll(caller, runId);
    expect(here.tree.run.imported).toMatchObject({ workspace: "Analytical engines", runId: sourceRunId, savedBy: "Ada Owner", by: "Ada Owner" });
    expect(here.tree.run).toMatchObject({ title: source.tree.run.title, costNanoUsd: source.tree.run.costNanoUsd, startedBy: "Ada Owner" });
    expect(here.tree.run.costNanoUsd).toBeGreaterThan(0);
    expect(here.tree.decisions.length).toBeGreaterThan(5);
    const plain = ({ tree, ...rest }: typeof here) => {
      const { imported: _, target: { id: __, ...target }, ...run } = tree.run;
      return { rest, tree: { ...tree, run: { ...run, target } } };
    };
    expect(withoutIds(plain(here))).toEqual(withoutIds(JSON.parse(hidden(plain(source)))));
    expect(secretsIn(JSON.stringify(here))).toEqual([]);
    const labels = await caller.decisions.get({ decisionId: here.tree.decisions.find(({ kind: of }) => of === "delegate")?.id ?? "" });
    expect(JSON.stringify(labels)).toContain("Never say [hidden]");
  });
});
