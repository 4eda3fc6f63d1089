import { v7 as uuid } from "uuid";
import { describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { aTool, call, collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { anAgent, aTeam } from "@/tests/support/factories";
import type { Script } from "@/tests/support/scripted-model";

const WIDTH = 8;
const TURNS = 200;

/** What the worker itself does now and then, whatever runs. */
const OF_THE_WORKER = /^(worker_|overdue_|next_queued)/;

describe.each(DATABASE_KINDS)("large trees and long runs on the %s database", (kind) => {
  const desk = useDesk(kind);
  const scope = () => desk().scope;
  const outputs: Script = (request) => ({
    text: lastResults(request)
      .map(({ output }) => output)
      .join(" "),
  });
  const eight = Array.from({ length: WIDTH }, (_, nth) => nth);

  test("one agent over eight over sixty-four: all work, and every result reaches the root", async () => {
    const { workspaceId } = scope();
    const lead = { maxConcurrentAgents: WIDTH, maxAgentDepth: 3, summarizationThreshold: null };
    const team = await aTeam(db(), workspaceId, { supervisor: lead, agents: [{ ...lead, canSpawnAgents: true }] });
    const [middle] = team.children;
    const leaf = await anAgent(db(), workspaceId, {});
    const { agentVersionId } = leaf;
    const place = { teamVersionId: team.teamVersionId, parentId: middle?.teamNodeId ?? null, position: 0 };
    await db().teamNode.create({ data: { id: uuid(), workspaceId, agentVersionId, ...place } });

    const under = (row: number) =>
      eight.map((nth) => spawn(leaf.name, desk().words(`leaf ${row}`, turns({ text: `${row}.${nth}` }))));
    const middles = eight.map((row) =>
      spawn(middle?.name ?? "", desk().words(`middle ${row}`, turns({ calls: under(row) }, collectAll, outputs))),
    );
    const runId = await desk().play(team, "grow a tree", turns({ calls: middles }, collectAll, outputs));
    const end = await desk().ended(runId);
    expect(end.answer?.split(" ")).toEqual(eight.flatMap((row) => eight.map((nth) => `${row}.${nth}`)));

    const { agents, root, run } = await soundRecord(scope(), runId);
    expect(agents.map(({ status }) => status)).toEqual(Array(1 + WIDTH + WIDTH * WIDTH).fill("completed"));
    const below = (id: string) => agents.filter(({ parentId }) => parentId === id);
    expect(below(root.id)).toHaveLength(WIDTH);
    for (const { id } of below(root.id)) expect(below(id)).toHaveLength(WIDTH);
    // Three calls of each that leads, one of each that does not.
    expect(run.inputTokens).toBe(100 * (3 * (1 + WIDTH) + WIDTH * WIDTH));
  });

  test("a turn after two hundred others asks and writes what the tenth did", async () => {
    const { executor } = desk();
    if (!executor) throw new Error("nobody is at work");
    const spent = { statements: 0, bytes: 0 };
    const { pool } = executor.resources;
    const query = pool.query.bind(pool);
    pool.query = ((...args: Parameters<typeof pool.query>) => {
      const [asked] = args as unknown as [string | { name?: string; values?: unknown[] }];
      if (typeof asked === "object" && asked.name && !OF_THE_WORKER.test(asked.name)) {
        spent.statements += 1;
        spent.bytes += Buffer.byteLength(JSON.stringify(asked.values ?? []));
      }
      return query(...args);
    }) as typeof pool.query;
    try {
      desk().tools.set(
        "look",
        aTool("look", async () => "as before"),
      );
      /** What was spent when the model was asked for that turn. */
      const before: { statements: number; bytes: number }[] = [];
      const team = await aTeam(db(), scope().workspaceId, {
        supervisor: { canSpawnAgents: false, tools: ["look"], maxToolRounds: 1_000 },
        agents: [],
      });
      const runId = await desk().play(team, "a long run", (_, { step }) => {
        before[step] = { ...spent };
        // Figures of one length, so that no turn is larger than another by itself.
        return step < TURNS ? { calls: [call("look", { at: 1_000 + step })] } : { text: "Seen." };
      });
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Seen." });
      const spentOn = (from: number, to: number) => ({
        statements: (before[to]?.statements ?? 0) - (before[from]?.statements ?? 0),
        bytes: (before[to]?.bytes ?? 0) - (before[from]?.bytes ?? 0),
      });
      const early = spentOn(10, 20);
      const late = spentOn(TURNS - 10, TURNS);
      expect(early.statements).toBeGreaterThanOrEqual(10);
      // A turn is two or three writes, as its beginning goes with the end of the one before or by itself.
      expect(late.statements).toBeLessThanOrEqual(early.statements * 1.5);
      expect(late.bytes).toBeLessThanOrEqual(early.bytes * 1.2);
      const { steps, events } = await soundRecord(scope(), runId);
      expect(steps).toHaveLength(2 * TURNS + 1);
      const eventsOf = (turn: number) =>
        events.filter(({ body }) => body.kind === "step.finished" && body.step.turn === turn).length;
      expect(eventsOf(TURNS)).toBe(eventsOf(10));
    } finally {
      pool.query = query as typeof pool.query;
    }
  });
});
