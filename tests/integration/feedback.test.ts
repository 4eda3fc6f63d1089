import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import type { FeedbackSummary } from "@/server/feedback/schema";
import { deleteRun } from "@/server/usage/jobs/remove-run";
import { provenWorkspace, type Scope } from "@/server/workspaces/scope";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aWorkspace, type TeamFixture } from "../support/factories";
import { type Product, signedInOwner, startProduct } from "../support/product";
import { aSampleTeam, insertSampleRun } from "../support/sample-run";
import { useDatabase } from "../support/use-database";
import type { Visitor } from "../support/web";

type House = { scope: Scope; team: TeamFixture; api: ReturnType<typeof callerOf> };

async function aHouse(): Promise<House> {
  const scope = await aMember(db(), await aWorkspace(db()));
  return { scope, team: await aSampleTeam(db(), scope.workspaceId), api: callerOf(scope) };
}
const anAnswer = ({ scope, team }: House) =>
  insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "finished" });

describe.each(DATABASE_KINDS)("feedback on answers (%s)", (kind) => {
  useDatabase(kind);

  test("keeps what was said with the agent, its version and the team it was said of", async () => {
    const house = await aHouse();
    const runId = await anAnswer(house);
    const { feedbackId } = await house.api.feedback.give({
      ...{ runId, type: "correction", content: "  It is 14 days.  ", metadata: { ticket: "T-7" } },
    });
    const row = await db().feedback.findUniqueOrThrow({ where: { id: feedbackId } });
    expect(row).toMatchObject({
      ...{ runId, type: "correction", content: "It is 14 days.", metadata: { ticket: "T-7" }, editedAt: null },
      ...{ userId: house.scope.userId, teamId: house.team.teamId, agentName: "Desk lead", agentVersion: 1 },
      conversationId: null,
    });
    const { items } = await house.api.feedback.list({});
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      ...{ id: feedbackId, runId, agentName: "Desk lead", agentVersion: 1, teamName: "Handbook desk" },
      by: house.scope.userName,
    });
  });

  test("one vote a person: the other thumb replaces it, the same again changes nothing", async () => {
    const house = await aHouse();
    const runId = await anAnswer(house);
    const say = (type: "positive" | "negative", content = "") => house.api.feedback.give({ runId, type, content });
    const first = await say("positive", "Clear.");
    expect(await say("positive", "Clear.")).toEqual(first);
    expect(await house.api.feedback.onRun({ runId })).toMatchObject([{ type: "positive", editedAt: null }]);
    expect(await say("negative")).toEqual(first);
    const [vote, ...others] = await house.api.feedback.onRun({ runId });
    expect(others).toEqual([]);
    expect(vote).toMatchObject({ id: first.feedbackId, type: "negative", content: "" });
    expect(vote?.editedAt).not.toBeNull();
    // Somebody else has a vote of their own.
    const other = await aMember(db(), house.scope.workspaceId);
    await callerOf(other).feedback.give({ runId, type: "positive" });
    expect(await house.api.feedback.counts({})).toEqual({ positive: 1, negative: 1, correction: 0, preference: 0 });
  });

  test("two votes at once leave one", async () => {
    const house = await aHouse();
    const runId = await anAnswer(house);
    await Promise.all(
      (["positive", "negative", "positive", "negative"] as const).map((type) =>
        house.api.feedback.give({ runId, type }),
      ),
    );
    expect(await house.api.feedback.onRun({ runId })).toHaveLength(1);
  });

  test("corrections and preferences may be several; each is changed and taken back by whoever gave it, and by nobody else", async () => {
    const house = await aHouse();
    const runId = await anAnswer(house);
    const give = (type: "correction" | "preference", content: string) =>
      house.api.feedback.give({ runId, type, content });
    const { feedbackId } = await give("correction", "Not 30 days.");
    await give("correction", "And by post.");
    await give("preference", "Shorter.");
    await expect(give("preference", "  ")).rejects.toThrow("Say it in words.");
    const other = callerOf(await aMember(db(), house.scope.workspaceId));
    await expect(other.feedback.change({ feedbackId, content: "Mine" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(other.feedback.remove({ feedbackId })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(house.api.feedback.change({ feedbackId, content: "" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await house.api.feedback.change({ feedbackId, content: "14 days." });
    expect((await house.api.feedback.onRun({ runId })).map(({ content }) => content)).toEqual([
      ...["14 days.", "And by post.", "Shorter."],
    ]);
    await house.api.feedback.remove({ feedbackId });
    expect(await house.api.feedback.onRun({ runId })).toHaveLength(2);
    await expect(house.api.feedback.remove({ feedbackId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("needs an answer, and a run of the workspace", async () => {
    const house = await aHouse();
    const { scope, team } = house;
    const waiting = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "waiting" });
    await expect(house.api.feedback.give({ runId: waiting, type: "positive" })).rejects.toThrow("has no answer");
    const elsewhere = await anAnswer(await aHouse());
    await expect(house.api.feedback.give({ runId: elsewhere, type: "positive" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(house.api.feedback.onRun({ runId: elsewhere })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await house.api.feedback.onRun({ runId: waiting })).toEqual([]);
  });

  test("is listed page by page and found by type, agent, team, day and words", async () => {
    const house = await aHouse();
    const [one, two] = [await anAnswer(house), await anAnswer(house)];
    for (let n = 0; n < 5; n++) await house.api.feedback.give({ runId: one, type: "preference", content: `Wish ${n}` });
    await house.api.feedback.give({ runId: two, type: "correction", content: "100 % of it" });
    await pool().query("UPDATE feedback SET at = '2026-01-05T23:59:59.999Z' WHERE workspace_id = $1 AND run_id = $2", [
      ...[house.scope.workspaceId, one],
    ]);
    // As of an agent that was run by itself.
    await pool().query("UPDATE feedback SET team_id = NULL WHERE run_id = $1", [two]);
    const seen: FeedbackSummary[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof house.api.feedback.list>> = await house.api.feedback.list({
        cursor,
        limit: 2,
      });
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(6);
    expect(seen[0]?.content).toBe("100 % of it");
    const found = async (filters: object) =>
      (await house.api.feedback.list(filters)).items.map(({ content }) => content).sort();
    const wishes = [0, 1, 2, 3, 4].map((n) => `Wish ${n}`);
    expect(await found({ type: "correction" })).toEqual(["100 % of it"]);
    expect(await found({ team: house.team.teamId })).toEqual(wishes);
    expect(await found({ agent: "Desk lead" })).toHaveLength(6);
    expect(await found({ agent: "Searcher" })).toEqual([]);
    expect(await found({ from: "2026-01-05", to: "2026-01-05" })).toEqual(wishes);
    expect(await found({ to: "2026-01-04" })).toEqual([]);
    expect(await found({ search: "100 %" })).toEqual(["100 % of it"]);
    expect(await found({ search: "wish 3" })).toEqual(["Wish 3"]);
    expect(await house.api.feedback.counts({ type: "correction" })).toMatchObject({ preference: 5, correction: 1 });
    await expect(house.api.feedback.list({ cursor: "1; --" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("finds runs by what is said of their answers", async () => {
    const house = await aHouse();
    const [liked, corrected] = [await anAnswer(house), await anAnswer(house)];
    await anAnswer(house);
    await house.api.feedback.give({ runId: liked, type: "positive" });
    await house.api.feedback.give({ runId: corrected, type: "correction", content: "No." });
    const runs = async (feedback: ("positive" | "negative" | "correction" | "preference")[]) =>
      (await house.api.runs.list({ feedback })).items.map(({ id }) => id).sort();
    expect(await runs([])).toHaveLength(3);
    expect(await runs(["positive"])).toEqual([liked]);
    expect(await runs(["positive", "correction"])).toEqual([liked, corrected].sort());
    expect(await runs(["negative"])).toEqual([]);
    expect((await house.api.runs.matching({ feedback: ["correction"] })).runIds).toEqual([corrected]);
  });

  test("goes with its run, and stays without whoever gave it", async () => {
    const house = await aHouse();
    const [one, two] = [await anAnswer(house), await anAnswer(house)];
    const other = await aMember(db(), house.scope.workspaceId);
    for (const runId of [one, two]) await callerOf(other).feedback.give({ runId, type: "positive", content: "Good." });
    await pool().query("UPDATE runs SET removing_at = now() WHERE id = $1", [one]);
    expect((await house.api.feedback.list({})).items.map(({ runId }) => runId)).toEqual([two]);
    const client = await pool().connect();
    await deleteRun(client, house.scope.workspaceId, one).finally(() => client.release());
    expect(await db().feedback.count({ where: { runId: one } })).toBe(0);
    await db().member.deleteMany({ where: { userId: other.userId } });
    await db().user.delete({ where: { id: other.userId } });
    expect(await house.api.feedback.onRun({ runId: two })).toMatchObject([{ userId: null, by: "Somebody who left" }]);
  });
});

describe.each(DATABASE_KINDS)("feedback as a file (%s)", (kind) => {
  let product: Product;
  let ada: Visitor;
  let house: House;
  beforeAll(async () => {
    product = await startProduct(kind);
    ada = await signedInOwner(product);
    const { id: workspaceId } = await product.db.workspace.findFirstOrThrow();
    const { id: userId, name: userName } = await product.db.user.findFirstOrThrow();
    const scope: Scope = { workspaceId: provenWorkspace(workspaceId), userId, userName, role: "owner" } as Scope;
    house = { scope, team: await aSampleTeam(product.db, scope.workspaceId), api: callerOf(scope) };
  });
  afterAll(() => product?.stop());

  async function exported(query = "") {
    const response = await ada.fetch(`/api/feedback/export${query}`);
    const text = await response.text();
    return {
      response,
      lines: text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    };
  }

  test("holds a line for each entry of the filter, with the question and the answer", async () => {
    const runId = await anAnswer(house);
    await house.api.feedback.give({ runId, type: "negative", content: "Too long.", metadata: { from: "run" } });
    await house.api.feedback.give({ runId, type: "preference", content: "Name the page." });
    const { response, lines } = await exported("?type=negative");
    expect(response.headers.get("content-disposition")).toContain('filename="feedback.jsonl"');
    const run = await product.db.run.findUniqueOrThrow({ where: { id: runId } });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      ...{ type: "NEGATIVE", content: "Too long.", metadata: { from: "run" }, sessionId: null, runId },
      ...{ input: run.input, answer: run.answer, agentName: "Desk lead", agentVersion: 1, by: "Ada Owner" },
      teamId: house.team.teamId,
    });
    expect((await exported()).lines).toHaveLength(2);
  });

  test("is refused to strangers and for filters nobody could choose", async () => {
    expect((await product.visitor().fetch("/api/feedback/export")).status).toBe(401);
    expect((await exported("?type=lost")).response.status).toBe(400);
  });
});
