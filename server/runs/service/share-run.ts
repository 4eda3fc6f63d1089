import { randomBytes } from "node:crypto";
import { v7 as newId } from "uuid";
import { pool } from "@/server/db";
import { hashOf } from "@/server/engine/ids";
import { AppError } from "@/server/errors";
import type { Scope } from "@/server/workspaces/scope";
import { whyMissing } from "../queries/why-missing";
import { whyNotRevoke } from "../rules";
import type { CreateShareLinkInput } from "../share-schema";

/** 256 bits: nobody guesses one. */
const TOKEN_BYTES = 32;
/** Of one run that still lead somewhere. */
const MOST_LINKS = 100;

/** Makes a link to a run. Its token is returned and kept nowhere. Throws NOT_FOUND, and INVALID for a run with too many links. */
export async function createShareLink({
  scope: { workspaceId, userId },
  input: { runId, place, days },
}: {
  scope: Scope;
  input: CreateShareLinkInput;
}): Promise<{ id: string; token: string }> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const id = newId();
  const { rows } = await pool().query<{ links: number; stored: number }>(
    `WITH standing AS (
       SELECT (SELECT count(*)::int FROM share_links l WHERE l.workspace_id = $1 AND l.run_id = r.id AND l.revoked_at IS NULL
           AND (l.expires_at IS NULL OR l.expires_at > now())) AS links
       FROM runs r WHERE r.workspace_id = $1 AND r.id = $2 AND r.removing_at IS NULL
     ), made AS (
       INSERT INTO share_links (id, workspace_id, run_id, token_hash, place, created_by_id, expires_at)
       SELECT $3, $1, $2, $4, $5, $6, now() + make_interval(days => $7) FROM standing WHERE links < $8 RETURNING id)
     SELECT links, (SELECT count(*)::int FROM made) AS stored FROM standing`,
    [workspaceId, runId, id, hashOf(token), place, userId, days, MOST_LINKS],
  );
  const [row] = rows;
  if (!row) throw await whyMissing(workspaceId, runId);
  if (row.stored === 0) {
    throw new AppError("INVALID", `This run has ${MOST_LINKS} links already. Take back one that nobody needs.`);
  }
  return { id, token };
}

/** Takes a link back at once; twice changes nothing. Throws NOT_FOUND, and NOT_ALLOWED for somebody else's unless an editor does it. */
export async function revokeShareLink({ scope, linkId }: { scope: Scope; linkId: string }): Promise<{ id: string }> {
  const { rows } = await pool().query<{ isMine: boolean }>(
    `SELECT coalesce(created_by_id = $3, false) AS "isMine" FROM share_links WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, linkId, scope.userId],
  );
  const [link] = rows;
  if (!link) throw new AppError("NOT_FOUND", "There is no such link.");
  const whyNot = whyNotRevoke(scope.role, link);
  if (whyNot) throw new AppError("NOT_ALLOWED", whyNot);
  await pool().query(
    "UPDATE share_links SET revoked_at = coalesce(revoked_at, now()) WHERE workspace_id = $1 AND id = $2",
    [scope.workspaceId, linkId],
  );
  return { id: linkId };
}
