import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { pauseRun, resumeRun, stopRun } from "@/server/runs/service/control-run";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, useDesk } from "@/tests/support/engine-desk";
import { aTeam } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("calls of a provider that allows only so many at once (%s)", (kind) => {
  const desk = useDesk(kind);
  let providers = 0;

  async function aProvider(mostCalls: number): Promise<string> {
    const { workspaceId } = desk().scope;
    const { id } = await db().provider.create({
      data: { id: crypto.randomUUID(), workspaceId, name: `p${++providers}`, baseUrl: "http://localhost", mostCalls },
    });
    return id;
  }
  const solo = () => aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false }, agents: [] });

  /** Calls wait inside until they are let out; `most` is how many were ever inside together. */
  function watched(limitedBy: string) {
    const inside: (() => void)[] = [];
    const seen = { most: 0 };
    const scripted = desk().scripted();
    desk().model = {
      ...scripted,
      limitedBy,
      async complete(request) {
        await new Promise<void>((resolve) => {
          inside.push(resolve);
          seen.most = Math.max(seen.most, inside.length);
        });
        return scripted.complete(request);
      },
    };
    return { inside, seen };
  }

  test("the others wait, and each goes on when one ends", async () => {
    const { inside, seen } = watched(await aProvider(2));
    const team = await solo();
    const runs = await Promise.all(
      [1, 2, 3, 4, 5].map((i) => desk().play(team, `caller ${i}`, () => ({ text: "Done." }))),
    );
    await eventually(() => expect(inside).toHaveLength(2));
    for (let left = runs.length; left > 0; left--) {
      await eventually(() => expect(inside).toHaveLength(Math.min(2, left)));
      inside.shift()?.();
    }
    for (const run of runs) expect(await desk().ended(run)).toMatchObject({ status: "completed" });
    expect(seen.most).toBe(2);
    await eventually(async () => expect((await pool().query("select from call_slots")).rowCount).toBe(0));
  });

  test("a slot of a worker that is gone is free, and a call that is stopped leaves none behind", async () => {
    const providerId = await aProvider(1);
    const { inside } = watched(providerId);
    await pool().query("insert into call_slots (id, provider_id, worker_id) values ('left', $1, 'a dead worker')", [
      providerId,
    ]);
    const team = await solo();
    const first = await desk().play(team, "takes the slot", () => ({ text: "Done." }));
    await eventually(() => expect(inside).toHaveLength(1));
    const waits = await desk().play(team, "waits and is stopped", () => ({ text: "Never said." }));
    await eventually(async () => expect((await desk().statusOf(waits)).status).toBe("running"));
    await stopRun({ scope: desk().scope, runId: waits });
    inside.shift()?.();
    expect(await desk().ended(first)).toMatchObject({ status: "completed" });
    await eventually(async () => expect((await pool().query("select from call_slots")).rowCount).toBe(0));
    expect(inside).toHaveLength(0);
  });

  test("a run that is paused while it waits for its turn makes no call, and waits anew when it is resumed", async () => {
    const { inside } = watched(await aProvider(1));
    const team = await solo();
    const scope = desk().scope;
    const first = await desk().play(team, "is inside", () => ({ text: "Done." }));
    await eventually(() => expect(inside).toHaveLength(1));
    const paused = await desk().play(team, "is paused while it waits", () => ({ text: "Late." }));
    await eventually(async () => expect((await desk().statusOf(paused)).status).toBe("running"));
    await pauseRun({ scope, runId: paused });
    inside.shift()?.();
    expect(await desk().ended(first)).toMatchObject({ status: "completed" });
    await eventually(async () => expect((await pool().query("select from call_slots")).rowCount).toBe(0));
    expect(inside).toHaveLength(0);
    expect((await pool().query("select from steps where run_id = $1", [paused])).rowCount).toBe(0);
    await resumeRun({ scope, runId: paused });
    await eventually(() => expect(inside).toHaveLength(1));
    inside.shift()?.();
    expect(await desk().ended(paused)).toMatchObject({ status: "completed", answer: "Late." });
  });

  test("whoever waits longest is next, and only that one asks the database", async () => {
    const { inside } = watched(await aProvider(1));
    const team = await solo();
    const order: string[] = [];
    const says = (name: string) => () => {
      order.push(name);
      return { text: "Done." };
    };
    const runs = [await desk().play(team, "first", says("first"))];
    await eventually(() => expect(inside).toHaveLength(1));
    const names = ["second", "third", "fourth", "fifth"];
    for (const name of names) {
      runs.push(await desk().play(team, name, says(name)));
      await eventually(async () => expect((await desk().statusOf(runs.at(-1) ?? "")).status).toBe("running"));
    }
    for (const run of runs) {
      await eventually(() => expect(inside).toHaveLength(1));
      inside.shift()?.();
      expect(await desk().ended(run)).toMatchObject({ status: "completed" });
    }
    expect(order).toEqual(["first", ...names]);
  });

  test("a limit that is lifted while calls wait lets them go on", async () => {
    const providerId = await aProvider(1);
    const { inside } = watched(providerId);
    const team = await solo();
    const runs = await Promise.all([1, 2].map((i) => desk().play(team, `lifted ${i}`, () => ({ text: "Done." }))));
    await eventually(() => expect(inside).toHaveLength(1));
    await db().provider.update({ where: { id: providerId }, data: { mostCalls: null } });
    await pool().query("select pg_notify('troupe_work', $1)", [`slot:${providerId}`]);
    await eventually(() => expect(inside).toHaveLength(2));
    for (const release of inside.splice(0)) release();
    for (const run of runs) expect(await desk().ended(run)).toMatchObject({ status: "completed" });
  });
});
