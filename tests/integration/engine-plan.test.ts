import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { call, collect, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { ChatRequest } from "@/tests/support/scripted-model";

describe.each(DATABASE_KINDS)("teams that work through tasks on the %s database", (kind) => {
  const desk = useDesk(kind);
  const teamOf = async (supervisor: Partial<AgentConfig> = {}, agent: Partial<AgentConfig> = {}) => {
    const team = await aTeam(db(), desk().scope.workspaceId, { pattern: "tasks", supervisor, agents: [agent, agent] });
    const [first, second] = team.children.map(({ name }) => name);
    return { team, first: first ?? "", second: second ?? "" };
  };
  const task = (args: Record<string, unknown>) => call("agent__task_create", { subject: "A part", ...args });
  const done = (words: string) => desk().words(words, turns({ text: `${words}: done` }));
  const lastSaid = (request: ChatRequest) => request.messages.at(-1)?.content ?? "";
  /** Takes every result the message that sent it on speaks of. */
  const collectLeft = (request: ChatRequest) => ({
    calls: [...lastSaid(request).matchAll(/(?:agent__collect|\):) (agent_(?!_)\S+)/g)].map(([, id]) => collect(id)),
  });
  const started = (request: ChatRequest) =>
    lastResults(request).map(({ auto_dispatch: by }) => collect((by as { id?: string } | undefined)?.id));

  test("the supervisor is offered tasks and nobody to start by hand, and is told so", async () => {
    const { team, first, second } = await teamOf();
    const requests: ChatRequest[] = [];
    const runId = await desk().play(
      team,
      "plan it",
      turns(
        (request) => {
          requests.push(request);
          return { calls: [spawn(first, done("by hand")), task({ agent: first, prompt: done("one") })] };
        },
        (request) => ({ calls: started(request).slice(1) }),
        { calls: [task({ agent: second, prompt: done("two") })] },
        (request) => ({ calls: started(request) }),
        { text: "All of it." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "All of it." });
    const [{ messages, tools }] = requests as [ChatRequest];
    const names = tools?.map((tool) => tool.function.name) ?? [];
    expect(names).toContain("agent__task_create");
    expect(names).not.toContain("agent__spawn");
    const making = tools?.find((tool) => tool.function.name === "agent__task_create")?.function;
    expect(making?.description).toContain(`- ${first}: `);
    expect(making?.parameters).toMatchObject({ properties: { agent: { enum: [first, second] } } });
    expect(messages[0]?.content).toContain("write the whole work down as tasks first");
    expect(messages[0]?.content).not.toContain("agent__spawn");
    const { agents, decisions } = await soundRecord(desk().scope, runId);
    expect(agents).toHaveLength(3);
    expect(decisions.map((one) => one.kind)).not.toContain("continue");
  });

  test("it is sent on while tasks are open or results were not taken, and then answers from all", async () => {
    const { team, first, second } = await teamOf();
    const told: string[] = [];
    const plan = [
      task({ agent: first, prompt: done("early one") }),
      task({ agent: second, prompt: done("early two"), blocked_by: [1] }),
      task({ subject: "Mine", blocked_by: [2] }),
    ];
    const runId = await desk().play(team, "answer too early", (request, { step }) => {
      if (step === 0) return { calls: plan };
      if (request.messages.at(-1)?.role === "tool") return { text: `Answer ${step}` };
      told.push(lastSaid(request));
      const giveUp = lastSaid(request).includes("3 (Mine)") ? [call("agent__task_fail", { task_id: 3 })] : [];
      return { calls: [...giveUp, ...collectLeft(request).calls] };
    });
    const run = await desk().ended(runId);
    expect(run).toMatchObject({ status: "completed", answer: expect.stringMatching(/^Answer \d+$/) });
    expect(told[0]).toMatch(/^You answered while work of your plan is left\./);
    expect(told[0]).toMatch(/^- 3 \(Mine\): it (waits for task 2|is yours to do)$/m);
    const { agents, decisions, tasks } = await soundRecord(desk().scope, runId);
    expect(tasks.map(({ status }) => status)).toEqual(["completed", "completed", "failed"]);
    const { rows } = await pool().query(
      "select 1 from agent_runs where run_id = $1 and parent_id is not null and collected_at is null",
      [runId],
    );
    expect([agents.length, rows.length]).toEqual([3, 0]);
    const sent = decisions.filter((one) => one.kind === "continue");
    expect(sent).toHaveLength(told.length);
    expect(sent[0]).toMatchObject({
      ...{ source: "runtime-rule", ordinal: 31, chosen: [{ option: "send_on" }] },
      reason: "Sent on, 1 of at most 10 times, with 3 tasks open.",
    });
  });

  test("one that will not go on ends all the same, with what is open said", async () => {
    const gate = desk().gate("slow");
    const { team, first } = await teamOf({ maxAutoContinues: 2 }, { tools: ["slow"] });
    const slow = desk().words("be slow", turns({ calls: [call("slow")] }, { text: "Late." }));
    const runId = await desk().play(
      team,
      "insist",
      turns({ calls: [task({ agent: first, prompt: slow })] }, { text: "One." }, { text: "Two." }, { text: "Three." }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Three." });
    gate.open();
    const { decisions, tasks, agent } = await soundRecord(desk().scope, runId);
    expect(
      decisions.filter((one) => one.kind === "continue").map((one) => [one.chosen[0]?.option, one.reason]),
    ).toEqual([
      ["send_on", "Sent on, 1 of at most 2 times, with 1 task open."],
      ["send_on", "Sent on, 2 of at most 2 times, with 1 task open."],
      ["end", "It used up its continuations: sent on 2 of at most 2 times, 1 task open."],
    ]);
    expect(tasks.map(({ status }) => status)).toEqual(["failed"]);
    expect(agent(first).status).toBe("aborted");
  });

  test("cut off where it is sent on, it is sent on once", { timeout: 60_000 }, async () => {
    const { team, first } = await teamOf();
    for (const cutAt of ["after-model", "before-model"] as const) {
      const { resources } = desk().executor ?? {};
      if (!resources) throw new Error("nobody executes");
      let isCut = false;
      resources.atFaultPoint = async (point, _, position) => {
        // The answer that comes too early, and the call after it.
        if (point !== cutAt || position !== (cutAt === "after-model" ? 2 : 3) || isCut) return;
        isCut = true;
        await new Promise(() => {});
      };
      const runId = await desk().play(
        team,
        `cut ${cutAt}`,
        turns({ calls: [task({ agent: first, prompt: done(`cut ${cutAt}`) })] }, { text: "Too early." }, collectLeft, {
          text: "All of it.",
        }),
      );
      await eventually(() => expect(isCut).toBe(true));
      await desk().shut();
      await desk().open();
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "All of it." });
      const { decisions, agents } = await soundRecord(desk().scope, runId);
      expect(decisions.filter((one) => one.kind === "continue")).toHaveLength(1);
      expect(agents).toHaveLength(2);
    }
  });
});
