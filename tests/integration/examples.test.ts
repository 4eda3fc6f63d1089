import { beforeAll, describe, expect, test } from "vitest";
import { demo } from "@/prisma/seed/scenarios/demo";
import { db, pool } from "@/server/db";
import { countRuns } from "@/server/runs/queries/count-runs";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import { runTree } from "@/server/runs/schema";
import { provenWorkspace, type Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember } from "@/tests/support/factories";
import { expectRowsToSay } from "@/tests/support/fold-events";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("the examples of a new workspace on the %s database", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  beforeAll(async () => {
    await demo();
    const { id } = await db().workspace.findFirstOrThrow();
    owner = await aMember(db(), provenWorkspace(id), "owner");
  });
  const runs = () => db().run.findMany({ orderBy: { createdAt: "asc" } });
  const counts = () =>
    Promise.all([
      db().run.count(),
      db().conversation.count(),
      db().team.count(),
      db().agent.count(),
      db().knowledgeBase.count(),
      db().document.count(),
      db().chunk.count(),
      db().toolServer.count(),
      db().example.count(),
    ]);

  test("are runs the engine carried out, one of each kind, and say so in their titles", async () => {
    const made = await runs();
    expect(made.every(({ title }) => title.startsWith("Example: "))).toBe(true);
    const states = made.filter(({ conversationId }) => conversationId === null).map(({ status }) => status);
    expect(states.sort()).toEqual(["completed", "completed", "completed", "failed", "interrupted", "waiting"]);
    for (const { id, workspaceId, createdAt, heldAt } of made) {
      const tree = runTree.parse(await getRunTree(provenWorkspace(workspaceId), id));
      expectRowsToSay(tree, await listEventsAfter(owner.workspaceId, { runId: id, seq: 0, limit: 1_000 }));
      // Set back into the past: nothing of it lies before it was asked, or ahead of us.
      const instants = tree.steps.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt]).map(Date.parse);
      expect(Math.min(...instants)).toBeGreaterThanOrEqual(createdAt.getTime());
      expect(Math.max(...instants)).toBeLessThan(Date.now());
      // The list of runs says how long it took until it was held: what its page says, not the time since then.
      if (heldAt) expect(heldAt.getTime() - Math.max(...instants)).toBeLessThan(60_000);
    }
    const desk = made.find(({ title, status }) => title.includes("side effect") && status === "completed");
    const tree = await getRunTree(owner.workspaceId, desk?.id ?? "");
    expect(tree.agents.map(({ status }) => status).sort()).toEqual(["completed", "completed", "completed", "failed"]);
    expect(tree.decisions.filter(({ kind: what }) => what === "delegate")).toHaveLength(2);
    expect(tree.run.costNanoUsd).toBeGreaterThan(0);
    expect(tree.run.answer).toMatch(/\[[a-z-]+\.md#\d+\]/);
  });

  test("show agents that keep a checklist, tasks and letters, and that answer one another", async () => {
    const { id } = await db().run.findFirstOrThrow({ where: { title: { startsWith: "Example: Write a page" } } });
    const tree = await getRunTree(owner.workspaceId, id);
    const nameOf = (agentRunId: string | null) => tree.agents.find((agent) => agent.id === agentRunId)?.name;
    const root = tree.agents.find(({ parentId }) => parentId === null);
    expect(root?.todo?.items.map(({ done }) => done)).toEqual([true, true, true]);
    expect(tree.agents.map(({ context }) => context?.entities[0]?.id)).toEqual(
      tree.agents.map(() => "backups-and-upgrades"),
    );
    expect(tree.tasks.map((task) => [task.number, task.status, task.isAutomatic, nameOf(task.childId)])).toEqual([
      [1, "completed", true, "Librarian"],
      [2, "completed", true, "Reporter"],
      [3, "completed", true, "Librarian"],
    ]);
    const letters = tree.mails.filter(({ kind: what }) => what === "text");
    expect(letters.map((mail) => [nameOf(mail.fromId), nameOf(mail.toId), mail.readAt !== null]).sort()).toEqual([
      ["Editor", "Librarian", true],
      ["Editor", "Reporter", true],
      ["Reporter", "Editor", true],
    ]);
    expect(tree.requests).toMatchObject([
      { status: "answered", answer: "Both", answeredBy: "Editor", answeredByAgentId: root?.id },
    ]);
    expect(new Set(tree.decisions.map(({ kind: what }) => what))).toEqual(
      new Set(["tool_choice", "dispatch", "escalation", "answer", "finish"]),
    );
    expect(tree.run.answer?.match(/^## /gm)).toHaveLength(3);
    expect(tree.run.citations.length).toBeGreaterThan(2);
  });

  test("are two conversations with follow-ups whose answers cite", async () => {
    const { items } = await callerOf(owner).conversations.list({});
    expect(items.map(({ turns }) => turns).sort()).toEqual([2, 3]);
    for (const { id } of items) {
      const { turns } = await callerOf(owner).conversations.get({ conversationId: id });
      expect(turns.every(({ citations, answer }) => citations.length > 0 && answer)).toBe(true);
      expect(turns.map(({ createdAt }) => createdAt)).toEqual(turns.map(({ createdAt }) => createdAt).sort());
    }
  });

  test("seem to have cost something, and nothing of it today, where it would count against a limit", async () => {
    const { rows } = await pool().query<{ cost: string }>("SELECT sum(cost_nano_usd) AS cost FROM runs");
    expect(Number(rows[0]?.cost)).toBeGreaterThan(0);
    expect((await countRuns(owner.workspaceId)).spentTodayNanoUsd).toBe(0);
  });

  test("failed in places, and nothing of it waits for somebody or counts as failed today", async () => {
    expect(await countRuns(owner.workspaceId)).toMatchObject({ deadLetters: 0, failedLastDay: 0 });
    expect((await callerOf(owner).deadLetters.list({})).items).toEqual([]);
    const { items } = await callerOf(owner).deadLetters.list({ status: "acknowledged" });
    expect(items.length).toBeGreaterThan(0);
    for (const { runTitle, note } of items) {
      expect(runTitle).toMatch(/^Example: /);
      expect(note).toMatch(/failed on purpose, in an example/);
    }
  });

  test("go in one act, with everything in them, and twice changes nothing", async () => {
    const caller = callerOf(owner);
    expect((await caller.examples.list()).every(({ whyKept }) => whyKept === null)).toBe(true);
    await caller.examples.remove();
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await caller.examples.remove()).toEqual([]);
  });

  test("stay where somebody changed or used them, and only an owner removes the others", async () => {
    await demo();
    const caller = callerOf(owner);
    const waiting = await db().humanRequest.findFirstOrThrow({ where: { status: "open" } });
    await caller.requests.answer({ requestId: waiting.id, answer: "Short" });
    const { items } = await caller.agents.list({ search: "Guide" });
    const guide = await caller.agents.get({ agentId: items[0]?.id ?? "" });
    const { draftRevision, name, draft } = guide;
    await caller.agents.saveDraft({ agentId: guide.id, draftRevision, name, config: { ...draft, temperature: 0.5 } });
    const kept = (await caller.examples.list()).filter(({ whyKept }) => whyKept !== null);
    expect(kept.map((example) => example.name).sort()).toEqual([
      "Example: What must be kept to restore an installation elsewhere?",
      ...["Fact-checker", "Guide", "Research desk", "Searcher", "Supervisor", "Troupe documentation", "Writer"],
    ]);

    const editor = await aMember(db(), owner.workspaceId, "editor");
    await expect(callerOf(editor).examples.remove()).rejects.toThrow(/owner/i);
    await caller.examples.remove();
    expect((await runs()).map(({ id }) => id)).toEqual([waiting.runId]);
    expect(await db().agent.count()).toBe(5);
    expect(await db().conversation.count()).toBe(0);
    expect(await db().document.count()).toBeGreaterThan(5);
    expect(await caller.examples.list()).toEqual([]);
  });
});
