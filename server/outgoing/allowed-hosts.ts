import { pool } from "@/server/db";
import { hostPortOf, readTarget } from "./targets";

/** The private hosts this workspace's owners allowed, as "host:port", for guardedFetch. */
export async function allowedHosts(workspaceId: string): Promise<ReadonlySet<string>> {
  const { rows } = await pool().query<{ key: string }>(
    "select host || ':' || port as key from allowed_hosts where workspace_id = $1",
    [workspaceId],
  );
  return new Set(rows.map(({ key }) => key));
}

/**
 * Takes an allowance back once no provider, no tool server, no receiver of traces and no webhook of the workspace has an address there any
 * more; that of `exceptToolServer`, which may do without, does not count.
 */
export async function forgetUnusedHost(
  workspaceId: string,
  url: string,
  exceptToolServer: string | null = null,
): Promise<void> {
  const { rows } = await pool().query<{ url: string }>(
    `select base_url as url from providers where workspace_id = $1
     union select url from tool_servers where workspace_id = $1 and url is not null and id is distinct from $2::uuid
     union select url from trace_sinks where workspace_id = $1
     union select origin from webhooks where workspace_id = $1`,
    [workspaceId, exceptToolServer],
  );
  const { host, port, key } = readTarget(url).target;
  if (rows.some((row) => URL.canParse(row.url) && hostPortOf(row.url) === key)) return;
  await pool().query("delete from allowed_hosts where workspace_id = $1 and host = $2 and port = $3", [
    workspaceId,
    host,
    port,
  ]);
}
