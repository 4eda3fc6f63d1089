import { findBlobs } from "@/server/runs/queries/blobs";
import { surfaceHash } from "@/server/runs/queries/tool-surface";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { readCalls } from "./read-calls";

/** What each stored request offered, by the request's hash: requests differ in more than their tools. */
export type Surfaces = Map<string, { hash: string; names: string[] }>;

type Calls = { from: string; conditions: readonly string[]; values: readonly unknown[] };
type Requested = { tools: { name: string; parameters: unknown }[] };

/** The tool surfaces among some calls. A call that was not made keeps no request, so it has none. */
export async function findSurfaces(workspaceId: WorkspaceId, { from, conditions, values }: Calls): Promise<Surfaces> {
  const rows = await readCalls<{ hash: string }>(
    `SELECT DISTINCT s.request_hash AS hash FROM ${from} WHERE ${conditions.join(" AND ")} AND s.request_hash IS NOT NULL`,
    values,
  );
  const blobs = await findBlobs(
    workspaceId,
    rows.map(({ hash }) => hash),
  );
  return new Map(
    [...blobs].map(([request, content]) => {
      const { tools } = JSON.parse(content) as Requested;
      return [request, { hash: surfaceHash(tools), names: tools.map(({ name }) => name).sort() }];
    }),
  );
}
