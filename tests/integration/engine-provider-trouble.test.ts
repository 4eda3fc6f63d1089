import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { guardedFetchFor } from "@/server/outgoing/guarded-fetch";
import { getStep } from "@/server/runs/queries/get-step";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTeam } from "@/tests/support/factories";
import type { Script } from "@/tests/support/scripted-model";

/** The price of one call of the scripted model: 100 tokens in and 20 out. */
const COST_OF_A_CALL = 160_000;
const IDLE_MS = 200;

describe.each(DATABASE_KINDS)("a provider in trouble, with runs on the %s database", (kind) => {
  const desk = useDesk(kind);
  const solo = () => aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false }, agents: [] });
  const record = (runId: string) => soundRecord(desk().scope, runId);
  let hanging: Server | undefined;
  afterEach(() => {
    desk().model = desk().scripted();
    hanging?.close();
  });

  /** Twenty runs at once; when each of them called, in ms since 1970, by run. */
  async function twenty(script: Script): Promise<{ runIds: string[]; calls: number[][] }> {
    const team = await solo();
    const calls: number[][] = [];
    const runIds = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => {
        const times: number[] = [];
        calls.push(times);
        const input = desk().words(`of twenty ${nth}`, (request, place) => {
          times.push(Date.now());
          return script(request, place);
        });
        return desk().start(team, input);
      }),
    );
    for (const runId of runIds) await desk().ended(runId);
    return { runIds, calls };
  }

  test("F14: twenty runs that are told to wait do so, each a little longer by its own draw, and call no more often than they may", async () => {
    const { executor } = desk();
    if (!executor) throw new Error("nobody is at work");
    const { random } = executor.resources;
    let draws = 0;
    executor.resources.random = () => {
      draws += 1;
      return 0.8;
    };
    try {
      const { runIds, calls } = await twenty((_, { attempt }) =>
        attempt < 2 ? { fault: "status", status: 429, headers: { "retry-after-ms": "400" } } : { text: "At last." },
      );
      expect(calls.map(({ length }) => length)).toEqual(Array(20).fill(3));
      expect(draws).toBeGreaterThanOrEqual(40);
      for (const [first = 0, second = 0, third = 0] of calls) {
        // 400 ms and 0.8 of a quarter more. A timer may be a few early.
        expect(second - first).toBeGreaterThanOrEqual(475);
        expect(third - second).toBeGreaterThanOrEqual(475);
      }
      for (const runId of runIds) {
        const { run, steps } = await record(runId);
        expect(run).toMatchObject({ status: "completed", costNanoUsd: COST_OF_A_CALL });
        expect(steps.map(({ error }) => error?.code)).toEqual(["rate_limited", "rate_limited", undefined]);
      }
    } finally {
      executor.resources.random = random;
    }
  });

  test("AGT-ERR-05, AGT-ERR-07, AGT-ERR-11, LLM-OBS-03: what was told of an error is kept with its step, and not in the events", async () => {
    const said = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens";
    const faults: Record<string, object> = {
      rate_limited: {
        ...{ type: null, delayMs: 10, attempts: 5, httpStatus: 429, retryAfterMs: 10, remainingQuota: 0 },
        ...{ host: "127.0.0.1", port: Number(new URL(desk().server.url).port) },
      },
      timeout: { type: null, delayMs: IDLE_MS / 2, attempts: 3, timeoutMs: IDLE_MS },
      context_too_long: {
        ...{ type: "CONTEXT_TOO_LONG", delayMs: 0, attempts: 0, httpStatus: 400 },
        ...{ allowedTokens: 8192, actualTokens: 9000 },
      },
    };
    desk().model = desk().scripted({ idleTimeoutMs: IDLE_MS });
    const runId = await desk().play(await solo(), "meets trouble", (_, { attempt }) => {
      const headers = { "retry-after-ms": "10", "x-ratelimit-remaining-requests": "0" };
      if (attempt === 0) return { fault: "status", status: 429, headers };
      return attempt === 1 ? { fault: "hang" } : { fault: "status", status: 400, message: said };
    });
    expect(await desk().ended(runId)).toMatchObject({ status: "failed" });
    const { steps, root, events } = await record(runId);
    expect(steps.map(({ error }) => error?.code)).toEqual(Object.keys(faults));
    for (const { position, error } of steps) {
      const { errorDetails } = await getStep(desk().scope.workspaceId, { runId, agentRunId: root.id, position });
      expect(errorDetails).toEqual(faults[error?.code ?? ""]);
    }
    expect(JSON.stringify(events)).not.toContain("remainingQuota");
  });

  test("F14: a provider that never stops refusing is called four times by each of twenty runs", async () => {
    const { runIds, calls } = await twenty(() => ({
      ...{ fault: "status", status: 429, headers: { "retry-after-ms": "20" } },
    }));
    expect(calls.map(({ length }) => length)).toEqual(Array(20).fill(4));
    for (const runId of runIds) {
      expect((await record(runId)).run).toMatchObject({ status: "failed", costNanoUsd: 0 });
    }
  });

  test("F15: a provider that fails and then answers: every attempt is in the record, and one is paid for", async () => {
    const statuses = [500, 502, 503, 529];
    const team = await solo();
    const runIds = await Promise.all(
      statuses.map((status) =>
        desk().play(team, `fail with ${status}`, (_, { attempt }) =>
          attempt === 0 ? { fault: "status", status } : { text: "Here I am." },
        ),
      ),
    );
    for (const [nth, runId] of runIds.entries()) {
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Here I am." });
      const { run, steps, decisions } = await record(runId);
      expect(run).toMatchObject({ costNanoUsd: COST_OF_A_CALL, inputTokens: 100, outputTokens: 20 });
      expect(steps).toMatchObject([
        {
          status: "failed",
          error: {
            code: statuses[nth] === 529 ? "overloaded" : "unavailable",
            message: expect.stringContaining(`${statuses[nth]}`),
          },
          costNanoUsd: null,
        },
        { status: "completed", costNanoUsd: COST_OF_A_CALL },
      ]);
      expect(decisions.map((decision) => decision.kind)).toEqual(["retry", "finish"]);
    }
  });

  test.each([
    ["says nothing", ""],
    ["stops within its headers", "HTTP/1.1 200 OK\r\nContent-Type: text/event-str"],
    ["stops before its body", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"],
    [
      "stops within its body",
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {"id":"1","choices":[{"index":0,"delta":{"content":"So far"}}]}\n\ndata: {"id"',
    ],
  ])("F16: one that %s is left after a while, and asked again", async (_, begun) => {
    let asked = 0;
    let left = 0;
    // A client may open another socket without asking anything there.
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        asked += 1;
        socket.on("close", () => {
          left += 1;
        });
        socket.write(begun);
      });
    });
    hanging = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const stuck = desk().scripted({ baseUrl, fetch: guardedFetchFor(baseUrl), idleTimeoutMs: IDLE_MS });
    const scripted = desk().scripted();
    let calls = 0;
    desk().model = { ...scripted, complete: (request) => (++calls === 1 ? stuck : scripted).complete(request) };
    const runId = await desk().play(await solo(), "stuck", turns({ text: "Here I am." }));
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Here I am." });
    await eventually(() => expect(left).toBe(1));
    expect(asked).toBe(1);
    const { steps, run, liveTexts } = await record(runId);
    expect(steps).toMatchObject([
      { status: "failed", error: { code: "timeout", message: "The model said nothing for 0.2 s." } },
      { status: "completed" },
    ]);
    expect(run.costNanoUsd).toBe(COST_OF_A_CALL);
    expect(liveTexts).toEqual([]);
  });
});
