import { describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { getStep } from "@/server/runs/queries/get-step";
import { storeFork } from "@/server/runs/service/store-fork";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("what a model thought before it replied, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const thoughtAt = async (runId: string, agentRunId: string, position: number) =>
    (await getStep(desk().scope.workspaceId, { runId, agentRunId, position })).reasoning;

  test("LLM-OBS-01: it is kept with its call, gives a reason where none was said, is never sent again, and is copied", async () => {
    const { scope } = desk();
    desk().tools.set(
      "look_up",
      aTool("look_up", async () => ({ found: "it" })),
    );
    const team = await aTeam(db(), scope.workspaceId, { supervisor: { tools: ["look_up"] }, agents: [{}] });
    const first = "They ask for it.\n\nThe library has it, so I look there.";
    const long = `${"One more thing to weigh. ".repeat(2_000)}\n\nIt is there: I say so.`;
    let sent = "";
    const script = turns(
      { reasoning: first, calls: [call("look_up")], cutting: "awkward" },
      {
        reasoning: "Once more, to be sure.",
        reasoningName: "reasoning",
        calls: [call("look_up", { reason: "To be sure." })],
      },
      { reasoning: long, text: "It is there." },
    );
    const runId = await desk().play(team, "think first", (request, place) => {
      sent = JSON.stringify(request);
      return script(request, place);
    });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "It is there." });
    for (const thought of ["The library has it", "Once more", "to weigh"]) expect(sent).not.toContain(thought);

    const { root, decisions } = await soundRecord(scope, runId);
    expect(await thoughtAt(runId, root.id, 0)).toBe(first);
    expect(await thoughtAt(runId, root.id, 1)).toBeNull();
    const kept = await thoughtAt(runId, root.id, 4);
    expect(kept).toMatch(/\[… \d+ characters are left out here …\]/);
    expect(kept?.endsWith("It is there: I say so.")).toBe(true);
    expect(kept?.length).toBeLessThan(32_100);
    expect(decisions.map(({ reason, source }) => ({ reason, source }))).toEqual([
      { reason: "The library has it, so I look there.", source: "provider-reasoning" },
      { reason: "To be sure.", source: "model-stated" },
      { reason: "It is there: I say so.", source: "provider-reasoning" },
    ]);

    const forkId = await storeFork({
      scope,
      input: { runId, agentRunId: root.id, position: 4, askBeforeWrites: true },
    });
    await desk().ended(forkId);
    const fork = await soundRecord(scope, forkId);
    expect(await thoughtAt(forkId, fork.root.id, 0)).toBe(first);
    expect(fork.decisions[0]).toMatchObject({ source: "provider-reasoning" });
  });

  test("a model that thinks in silence leaves its choice without a reason", async () => {
    const { scope } = desk();
    const team = await aTeam(db(), scope.workspaceId, { agents: [{}] });
    const runId = await desk().play(team, "think in silence", turns({ text: "So." }));
    await desk().ended(runId);
    const { root, decisions } = await soundRecord(scope, runId);
    expect(await thoughtAt(runId, root.id, 0)).toBeNull();
    expect(decisions).toMatchObject([{ reason: null, source: "not-stated" }]);
  });
});
