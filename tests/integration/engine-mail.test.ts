import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord, toolResults } from "@/tests/support/engine-record";
import { aTool, call, collect, collectAll, lastResults, spawn, spawned } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { ChatRequest } from "@/tests/support/scripted-model";

describe.each(DATABASE_KINDS)("mail between agents on the %s database", (kind) => {
  const desk = useDesk(kind);
  const teamOf = async (child: Partial<AgentConfig> = {}, supervisor: Partial<AgentConfig> = {}) => {
    const team = await aTeam(db(), desk().scope.workspaceId, { supervisor, agents: [child, child] });
    const [first, second] = team.children.map(({ name }) => name);
    return { team, first: first ?? "", second: second ?? "" };
  };
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const resultsOf = (agentRunId: string) => toolResults(desk().scope, agentRunId);
  const send = (id: unknown, message: unknown) => call("agent__send_message", { id, message });
  const inbox = call("agent__check_inbox");

  /** A tool that waits until `count` letters lie unread for whoever calls it. */
  const untilMails = (name: string, count: number) =>
    desk().tools.set(
      name,
      aTool(name, (_, { agentRunId }) =>
        eventually(async () => {
          const { rows } = await pool().query("select 1 from mails where to_id = $1 and read_at is null", [agentRunId]);
          expect(rows).toHaveLength(count);
        }).then(() => "so"),
      ),
    );
  const aGate = (name: string) => desk().gate(name);
  type Letter = { from: string; payload: { type: string; text: string }; timestamp: string };
  const lettersIn = (request: ChatRequest) =>
    lastResults(request).flatMap(({ messages }) => (messages as Letter[] | undefined) ?? []);

  test("agents that were told of one another write to each other and to their parent, and each letter is read once", async () => {
    untilMails("one_mail", 1);
    untilMails("two_mails", 2);
    const { team, first, second } = await teamOf({ tools: ["one_mail", "two_mails"] }, { tools: ["two_mails"] });
    const left = desk().words(
      "the left one",
      turns(
        { calls: [call("one_mail")] },
        { calls: [inbox] },
        (request) => ({
          calls: [send(lettersIn(request)[0]?.payload.text, "Found it."), send("parent", "Told the other.")],
        }),
        { text: "Left." },
      ),
    );
    const right = desk().words(
      "the right one",
      turns(
        { calls: [call("two_mails")] },
        { calls: [inbox] },
        (request) => ({
          calls: [
            send(
              "parent",
              lettersIn(request)
                .map(({ payload }) => payload.text)
                .join(" "),
            ),
          ],
        }),
        { text: "Right." },
      ),
    );
    const runId = await desk().play(
      team,
      "a roster",
      turns(
        { calls: [spawn(first, left), spawn(second, right)] },
        (request) => {
          const [one, other] = spawned(request);
          return { calls: [send(one, other), send(other, `Beside you: ${one}.`)] };
        },
        { calls: [call("two_mails")] },
        collectAll,
        { calls: [inbox, inbox] },
        { text: "Read." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Read." });
    const { root, agent, mails, events } = await record(runId);
    const [a, b] = [agent(first), agent(second)];
    expect(mails).toHaveLength(5);
    for (const mail of mails) expect(mail).toMatchObject({ kind: "text", readAt: expect.any(String) });
    expect(events.filter(({ body }) => body.kind === "mail.read")).toHaveLength(3);
    const letter = (from: string, text: string) => ({
      ...{ from, payload: { type: "text", text } },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect((await resultsOf(a.id))[1]).toEqual({ messages: [letter("parent", b.handle)], count: 1 });
    const [, read, sent] = await resultsOf(b.id);
    expect(read).toMatchObject({ count: 2 });
    expect(read?.messages).toEqual([letter("parent", `Beside you: ${a.handle}.`), letter(a.handle, "Found it.")]);
    expect(sent).toEqual({
      ...{ status: "ok", id: "parent" },
      message: "Sent. It is read when the agent looks into its inbox.",
    });
    const [once, again] = (await resultsOf(root.id)).slice(-2);
    expect(once?.messages).toEqual(
      expect.arrayContaining([
        letter(a.handle, "Told the other."),
        letter(b.handle, `Beside you: ${a.handle}. Found it.`),
      ]),
    );
    expect(again).toEqual({ messages: [], count: 0 });
  });

  test("a letter to nobody, to oneself, to one that has ended, or too long is an error the model can read", async () => {
    const gate = aGate("wait_for_letters");
    const { team, first, second } = await teamOf({ tools: ["wait_for_letters"] });
    // An agent does not know its own id; this one is told.
    let own = "";
    const ended = desk().words("ends at once", turns({ text: "Over." }));
    const waits = desk().words(
      "writes nonsense",
      turns(
        { calls: [call("wait_for_letters")] },
        () => ({ calls: [send(own, "To me."), send("parent", "x".repeat(20_000))] }),
        { text: "Wrote." },
      ),
    );
    const runId = await desk().play(
      team,
      "wrong letters",
      turns(
        { calls: [spawn(first, ended), spawn(second, waits)] },
        (request) => ({ calls: spawned(request).slice(0, 1).map(collect) }),
        (request) => {
          const [over = "", other = ""] = spawned(request);
          own = other;
          return {
            calls: [
              send(over, "Still there?"),
              send("agent_nobody_00000000", "Hello?"),
              send("agent_\0", "Hello?"),
              send("parent", "Who is above me?"),
              send(other, "x".repeat(20_001)),
              send(other, "  "),
              call("agent__send_message", "{not json"),
              send(other, "A half \ud83e and a \0."),
            ],
          };
        },
        (request) => {
          gate.open();
          return { calls: spawned(request).slice(1).map(collect) };
        },
        { text: "All wrong." },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "All wrong." });
    const { agent, mails, steps, root } = await record(runId);
    const codes = (agentRunId: string) =>
      steps.filter((step) => step.agentRunId === agentRunId).flatMap(({ error }) => error?.code ?? []);
    expect(codes(root.id)).toEqual([
      ...["agent_run_ended", "unknown_agent_run", "unknown_agent_run", "unknown_agent_run"],
      ...["message_too_long", "malformed_arguments", "malformed_arguments"],
    ]);
    expect(codes(agent(second).id)).toEqual(["own_id"]);
    const results = (await resultsOf(root.id)).flatMap((result) => (result.tool_call_error as string) ?? []);
    expect(results[0]).toBe(`${agent(first).handle} has ended: it reads no more messages.`);
    expect(results[1]).toContain('You know no agent "agent_nobody_00000000"');
    expect(results[4]).toContain("20001 characters, and 20000 are the most");
    expect(mails.map(({ text }) => text).sort()).toEqual(["A half \ufffd and a \ufffd.", "x".repeat(20_000)]);
  });

  test("what was done is read before what was said earlier", async () => {
    untilMails("both_mails", 2);
    const { team, first } = await teamOf({}, { tools: ["both_mails"] });
    const says = desk().words("says and ends", turns({ calls: [send("parent", "Nearly done.")] }, { text: "Done." }));
    const runId = await desk().play(
      team,
      "first what was done",
      turns(
        { calls: [call("agent__task_create", { subject: "Say", agent: first, prompt: says }), call("both_mails")] },
        { calls: [inbox] },
        (request) => ({
          text: lettersIn(request)
            .map(({ payload }) => payload.type)
            .join(", "),
        }),
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "task_completed, text" });
    const { mails, agent } = await record(runId);
    expect(mails.map(({ kind: what, fromId }) => ({ what, fromId }))).toEqual([
      { what: "text", fromId: agent(first).id },
      { what: "task_completed", fromId: agent(first).id },
    ]);
  });

  test("an unread letter outlives a worker and is then read once", async () => {
    const gate = aGate("until_restarted");
    const { team, first } = await teamOf({ tools: ["until_restarted"] });
    const reader = desk().words(
      "reads after the restart",
      turns({ calls: [call("until_restarted")] }, { calls: [inbox, inbox] }, (request) => ({
        text: lettersIn(request)
          .map(({ payload }) => payload.text)
          .join(", "),
      })),
    );
    const runId = await desk().play(
      team,
      "write before the restart",
      turns(
        { calls: [spawn(first, reader)] },
        (request) => ({ calls: [send(spawned(request)[0], "Remember me.")] }),
        collectAll,
        (request) => ({ text: String(lastResults(request)[0]?.output) }),
      ),
    );
    await eventually(async () => expect((await record(runId)).mails).toHaveLength(1));
    await eventually(() => expect(gate.calls).toBe(1));
    await desk().shut();
    gate.open();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Remember me." });
    const { mails, events } = await record(runId);
    expect(mails).toMatchObject([
      { fromId: deriveId(runId, "root"), text: "Remember me.", readAt: expect.any(String) },
    ]);
    expect(events.filter(({ body }) => body.kind === "mail.read")).toHaveLength(1);
  });

  test("a letter read by a call that was cut off is read again", async () => {
    untilMails("letter_there", 1);
    const read = { times: 0 };
    const { team, first } = await teamOf({ tools: ["letter_there"] });
    const reader = desk().words(
      "cut off while reading",
      turns({ calls: [call("letter_there")] }, { calls: [inbox] }, (request) => ({
        text: lettersIn(request)
          .map(({ payload }) => payload.text)
          .join(", "),
      })),
    );
    const { resources } = desk().executor ?? {};
    if (!resources) throw new Error("nobody executes");
    // The call has come to its result, and nothing of it is committed.
    resources.atFaultPoint = async (point, agentRunId) => {
      if (point !== "after-effect" || agentRunId !== childOf(runId)) return;
      const { rows } = await pool().query("select 1 from steps where agent_run_id = $1 and name = 'letter_there'", [
        agentRunId,
      ]);
      if (rows.length === 0) return;
      read.times += 1;
      await new Promise(() => {});
    };
    const childOf = (run: string) => deriveId(deriveId(run, "root"), "child 1");
    const runId = await desk().play(
      team,
      "write to who is cut off",
      turns(
        { calls: [spawn(first, reader)] },
        (request) => ({ calls: [send(spawned(request)[0], "Twice read, once told.")] }),
        collectAll,
        (request) => ({ text: String(lastResults(request)[0]?.output) }),
      ),
    );
    await eventually(() => expect(read.times).toBe(1));
    await eventually(async () => expect((await record(runId)).mails).toMatchObject([{ readAt: null }]));
    await desk().shut();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Twice read, once told." });
    expect((await record(runId)).mails).toHaveLength(1);
  });

  test("whoever is in a team is told of messages, whatever it is told of spawning, and one that is alone is not", async () => {
    const requests = new Map<string, ChatRequest>();
    const keep =
      (who: string, text: string) =>
      (request: ChatRequest): { text: string } => {
        requests.set(who, request);
        return { text };
      };
    const { team, first } = await teamOf({}, { injectSpawnInstructions: false });
    const child = desk().words("told as a child", keep("child", "Told."));
    const led = await desk().play(team, "told as a lead", (request, { step }) => {
      if (step === 0) return { calls: [spawn(first, child)] };
      return step === 1 ? collectAll(request) : keep("lead", "Told.")(request);
    });
    const solo = await aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false }, agents: [] });
    const alone = await desk().play(solo, "told alone", keep("alone", "Told."));
    for (const runId of [led, alone]) expect(await desk().ended(runId)).toMatchObject({ answer: "Told." });

    const told = (who: string) => {
      const { messages = [], tools = [] } = requests.get(who) ?? {};
      const names = tools.map((tool) => tool.function.name);
      const system = String(messages[0]?.content);
      return {
        mail: names.filter((name) => name === "agent__send_message" || name === "agent__check_inbox").length,
        tasks: names.filter((name) => name.startsWith("agent__task_")).length,
        inbox: system.includes("Read your inbox before you give your final answer."),
        parent: system.includes('has the id "parent"'),
        roster: system.includes("Your agents do not know of one another."),
        queue: system.includes("queue of tasks"),
      };
    };
    expect(told("lead")).toEqual({ mail: 2, tasks: 4, inbox: true, parent: false, roster: true, queue: false });
    expect(told("child")).toEqual({ mail: 2, tasks: 0, inbox: true, parent: true, roster: false, queue: false });
    expect(told("alone")).toEqual({ mail: 0, tasks: 0, inbox: false, parent: false, roster: false, queue: false });
  });
});
