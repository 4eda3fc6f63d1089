import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { subscribe } from "@/server/runs/listener";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { everythingStored } from "@/tests/support/everything-stored";
import { aTeam } from "@/tests/support/factories";
import { aBase, aLiveDocument } from "@/tests/support/knowledge";
import { storeSecrets } from "@/tests/support/stored-secrets";

const KEY = "provider-key-Zq81-mNbVcXz";
const HEADER = 'header"secret\\Yx72-kJhGfDs';
/** As they may be written anywhere. */
const FORMS = [KEY, HEADER].flatMap((secret) => [
  ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)],
  Buffer.from(secret).toString("base64").slice(0, -4),
]);
const foundIn = (text: string) => FORMS.filter((form) => text.includes(form));

describe.each(DATABASE_KINDS)("what a workspace keeps secret on the %s database", (kind) => {
  const desk = useDesk(kind);
  /** What is not told of runs: the agents as their owners wrote them, and documents as they were uploaded. */
  const everything = () => everythingStored(["agent_versions", "agent_drafts", "agents", "chunks", "documents"]);
  beforeAll(() => storeSecrets(db(), desk().scope.workspaceId, { providerKey: KEY, header: `Bearer ${HEADER}` }));

  test("is nowhere, by whatever door it came in, and no model is sent it", async () => {
    const { scope } = desk();
    const { workspaceId } = scope;
    const sent: string[] = [];
    const streamed: string[] = [];
    const leave = subscribe(workspaceId, (hint) => hint.type === "delta" && streamed.push(hint.delta.text));
    desk().tools.set(
      "look_up",
      aTool("look_up", async (args) => ({ echo: args, [HEADER]: [{ deep: `Basic ${btoa(`me:${KEY}`)}` }] }), {
        description: `Looks up with ${KEY}.`,
      }),
    );
    desk().tools.set(
      "fails",
      aTool("fails", async () => {
        throw new Error(`401 for ${HEADER}`);
      }),
    );
    const base = await aBase(db(), workspaceId);
    await aLiveDocument(db(), { workspaceId, baseId: base }, `Complaints need ${KEY}.`);
    const team = await aTeam(db(), workspaceId, {
      supervisor: { knowledge: [base], tools: ["user__ask"], instructions: `Lead, and use ${KEY}.` },
      agents: [{ tools: ["look_up", "fails"], purpose: `Looks up with ${HEADER}.`, instructions: `Use ${HEADER}.` }],
    });
    const child = team.children[0]?.name ?? "";
    desk().fallback = (request, place) => {
      sent.push(JSON.stringify(request));
      const said = request.messages.find(({ role }) => role === "user")?.content ?? "";
      if (said.startsWith("ring")) {
        const escaped = `{"authorization":"${KEY.replace("-", "\\u002d")}"}`;
        return turns(
          { calls: [{ name: "look_up", arguments: escaped }, call("fails", { reason: `For ${KEY}.` })] },
          { text: `The child found ${KEY} there.` },
        )(request, place);
      }
      const question = call("user__ask", { question: `May I use ${HEADER}?`, options: ["yes", "no"] });
      return turns(
        { text: `I take ${KEY}.`, calls: [spawn(child, `ring ${KEY}`, `Because of ${HEADER}.`)] },
        collectAll,
        { calls: [call("knowledge_search", { query: `complaints with ${KEY}` })] },
        { calls: [question] },
        { text: `Taken: ${KEY} and ${HEADER}, says the desk.` },
      )(request, place);
    };
    const caller = callerOf(scope);
    const runId = await desk().start(team, "Take complaints.");
    const asked = await desk().openRequest(runId);
    await caller.runs.steer({ runId, agentRunId: asked.agent, text: `use ${KEY}` });
    await caller.requests.answer({ requestId: asked.id, answer: `yes, and ${HEADER}` });
    expect(await desk().ended(runId)).toMatchObject({
      status: "completed",
      answer: "Taken: [hidden] and [hidden], says the desk.",
    });

    // The doors of people, who ask, name, tag and judge.
    const plain = await aTeam(db(), workspaceId, { agents: [{}] });
    const context = {
      variables: [{ name: "opener", value: `By ${KEY}` }],
      entities: [
        { type: "door", id: HEADER, label: `Opened by ${KEY}` },
        { type: "door", id: KEY },
      ],
    };
    const input = `${KEY}: what opens it?`;
    const { runId: started } = await caller.runs.start({ teamId: plain.teamId, input, context });
    await desk().ended(started);
    expect((await caller.runs.tree({ runId: started })).run).toMatchObject({
      ...{ title: "[hidden]: what opens it?", input: "[hidden]: what opens it?" },
    });
    // Two that are one without what was secret in them are one.
    expect((await caller.runs.tree({ runId: started })).agents[0]?.context).toEqual({
      variables: [{ name: "opener", value: "By [hidden]" }],
      entities: [{ type: "door", id: "[hidden]", label: "Opened by [hidden]" }],
    });
    for (const bad of [
      { variables: [{ name: KEY, value: 1 }], entities: [] },
      { variables: [], entities: [{ type: KEY, id: "1" }] },
    ]) {
      await expect(caller.runs.start({ teamId: plain.teamId, input: "Go.", context: bad })).rejects.toThrow(
        "is something that is kept secret",
      );
    }
    await caller.runs.rename({ runId: started, title: `Opened by ${KEY}` });
    await caller.runs.setTags({ runId: started, tags: [KEY] });
    await caller.feedback.give({ runId: started, type: "correction", content: `Rather ${KEY}.`, metadata: {} });
    const { conversationId } = await caller.conversations.start({ teamId: plain.teamId });
    await desk().ended((await caller.conversations.ask({ conversationId, input: `Is it ${HEADER}?` })).runId);
    await caller.conversations.rename({ conversationId, title: `About ${HEADER}` });
    const decisionId = (await db().decision.findFirstOrThrow({ where: { runId, kind: "delegate" } })).id;
    await caller.decisions.label({ decisionId, verdict: "wrong", words: "", note: `Never with ${KEY}.` });
    const edit = { kind: "instructions" as const, content: `Say ${KEY}.` };
    const fork = await caller.runs.whatIf({
      ...{ runId: started, agentRunId: (await caller.runs.tree({ runId: started })).agents[0]?.id ?? "", position: 0 },
      ...{ askBeforeWrites: false, edit },
    });
    await desk().ended(fork.runId);
    leave();

    expect(foundIn(await everything())).toEqual([]);
    expect(foundIn(sent.join("\n"))).toEqual([]);
    expect(foundIn(streamed.join(""))).toEqual([]);
    expect(streamed.join("")).toContain("I take [hidden].");
    const { instructions } = await caller.runs.agent({ runId, agentRunId: asked.agent });
    expect(instructions).toContain("Lead, and use [hidden].");
  });

  test("is taken out of what was said before it was a secret, where it is said again", async () => {
    const { workspaceId } = desk().scope;
    const caller = callerOf(desk().scope);
    const later = "later-key-Hh52-pLkMnB";
    const sent: string[] = [];
    desk().fallback = (request) => {
      sent.push(JSON.stringify(request.messages));
      return { text: "Noted." };
    };
    const team = await aTeam(db(), workspaceId, { supervisor: { instructions: `Use ${later}.` }, agents: [{}] });
    const { conversationId } = await caller.conversations.start({ teamId: team.teamId });
    const ask = async (input: string) => {
      const { runId } = await caller.conversations.ask({ conversationId, input });
      await desk().ended(runId);
      return runId;
    };
    await ask(`It is ${later}.`);
    expect(sent.join("")).toContain(later);
    sent.length = 0;
    await storeSecrets(db(), workspaceId, { providerKey: later, header: "unused-0815" });
    const runId = await eventually(() => ask("What is it?"));
    expect(sent.join("")).toContain("It is [hidden].");
    expect(sent.join("")).not.toContain(later);
    const { rows } = await pool().query(
      "SELECT string_agg(m.content::text, '') AS said FROM messages m JOIN agent_runs a ON a.id = m.agent_run_id WHERE a.run_id = $1",
      [runId],
    );
    expect(rows[0].said).not.toContain(later);
  });

  test("that cannot be opened keeps nobody from running", async () => {
    await db().provider.updateMany({ data: { apiKeySealed: "v1.00000000.bm9uY2U.Ym9keQ" } });
    const team = await aTeam(db(), desk().scope.workspaceId, { agents: [{}] });
    const { runId } = await callerOf(desk().scope).runs.start({ teamId: team.teamId, input: `With ${HEADER}.` });
    expect((await callerOf(desk().scope).runs.tree({ runId })).run.input).toBe("With [hidden].");
    await desk().ended(runId);
  });
});
