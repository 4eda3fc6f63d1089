import { describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, lastResults } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import type { Answer } from "@/tests/support/scripted-model-wire";

describe.each(DATABASE_KINDS)("what models and tools may say (%s)", (kind) => {
  const desk = useDesk(kind);
  const solo = (config: Partial<AgentConfig> = {}) =>
    aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false, ...config }, agents: [] });
  const record = (runId: string) => soundRecord(desk().scope, runId);

  // F13
  const itself: Record<string, unknown> = {};
  itself.itself = itself;
  test.each([
    ["fifty megabytes", () => "x".repeat(50_000_000), /only the first 200000 are here/],
    ["a NUL and half a pair", () => "a\0b\ud83dc", /a\\u0000b\\ud83dc/],
    [
      "what is no number",
      () => ({ value: Number.NaN, more: Number.POSITIVE_INFINITY }),
      /\{"value":null,"more":null\}/,
    ],
    [
      "an object of a hundred thousand keys",
      () => Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i])),
      /only the first 200000/,
    ],
    ["a value that holds itself", () => itself, /cannot be written as JSON/],
    ["invalid UTF-8", () => Buffer.from([0x61, 0xff, 0xfe, 0x62]).toString("utf8"), /a\ufffd\ufffdb/],
    ["nothing", () => undefined, /done/],
  ])("a tool answers with %s: it is stored, the model is told, and the run goes on", async (name, value, told) => {
    const tool = `odd-${name.replaceAll(" ", "-")}`;
    desk().tools.set(
      tool,
      aTool(tool, async () => value()),
    );
    let heard = "";
    const runId = await desk().play(
      await solo({ tools: [tool] }),
      `answers with ${name}`,
      turns({ calls: [call(tool)] }, (request) => {
        heard = request.messages.at(-1)?.content ?? "";
        return { text: "Done." };
      }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done." });
    expect(heard).toMatch(told);
    expect(heard.length).toBeLessThan(500_000);
    await record(runId);
  });

  // F18
  test("a call with broken JSON, one of a wrong type, and two with one id are told to the model, and nothing else ends", async () => {
    const seen: unknown[] = [];
    desk().tools.set(
      "note",
      aTool("note", async (args) => void seen.push(args)),
    );
    let results: unknown[] = [];
    const runId = await desk().play(
      await solo({ tools: ["note"] }),
      "writes odd calls",
      turns(
        {
          calls: [
            { name: "note", arguments: '{"broken": ' },
            { name: "nothing-like-it", arguments: "{}" },
            { id: "same", name: "note", arguments: '{"n":1}' },
            { id: "same", name: "note", arguments: '{"n":2}' },
          ],
        },
        (request) => {
          results = lastResults(request);
          return { text: "Done." };
        },
      ),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(results).toEqual([
      { tool_call_error: expect.stringMatching(/not JSON/) },
      { tool_call_error: expect.stringMatching(/no tool named "nothing-like-it"/) },
      { output: "done" },
    ]);
    // Of two calls with one id the last counts (LOK-TOOL-10).
    expect(seen).toEqual([{ n: 2 }]);
    await record(runId);
  });

  test("of a thousand calls in one turn a hundred are carried out, and the model is told of the others", async () => {
    let carriedOut = 0;
    desk().tools.set(
      "many",
      aTool("many", async () => ++carriedOut),
    );
    let refused = 0;
    const runId = await desk().play(
      await solo({ tools: ["many"] }),
      "asks for a thousand",
      turns({ calls: Array.from({ length: 1_000 }, (_, i) => call("many", { i })) }, (request) => {
        refused = lastResults(request).filter((result) =>
          /At most 100 calls/.test(String(result?.tool_call_error)),
        ).length;
        return { text: "Done." };
      }),
    );
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect({ carriedOut, refused }).toEqual({ carriedOut: 100, refused: 900 });
    await record(runId);
  });

  // F17
  test("a call that was cut off in the middle of its arguments is never carried out", async () => {
    const seen: unknown[] = [];
    desk().tools.set(
      "cut",
      aTool("cut", async (args) => void seen.push(args)),
    );
    const whole: Answer = { cutting: "awkward", calls: [call("cut", { amount: 1_000, text: "x".repeat(2_000) })] };
    const runId = await desk().play(await solo({ tools: ["cut"] }), "is cut off", (_request, { step, attempt }) => {
      if (step > 0) return { text: "Done." };
      return attempt === 0 ? { fault: "drop", answer: whole } : { calls: [call("cut", { amount: 1 })] };
    });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(seen).toEqual([{ amount: 1 }]);
    const { decisions } = await record(runId);
    expect(decisions.filter(({ kind: what }) => what === "retry")).toHaveLength(1);
  });

  // F28
  test("an agent that is edited and published while it runs goes on as it was", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    desk().tools.set(
      "hold",
      aTool("hold", () => held),
    );
    const systems: (string | null | undefined)[] = [];
    const team = await solo({ tools: ["hold"], instructions: "You are as you were." });
    const runId = await desk().play(team, "is edited meanwhile", (request, { step }) => {
      systems.push(request.messages[0]?.content);
      return step === 0 ? { calls: [call("hold")] } : { text: "Done." };
    });
    await eventually(() => expect(systems).toHaveLength(1));
    const { rows } = await pool().query<{ agent_id: string; config: object }>(
      "select agent_id, config from agent_versions where id = $1",
      [team.root.agentVersionId],
    );
    const changed = { ...rows[0]?.config, instructions: "You are another.", tools: [], model: "nobody/nothing" };
    await pool().query(
      "insert into agent_versions (id, workspace_id, agent_id, number, config) values (gen_random_uuid(), $1, $2, 2, $3)",
      [desk().scope.workspaceId, rows[0]?.agent_id, JSON.stringify(changed)],
    );
    await pool().query("update agents set draft = $2 where id = $1", [rows[0]?.agent_id, JSON.stringify(changed)]);
    await desk().shut();
    release();
    await desk().open();
    expect(await desk().ended(runId)).toMatchObject({ status: "completed" });
    expect(new Set(systems).size).toBe(1);
    expect(systems[0]).toMatch(/You are as you were/);
  });
});
