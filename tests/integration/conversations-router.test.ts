import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { TURNS_AT_ONCE } from "@/server/conversations/schema";
import { db, pool } from "@/server/db";
import { createInnerContext } from "@/server/trpc/context";
import { appRouter } from "@/server/trpc/root";
import type { Role, Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, anAgent, aRun, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

const CONFLICT = { code: "CONFLICT" };
const NOT_ALLOWED = { code: "FORBIDDEN" };
const NOT_FOUND = { code: "NOT_FOUND" };
const INVALID = { code: "BAD_REQUEST" };

describe.each(DATABASE_KINDS)("conversations on the %s database", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  let team: TeamFixture;
  beforeAll(async () => {
    owner = await aMember(db(), await aWorkspace(db()));
    team = await aTeam(db(), owner.workspaceId, { name: "Desk" });
  });
  const as = ({ userId, userName }: Scope) =>
    appRouter.createCaller(
      createInnerContext({ user: { id: userId, name: userName, email: "somebody@example.test" } }),
    );
  const asNew = async (role: Role) => as(await aMember(db(), owner.workspaceId, role));
  const aConversation = async () => (await as(owner).conversations.start({ teamId: team.teamId })).conversationId;
  /** Ends a run as a worker would leave it. */
  const end = (runId: string, answer: string | null) =>
    db().run.update({
      where: { id: runId },
      data: { status: answer === null ? "failed" : "completed", answer, finishedAt: new Date() },
    });
  const attach = async (conversationId: string, name: string, status: string) => {
    const { workspaceId } = owner;
    const found = await db().knowledgeBase.findFirst({ where: { workspaceId, conversationId }, select: { id: true } });
    const baseId = found?.id ?? uuid();
    if (!found) {
      await db().knowledgeBase.create({
        data: { id: baseId, workspaceId, conversationId, name: "Attachments", dims: 4, settings: {} },
      });
    }
    const fileId = uuid();
    const file = { name, mediaType: "text/plain", sizeBytes: 5 };
    await db().file.create({ data: { id: fileId, workspaceId, ...file, status: "stored" } });
    const documentId = uuid();
    const reason = status === "failed" ? "no_text: There is no text in it." : null;
    await db().document.create({
      data: { id: documentId, workspaceId, baseId, fileId, ...file, sha256: fileId, status, statusReason: reason },
    });
    return documentId;
  };

  test("a question becomes a run of the conversation and its title, and the answer stands under it", async () => {
    const operator = await asNew("operator");
    const { conversationId } = await operator.conversations.start({ teamId: team.teamId });
    expect(await operator.conversations.get({ conversationId })).toMatchObject({
      title: "New conversation",
      target: { kind: "team", id: team.teamId, name: "Desk", isDeleted: false },
      turns: [],
      whyNotAsk: null,
    });
    const { runId } = await operator.conversations.ask({
      conversationId,
      input: "  How long is a return open?\nSay. ",
    });
    await end(runId, "30 days [handbook.md#1].");
    await pool().query(
      `insert into citations (run_id, mark, workspace_id, agent_run_id, chunk_id, base_id, document_id, document_name, text, scores)
       values ($1, 'handbook.md#1', $2, $3, $3, $3, $3, 'handbook.md', '30 days', '{}')`,
      [runId, owner.workspaceId, uuid()],
    );
    const conversation = await operator.conversations.get({ conversationId });
    expect(conversation.title).toBe("How long is a return open?");
    expect(conversation.turns).toMatchObject([
      {
        runId,
        input: "How long is a return open?\nSay.",
        status: "completed",
        answer: "30 days [handbook.md#1].",
        askedBy: "Ada Tester",
        citations: ["handbook.md#1"],
        costNanoUsd: 0,
      },
    ]);
    expect((await operator.runs.tree({ runId })).run).toMatchObject({ conversationId, citations: ["handbook.md#1"] });
  });

  test("a long one is read from its end, and further back as far as is asked", async () => {
    const conversationId = await aConversation();
    const { get } = as(owner).conversations;
    for (let nth = 0; nth < TURNS_AT_ONCE + 3; nth++) {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(nth / 2));
      await aRun(db(), owner.workspaceId, team, {
        title: `Turn ${nth}`,
        status: "completed",
        conversationId,
        createdAt,
      });
    }
    const all = await get({ conversationId, newest: 1_000 });
    expect([all.turns.length, all.earlierTurns]).toEqual([TURNS_AT_ONCE + 3, 0]);
    const order = all.turns.map(({ createdAt, runId }) => `${createdAt} ${runId}`);
    expect(order).toEqual(order.toSorted());
    const page = await get({ conversationId });
    expect(page.turns).toEqual(all.turns.slice(3));
    expect(page.earlierTurns).toBe(3);
    // What was removed is told of among the turns it was between.
    const [first, last] = [all.turns[0]?.runId ?? "", all.turns.at(-1)?.runId ?? ""];
    await as(owner).runs.remove({ runIds: [first, last] });
    expect((await get({ conversationId, newest: 1 })).removedTurns.map(({ runId }) => runId)).toEqual([last]);
    expect((await get({ conversationId, newest: 1_000 })).removedTurns.map(({ runId }) => runId)).toEqual([
      first,
      last,
    ]);
  });

  test("one question at a time: also of two asked at once only one starts a run", async () => {
    const conversationId = await aConversation();
    const asked = await Promise.allSettled(
      ["one", "two", "three"].map((input) => as(owner).conversations.ask({ conversationId, input })),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of asked) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(CONFLICT);
    }
    const { turns, whyNotAsk } = await as(owner).conversations.get({ conversationId });
    expect(turns).toHaveLength(1);
    expect(whyNotAsk).toBe("The last question is still being answered. Wait for it or stop it.");

    await as(owner).runs.stop({ runId: turns[0]?.runId ?? "" });
    await as(owner).conversations.ask({ conversationId, input: "Again." });
    expect((await as(owner).conversations.get({ conversationId })).turns).toHaveLength(2);
  });

  test("a follow-up is given what was asked and answered before, and nothing of other conversations", async () => {
    const conversationId = await aConversation();
    const other = await aConversation();
    for (const [where, input, answer] of [
      [conversationId, "First?", "One."],
      [other, "Elsewhere?", "Nowhere."],
      [conversationId, "Failed?", null],
      [conversationId, "Second?", "Two."],
    ] as const) {
      await end((await as(owner).conversations.ask({ conversationId: where, input })).runId, answer);
    }
    const { runId } = await as(owner).conversations.ask({ conversationId, input: "And then?" });
    const root = await db().agentRun.findFirstOrThrow({ where: { runId }, select: { id: true } });
    const { rows } = await pool().query<{ opened: { history: unknown } }>(
      "select journal_open($1, 'a test') as opened",
      [root.id],
    );
    expect(rows[0]?.opened.history).toEqual([
      { input: "First?", answer: "One." },
      { input: "Second?", answer: "Two." },
    ]);
  });

  test("a file that is still being read holds the question up by name, one that cannot be read does not", async () => {
    const conversationId = await aConversation();
    const documentId = await attach(conversationId, "plan.txt", "indexing");
    await attach(conversationId, "scan.pdf", "failed");
    await expect(as(owner).conversations.ask({ conversationId, input: "Go" })).rejects.toMatchObject({
      ...CONFLICT,
      message: expect.stringContaining("“plan.txt” is still being read"),
    });
    await db().document.update({ where: { id: documentId }, data: { status: "ready" } });
    const { attachments, whyNotAsk } = await as(owner).conversations.get({ conversationId });
    expect(whyNotAsk).toBeNull();
    expect(attachments).toMatchObject([
      { name: "plan.txt", status: "ready", problem: null },
      { name: "scan.pdf", status: "failed", problem: "There is no text in it." },
    ]);
    await as(owner).conversations.ask({ conversationId, input: "Go" });
  });

  test("whom it asks may be an agent, and must be published and there", async () => {
    const { agentId } = await anAgent(db(), owner.workspaceId, { name: "Clerk" });
    const { conversationId } = await as(owner).conversations.start({ agentId });
    const { runId } = await as(owner).conversations.ask({ conversationId, input: "Hello" });
    const tree = await as(owner).runs.tree({ runId });
    expect(tree.run.target).toEqual({ kind: "agent", id: agentId, name: "Clerk", version: 1 });
    expect(tree.agents).toMatchObject([{ name: "Clerk", status: "queued" }]);
    await end(runId, "Hello.");

    await db().agent.update({ where: { id: agentId }, data: { archivedAt: new Date() } });
    const orphaned = await as(owner).conversations.get({ conversationId });
    expect(orphaned.target.isDeleted).toBe(true);
    expect(orphaned.turns).toHaveLength(1);
    await expect(as(owner).conversations.ask({ conversationId, input: "Again" })).rejects.toMatchObject({
      ...CONFLICT,
      message: expect.stringContaining("“Clerk” was deleted"),
    });
    await expect(as(owner).conversations.start({ agentId })).rejects.toMatchObject(NOT_FOUND);

    const unpublished = uuid();
    await db().agent.create({ data: { id: unpublished, workspaceId: owner.workspaceId, name: "Draft", draft: {} } });
    await expect(as(owner).conversations.start({ agentId: unpublished })).rejects.toMatchObject({
      ...INVALID,
      message: expect.stringContaining("“Draft” was never published"),
    });
    await expect(as(owner).conversations.start({})).rejects.toMatchObject(INVALID);
    await expect(as(owner).conversations.start({ agentId, teamId: team.teamId })).rejects.toMatchObject(INVALID);
  });

  test("the list has the one asked last first, finds by title, question and name, and pages without gaps", async () => {
    const scope = await aMember(db(), await aWorkspace(db()));
    const mine = await aTeam(db(), scope.workspaceId, { name: "Lighthouse" });
    const ids: string[] = [];
    for (const input of ["alpha", "beta", "gamma"]) {
      const { conversationId } = await as(scope).conversations.start({ teamId: mine.teamId });
      await end((await as(scope).conversations.ask({ conversationId, input })).runId, "Yes.");
      ids.push(conversationId);
    }
    const [alpha = "", beta = ""] = ids;
    await end(
      (await as(scope).conversations.ask({ conversationId: alpha, input: "A word on 100%_sure." })).runId,
      "Ok.",
    );
    await as(scope).conversations.rename({ conversationId: beta, title: "Renamed" });

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<ReturnType<typeof as>["conversations"]["list"]>> = await as(
        scope,
      ).conversations.list({ limit: 1, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual([alpha, ids[2], beta]);
    const found = async (search: string) =>
      (await as(scope).conversations.list({ search })).items.map(({ title, turns, status }) => [title, turns, status]);
    expect(await found("renamed")).toEqual([["Renamed", 1, "completed"]]);
    expect(await found("100%_")).toEqual([["alpha", 2, "completed"]]);
    expect(await found("lightHOUSE")).toHaveLength(3);
    expect(await found("nothing like it")).toEqual([]);
    await expect(as(scope).conversations.list({ cursor: "x" })).rejects.toMatchObject(INVALID);
  });

  test("a list is narrowed to one of them by title, and the chosen one is there whatever is typed", async () => {
    const house = await aMember(db(), await aWorkspace(db()));
    const { teamId } = await aTeam(db(), house.workspaceId);
    const { conversations } = as(house);
    const ids = Array.from({ length: 51 }, () => uuid());
    await db().conversation.createMany({
      data: ids.map((id, n) => ({
        ...{ id, workspaceId: house.workspaceId, title: `Talk ${n} of 100 %`, teamId },
        updatedAt: new Date(Date.UTC(2026, 0, 1, 0, n)),
      })),
    });
    const first = await conversations.choices({});
    expect([first.items.length, first.items[0], first.more]).toEqual([
      50,
      { id: ids[50], title: "Talk 50 of 100 %" },
      true,
    ]);
    expect(await conversations.choices({ search: "talk 7 of 100 %" })).toMatchObject({
      items: [{ id: ids[7] }],
      more: false,
    });
    const chosen = await conversations.choices({ search: "talk 7 of 100 %", chosen: ids[0] ?? null });
    expect(chosen.items.map(({ id }) => id)).toEqual([ids[0], ids[7]]);
    // Of another workspace nothing is told.
    expect(await as(owner).conversations.choices({ search: "of 100 %", chosen: ids[0] ?? null })).toEqual({
      items: [],
      more: false,
    });
  });

  test("deleting takes runs, attachments and files with it, leaves everything else, and waits for a run to end", async () => {
    const conversationId = await aConversation();
    const kept = await aConversation();
    const { workspaceId } = owner;
    const documentId = await attach(conversationId, "plan.txt", "ready");
    await attach(kept, "kept.txt", "ready");
    const { baseId } = await db().document.findUniqueOrThrow({ where: { id: documentId }, select: { baseId: true } });
    const place = { documentId, revision: 1, startsAt: 0, terms: 1 };
    for (const position of [0, 1]) {
      const chunkId = uuid();
      await db().chunk.create({ data: { id: chunkId, workspaceId, baseId, ...place, position, text: "x" } });
      await db().posting.create({ data: { baseId, term: "x", chunkId, frequency: 1, length: 1 } });
    }
    const { runId } = await as(owner).conversations.ask({ conversationId, input: "Go" });
    await expect(as(owner).conversations.remove({ conversationId })).rejects.toMatchObject(CONFLICT);
    await end(runId, "Done.");
    const { runId: repeated } = await as(owner).runs.start({ teamId: team.teamId, input: "Go", rerunOfId: runId });
    expect((await as(owner).runs.tree({ runId: repeated })).run.rerunOf).toMatchObject({ id: runId, title: "Go" });

    expect(await as(owner).conversations.remove({ conversationId })).toEqual({ runs: 1, attachments: 1 });
    await expect(as(owner).conversations.get({ conversationId })).rejects.toMatchObject(NOT_FOUND);
    await expect(as(owner).runs.tree({ runId })).rejects.toMatchObject(NOT_FOUND);
    expect((await as(owner).runs.tree({ runId: repeated })).run.rerunOf).toBeNull();
    const { rows } = await pool().query<Record<string, number>>(
      `select (select count(*)::int from agent_runs where run_id = $1) as agent_runs,
         (select count(*)::int from events where run_id = $1) as events,
         (select count(*)::int from knowledge_bases where id = $2) as bases,
         (select count(*)::int from documents where base_id = $2) as documents,
         (select count(*)::int from chunks where base_id = $2) as chunks,
         (select count(*)::int from postings where base_id = $2) as postings,
         (select count(*)::int from files where workspace_id = $3 and name = 'plan.txt' and id not in
            (select file_id from documents)) as files`,
      [runId, baseId, workspaceId],
    );
    expect(rows[0]).toEqual({ agent_runs: 0, events: 0, bases: 0, documents: 0, chunks: 0, postings: 0, files: 0 });
    expect((await as(owner).conversations.get({ conversationId: kept })).attachments).toHaveLength(1);
    await expect(as(owner).conversations.remove({ conversationId })).rejects.toMatchObject(NOT_FOUND);
  });

  test("a viewer reads and changes nothing; a stranger finds nothing", async () => {
    const viewer = await asNew("viewer");
    const conversationId = await aConversation();
    expect((await viewer.conversations.list({})).items.map(({ id }) => id)).toContain(conversationId);
    await viewer.conversations.get({ conversationId });
    const stranger = as(await aMember(db(), await aWorkspace(db())));
    for (const [who, problem] of [
      [viewer, NOT_ALLOWED],
      [stranger, NOT_FOUND],
    ] as const) {
      await expect(who.conversations.start({ teamId: team.teamId })).rejects.toMatchObject(problem);
      await expect(who.conversations.ask({ conversationId, input: "Go" })).rejects.toMatchObject(problem);
      await expect(who.conversations.rename({ conversationId, title: "Mine" })).rejects.toMatchObject(problem);
      await expect(who.conversations.remove({ conversationId })).rejects.toMatchObject(problem);
    }
    expect((await stranger.conversations.list({})).items).toEqual([]);
    await expect(stranger.conversations.get({ conversationId })).rejects.toMatchObject(NOT_FOUND);
    expect((await as(owner).conversations.get({ conversationId })).turns).toEqual([]);
  });
});
