import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import type { Answer } from "@/server/engine/events";
import { listOpenRequests } from "@/server/requests/queries";
import { answerRequest } from "@/server/requests/service/answer";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { getStep } from "@/server/runs/queries/get-step";
import { listEvents } from "@/server/runs/queries/list-events";
import { eventPage } from "@/server/runs/schema";
import { stepDetail } from "@/server/runs/step-schema";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { call, lastResults } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

type Tool = "ask" | "confirm" | "input" | "checkbox";
const COLOURS = ["Red", "Green", "Blue"];

describe.each(DATABASE_KINDS)("the ways to ask a person on the %s database", (kind) => {
  const desk = useDesk(kind);
  const record = (runId: string) => soundRecord(desk().scope, runId);
  const answer = (requestId: string, given: Answer) =>
    answerRequest({ scope: desk().scope, input: { requestId, answer: given } });

  /** A run whose one agent asks in one turn and answers with what it was told. */
  async function play(calls: { tool: Tool; args: Record<string, unknown> }[], tools = ["user__ask"]) {
    const supervisor = { canSpawnAgents: false, tools };
    const team = await aTeam(db(), desk().scope.workspaceId, { supervisor, agents: [] });
    const script = turns({ calls: calls.map(({ tool, args }) => call(`user__${tool}`, args)) }, (request) => ({
      text: JSON.stringify(lastResults(request)),
    }));
    return desk().play(team, `ask with ${calls.map(({ tool }) => tool).join()}`, script);
  }

  async function asked(tool: Tool, args: Record<string, unknown>) {
    const runId = await play([{ tool, args }]);
    const { id } = await desk().openRequest(runId);
    return { runId, id };
  }

  /** What the model was told, once the run ended; rows and events agree. */
  async function told(runId: string) {
    const end = await desk().ended(runId);
    expect(end.status).toBe("completed");
    const kept = await record(runId);
    const [request] = kept.requests;
    return {
      result: (JSON.parse(end.answer ?? "[]") as unknown[])[0],
      request,
      closed: kept.events.flatMap(({ body }) => (body.kind === "request.closed" ? [body] : [])),
      decision: kept.decisions.find(({ kind: what }) => what === "answer"),
      steps: kept.steps,
    };
  }

  test.each([
    ["ask", { question: "Which?", options: COLOURS }, "Blue", "choice"],
    ["ask", { question: "Which?", options: COLOURS }, "Something else", "choice"],
    ["confirm", { question: "Shall I?" }, "yes", "confirm"],
    ["confirm", { question: "Shall I?" }, "no", "confirm"],
    ["input", { question: "What name?" }, "Ada\nLovelace", "choice"],
  ] as const)("user__%s %j is answered with %j", async (tool, args, given, answerKind) => {
    const { runId, id } = await asked(tool, args);
    const waiting = await record(runId);
    expect(waiting.requests).toMatchObject([{ kind: "question", prompt: args.question, answerKind, answer: null }]);
    expect(waiting.root).toMatchObject({ status: "waiting", openSteps: [{ kind: "human", name: `user__${tool}` }] });

    expect(await answer(id, given)).toMatchObject({ counted: true });
    const { result, request, closed, steps } = await told(runId);
    expect(result).toEqual({ answer: given });
    expect(request).toMatchObject({ status: "answered", answer: given, answerKind });
    expect(closed).toMatchObject([{ status: "answered", answer: given }]);
    expect(steps[1]).toMatchObject({ kind: "human", name: `user__${tool}`, status: "completed" });
  });

  test("a confirmation offers yes first", async () => {
    const { runId, id } = await asked("confirm", { question: "Shall I?" });
    const { requests } = await record(runId);
    expect(requests[0]?.options).toEqual([
      { value: "yes", label: "Yes" },
      { value: "no", label: "No" },
    ]);
    await answer(id, "no");
    expect((await told(runId)).decision).toMatchObject({
      source: "human",
      chosen: [{ option: "no", label: "No", position: 1 }],
      reason: "Ada Tester answered “No”.",
    });
  });

  test.each([
    { ticked: [], chosen: ["none", "None of these"], reason: "Ada Tester answered “None of these”." },
    { ticked: ["Green"], chosen: ["Green", "Green"], reason: "Ada Tester answered “Green”." },
    {
      ticked: ["Red", "Blue"],
      chosen: ["Red", "Red", "Blue", "Blue"],
      reason: "Ada Tester answered “Red”, “Blue”.",
    },
  ])("of several options $ticked are ticked, and the model gets that list", async ({ ticked, chosen, reason }) => {
    const { runId, id } = await asked("checkbox", { question: "Which ones?", options: COLOURS });
    expect((await record(runId)).requests).toMatchObject([{ answerKind: "several", answer: null }]);
    expect(await answer(id, ticked)).toMatchObject({ counted: true });

    const { result, request, closed, decision } = await told(runId);
    expect(result).toEqual({ answers: ticked });
    expect(request).toMatchObject({ status: "answered", answer: ticked, answeredBy: "Ada Tester" });
    expect(closed).toMatchObject([{ answer: ticked }]);
    expect(decision).toMatchObject({ source: "human", reason });
    expect(decision?.chosen.flatMap(({ option, label }) => [option, label])).toEqual(chosen);
    const place = { runId, agentRunId: request?.agentRunId ?? "", position: 1 };
    const step = stepDetail.parse(await getStep(desk().scope.workspaceId, place));
    expect(step.humanRequest).toEqual(request);
  });

  test("an answer of the wrong shape is refused with the possible ones, and nothing counts", async () => {
    const runId = await play([
      { tool: "checkbox", args: { question: "Which ones?", options: COLOURS } },
      { tool: "confirm", args: { question: "Shall I?" } },
      { tool: "ask", args: { question: "Which?", options: COLOURS } },
    ]);
    await expect.poll(async () => (await record(runId)).requests.length, { timeout: 20_000 }).toBe(3);
    const before = await record(runId);
    const idOf = (prompt: string) => before.requests.find((request) => request.prompt === prompt)?.id ?? "";
    const refused = (prompt: string, given: Answer, userMessage: string) =>
      expect(answer(idOf(prompt), given)).rejects.toMatchObject({ code: "INVALID", userMessage });
    const list = "Answer with a list of those that apply, which may be empty: Red, Green, Blue.";
    await refused("Which ones?", "Red", list);
    await refused("Which ones?", ["Red", "Pink"], "Choose among: Red, Green, Blue.");
    await refused("Which ones?", ["Red", "Red"], "Name each option once.");
    await refused("Shall I?", "perhaps", "Choose one of: Yes, No.");
    await refused("Shall I?", ["yes"], "Choose one of: Yes, No.");
    await refused("Which?", ["Red"], "Answer with one text, not with a list.");

    const { events, requests, run } = await record(runId);
    expect(events).toEqual(before.events);
    expect(requests).toEqual(before.requests);
    expect(run).toMatchObject({ status: "waiting", openRequests: 3 });
    const { items } = await listOpenRequests(desk().scope, { limit: 100, whose: "everybody" });
    expect(items.filter((item) => item.runId === runId)).toHaveLength(3);

    await answer(idOf("Which ones?"), []);
    await answer(idOf("Shall I?"), "yes");
    await answer(idOf("Which?"), "Red");
    expect(JSON.parse((await desk().ended(runId)).answer ?? "")).toEqual([
      { answers: [] },
      { answer: "yes" },
      { answer: "Red" },
    ]);
    await record(runId);
  });

  test("a list of options may come as text that holds JSON; anything else is refused to the model", async () => {
    const { runId, id } = await asked("checkbox", { question: "Which ones?", options: JSON.stringify(COLOURS) });
    expect((await record(runId)).requests[0]?.options.map(({ value }) => value)).toEqual(COLOURS);
    await answer(id, ["Blue"]);
    expect((await told(runId)).result).toEqual({ answers: ["Blue"] });

    const wrong = await play([
      { tool: "checkbox", args: { question: "Which ones?", options: "Red, Green" } },
      { tool: "checkbox", args: { question: "Which ones?", options: [] } },
      { tool: "checkbox", args: { question: "Which ones?" } },
      { tool: "ask", args: { question: "Which?", options: { a: "Red" } } },
      { tool: "confirm", args: {} },
      { tool: "input", args: { question: " " } },
    ]);
    await desk().ended(wrong);
    const { steps, requests } = await record(wrong);
    expect(requests).toEqual([]);
    const refusals = steps.filter(({ kind: what }) => what === "human").map(({ error }) => error);
    expect(refusals).toHaveLength(6);
    for (const error of refusals) expect(error).toMatchObject({ code: "malformed_arguments" });
    expect(refusals[1]?.message).toContain("user__checkbox needs a question and a list of at least one option");
  });

  test("a list that was ticked while no worker lived reaches the model as a list", async () => {
    const { runId, id } = await asked("checkbox", { question: "Still there?", options: COLOURS });
    await desk().shut();
    expect(await answer(id, ["Red"])).toMatchObject({ counted: true });
    expect(await answer(id, [])).toMatchObject({ counted: false });
    await desk().open();
    const { result, request } = await told(runId);
    expect(result).toEqual({ answers: ["Red"] });
    expect(request).toMatchObject({ answer: ["Red"] });
  });

  test("a question from before there were other kinds is answered as it always was", async () => {
    const { runId, id } = await asked("ask", { question: "Which?", options: COLOURS });
    await pool().query("update events set body = body #- '{request,answerKind}' where run_id = $1", [runId]);
    const { rows } = await pool().query("select schema from human_requests where id = $1", [id]);
    expect(rows).toEqual([{ schema: { type: "string", minLength: 1 } }]);
    await answer(id, "Pink");
    expect(await desk().ended(runId)).toMatchObject({ answer: '[{"answer":"Pink"}]' });
    const { requests } = await getRunTree(desk().scope.workspaceId, runId);
    expect(requests).toMatchObject([{ answerKind: "choice", answer: "Pink" }]);
    const { items } = eventPage.parse(await listEvents(desk().scope.workspaceId, { runId }));
    const opened = items.find(({ body }) => body.kind === "request.opened");
    expect(opened?.body).toMatchObject({ request: { id, answerKind: "choice" } });
  });

  test("one switch offers all four, and without it there is none", async () => {
    const runId = await play([{ tool: "confirm", args: { question: "Shall I?" } }], []);
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect((await record(runId)).steps[1]).toMatchObject({ error: { code: "unknown_tool" } });
  });
});
