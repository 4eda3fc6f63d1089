import { describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { sealEndedRuns } from "@/server/ledger/jobs/seal-runs";
import { getRunSeal } from "@/server/ledger/queries/get-run-seal";
import { getModelCall } from "@/server/runs/queries/get-model-call";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { getStep } from "@/server/runs/queries/get-step";
import { storeFork } from "@/server/runs/service/store-fork";
import type { Scope } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { PRICE, turns, useDesk } from "@/tests/support/engine-desk";
import { aTool, call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import { carryRun } from "@/tests/support/run-files";

describe.each(DATABASE_KINDS)("files and seals of runs that were carried out, on the %s database", (kind) => {
  const desk = useDesk(kind);

  /** What of a tree does not hang on ids, sealing or import. */
  async function shapeOf(scope: Scope, runId: string) {
    const tree = await getRunTree(scope.workspaceId, runId);
    return {
      run: { ...tree.run, id: "", imported: null, target: { ...tree.run.target, id: "" }, startedBy: "" },
      agents: tree.agents.map(({ id: _, parentId, spawnedById, ...agent }) => ({
        ...agent,
        ...{ hasParent: parentId !== null, isSpawned: spawnedById !== null },
      })),
      steps: tree.steps.map(({ agentRunId: _, ...step }) => step).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)),
      decisions: tree.decisions.map(({ id: _, agentRunId: __, ...decision }) => decision),
      lastSeq: tree.lastSeq,
    };
  }

  test("a team's run, with a tool that fails, is the same in another workspace, and both are sealed as they stand", async () => {
    const { scope } = desk();
    const tool = `break ${kind}`;
    desk().tools.set(
      tool,
      aTool(tool, () => {
        throw new Error("It broke.");
      }),
    );
    const team = await aTeam(db(), scope.workspaceId, { agents: [{ tools: [tool] }, {}] });
    const [first, second] = team.children.map(({ name }) => name);
    const breaking = desk().words("use it", turns({ calls: [call(tool)] }, { text: "It is broken." }));
    const plain = desk().words("say so", turns({ text: "So." }));
    const input = desk().words(
      "two of them",
      turns({ calls: [spawn(first ?? "", breaking), spawn(second ?? "", plain)] }, collectAll, {
        text: "Both are done.",
      }),
    );
    // An id that is one of this run's own, too: it is what people said it is, wherever the run is looked at.
    const context = {
      variables: [{ name: "urgent", value: true }],
      entities: [{ type: "order", id: team.root.agentVersionId, label: "Kettle" }],
    };
    const runId = await desk().start(team, input, { context });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });

    const elsewhere = await aMember(db(), await aWorkspace(db()));
    const copyId = await carryRun(scope, runId, elsewhere);
    const [here, there] = [await shapeOf(scope, runId), await shapeOf(elsewhere, copyId)];
    expect(here.steps.some(({ error }) => error !== null)).toBe(true);
    expect(here.agents.map((agent) => agent.context)).toEqual([context, context, context]);
    expect(there).toEqual(here);

    await sealEndedRuns(null, new AbortController().signal);
    expect((await getRunSeal(scope.workspaceId, runId)).state).toBe("unchanged");
    expect((await getRunSeal(elsewhere.workspaceId, copyId)).state).toBe("unchanged");
  });

  test("a long reply, a copied call and what a call was billed at go along, and nothing of them is lost", async () => {
    const { scope } = desk();
    desk().model = desk().scripted({ price: { ...PRICE, cachedNanoUsd: 1, reasoningNanoUsd: 2 } });
    const counts = { prompt_tokens: 1_000, completion_tokens: 300, prompt_tokens_details: { cached_tokens: 800 } };
    const usage = { ...counts, completion_tokens_details: { reasoning_tokens: 100 } };
    const team = await aTeam(db(), scope.workspaceId, { agents: [{}] });
    const long = "word ".repeat(3_000);
    const runId = await desk().play(
      team,
      "long",
      turns({ text: long, calls: [call("agent__list")], usage }, { text: "So." }),
    );
    await desk().ended(runId);
    desk().model = desk().scripted();
    const agentRunId = deriveId(runId, "root");
    const forkId = await storeFork({ scope, input: { runId, agentRunId, position: 2, askBeforeWrites: true } });
    await desk().ended(forkId);

    const elsewhere = await aMember(db(), await aWorkspace(db()));
    for (const id of [runId, forkId]) {
      const copyId = await carryRun(scope, id, elsewhere);
      const there = await db().agentRun.findFirstOrThrow({ where: { runId: copyId, parentId: null } });
      const read = async (who: Scope, of: string, agent: string) => {
        const record = await getModelCall(who.workspaceId, { runId: of, agentRunId: agent, position: 0 });
        const step = await getStep(who.workspaceId, { runId: of, agentRunId: agent, position: 0 });
        return { ...record, callId: "", reply: step.reply?.content };
      };
      const here = await read(scope, id, deriveId(id, "root"));
      expect(here).toMatchObject({
        reply: long,
        cost: { rates: { cachedNanoUsdPerMtok: 1 } },
        usage: { reasoning: 100 },
      });
      expect(await read(elsewhere, copyId, there.id)).toEqual(here);
    }
  });
});
