import { TRPCClientError } from "@trpc/client";
import { describe, expect, it } from "vitest";
import { type BatchProgress, inBatches } from "./in-batches";

const IDS = ["a", "b", "c", "d", "e"];
const refusal = (runId: string, why: string) => ({ runId, title: runId.toUpperCase(), why });
const failure = (code: string) => Object.assign(new TRPCClientError("no"), { data: { code } });

async function run(act: Parameters<typeof inBatches>[1]["act"]) {
  const told: BatchProgress[] = [];
  const end = await inBatches(IDS, { size: 2, act, onProgress: (progress) => told.push(progress) }).catch(
    (error: unknown) => error,
  );
  return { told: told.map(({ seen, done }) => [seen, done]), end };
}

describe("doing something to many runs", () => {
  it("goes by batches and tells how far it is", async () => {
    const calls: string[][] = [];
    const { told, end } = await run(async (runIds) => {
      calls.push(runIds);
      return { done: runIds.length, refused: [] };
    });
    expect(calls).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(told).toEqual([
      [0, 0],
      [2, 2],
      [4, 4],
      [5, 5],
    ]);
    expect(end).toEqual({ done: 5, refused: [], seen: 5, of: 5 });
  });

  it("gathers what was refused, and goes on where all of a batch is gone", async () => {
    const { end } = await run(async (runIds) => {
      if (runIds.includes("c")) throw failure("NOT_FOUND");
      return { done: runIds.length - 1, refused: [refusal(runIds[0] ?? "", "busy")] };
    });
    expect(end).toMatchObject({ done: 1, seen: 5 });
    expect((end as BatchProgress).refused.map(({ runId, why }) => [runId, why])).toEqual([
      ["a", "busy"],
      ["c", "Somebody removed it already."],
      ["d", "Somebody removed it already."],
      ["e", "busy"],
    ]);
  });

  it("breaks off where the server does not answer", async () => {
    const broken = new Error("gone");
    const { told, end } = await run(async (runIds) => {
      if (runIds.includes("c")) throw broken;
      return { done: 2, refused: [] };
    });
    expect(end).toBe(broken);
    expect(told.at(-1)).toEqual([2, 2]);
  });
});
