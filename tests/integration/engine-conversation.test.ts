import { v7 as uuid } from "uuid";
import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { storeRun } from "@/server/runs/store-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { anAgent } from "@/tests/support/factories";
import type { ChatRequest } from "@/tests/support/scripted-model";

describe.each(DATABASE_KINDS)("an agent by itself on the %s database", (kind) => {
  const desk = useDesk(kind);

  async function aConversation() {
    const { workspaceId } = desk().scope;
    const agent = await anAgent(db(), workspaceId, { canSpawnAgents: true });
    const conversation = await db().conversation.create({
      data: { id: uuid(), workspaceId, title: "About Ada", agentId: agent.agentId },
    });
    const ask = (input: string) =>
      storeRun({
        workspaceId,
        userId: desk().scope.userId,
        teamId: null,
        teamVersionId: null,
        root: { nodeId: null, agentVersionId: agent.agentVersionId, name: agent.name },
        input,
        model: "scripted/scripted",
        conversationId: conversation.id,
      });
    return { ask };
  }

  test("it answers without a team, and is offered nobody to start", async () => {
    const { ask } = await aConversation();
    const requests: ChatRequest[] = [];
    const question = desk().words("Who was Ada?", (request) => {
      requests.push(request);
      return { text: "A mathematician." };
    });
    const runId = await ask(question);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "A mathematician." });
    expect(requests[0]?.tools ?? []).toEqual([]);
    const { run } = await soundRecord(desk().scope, runId);
    expect(run.target).toMatchObject({ kind: "agent" });
  });

  test("a follow-up carries what was asked and answered before, in order, and its own question last", async () => {
    const { ask } = await aConversation();
    const first = desk().words("Who was Ada?", turns({ text: "A mathematician." }));
    await desk().ended(await ask(first));
    let seen: ChatRequest | undefined;
    desk().scripts.set(first, (request) => {
      seen = request;
      return { text: "In 1815." };
    });
    const runId = await ask("When was she born?");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "In 1815." });
    expect(seen?.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ["user", first],
      ["assistant", "A mathematician."],
      ["user", "When was she born?"],
    ]);
    const stored = await pool().query(
      "select count(*)::int as n from messages m join agent_runs a on a.id = m.agent_run_id where a.run_id = $1",
      [runId],
    );
    expect(stored.rows[0].n).toBe(5);
  });

  test("a turn that failed leaves no answer for the next one", async () => {
    const { ask } = await aConversation();
    const first = desk().words("Will it break?", () => ({ fault: "status", status: 400 }));
    expect(await desk().ended(await ask(first))).toMatchObject({ status: "failed" });
    let seen: ChatRequest | undefined;
    const second = desk().words("And now?", (request) => {
      seen = request;
      return { text: "Yes." };
    });
    expect(await desk().ended(await ask(second))).toMatchObject({ status: "completed" });
    expect(seen?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
  });
});
