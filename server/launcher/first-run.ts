import pg from "pg";

/** Which of the first things have happened in this database. */
export async function readFirstRun(url: string): Promise<{ hasWorkspace: boolean; hasUser: boolean }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ workspace: boolean; user: boolean }>(
      'SELECT EXISTS (SELECT FROM workspaces) AS workspace, EXISTS (SELECT FROM users) AS "user"',
    );
    return { hasWorkspace: rows[0]?.workspace ?? false, hasUser: rows[0]?.user ?? false };
  } finally {
    await client.end();
  }
}
