import { afterEach, expect, test } from "vitest";
import { pool } from "@/server/db";
import { aWorld, countOf, endWorld, type World } from "@/tests/faults/world";

let world: World | undefined;

afterEach(async () => {
  if (world) await endWorld(world);
});

test("a world is entered on its own database, also when somebody came late to the one before", async () => {
  await endWorld(await aWorld("embedded", { honoursKey: true }));
  // As a read does that was still under way: a pool on a database that is gone.
  await pool()
    .query("select 1")
    .catch(() => {});
  world = await aWorld("embedded", { honoursKey: true });
  expect(await countOf("select count(*)::int as n from teams")).toBe(2);
});
