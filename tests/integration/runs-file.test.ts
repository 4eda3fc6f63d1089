import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unpackRunTree } from "@/components/runs/unpack-run-tree";
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
  const tree = unpackRunTree(await caller.runs.tree({ runId }));
  const agents = await Promise.all(tree.agents.map(({ id }) => caller.runs.agent({ runId, agentRunId: id })));
  const decisions = await Promise.all(tree.decisions.map(({ id }) => caller.runs.decision({ runId, decisionId: id })));
  const { rows } = await pool().query<{ a: string; p: number }>(
    "SELECT agent_run_id AS a, position AS p FROM steps WHERE run_id = $1 ORDER BY started_at, agent_run_id, position",
    [runId],
  );
  const details = await Promise.all(rows.map(({ a, p }) => caller.runs.step({ runId, agentRunId: a, position: p })));
  const events = await caller.runs.events({ runId });
  const facts = await caller.runs.facts({ runId });
  return { tree, agents, decisions, details, events, facts };
}

/** With ids named by when they are first met, so that two copies can be compared. */
function withoutIds(value: unknown): unknown {
  const names = new Map<string, string>();
  const name = (id: string) => {
    const known = names.get(id) ?? `id ${names.size}`;
    names.set(id, known);
    return known;
  };
  return JSON.parse(
    JSON.stringify(value).replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, name),
  );
}

const hidden = (value: unknown) => {
  let text = JSON.stringify(value);
  const { providerKey, header, unknown } = PLANTED;
  const forms = [providerKey, unknown, header, JSON.stringify(header).slice(1, -1), encodeURIComponent(header)];
  forms.push(
    JSON.stringify(forms[3]).slice(1, -1),
    Buffer.from(providerKey).toString("base64").replace(/=+$/, "").slice(0, -1),
  );
  for (const form of [...forms].sort((a, b) => b.length - a.length)) text = text.replaceAll(form, "[hidden]");
  return text;
};

const secretsIn = (text: string) =>
  [
    ...Object.values(PLANTED),
    ...Object.values(PLANTED).map((secret) => JSON.stringify(secret).slice(1, -1)),
    encodeURIComponent(PLANTED.header),
    Buffer.from(PLANTED.providerKey).toString("base64").slice(0, -4),
  ].filter((secret) => text.includes(secret));

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
    caller = callerOf({
      workspaceId: provenWorkspace(workspaceId),
      userId: user.id,
      userName: user.name,
      role: "owner",
    });
    return user.id;
  };
  beforeAll(async () => {
    const userId = await enter();
    const team = await aSampleTeam(product.db, provenWorkspace(workspaceId));
    sourceRunId = await aRichRun(product.db, { workspaceId, team, userId });
    source = await readAll(caller, sourceRunId);
    file = await saveRunFile(ada, sourceRunId);
    // Written into the rows themselves, as they are there from before anything was taken out at the doors: to be found.
    expect(secretsIn(JSON.stringify(source)).length).toBeGreaterThan(3);
    await product.stop();
    // Another installation, with nothing in it.
    await enter();
  });
  afterAll(() => product?.stop());

  test("the file names itself, counts its rows, and holds none of the planted secrets", () => {
    const lines = linesOf(file);
    expect(lines[0]).toMatchObject({
      troupeRun: 1,
      savedBy: "Ada Owner",
      run: { id: sourceRunId, status: "failed" },
      tags: ["Audit"],
    });
    const text = gunzipSync(file).toString("utf8");
    expect(secretsIn(text)).toEqual([]);
    expect(text).toContain("[hidden]");
  });

  test("opened in a fresh installation it shows the same tree, decisions and costs, and no secret", async () => {
    const { status, runId } = await openRunFile(ada, file);
    expect(status).toBe(200);
    expect(runId).not.toBe(sourceRunId);
    const here = await readAll(caller, runId);
    expect(here.tree.run.imported).toMatchObject({
      workspace: "Analytical engines",
      runId: sourceRunId,
      savedBy: "Ada Owner",
      by: "Ada Owner",
    });
    expect(here.tree.run).toMatchObject({
      title: source.tree.run.title,
      costNanoUsd: source.tree.run.costNanoUsd,
      startedBy: "Ada Owner",
    });
    expect(here.tree.run.costNanoUsd).toBeGreaterThan(0);
    expect(here.tree.decisions.length).toBeGreaterThan(5);
    const plain = ({ tree, ...rest }: typeof here) => {
      const {
        imported: _,
        target: { id: __, ...target },
        ...run
      } = tree.run;
      return { rest, tree: { ...tree, run: { ...run, target } } };
    };
    expect(withoutIds(plain(here))).toEqual(withoutIds(JSON.parse(hidden(plain(source)))));
    expect(secretsIn(JSON.stringify(here))).toEqual([]);
    const labels = await caller.decisions.get({
      decisionId: here.tree.decisions.find(({ kind: of }) => of === "delegate")?.id ?? "",
    });
    expect(JSON.stringify(labels)).toContain("Never say [hidden]");
    expect((await caller.ledger.run({ runId })).state).toBe("unchanged");
  });

  test("LLM-OBS-06: a file from before rates were kept is opened, and its calls have none", async () => {
    const rates = ["reasoning_tokens", "input_rate", "cached_rate", "output_rate", "reasoning_rate"];
    const older = linesOf(file).map((line) =>
      Array.isArray(line) && line[0] === "usages"
        ? [line[0], Object.fromEntries(Object.entries(line[1] as object).filter(([name]) => !rates.includes(name)))]
        : line,
    );
    const { status, runId } = await openRunFile(ada, fileOf(older));
    expect(status).toBe(200);
    const { rows } = await pool().query(
      `SELECT count(*)::int AS calls, count(input_rate)::int AS priced, sum(cost_nano_usd)::float8 AS cost FROM usages WHERE run_id = $1`,
      [runId],
    );
    expect(rows[0]).toEqual({ calls: expect.any(Number), priced: 0, cost: source.tree.run.costNanoUsd });
    expect(rows[0].calls).toBeGreaterThan(0);
  });

  test("INT-CTX-10: a file from before runs were about something is opened, and its run is about nothing", async () => {
    const older = linesOf(file).map((line) => {
      if (!Array.isArray(line) || line[0] !== "agent_runs") return line;
      const { context, ...row } = line[1] as Record<string, unknown>;
      expect(context).toBeNull();
      return [line[0], row];
    });
    const { status, runId } = await openRunFile(ada, fileOf(older));
    expect(status).toBe(200);
    const { rows } = await pool().query("SELECT DISTINCT context FROM agent_runs WHERE run_id = $1", [runId]);
    expect(rows).toEqual([{ context: null }]);
  });

  /** Rows of the workspace, by table: what a refused file may not change. */
  async function rowCounts(): Promise<Record<string, number>> {
    const tables = [
      "runs",
      "run_imports",
      "agents",
      "teams",
      "agent_runs",
      "steps",
      "messages",
      "events",
      "decisions",
      "blobs",
      "effects",
    ];
    const { rows } = await pool().query(
      `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(", ")}`,
    );
    return rows[0];
  }
  type Line = [string, Record<string, unknown>];
  /** The file with one line changed: the first of a part, or the header. */
  const changed = (part: string, change: (row: Record<string, unknown>) => unknown): Buffer<ArrayBuffer> => {
    const lines = linesOf(file);
    const at = part === "header" ? 0 : lines.findIndex((line) => Array.isArray(line) && line[0] === part);
    const row = part === "header" ? (lines[0] as Record<string, unknown>) : (lines[at] as Line)[1];
    const now = change(row);
    lines[at] = typeof now === "string" ? now : part === "header" ? now : [part, now];
    return fileOf(lines);
  };
  const packed = (text: string) => Buffer.from(gzipSync(text));

  test("what is no run file, or a hostile one, is refused with one sentence and leaves nothing (A20)", async () => {
    const before = await rowCounts();
    const whole = gunzipSync(file);
    const stranger = "019ab6f0-0000-7000-8000-00000000abcd";
    const hostile: [what: string, body: Buffer<ArrayBuffer>, sentence: RegExp][] = [
      ["nothing", Buffer.from([]), /empty/],
      ["words", Buffer.from("hello"), /is no run file/],
      ["packed words", packed("hello\n"), /is no run file/],
      ["other JSON", packed('{"a":1}\n'), /is no run file/],
      ["a list", packed("[]\n"), /is no run file/],
      ["a constructor", packed('{"lc":1,"type":"constructor","id":["os","system"],"kwargs":{}}\n'), /is no run file/],
      ["a newer form", changed("header", (row) => ({ ...row, troupeRun: 2 })), /newer Troupe/],
      ["no form", changed("header", (row) => ({ ...row, troupeRun: "1" })), /form that this Troupe does not know/],
      [
        "a run that goes on",
        changed("header", (row) => ({ ...row, run: { ...(row.run as object), status: "running" } })),
        /has not ended/,
      ],
      ["an unknown field", changed("header", (row) => ({ ...row, shell: "rm" })), /header/],
      ["cut off", Buffer.from(file.subarray(0, Math.floor(file.length / 2))), /damaged or was cut off/],
      [
        "without its end",
        packed(whole.subarray(0, whole.lastIndexOf(10, whole.length - 2) + 1).toString()),
        /end is missing/,
      ],
      ["a wrong checksum", packed(whole.toString().replace("Desk lead", "Deck lead")), /do not match its checksum/],
      ["something after its end", packed(`${whole}{}\n`), /something follows its end/],
      [
        "__proto__",
        changed("steps", (row) => `["steps",${JSON.stringify(row).replace("{", '{"__proto__":{"isAdmin":true},')}]`),
        /__proto__/,
      ],
      ["half a character", changed("decisions", (row) => ({ ...row, reason: "\ud800" })), /character that is none/],
      ["a NUL", changed("decisions", (row) => ({ ...row, reason: "a\0b" })), /character that is none/],
      [
        "an endless number",
        changed(
          "usages",
          (row) => `["usages",${JSON.stringify(row).replace(/"input_tokens":\d+/, '"input_tokens":1e999')}]`,
        ),
        /number that is too large/,
      ],
      ["a gigantic number", changed("usages", (row) => ({ ...row, input_tokens: 2 ** 40 })), /input_tokens/],
      ["a negative cost", changed("usages", (row) => ({ ...row, cost_nano_usd: -1 })), /cost_nano_usd/],
      ["half a step", changed("steps", (row) => ({ ...row, position: 1.5 })), /position/],
      ["a wrong type", changed("steps", (row) => ({ ...row, name: { toString: "x" } })), /name/],
      ["a column of ours", changed("steps", (row) => ({ ...row, workspace_id: workspaceId })), /steps/],
      ["an agent of another run", changed("steps", (row) => ({ ...row, agent_run_id: stranger })), /not in the file/],
      [
        "a decision of another run",
        changed("agent_runs", (row) => ({ ...row, parent_id: stranger })),
        /not in the file/,
      ],
      [
        "an id twice",
        fileOf([
          ...linesOf(file).flatMap((line) => (Array.isArray(line) && line[0] === "decisions" ? [line, line] : [line])),
        ]),
        /used twice/,
      ],
      ["a blob that is another", changed("blobs", (row) => ({ ...row, content: "[]" })), /not what its hash says/],
      [
        "a blob that is missing",
        fileOf(linesOf(file).filter((line) => !Array.isArray(line) || line[0] !== "blobs")),
        /large value that is not in the file/,
      ],
      [
        "rows that are missing",
        fileOf(linesOf(file).filter((line) => !Array.isArray(line) || line[0] !== "usages")),
        /says that it has/,
      ],
      ["an event of no kind", changed("events", (row) => ({ ...row, kind: "shell.run" })), /no event of its kind/],
      ["a gap in its events", changed("events", (row) => ({ ...row, seq: 7 })), /without gaps/],
      ["an agent that is still at work", changed("agent_runs", (row) => ({ ...row, status: "running" })), /status/],
      ["an unknown part", fileOf([...linesOf(file), ["users", { id: stranger }]]), /no known kind/],
      [
        "parts in another order",
        fileOf([...linesOf(file), linesOf(file).find((line) => Array.isArray(line) && line[0] === "steps")]),
        /too late/,
      ],
      [
        "depth",
        changed(
          "human_requests",
          (row) =>
            `["human_requests",${JSON.stringify({ ...row, schema: 0 }).replace('"schema":0', `"schema":${"[".repeat(5_000)}${"]".repeat(5_000)}`)}]`,
        ),
        /nested too deeply/,
      ],
      ["an effect under another's key", changed("effects", (row) => ({ ...row, key: `${stranger}/1` })), /effects/],
      ["a time far away", changed("steps", (row) => ({ ...row, started_at: "9999-12-31T23:59:59Z" })), /started_at/],
    ];
    for (const [what, body, sentence] of hostile) {
      const { status, error } = await openRunFile(ada, body);
      expect({ what, status, message: error?.message }).toEqual({
        what,
        status: 400,
        message: expect.stringMatching(sentence),
      });
      // One sentence for a person, or two: what is wrong, and what to do.
      expect(error?.message.length).toBeLessThan(250);
    }
    expect(await rowCounts()).toEqual(before);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test("a file that unpacks to far more than it weighs is given up early (A20)", async () => {
    const bomb = Buffer.concat([
      gzipSync(`${JSON.stringify(linesOf(file)[0])}\n`),
      gzipSync(`"${"0".repeat(40_000_000)}"\n`),
    ]);
    expect(bomb.length).toBeLessThan(200_000);
    const { status, error } = await openRunFile(ada, Buffer.from(bomb));
    expect({ status, message: error?.message }).toEqual({
      status: 400,
      message: expect.stringMatching(/too long|too large/),
    });
  });

  test("what looks like a constructor inside a run is kept as the plain data it is", async () => {
    const odd = { lc: 1, type: "constructor", id: ["os", "system"], constructor: { prototype: { x: 1 } } };
    const lines = linesOf(changed("human_requests", (row) => ({ ...row, schema: odd })));
    const { status, runId } = await openRunFile(ada, fileOf(lines));
    expect(status).toBe(200);
    const { rows } = await pool().query("SELECT schema FROM human_requests WHERE run_id = $1", [runId]);
    expect(rows).toEqual([{ schema: odd }]);
  });

  test("it can only be looked at, and nothing of it counts as spent here", async () => {
    // As if it had ended just now: its steps are of today.
    const shifted = linesOf(file).map((line) => {
      const day = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[0-9:.]+(Z|\+00:00)/g, new Date().toISOString());
      return JSON.parse(day(JSON.stringify(line)));
    });
    const { runId } = await openRunFile(ada, fileOf(shifted));
    const { tree } = await readAll(caller, runId);
    expect(tree.run.costNanoUsd).toBeGreaterThan(0);
    expect(await caller.runs.summary()).toMatchObject({
      spentTodayNanoUsd: 0,
      failedLastDay: 0,
      active: 0,
      waiting: 0,
    });
    const { rows } = await pool().query("SELECT cost::int, tokens::int FROM spent_on($1, utc_day())", [workspaceId]);
    expect(rows).toEqual([{ cost: 0, tokens: 0 }]);
    const root = tree.agents.find(({ parentId }) => parentId === null)?.id ?? "";
    const refused = { code: "BAD_REQUEST" };
    await expect(
      caller.runs.retryFrom({ runId, agentRunId: root, position: 0, askBeforeWrites: true }),
    ).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining("imported to be looked at"),
    });
    await expect(caller.runs.retryPlan({ runId, agentRunId: root, position: 0 })).rejects.toMatchObject(refused);
    await expect(
      caller.runs.whatIf({
        runId,
        agentRunId: root,
        position: 0,
        askBeforeWrites: true,
        edit: { kind: "model", model: "rehearsal/rehearsal" },
      }),
    ).rejects.toMatchObject(refused);
    for (const act of ["pause", "resume", "stop"] as const) {
      await caller.runs[act]({ runId }).catch((error) => expect(error).toMatchObject({ code: "BAD_REQUEST" }));
    }
    await expect(caller.runs.steer({ runId, agentRunId: root, text: "Go on" })).rejects.toBeDefined();
    const { target } = tree.run;
    await expect(
      caller.runs.start({
        ...(target.kind === "team" ? { teamId: target.id } : { agentId: target.id }),
        input: "Again",
        rerunOfId: runId,
      }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await readAll(caller, runId)).tree).toEqual(tree);
    // Not among what can be started or edited.
    expect(await caller.runs.targets()).toEqual([]);
    expect((await caller.agents.list({})).items).toEqual([]);
    // Removed, it gives back and takes nothing.
    await caller.runs.remove({ runIds: [runId] });
    expect((await caller.runs.summary()).spentTodayNanoUsd).toBe(0);
  });

  test("removed, it takes along the agents and the team it was shown by, and nothing that another run is shown by", async () => {
    const shownBy = async (runId: string) => {
      const { rows } = await pool().query<{ agents: string[]; team: string | null }>(
        `SELECT array_agg(DISTINCT v.agent_id) AS agents, r.team_id AS team FROM runs r JOIN agent_runs a ON a.run_id = r.id
         JOIN agent_versions v ON v.id = a.agent_version_id WHERE r.id = $1 GROUP BY r.team_id`,
        [runId],
      );
      return rows[0] ?? { agents: [], team: null };
    };
    const left = async ({ agents, team }: Awaited<ReturnType<typeof shownBy>>) => {
      const { rows } = await pool().query<{ agents: string[]; teams: number }>(
        `SELECT (SELECT coalesce(array_agg(id), '{}') FROM agents WHERE id = ANY($1)) AS agents,
           (SELECT count(*)::int FROM teams WHERE id = $2) AS teams`,
        [agents, team],
      );
      return rows[0];
    };
    const { runId: firstId } = await openRunFile(ada, file);
    const { runId: secondId } = await openRunFile(ada, file);
    const [first, second] = [await shownBy(firstId), await shownBy(secondId)];
    expect(first.agents.length).toBeGreaterThan(1);
    expect(first.team).not.toBeNull();
    const { rows } = await pool().query<{ agent: string }>(
      `UPDATE agent_runs b SET agent_version_id = a.agent_version_id
       FROM agent_runs a JOIN agent_versions v ON v.id = a.agent_version_id
       WHERE a.run_id = $1 AND a.parent_id IS NULL AND b.run_id = $2 AND b.parent_id IS NULL RETURNING v.agent_id AS agent`,
      [firstId, secondId],
    );
    const shared = rows.map(({ agent }) => agent);

    await caller.runs.remove({ runIds: [firstId] });
    expect(await left(first)).toEqual({ agents: shared, teams: 0 });
    const { tree } = await readAll(caller, secondId);
    expect(tree.run.target).toMatchObject({ kind: "team", id: second.team });
    expect((await left(second))?.agents.length).toBe(second.agents.length);

    await caller.runs.remove({ runIds: [secondId] });
    expect(await left(second)).toEqual({ agents: [], teams: 0 });
  });

  test("viewers may save a run, editors open a file; strangers and members of other workspaces neither", async () => {
    const { runId } = await openRunFile(ada, file);
    const { rows: members } = await pool().query("SELECT user_id FROM members WHERE workspace_id = $1", [workspaceId]);
    const be = (role: string) =>
      pool().query("UPDATE members SET role = $2::member_role WHERE user_id = $1", [members[0].user_id, role]);
    for (const role of ["viewer", "operator"]) {
      await be(role);
      expect((await ada.fetch(`/api/runs/${runId}/file`)).status).toBe(200);
      const { status, error } = await openRunFile(ada, file);
      expect({ role, status, message: error?.message }).toMatchObject({
        role,
        status: 403,
        message: expect.stringContaining("editor role"),
      });
    }
    await be("editor");
    expect((await openRunFile(ada, file)).status).toBe(200);
    await be("owner");
    expect((await openRunFile(product.visitor(), file)).status).toBe(401);
    expect((await product.visitor().fetch(`/api/runs/${runId}/file`)).status).toBe(401);
    const elsewhere = await aWorkspace(product.db);
    await aMember(product.db, elsewhere);
    const team = await aSampleTeam(product.db, elsewhere);
    const foreign = await insertSampleRun(product.db, { workspaceId: elsewhere, team, state: "finished" });
    for (const id of [foreign, "019ab6f0-0000-7000-8000-00000000abcd", "nonsense"]) {
      expect((await ada.fetch(`/api/runs/${id}/file`)).status).toBe(404);
    }
  });

  test("a run that has not ended is not saved", async () => {
    const { runId } = await openRunFile(ada, file);
    await pool().query("UPDATE runs SET status = 'paused' WHERE id = $1", [runId]);
    const response = await ada.fetch(`/api/runs/${runId}/file`);
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("has ended") } },
    });
  });

  test("an imported run can be saved again, and opened again", async () => {
    const { runId } = await openRunFile(ada, file);
    const again = await openRunFile(ada, await saveRunFile(ada, runId));
    expect(again).toMatchObject({ status: 200 });
    const [first, second] = [await readAll(caller, runId), await readAll(caller, again.runId)];
    const tree = ({ tree: { run, ...rest } }: typeof first) => ({
      ...rest,
      title: run.title,
      startedBy: run.startedBy,
    });
    expect(withoutIds(tree(second))).toEqual(withoutIds(tree(first)));
  });
});
