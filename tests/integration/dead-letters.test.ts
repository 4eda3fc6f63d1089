import { describe, expect, test, vi } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db, pool } from "@/server/db";
import { getDeadLetter, listDeadLetters } from "@/server/dead-letters/queries";
import { listDeadLettersInput } from "@/server/dead-letters/schema";
import { acknowledge, replay } from "@/server/dead-letters/service";
import { Replay } from "@/server/engine/replay";
import { warnOfFailedCalls } from "@/server/engine/watch-failed-calls";
import { logger } from "@/server/logger";
import { answerRequest } from "@/server/requests/service/answer";
import { pauseWorkspace, resumeWorkspace } from "@/server/runs/service/control-workspace";
import { ToolError } from "@/server/tools/tool";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";

const DONE = { text: "Done." };

describe.each(DATABASE_KINDS)("dead letters on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const list = (input: object = {}) => listDeadLetters(scope().workspaceId, listDeadLettersInput.parse(input));
  const lettersOf = async (operation: string) => (await list({ operation, status: "all" })).items;
  const settled = (deadLetterId: string) =>
    eventually(async () => {
      const letter = await getDeadLetter(scope().workspaceId, deadLetterId);
      expect(["requested", "replaying"]).not.toContain(letter.status);
      return letter;
    });

  /** A tool that does these things in turn; the last stays. Its keys, in order. */
  function offer(name: string, acts: (() => unknown)[], also: Parameters<typeof aTool>[2] = {}) {
    const keys: string[] = [];
    desk().tools.set(name, {
      ...aTool(name, async () => null, also),
      run: async (_, { key }) => acts[Math.min(keys.push(key), acts.length) - 1]?.(),
    });
    return keys;
  }
  const breaks = () => {
    throw new Error("it broke");
  };
  async function play(tool: string, config: Partial<AgentConfig> = {}) {
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, tools: [tool], ...config },
      agents: [],
    });
    const runId = await desk().play(team, `calls ${tool}`, turns({ calls: [call(tool, { at: 7 })] }, DONE));
    await desk().ended(runId);
    await soundRecord(scope(), runId);
    return runId;
  }

  test("AGT-RES-13: a call that failed for good is kept with what it was; one the agent can mend, or that something stood in for, is not", async () => {
    offer("dies", [breaks]);
    const runId = await play("dies");
    expect(await lettersOf("dies")).toMatchObject([
      {
        ...{ runId, position: 1, kind: "tool", code: "tool_failed", stableCode: "TROUPE-ACTIONEXECUTION" },
        ...{ message: "it broke", arguments: '{"at":7}', repeats: "reads", status: "open", changedBy: null },
      },
    ]);
    const refuses = () => {
      throw new ToolError("the field is missing", "PARAMETER");
    };
    offer("refuses", [refuses]);
    await play("refuses");
    offer("replaced", [breaks]);
    await play("replaced", { toolResilience: { fallback: { use: null, text: "Later.", on: [] } } });
    expect([await lettersOf("refuses"), await lettersOf("replaced")]).toEqual([[], []]);
  });

  test("a model's call that nobody answered is one, after its retries; it is not made again by itself", async () => {
    const team = await aTeam(db(), scope().workspaceId, { supervisor: { canSpawnAgents: false }, agents: [] });
    const fault = { fault: "status", status: 503, headers: { "retry-after-ms": "10" } } as const;
    const runId = await desk().play(team, "finds nobody", () => fault);
    expect((await desk().ended(runId)).status).toBe("failed");
    const letters = (await list({ code: "TROUPE-LLM" })).items;
    expect(letters).toMatchObject([
      { runId, position: 3, kind: "model", code: "unavailable", arguments: null, repeats: "run" },
    ]);
    await expect(replay(scope(), { deadLetterId: letters[0]?.id ?? "", nothingHappened: false })).rejects.toThrow(
      /Start its run again/,
    );
  });

  test("AGT-RES-14: a worker makes a call again under the key it was sent with, and keeps what came back", async () => {
    const keys = offer("keyed", [breaks, breaks, breaks, () => ({ sent: true })], {
      ...{ sideEffect: "external", idempotency: "required" },
    });
    await play("keyed");
    const [letter] = await lettersOf("keyed");
    expect(letter).toMatchObject({ code: "outcome_unknown", repeats: "keyed" });
    const asked = await replay(scope(), { deadLetterId: letter?.id ?? "", nothingHappened: false });
    const { rows } = await pool().query("select name from users where id = $1", [scope().userId]);
    expect(asked.changedBy).toBe(rows[0].name);
    expect(await settled(asked.id)).toMatchObject({ status: "replayed", result: '{"sent":true}' });
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    await expect(replay(scope(), { deadLetterId: asked.id, nothingHappened: false })).rejects.toThrow(/dealt with/);
  });

  test("one that fails again is open again, and says why", async () => {
    offer("still down", [breaks]);
    await play("still down");
    const [letter] = await lettersOf("still down");
    const { id } = await replay(scope(), { deadLetterId: letter?.id ?? "", nothingHappened: false });
    expect(await settled(id)).toMatchObject({ status: "open", note: "Made again, it failed: it broke", result: null });
  });

  test("what writes without a key is made again only when a person says that nothing happened", async () => {
    const keys = offer("unkeyed", [breaks, () => "sent"], { sideEffect: "external", idempotency: "none" });
    const team = await aTeam(db(), scope().workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["unkeyed"] },
      agents: [],
    });
    const runId = await desk().play(team, "leaves it open", turns({ calls: [call("unkeyed")] }, DONE));
    const { id: requestId } = await desk().openRequest(runId);
    await answerRequest({ scope: scope(), input: { requestId, answer: "give_up" } });
    await desk().ended(runId);
    const [letter] = await lettersOf("unkeyed");
    expect(letter).toMatchObject({ code: "outcome_unknown", repeats: "unkeyed" });
    const deadLetterId = letter?.id ?? "";
    await expect(replay(scope(), { deadLetterId, nothingHappened: false })).rejects.toThrow(/confirm that nothing/);
    expect(keys).toHaveLength(1);
    await replay(scope(), { deadLetterId, nothingHappened: true });
    expect(await settled(deadLetterId)).toMatchObject({ status: "replayed", result: '{"output":"sent"}' });
    expect(keys).toHaveLength(2);
  });

  test("of a worker that died while it made a call again, another begins anew, but for what may then happen twice", async () => {
    const keys = offer("orphaned", [breaks, () => "seen"]);
    await play("orphaned");
    const [letter] = await lettersOf("orphaned");
    const orphan = (repeats: string) =>
      pool().query(
        "update dead_letters set status = 'replaying', worker_id = 'a dead worker', repeats = $2 where id = $1",
        [letter?.id, repeats],
      );
    await orphan("unkeyed");
    await pool().query("select pg_notify('troupe_work', $1)", [`replay:${letter?.id}`]);
    expect(await settled(letter?.id ?? "")).toMatchObject({ status: "open", note: /nobody knows/ });
    expect(keys).toHaveLength(1);
    await orphan("reads");
    await pool().query("select pg_notify('troupe_work', $1)", [`replay:${letter?.id}`]);
    expect(await settled(letter?.id ?? "")).toMatchObject({ status: "replayed" });
    expect(keys).toHaveLength(2);
  });

  test("a tool that listens to nothing is given up at its time limit", async () => {
    offer("deaf", [breaks, () => new Promise(() => {})], { timeoutMs: 200 });
    await play("deaf");
    const [letter] = await lettersOf("deaf");
    const { id } = await replay(scope(), { deadLetterId: letter?.id ?? "", nothingHappened: false });
    expect(await settled(id)).toMatchObject({ status: "open", note: "Made again, it failed: no result after 0.2 s" });
  });

  test("while everything is paused nothing is made again; what was asked for before waits until it is resumed", async () => {
    const keys = offer("paused", [breaks, () => "done"]);
    await play("paused");
    const [letter] = await lettersOf("paused");
    const deadLetterId = letter?.id ?? "";
    await pauseWorkspace({ scope: scope() });
    await expect(replay(scope(), { deadLetterId, nothingHappened: false })).rejects.toThrow(/paused everything/);
    await pool().query("update dead_letters set status = 'requested' where id = $1", [deadLetterId]);
    await new Replay(desk().executor?.resources ?? expect.unreachable()).look();
    expect([(await getDeadLetter(scope().workspaceId, deadLetterId)).status, keys.length]).toEqual(["requested", 1]);
    await resumeWorkspace({ scope: scope() });
    expect(await settled(deadLetterId)).toMatchObject({ status: "replayed" });
    expect(keys).toHaveLength(2);
  });

  test("AGT-RES-14: of all workers one says that there are more than before", async () => {
    const { workerId } = desk().executor ?? expect.unreachable();
    const warned = vi.spyOn(logger, "warn");
    const before = await warnOfFailedCalls(pool(), workerId, Number.MAX_SAFE_INTEGER);
    offer("counted", [breaks]);
    await play("counted");
    warned.mockClear();
    expect(await warnOfFailedCalls(pool(), "another worker", before)).toBe(before + 1);
    expect(warned).not.toHaveBeenCalled();
    expect(await warnOfFailedCalls(pool(), workerId, before)).toBe(before + 1);
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      { open: before + 1, more: 1 },
      expect.stringMatching(/failed for good/),
    );
    warned.mockClear();
    await warnOfFailedCalls(pool(), workerId, before + 1);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  test("they are listed page by page, found by words, and acknowledged together; another workspace sees and touches none", async () => {
    offer("listed", [breaks]);
    for (let nth = 0; nth < 3; nth++) await play("listed");
    const first = await list({ operation: "listed", limit: 2 });
    const second = await list({ operation: "listed", limit: 2, cursor: first.nextCursor });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect([ids.length, new Set(ids).size, second.nextCursor]).toEqual([3, 3, null]);
    expect((await list({ search: "it BROKE", operation: "listed" })).items).toHaveLength(3);
    expect((await list({ search: "100%", operation: "listed" })).items).toEqual([]);
    const stranger = await aMember(db(), await aWorkspace(db()));
    expect(await listDeadLetters(stranger.workspaceId, listDeadLettersInput.parse({ status: "all" }))).toMatchObject({
      items: [],
    });
    expect(await acknowledge(stranger, { deadLetterIds: ids, note: "" })).toEqual({ count: 0 });
    await expect(replay(stranger, { deadLetterId: ids[0] ?? "", nothingHappened: true })).rejects.toThrow(
      /no such dead letter/,
    );
    expect(await acknowledge(scope(), { deadLetterIds: ids, note: "Known." })).toEqual({ count: 3 });
    expect(await acknowledge(scope(), { deadLetterIds: ids, note: "Again." })).toEqual({ count: 0 });
    expect((await lettersOf("listed"))[0]).toMatchObject({ status: "acknowledged", note: "Known." });
    await expect(list({ cursor: "nonsense" })).rejects.toThrow(/Open the list again/);
  });
});
