import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { answerRequest } from "@/server/requests/service/answer";
import { storeRunWith } from "@/server/runs/store-run";
import { inTransaction } from "@/server/transaction";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("a run that asks before it writes since it was started, on the %s database", (kind) => {
  const desk = useDesk(kind);

  test("asks a person before the call, says who wanted that, and writes once it is approved", async () => {
    const written: unknown[] = [];
    desk().tools.set(
      "write_one",
      aTool(
        "write_one",
        async (args) => {
          written.push(args);
          return { written: written.length };
        },
        { sideEffect: "write", idempotency: "none" },
      ),
    );
    const { scope } = desk();
    const team = await aTeam(db(), scope.workspaceId, { supervisor: { tools: ["write_one"] } });
    const input = desk().words("repeat it", turns({ calls: [call("write_one", { n: 1 })] }, { text: "Written." }));
    const runId = await inTransaction(async (client) => {
      const id = await storeRunWith(client, {
        ...{ workspaceId: scope.workspaceId, userId: scope.userId, input, model: "scripted" },
        ...{ teamId: team.teamId, teamVersionId: team.teamVersionId },
        root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
      });
      await client.query("UPDATE runs SET overrides = $2 WHERE id = $1", [
        ...[id, JSON.stringify({ since: "start", askBeforeWrites: true })],
      ]);
      return id;
    });
    const { id: requestId } = await desk().openRequest(runId);
    expect(written).toEqual([]);
    const { rows } = await pool().query<{ reason: string }>(
      "SELECT reason FROM decisions WHERE run_id = $1 AND reason LIKE '%started this run%'",
      [runId],
    );
    const { rows: asked } = await pool().query<{ words: string }>(
      "SELECT row_to_json(q)::text AS words FROM human_requests q WHERE id = $1",
      [requestId],
    );
    expect(`${rows[0]?.reason ?? ""} ${asked[0]?.words}`).toMatch(/Whoever started this run wants to be asked/);
    await answerRequest({ scope, input: { requestId, answer: "allow" } });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Written." });
    expect(written).toHaveLength(1);
  });
});
