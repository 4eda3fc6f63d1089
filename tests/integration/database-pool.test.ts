import { describe, expect, test } from "vitest";
import { pool } from "@/server/db";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("connections to the %s database", (kind) => {
  useDatabase(kind);

  test("compile no statement, also those opened at the same time", async () => {
    const settings = await Promise.all(Array.from({ length: 4 }, () => pool().query("SHOW jit")));
    expect(settings.map(({ rows }) => rows)).toEqual(Array(4).fill([{ jit: "off" }]));
  });
});
