import { afterEach, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { patternSettings } from "@/server/engine/pattern-settings";
import { steerAgentRun } from "@/server/runs/service/control-agent";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { call } from "@/tests/support/engine-scripts";
import { ledTeams, says } from "@/tests/support/led-teams";
import type { ChatRequest, Script } from "@/tests/support/scripted-model";

describe.each(DATABASE_KINDS)("handoffs on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const { aLedTeam, start, given, cutEverywhere } = ledTeams(desk);
  afterEach(() => {
    desk().fallback = () => ({ text: "Done." });
  });
  const over = (agent: string | undefined, tell: string, reason = "It fits.") =>
    call("agent__handoff", { agent, reason, tell });
  const most = (maxHandoffs: number) => patternSettings.parse({ handoff: { maxHandoffs } });
  /** A team of that many; each part, whoever has it, follows the next script. */
  async function partsOf(count: number, scripts: (names: string[]) => Script[], settings = most(10)) {
    const parts = new Map<string, Script>();
    const left: Script[] = [];
    const led = await aLedTeam("handoff", {
      patternSettings: settings,
      scripts: Array.from(
        { length: count },
        (): Script => (request, place) => {
          const key = `${request.messages[0]?.content} ${given(request)}`;
          const script = parts.get(key) ?? left.shift() ?? says("Done.");
          parts.set(key, script);
          return script(request, place);
        },
      ),
    });
    left.push(...scripts(led.names));
    return led;
  }

  test("the agent at work hands over, and the next knows the task, what it is told and what was said", async () => {
    const requests: ChatRequest[] = [];
    const { team, names } = await partsOf(3, ([, , third]) => [
      (request) => {
        requests.push(request);
        return { text: "I looked.", calls: [over(third, "It is about law.", "It knows the law.")] };
      },
      (request) => {
        requests.push(request);
        return { text: "No refund." };
      },
    ]);
    const runId = await start(team, {}, "May I have a refund?");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "No refund." });
    const [first, second] = requests;
    const tool = first?.tools?.find((one) => one.function.name === "agent__handoff")?.function;
    expect(tool?.parameters).toMatchObject({ properties: { agent: { enum: names.slice(1) } } });
    expect(first?.messages[0]?.content).toContain("one agent at a time has the task, and now it is you");
    for (const words of [
      "May I have a refund?",
      "\nI looked.\n",
      "It knows the law.",
      "It tells you: It is about law.",
    ])
      expect(given(second as ChatRequest)).toContain(words);

    const { root, agents, decisions } = await soundRecord(scope(), runId);
    expect(agents.map(({ name, status }) => [name, status])).toEqual([
      [root.name, "completed"],
      [names[0], "completed"],
      [names[2], "completed"],
    ]);
    expect(decisions.map((one) => [one.kind, one.source, one.reason, one.chosen[0]?.option])).toEqual([
      ["delegate", "policy", expect.stringContaining("first in the order of the team"), `agent:${names[0]}`],
      ["handoff", "model-stated", "It knows the law.", `agent:${names[2]}`],
      ["delegate", "policy", `${names[0]} handed over: It knows the law.`, `agent:${names[2]}`],
      ["finish", "not-stated", null, "answer"],
      ["finish", "policy", expect.stringContaining("its answer is the answer"), `agent:${names[2]}`],
    ]);
  });

  test("at the limit the agent is told so, and answers itself", async () => {
    const { team, names } = await partsOf(
      2,
      ([first, second]) => [
        turns({ calls: [over(second, "One.")] }),
        turns({ calls: [over(first, "Two.")] }, { text: "Mine." }),
      ],
      most(1),
    );
    const runId = await start(team);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Mine." });
    const { agent, decisions } = await soundRecord(scope(), runId);
    const limit = decisions.filter((one) => one.kind === "limit");
    expect(limit).toMatchObject([
      { source: "policy", reason: "1 handoff was made, which is this team's limit.", chosen: [{ option: "refuse" }] },
    ]);
    const [told] = await toolResults(scope(), agent(names[1] ?? "").id);
    expect(told?.tool_call_error).toMatch(/which is this team's limit\. Answer yourself/);
  });

  test("to and fro without anything new is refused as a circle, with something new it is not", async () => {
    const { team, names } = await partsOf(2, ([first, second]) => [
      turns({ calls: [over(second, "It is invoice 7.")] }),
      turns({ calls: [over(first, "Which invoice?")] }),
      turns({ calls: [over(second, "Invoice 7, it is!")] }, { calls: [over(second, "From March, for Ada Lovelace.")] }),
      says("Paid."),
    ]);
    const runId = await start(team);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Paid." });
    const { agents, decisions } = await soundRecord(scope(), runId);
    expect(agents).toHaveLength(5);
    expect(decisions.filter((one) => one.kind === "guard")).toMatchObject([
      {
        ...{ source: "runtime-rule", chosen: [{ option: "refuse" }] },
        reason: `The task goes round in a circle without anything new: ${[0, 1, 0, 1].map((nth) => names[nth]).join(" → ")}.`,
      },
    ]);
  });

  test("only the first handoff of a turn counts, and none to somebody who is not there", async () => {
    const { team, names } = await partsOf(3, ([, second, third]) => [
      turns({ calls: [over("Nobody", "x")] }, { calls: [over(third, "To you."), over(second, "Or you.")] }),
      says("Done by the third."),
    ]);
    const runId = await start(team);
    expect(await desk().ended(runId)).toMatchObject({ answer: "Done by the third." });
    const { agent } = await soundRecord(scope(), runId);
    const results = await toolResults(scope(), agent(names[0] ?? "").id);
    expect(results).toMatchObject([
      { tool_call_error: `There is no agent named "Nobody" to hand over to. There are: ${names.slice(1).join(", ")}.` },
      { status: "handed_over", agent: names[2] },
      { tool_call_error: "A turn holds one handoff: the first counts." },
    ]);
  });

  test("what a person says to an agent that is about to hand over, it reads first", async () => {
    const gate = desk().gate("before handing over");
    const { team, names } = await aLedTeam("handoff", {
      tools: ["before handing over"],
      scripts: [
        (request, place) =>
          given(request).includes("Answer it yourself.")
            ? { text: "Myself." }
            : turns({ calls: [call("before handing over"), over(names[1], "Yours.")] })(request, place),
        says("Never."),
      ],
    });
    const runId = await start(team);
    await eventually(() => expect(gate.calls).toBe(1));
    const { id } = await db().agentRun.findFirstOrThrow({ where: { runId, name: names[0] ?? "" } });
    await steerAgentRun({ scope: scope(), runId, agentRunId: id, text: "Answer it yourself." });
    gate.open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Myself." });
    expect((await soundRecord(scope(), runId)).agents).toHaveLength(2);
  });

  test("cut off at any moment of any of its agents, it comes to the same", { timeout: 240_000 }, async () => {
    const { team } = await aLedTeam("handoff", {
      scripts: [(request, place) => turns({ calls: [over(second, "Yours.")] })(request, place), says("Final.")],
    });
    const second = team.children[1]?.name;
    expect(await cutEverywhere(team, "Final.", 3, { of: "all" })).toBeGreaterThanOrEqual(10);
  });
});
