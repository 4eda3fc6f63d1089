import { pool } from "@/server/db";

async function lives(): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ id: string; since: string }>(
    "select id, started_at::text as since from workers",
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
}

/**
 * Watches the workers there are. The answer tells whether one of them was silent for so long that the others forgot it, though nobody
 * stopped it: a machine that is late does that, and then it is right that its runs were taken over.
 */
export async function watchWorkers(): Promise<() => Promise<boolean>> {
  const before = await lives();
  return async () => {
    const now = await lives();
    return [...before].some(([id, since]) => now.get(id) !== since);
  };
}
