import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("links to runs (%s)", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  let team: TeamFixture;
  let runId: string;
  beforeAll(async () => {
    owner = await aMember(db(), await aWorkspace(db()));
    team = await aSampleTeam(db(), owner.workspaceId);
    runId = await insertSampleRun(db(), { workspaceId: owner.workspaceId, team, state: "finished" });
  });
  const shares = (scope: Scope = owner) => callerOf(scope).runShares;
  /** Why it is refused, with all that a stranger could compare. */
  async function refusalOf(scope: Scope, token: string) {
    return shares(scope)
      .open({ token })
      .then(
        () => null,
        ({ code, message, cause }) => ({ code, message, cause: cause?.name }),
      );
  }

  test("a link opens what it was made for, for every member of the workspace", async () => {
    const decision = await db().decision.findFirstOrThrow({ where: { runId } });
    const place = `decision:${decision.id}`;
    const { token } = await shares().create({ runId, place, days: 7 });
    const viewer = await aMember(db(), owner.workspaceId, "viewer");
    expect(await shares(viewer).open({ token })).toEqual({ runId, place });
    const [link] = await shares(viewer).list({ runId });
    expect(link).toMatchObject({
      place,
      createdBy: owner.userName,
      state: "open",
      placeName: expect.stringContaining("decision"),
    });
    expect(Date.parse(link?.expiresAt ?? "") - Date.parse(link?.createdAt ?? "")).toBe(7 * 86_400_000);
  });

  test("its token is long, told once, and only a hash of it is kept", async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => shares().create({ runId, place: null, days: null })),
    );
    expect(new Set(made.map(({ token }) => token)).size).toBe(20);
    for (const { token } of made) expect(Buffer.from(token, "base64url").length * 8).toBeGreaterThanOrEqual(128);
    const { rows } = await pool().query("SELECT * FROM share_links");
    const kept = JSON.stringify(rows);
    for (const { token } of made) {
      expect(kept).not.toContain(token);
      expect(kept).toContain(createHash("sha256").update(token).digest("hex"));
    }
    expect(JSON.stringify(await shares().list({ runId }))).not.toContain(made[0]?.token);
  });

  test("guessed, taken back, expired, of a removed run and of another workspace are refused alike (A44)", async () => {
    const [revoked, expired, good] = await Promise.all(
      [1, 1, 1].map(() => shares().create({ runId, place: null, days: 1 })),
    );
    if (!revoked || !expired || !good) throw new Error("There are three.");
    expect(await shares().open({ token: revoked.token })).toEqual({ runId, place: null });
    await shares().revoke({ linkId: revoked.id });
    await shares().revoke({ linkId: revoked.id });
    await pool().query("UPDATE share_links SET expires_at = now() - interval '1 second' WHERE id = $1", [expired.id]);
    const other = await insertSampleRun(db(), { workspaceId: owner.workspaceId, team, state: "finished" });
    const gone = await shares().create({ runId: other, place: null, days: null });
    await callerOf(owner).runs.remove({ runIds: [other] });

    const guessed = await refusalOf(owner, randomBytes(32).toString("base64url"));
    expect(guessed).toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining("leads nowhere") });
    const stranger = await aMember(db(), await aWorkspace(db()));
    const all = [
      await refusalOf(owner, revoked.token),
      await refusalOf(owner, expired.token),
      await refusalOf(owner, gone.token),
      await refusalOf(stranger, good.token),
      await refusalOf(owner, ""),
      // Its hash, or its id, opens nothing.
      await refusalOf(owner, createHash("sha256").update(good.token).digest("hex")),
      await refusalOf(owner, good.id),
    ];
    for (const refusal of all) expect(refusal).toEqual(guessed);
    const states = new Map((await shares().list({ runId })).map(({ id, state }) => [id, state]));
    expect([revoked.id, expired.id, good.id].map((id) => states.get(id))).toEqual(["revoked", "expired", "open"]);
  });

  test("viewers make none, operators take back their own, editors any; nobody those of another workspace", async () => {
    const [viewer, operator, editor] = [
      await aMember(db(), owner.workspaceId, "viewer"),
      await aMember(db(), owner.workspaceId, "operator"),
      await aMember(db(), owner.workspaceId, "editor"),
    ];
    await expect(shares(viewer).create({ runId, place: null, days: 1 })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const mine = await shares(operator).create({ runId, place: null, days: 1 });
    const theirs = await shares().create({ runId, place: null, days: 1 });
    await expect(shares(operator).revoke({ linkId: theirs.id })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await shares(operator).revoke({ linkId: mine.id });
    await shares(editor).revoke({ linkId: theirs.id });
    const stranger = await aMember(db(), await aWorkspace(db()));
    const kept = await shares().create({ runId, place: null, days: 1 });
    for (const attempt of [
      () => shares(stranger).create({ runId, place: null, days: 1 }),
      () => shares(stranger).revoke({ linkId: kept.id }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await expect(shares(stranger).list({ runId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await shares().open({ token: kept.token })).toEqual({ runId, place: null });
  });
});
