import { afterEach, describe, expect, test } from "vitest";
import { deriveId } from "@/server/engine/ids";
import { patternSettings } from "@/server/engine/pattern-settings";
import { steerAgentRun } from "@/server/runs/service/control-agent";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { call } from "@/tests/support/engine-scripts";
import { ledTeams, REFUSED, says } from "@/tests/support/led-teams";
import type { Script } from "@/tests/support/scripted-model";

describe.each(DATABASE_KINDS)("debates on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const { aLedTeam, start, given, cutEverywhere } = ledTeams(desk);
  afterEach(() => {
    desk().fallback = () => ({ text: "Done." });
  });
  const settings = (debate: object) => patternSettings.parse({ debate });
  /** Says one after the other, a part each. */
  const inTurn = (...texts: string[]): Script => {
    let nth = 0;
    return () => ({ text: texts[Math.min(nth++, texts.length - 1)] ?? "" });
  };

  test("agents that disagree see what the others said, round by round, until the root's model judges", async () => {
    const tasks: string[] = [];
    const { team, names } = await aLedTeam("debate", {
      patternSettings: settings({ rounds: 1 }),
      scripts: [
        (request) => {
          tasks.push(given(request));
          return { text: tasks.length === 1 ? "Red." : "Still red." };
        },
        inTurn("Blue.", "Navy."),
      ],
      lead: (request) => {
        tasks.push(given(request));
        return { text: JSON.stringify({ agent: names[1], reason: "It was shown." }) };
      },
    });
    const runId = await start(team, {}, "Which colour?");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Navy." });
    expect(tasks[0]).toBe("Which colour?");
    for (const words of ["Which colour?", "round 1 of at most 1", "\nRed.\n", "\nBlue.\n"])
      expect(tasks[1]).toContain(words);
    for (const words of ["Which colour?", "\nStill red.\n", "\nNavy.\n"]) expect(tasks[2]).toContain(words);
    expect(tasks[2]).not.toContain("Blue.");

    const { root, steps, decisions, agents } = await soundRecord(scope(), runId);
    expect(agents).toHaveLength(5);
    const ofRoot = steps.filter(({ agentRunId }) => agentRunId === root.id);
    expect(ofRoot.map(({ name, turn, kind: what }) => [name, turn, what])).toEqual([
      ...[1, 1, 2, 2].map((phase) => ["pattern__debate", phase, "tool"]),
      ["scripted", expect.any(Number), "model"],
    ]);
    const taken = decisions.filter(({ agentRunId }) => agentRunId === root.id);
    expect(taken.map((one) => [one.kind, one.position, one.source, one.reason])).toEqual([
      ["delegate", 0, "policy", "All 2 agents answer by themselves; then one round follows."],
      ["delegate", 2, "policy", "Round 1 of at most 1: they disagree, and each sees what the others last said."],
      ["finish", 4, "model-stated", "It was shown."],
    ]);
    expect(taken.at(-1)?.chosen).toMatchObject([{ option: `agent:${names[1]}`, reason: "It was shown." }]);
  });

  test("it is over when all say the same, and nobody judges", async () => {
    const { team } = await aLedTeam("debate", {
      patternSettings: settings({ rounds: 5 }),
      scripts: [inTurn("Red.", "Blue."), says("blue"), inTurn("Green.", "**Blue**")],
      lead: REFUSED,
    });
    const runId = await start(team);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Blue." });
    const { agents, decisions } = await soundRecord(scope(), runId);
    expect(agents).toHaveLength(7);
    expect(decisions.at(-1)).toMatchObject({ kind: "finish", reason: "All 3 say the same after round 1." });
  });

  test("where the majority decides no model is asked, and what a person says is heard in the next round", async () => {
    const gate = desk().gate("think");
    const tasks: string[] = [];
    const { team } = await aLedTeam("debate", {
      ...{ patternSettings: settings({ rounds: 1, judge: "majority" }), tools: ["think"] },
      scripts: [
        says("Red"),
        says("red"),
        (request, place) => {
          tasks.push(given(request));
          return turns({ calls: [call("think")] }, { text: "Blue" })(request, place);
        },
      ],
      lead: REFUSED,
    });
    const runId = await start(team);
    await eventually(() => expect(gate.calls).toBe(1));
    await steerAgentRun({ scope: scope(), runId, agentRunId: deriveId(runId, "root"), text: "One word." });
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Red" });
    expect(tasks.at(-1)).toContain("One word.");
    expect((await soundRecord(scope(), runId)).decisions.at(-1)?.reason).toContain("2 of 3 results are this answer");
  });

  test("cut off at any moment, it comes to the same with the same agents", { timeout: 180_000 }, async () => {
    const { team, names } = await aLedTeam("debate", {
      patternSettings: settings({ rounds: 1 }),
      scripts: [says("Red."), says("Blue.")],
      lead: () => ({ text: JSON.stringify({ agent: names[1], reason: "Shown." }) }),
    });
    expect(await cutEverywhere(team, "Blue.", 5)).toBeGreaterThanOrEqual(6);
  });
});
