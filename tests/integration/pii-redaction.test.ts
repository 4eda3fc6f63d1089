import { afterEach, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import type { WorkHub } from "@/server/engine/hub";
import { startIndexer } from "@/server/retrieval/indexer";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { everythingStored } from "@/tests/support/everything-stored";
import { aMember, aTeam } from "@/tests/support/factories";
import { aBase, aDocument, aLiveDocument } from "@/tests/support/knowledge";

/** Nothing of these may be anywhere, however it came in. */
const PLANTED = {
  task: "jane.planted@example.com",
  child: "+44 20 7946 0958",
  tool: "4111 1111 1111 1111",
  toolError: "203.0.113.77",
  reply: "made-up@example.org",
  reasoning: "thought.up@example.org",
  answer: "123-45-6789",
  steer: "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  passage: "passage.planted@example.net",
  title: "heading.planted@example.net",
  variable: "variable.planted@example.com",
  entity: "entity.planted@example.com",
};

describe.each(DATABASE_KINDS)("personal data on the %s database", (kind) => {
  const desk = useDesk(kind);
  const turn = (redactsPii: boolean) => callerOf(desk().scope).workspace.savePrivacy({ redactsPii });
  afterEach(() => turn(false));

  /** Of all but people's accounts and the documents as they were uploaded. */
  const everything = () =>
    everythingStored(["users", "chunks", "chunk_terms", "terms", "file_parts", "files", "documents"]);

  /** Personal data through every door there is, each once. What models were sent is given back. */
  const play = async () => {
    const { scope } = desk();
    const sent: string[] = [];
    desk().tools.set(
      "look_up",
      aTool("look_up", async () => ({ card: PLANTED.tool, nested: [{ [PLANTED.tool]: 4111111111111111 }] })),
    );
    desk().tools.set(
      "fails",
      aTool("fails", async () => {
        throw new Error(`no route to ${PLANTED.toolError}`);
      }),
    );
    const base = await aBase(db(), scope.workspaceId);
    await aLiveDocument(db(), { workspaceId: scope.workspaceId, baseId: base }, `Complaints go to ${PLANTED.passage}.`);
    const team = await aTeam(db(), scope.workspaceId, {
      supervisor: { knowledge: [base], tools: ["user__ask"] },
      agents: [{ tools: ["look_up", "fails"] }],
    });
    const child = team.children[0]?.name ?? "";
    desk().fallback = (request, place) => {
      sent.push(JSON.stringify(request));
      const said = request.messages.find(({ role }) => role === "user")?.content ?? "";
      if (said.startsWith("ring")) {
        return place.step === 0
          ? { calls: [call("look_up", { reason: `For ${PLANTED.reply}.` }), call("fails", {})] }
          : { text: `The child found ${PLANTED.reply}.` };
      }
      const asks = {
        calls: [call("user__ask", { question: `May I write to ${PLANTED.reply}?`, options: ["yes", "no"] })],
      };
      if (said.includes("for me")) return asks;
      return turns(
        {
          text: `I ask ${PLANTED.reply}.`,
          reasoning: `Perhaps ${PLANTED.reasoning} knows.`,
          calls: [spawn(child, `ring ${PLANTED.child}`, `Because of ${PLANTED.reply}.`)],
        },
        collectAll,
        { calls: [call("knowledge_search", { query: `complaints to ${PLANTED.reply}` })] },
        { calls: [call("user__ask", { question: `May I write to ${PLANTED.reply}?`, options: ["yes", "no"] })] },
        { text: `Write to ${PLANTED.reply}, says the desk.` },
      )(request, place);
    };
    // By the door people use; tools of a test are in no catalogue, so what uses them starts below it.
    const plain = await aTeam(db(), scope.workspaceId, { supervisor: { tools: ["user__ask"] }, agents: [{}] });
    const input = `Reach ${PLANTED.task} for me.`;
    const context = {
      variables: [{ name: "caller", value: `Of ${PLANTED.variable}` }],
      entities: [{ type: "customer", id: PLANTED.entity, label: PLANTED.entity }],
    };
    const first = await callerOf(scope).runs.start({ teamId: plain.teamId, input, context });
    await desk().openRequest(first.runId);
    await callerOf(scope).runs.stop({ runId: first.runId });

    const runId = await desk().start(team, "Reach whoever takes complaints.");
    const asked = await desk().openRequest(runId);
    await callerOf(scope).runs.steer({ runId, agentRunId: asked.agent, text: `use ${PLANTED.steer}` });
    await callerOf(scope).requests.answer({ requestId: asked.id, answer: `yes, mine is ${PLANTED.answer}` });
    const { status, answer } = await desk().ended(runId);
    return { first: first.runId, status, answer, sent: sent.join("\n") };
  };

  test("nothing that came in is stored or sent to a model, and the run gets on with what stands in its place", async () => {
    await turn(true);
    const { status, answer, sent, first } = await play();
    expect({ status, answer }).toEqual({ status: "completed", answer: "Write to [REDACTED_EMAIL], says the desk." });
    const stored = await everything();
    for (const [door, planted] of Object.entries(PLANTED)) {
      expect(sent.includes(planted), `the model was sent what came in by ${door}`).toBe(false);
      expect(stored.includes(planted), `what came in by ${door} is stored`).toBe(false);
    }
    expect(sent).not.toContain("4111111111111111");
    expect(stored).not.toContain("4111111111111111");
    for (const mark of ["EMAIL", "PHONE", "CC", "SSN", "KEY", "IP"]) expect(sent).toContain(`[REDACTED_${mark}]`);
    const run = await callerOf(desk().scope).runs.tree({ runId: first });
    expect(run.run).toMatchObject({ input: "Reach [REDACTED_EMAIL] for me.", title: "Reach [REDACTED_EMAIL] for me." });
    expect(run.agents[0]?.context).toEqual({
      variables: [{ name: "caller", value: "Of [REDACTED_EMAIL]" }],
      entities: [{ type: "customer", id: "[REDACTED_EMAIL]", label: "[REDACTED_EMAIL]" }],
    });
  });

  test("without it everything is stored and sent as it came", async () => {
    const { sent, answer } = await play();
    expect(answer).toContain(PLANTED.reply);
    for (const planted of [PLANTED.task, PLANTED.tool, PLANTED.passage]) expect(sent).toContain(planted);
    const stored = await everything();
    for (const planted of [PLANTED.task, PLANTED.answer, PLANTED.steer, PLANTED.reasoning])
      expect(stored).toContain(planted);
  });

  test("passages of what is attached to a conversation are stored without; a knowledge base keeps its own", async () => {
    await turn(true);
    const { workspaceId } = desk().scope;
    const { teamId } = await aTeam(db(), workspaceId, {});
    const conversation = await db().conversation.create({
      data: { id: crypto.randomUUID(), workspaceId, title: "", teamId },
    });
    for (const conversationId of [conversation.id, null]) {
      const baseId = await aBase(db(), workspaceId, { conversationId });
      const documentId = await aDocument(db(), workspaceId, baseId);
      const { fileId } = await db().document.findUniqueOrThrow({ where: { id: documentId } });
      const content = Buffer.from(`Write to ${PLANTED.title} about the parcel.`);
      await db().filePart.create({ data: { fileId, part: 0, workspaceId, content } });
      const indexer = startIndexer({
        workerId: desk().executor?.workerId ?? "",
        hub: desk().executor?.resources.hub as WorkHub,
      });
      try {
        await eventually(async () =>
          expect(await db().document.findUnique({ where: { id: documentId } })).toMatchObject({ status: "ready" }),
        );
      } finally {
        await indexer.close();
      }
      const [chunk] = await db().chunk.findMany({ where: { documentId } });
      expect(chunk?.text).toContain(conversationId ? "Write to [REDACTED_EMAIL] about" : PLANTED.title);
    }
  });

  test("only an owner turns it on, and anybody may try what it would do", async () => {
    const editor = callerOf(await aMember(db(), desk().scope.workspaceId, "editor"));
    await expect(editor.workspace.savePrivacy({ redactsPii: true })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await editor.workspace.privacy()).toEqual({ redactsPii: false });
    expect(await editor.workspace.previewPrivacy({ text: `Ask ${PLANTED.task}, order 4500012345.` })).toEqual({
      text: "Ask [REDACTED_EMAIL], order 4500012345.",
    });
  });
});
