import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { env } from "@/server/env";
import { modelDirectory } from "@/server/models/model-directory";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aMember, aTeam } from "@/tests/support/factories";
import { type ScriptedModel, startScriptedModel } from "@/tests/support/scripted-model";

const KEY = "sk-right-0123456789-abcd";
const WRONG_KEY = "sk-wrong-9876543210-zyxw";

// Files are in upload-route, indexing-documents and extract; saving a provider in providers-router; a team with a cycle or
// with a deleted agent in teams-drafts. Here is what a run comes to that was given something bad.
describe.each(DATABASE_KINDS)("bad input to a run (%s)", (kind) => {
  const desk = useDesk(kind);
  const servers: ScriptedModel[] = [];
  beforeAll(() => {
    env().SECRETS_KEY = "a key for tests that is long enough, really";
  });
  afterEach(async () => {
    desk().model = desk().scripted();
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await db().provider.deleteMany();
  });
  const caller = () => callerOf(desk().scope);
  const aSolo = () => aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false }, agents: [{}] });
  const countRuns = async () => [await db().run.count(), await db().agentRun.count(), await db().conversation.count()];

  async function aProvider(script: Parameters<typeof startScriptedModel>[0], apiKey = KEY) {
    const server = await startScriptedModel(script, { apiKey: KEY });
    servers.push(server);
    const model = { name: "chatty", kind: "chat", contextTokens: null } as const;
    const price = { inputNanoUsdPerMtok: 1, outputNanoUsdPerMtok: 1 };
    const where = { name: "local", baseUrl: server.url, allowPrivateHost: true };
    await caller().providers.create({ ...where, apiKey, models: [{ ...model, ...price }] });
    return server;
  }

  /** A run that a model of the workspace's provider answers, or does not. */
  async function fail() {
    desk().model = await modelDirectory({ pool: pool() }).find(desk().scope.workspaceId, "local/chatty");
    const runId = await desk().start(await aSolo(), desk().words("go"));
    const end = await desk().ended(runId);
    const record = await soundRecord(desk().scope, runId);
    expect(end).toMatchObject({ status: "failed", answer: null });
    expect(record.agents).toMatchObject([{ status: "failed", openSteps: [] }]);
    expect(record.steps.every(({ status }) => status === "failed")).toBe(true);
    expect(record.requests).toEqual([]);
    expect(JSON.stringify([end, record])).not.toMatch(/sk-(right|wrong)/);
    return { reason: end.reason, steps: record.steps.length };
  }

  test("a wrong key fails it after one call, says who can enter another, and shows no key", async () => {
    await aProvider(() => ({ text: "Hello." }), WRONG_KEY);
    expect(await fail()).toEqual({
      reason:
        "unauthorized: The endpoint refused the key (401). An owner can enter a new key for “local” under Models.",
      steps: 1,
    });
  });

  test("a model the provider does not know fails it after one call, by name", async () => {
    await aProvider(() => ({ fault: "status", status: 404, message: `no such model, said ${KEY}` }));
    expect(await fail()).toEqual({
      reason: expect.stringMatching(
        /^unknown_model: The endpoint does not know the model “chatty”; remove it from “local”/,
      ),
      steps: 1,
    });
  });

  test("a provider that is down fails it after three more tries, and says what to check", async () => {
    const server = await aProvider(() => ({ text: "Hello." }));
    await server.close();
    servers.splice(0);
    expect(await fail()).toEqual({
      reason: expect.stringMatching(/^unreachable: .*could not be reached \(ECONNREFUSED\).*the address of “local”/),
      steps: 4,
    });
  });

  test("a model nobody has, and a team whose agent was deleted, are refused before anything is stored", async () => {
    const { teamId, teamVersionId } = await aSolo();
    const { conversationId } = await caller().conversations.start({ teamId });
    const before = await countRuns();
    const problemOf = (work: Promise<unknown>) =>
      work.then(
        () => "it was taken",
        (error: Error) => error.message,
      );
    expect(await problemOf(caller().runs.start({ teamId, input: "Go", model: "local/gone" }))).toMatch(/“local\/gone”/);
    const { workspaceId } = desk().scope;
    const { agent } = await db().agentVersion.findFirstOrThrow({
      where: { workspaceId, teamNodes: { some: { teamVersionId, parentId: { not: null } } } },
      select: { agent: { select: { id: true, name: true } } },
    });
    await db().agent.update({ where: { id: agent.id }, data: { archivedAt: new Date() } });
    for (const refused of [
      () => caller().runs.start({ teamId, input: "Go" }),
      () => caller().conversations.ask({ conversationId, input: "Go" }),
    ]) {
      expect(await problemOf(refused())).toContain(`“${agent.name}” was deleted`);
    }
    expect(await countRuns()).toEqual(before);
  });

  test("a text with a NUL in it, as pasted ones may have, is refused in words wherever it cannot be stored", async () => {
    const { teamId } = await aSolo();
    const { conversationId } = await caller().conversations.start({ teamId });
    for (const refused of [
      () => caller().knowledge.create({ name: "a\0b" }),
      () => caller().conversations.rename({ conversationId, title: "a\0b" }),
      () => caller().conversations.list({ search: "a\0b" }),
      () => caller().users.updateProfile({ name: "a\0b" }),
      () => caller().members.createInvite({ role: "viewer", note: "a\0b" }),
    ]) {
      await expect(refused()).rejects.toMatchObject({
        code: "BAD_REQUEST",
        message: expect.stringMatching(/^A text holds a character that cannot be stored/),
      });
    }
  });

  test("a viewer can neither run nor ask, is told whom to turn to, and leaves nothing", async () => {
    const { teamId } = await aSolo();
    const { conversationId } = await caller().conversations.start({ teamId });
    const before = await countRuns();
    const viewer = callerOf(await aMember(db(), desk().scope.workspaceId, "viewer"));
    for (const refused of [
      () => viewer.runs.start({ teamId, input: "Go" }),
      () => viewer.conversations.start({ teamId }),
      () => viewer.conversations.ask({ conversationId, input: "Go" }),
    ]) {
      await expect(refused()).rejects.toMatchObject({
        code: "FORBIDDEN",
        message: "You can look but not act here. Ask an owner for the operator role.",
      });
    }
    expect(await countRuns()).toEqual(before);
  });
});
