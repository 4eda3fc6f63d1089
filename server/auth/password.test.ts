import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password";

test("an unknown person takes as long as a wrong password", async () => {
  const stored = await hashPassword("correct horse battery");
  const timed = async (hash: string | null) => {
    const start = process.cpuUsage();
    expect(await verifyPassword("not the password", hash)).toBe(false);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const known = Math.min(await timed(stored), await timed(stored));
  const unknown = Math.min(await timed(null), await timed(null));
  expect(unknown).toBeGreaterThan(known / 2);
});
