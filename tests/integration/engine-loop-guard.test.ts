import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db } from "@/server/db";
import { answerRequest } from "@/server/requests/service/answer";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { Script } from "@/tests/support/scripted-model";

describe.each(DATABASE_KINDS)("the guard against loops on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), scope().workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const record = (runId: string) => soundRecord(scope(), runId);
  const answer = (requestId: string, text: string) =>
    answerRequest({ scope: scope(), input: { requestId, answer: text } });
  const answerNext = async (runId: string, text: string) => {
    const request = await desk().openRequest(runId);
    expect(await answer(request.id, text)).toMatchObject({ counted: true });
    return request;
  };

  /** A tool that counts its calls. */
  function aCounter(name: string, also: Parameters<typeof aTool>[2] = {}) {
    const counter = { calls: 0 };
    desk().tools.set(
      name,
      aTool(name, async () => ({ calls: ++counter.calls }), also),
    );
    return counter;
  }

  /** Makes the same call `times` times, each with a reason of its own, and then says what the last came to. */
  const again =
    (name: string, times: number): Script =>
    (request, { step }) =>
      step < times
        ? { text: `Try ${step}.`, calls: [call(name, { at: "x", reason: `Try ${step}.` })] }
        : { text: JSON.stringify(lastResults(request)[0]) };

  test("the third equal call in a row is not made: the model is told what it did and what else it could do", async () => {
    const look = aCounter("look");
    const runId = await desk().play(await solo({ tools: ["look"] }), "look thrice", again("look", 3));
    const end = await desk().ended(runId);
    expect(end.status).toBe("completed");
    expect(look.calls).toBe(2);
    const told = (JSON.parse(end.answer ?? "{}") as { tool_call_error: string }).tool_call_error;
    expect(told).toMatch(/^This call was not made: look was asked for 2 times in a row with the same arguments\./);
    expect(told).toContain(
      'Your last calls were: look {"at":"x","reason":"Try 0."}; look {"at":"x","reason":"Try 1."}.',
    );
    expect(told).toContain("change the arguments");
    expect(told).not.toContain("agent__collect");

    const { steps, decisions, requests, offered } = await record(runId);
    expect(requests).toEqual([]);
    expect(steps[5]).toMatchObject({ name: "look", status: "failed", error: { code: "repeated_call", message: told } });
    const [guard, ...more] = decisions.filter((decision) => decision.kind === "guard");
    expect(more).toEqual([]);
    expect(guard).toMatchObject({ position: 5, source: "runtime-rule", chosen: [{ option: "refuse", position: 5 }] });
    expect(guard?.reason).toMatch(
      /^look was asked for 2 times in a row with the same arguments \(call [0-9a-f]{12}\)\.$/,
    );
    expect(offered.get(guard?.id ?? "")?.map(({ key }) => key)).toEqual(["make", "refuse", "ask"]);
  });

  test("a model that goes on is stopped until a person answers: “let it” makes the one call", async () => {
    const look = aCounter("look once more");
    const runId = await desk().play(await solo({ tools: ["look once more"] }), "go on", again("look once more", 5));
    const first = await desk().openRequest(runId);
    expect(look.calls).toBe(2);
    const waiting = await record(runId);
    expect(waiting.requests).toMatchObject([
      {
        kind: "loop",
        position: 7,
        call: { tool: "look once more", arguments: '{"at":"x","reason":"Try 3."}' },
        options: [{ value: "allow" }, { value: "allow_all" }, { value: "stop" }],
      },
    ]);
    expect(first.prompt).toContain("look once more was asked for 3 times in a row");
    expect(waiting.run).toMatchObject({ status: "waiting" });
    expect(
      waiting.decisions.filter((decision) => decision.kind === "guard").map(({ chosen }) => chosen[0]?.option),
    ).toEqual(["refuse", "ask"]);

    await answer(first.id, "allow");
    const second = await eventually(async () => {
      const request = await desk().openRequest(runId);
      expect(request.id).not.toBe(first.id);
      return request;
    });
    expect(look.calls).toBe(3);
    await answer(second.id, "allow");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: '{"calls":4}' });
    expect((await record(runId)).requests.map(({ answer: given }) => given)).toEqual(["allow", "allow"]);
  });

  test("let repeat for the rest of the agent run, it is not asked about again, also by another worker", async () => {
    const look = aCounter("look for ever");
    const script = again("look for ever", 9);
    const input = desk().words("let be", (request, place) =>
      place.step === 6 && place.attempt === 0 ? { fault: "hang" } : script(request, place),
    );
    const runId = await desk().start(await solo({ tools: ["look for ever"] }), input);
    await answerNext(runId, "allow_all");
    await eventually(() => expect(desk().callsOf(input).requested).toBe(7));
    await desk().shut();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: '{"calls":8}' });
    expect(look.calls).toBe(8);
    const { requests, decisions } = await record(runId);
    expect(requests).toHaveLength(1);
    expect(decisions.filter((decision) => decision.kind === "guard")).toHaveLength(2);
  });

  test("in a person's own words it is a refusal the model reads", async () => {
    const look = aCounter("look in vain");
    const runId = await desk().play(await solo({ tools: ["look in vain"] }), "be told", again("look in vain", 4));
    await answerNext(runId, "The page is gone.");
    const { status, answer: said } = await desk().ended(runId);
    expect(status).toBe("completed");
    expect(said).toContain("A person did not let you make this call again, and said: The page is gone.");
    expect(look.calls).toBe(2);
    const { steps, root } = await record(runId);
    expect(steps[7]).toMatchObject({ status: "failed", error: { code: "repeated_call" } });
    expect(root).toMatchObject({ status: "completed" });
  });

  test("a person may end it there: the run is aborted with what was said so far", async () => {
    aCounter("look and stop");
    const runId = await desk().play(await solo({ tools: ["look and stop"] }), "be ended", again("look and stop", 4));
    await answerNext(runId, "stop");
    expect(await desk().ended(runId)).toMatchObject({
      status: "aborted",
      reason: "stopped_in_loop",
      answer: "Try 3.",
    });
    const { root, steps, decisions } = await record(runId);
    expect(root).toMatchObject({ status: "aborted", statusReason: "stopped_in_loop", openSteps: [] });
    expect(steps.at(-1)).toMatchObject({ position: 7, name: "look and stop", status: "aborted" });
    expect(decisions.at(-1)).toMatchObject({ kind: "answer", source: "human", chosen: [{ option: "stop" }] });
  });

  test("a child that is ended is data for its parent, and what was under way beside the call is recorded as aborted", async () => {
    aCounter("poll");
    let told = false;
    const hangs: Parameters<typeof aTool>[1] = (_, { signal }) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          told = true;
        });
      });
    desk().tools.set("hangs", aTool("hangs", hangs));
    const team = await aTeam(db(), scope().workspaceId, { agents: [{ tools: ["poll", "hangs"] }] });
    const [child] = team.children;
    // Four equal calls are made below the root, the fifth is refused, the sixth is asked about.
    const task = desk().words("poll for ever", (_, { step }) => ({
      text: `Poll ${step}.`,
      calls: step < 5 ? [call("poll")] : [call("poll"), call("hangs")],
    }));
    const runId = await desk().play(
      team,
      "lead the poller",
      turns({ calls: [spawn(child?.name ?? "", task)] }, collectAll, (request) => ({
        text: JSON.stringify(lastResults(request)[0]),
      })),
    );
    const request = await desk().openRequest(runId);
    expect(request.agent).toBe((await record(runId)).agent(child?.name ?? "").id);
    await answer(request.id, "stop");
    const end = await desk().ended(runId);
    expect(end.status).toBe("completed");
    expect(JSON.parse(end.answer ?? "{}")).toMatchObject({
      status: "completed",
      exit_status: "aborted",
      message: "stopped_in_loop",
      output: "Poll 5.",
    });
    await eventually(() => expect(told).toBe(true));
    const { steps, agent } = await record(runId);
    const own = steps.filter(({ agentRunId }) => agentRunId === agent(child?.name ?? "").id);
    expect(own.filter(({ name }) => name === "poll").map(({ status }) => status)).toEqual([
      ...Array(4).fill("completed"),
      "failed",
      "aborted",
    ]);
    expect(own.find(({ name }) => name === "hangs")).toMatchObject({ status: "aborted" });
  });

  test("two calls in turn are a loop, too: the fourth round is not begun", async () => {
    const counters = [aCounter("read"), aCounter("write", { sideEffect: "write" })];
    const runId = await desk().play(await solo({ tools: ["read", "write"] }), "to and fro", (request, { step }) =>
      step < 7
        ? { calls: [call(step % 2 ? "write" : "read", { line: 1 })] }
        : { text: JSON.stringify(lastResults(request)[0]) },
    );
    const end = await desk().ended(runId);
    expect(end.answer).toContain("read and write were asked for in turn, 6 calls in a row with the same arguments");
    expect(counters.map(({ calls }) => calls)).toEqual([3, 3]);
    expect((await record(runId)).steps.at(-2)).toMatchObject({ name: "read", error: { code: "repeated_call" } });
  });

  test("as many equal calls are made as its configuration allows", async () => {
    const look = aCounter("look five times");
    const team = await solo({ tools: ["look five times"], maxRepeatedCalls: 5 });
    const runId = await desk().play(team, "five", again("look five times", 6));
    expect((await desk().ended(runId)).answer).toContain("5 times in a row");
    expect(look.calls).toBe(5);
    await record(runId);
  });

  test("questions to a person may repeat", async () => {
    const script: Script = (_, { step }) =>
      step < 4 ? { calls: [call("user__ask", { question: "Now?", options: [] })] } : { text: "At last." };
    const runId = await desk().play(await solo({ tools: ["user__ask"] }), "keep asking", script);
    const asked = new Set<string>();
    for (let i = 0; i < 4; i++) {
      const request = await eventually(async () => {
        const open = await desk().openRequest(runId);
        expect(asked.has(open.id)).toBe(false);
        return open;
      });
      asked.add(request.id);
      await answer(request.id, "No.");
    }
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "At last." });
    expect((await record(runId)).requests.map(({ kind: what }) => what)).toEqual(Array(4).fill("question"));
  });

  test("it comes before an approval: what is refused is not asked about", async () => {
    const post = aCounter("post", { sideEffect: "external" });
    const team = await solo({ tools: ["post"], askBefore: ["post"] });
    const runId = await desk().play(team, "post thrice", again("post", 4));
    const kinds: string[] = [];
    for (const given of ["allow", "allow", "allow", "refuse"]) {
      await eventually(async () => {
        const { requests } = await record(runId);
        expect(requests).toHaveLength(kinds.length + 1);
        expect(requests.filter(({ status }) => status === "open")).toHaveLength(1);
        kinds.push(requests.find(({ status }) => status === "open")?.kind ?? "");
      });
      await answerNext(runId, given);
    }
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(kinds).toEqual(["approval", "approval", "loop", "approval"]);
    expect(post.calls).toBe(2);
    await record(runId);
  });

  test("an agent started again and again is refused like any call, and started when a person lets it", async () => {
    const task = desk().words("the same work", turns({ text: "Did it." }));
    const team = await aTeam(db(), scope().workspaceId, { supervisor: {}, agents: [{}] });
    const [child] = team.children;
    const runId = await desk().play(team, "the same three times", (request, { step }) => {
      const one = (reason: string) => spawn(child?.name ?? "", task, reason);
      if (step === 0) return { calls: [one("First."), one("Second."), one("Third.")] };
      if (step === 1) return { calls: [one("Once more.")] };
      return step === 2 ? collectAll(request) : { text: JSON.stringify(lastResults(request)) };
    });
    const request = await desk().openRequest(runId);
    // Their work goes on meanwhile: what is read is whole once they have ended.
    const { root } = await eventually(async () => {
      const found = await record(runId);
      expect(found.agents.map(({ status }) => status).sort()).toEqual(["completed", "completed", "waiting"]);
      return found;
    });
    const results = await toolResults(scope(), root.id);
    expect(results.map(({ status }) => status)).toEqual(["ok", "ok", undefined]);
    expect(results[2]?.tool_call_error).toContain("To wait for an agent, use agent__collect.");
    await answer(request.id, "allow");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    const after = await record(runId);
    expect(after.agents.filter(({ parentId }) => parentId === root.id)).toMatchObject(
      Array(3).fill({ status: "completed" }),
    );
  });

  test.each([
    ["allow", "completed", 3],
    ["allow_all", "completed", 3],
    ["stop", "aborted", 2],
    ["Leave it.", "completed", 2],
  ])("“%s”, said while no worker lived, counts for the next one", async (given, status, calls) => {
    const name = `look ${given.toLowerCase()} later`;
    const look = aCounter(name);
    const runId = await desk().play(await solo({ tools: [name] }), "wait in a loop", again(name, 4));
    const request = await desk().openRequest(runId);
    await desk().shut();
    await answer(request.id, given);
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status });
    expect(look.calls).toBe(calls);
    const { requests, decisions, root } = await record(runId);
    expect(requests).toHaveLength(1);
    expect(root.status).toBe(status);
    expect(decisions.filter((decision) => decision.kind === "guard")).toHaveLength(2);
  });

  test("a worker that takes over asks nothing anew, and a paused run keeps its question", async () => {
    const look = aCounter("look and wait");
    const runId = await desk().play(await solo({ tools: ["look and wait"] }), "wait on", again("look and wait", 4));
    const { id } = await desk().openRequest(runId);
    await desk().shut();
    await desk().open();
    await eventually(async () =>
      expect((await record(runId)).decisions.map((decision) => decision.kind)).toContain("takeover"),
    );
    await pauseRun({ scope: scope(), runId });
    await resumeRun({ scope: scope(), runId });
    expect((await desk().openRequest(runId)).id).toBe(id);
    await answer(id, "allow");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: '{"calls":3}' });
    expect(look.calls).toBe(3);
    const { requests, decisions } = await record(runId);
    expect(requests).toHaveLength(1);
    expect(decisions.filter((decision) => decision.kind === "guard")).toHaveLength(2);
  });

  test("an effect that is under way is asked about as ever, though its call would be refused by now", async () => {
    let sent = 0;
    const run = () => {
      sent += 1;
      return sent < 3 ? Promise.resolve({ sent }) : new Promise<never>(() => {});
    };
    desk().tools.set("send", aTool("send", run, { sideEffect: "external" }));
    const team = await solo({ tools: ["send"], maxRepeatedCalls: 3 });
    const runId = await desk().play(team, "send thrice", again("send", 3));
    await eventually(() => expect(sent).toBe(3));
    await desk().shut();
    await db()
      .$executeRaw`update agent_versions set config = config || '{"maxRepeatedCalls": 1}' where id = ${team.root.agentVersionId}::uuid`;
    await desk().open();
    const { id } = await desk().openRequest(runId);
    expect((await record(runId)).requests).toMatchObject([{ kind: "uncertain_effect" }]);
    await answer(id, "happened");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(sent).toBe(3);
    await record(runId);
  });
});
