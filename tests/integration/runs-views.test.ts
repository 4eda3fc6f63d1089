import { v7 as uuid } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { runFilters } from "@/server/runs/list-schema";
import type { Role, Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

const NOT_ALLOWED = { code: "FORBIDDEN" };
const NOT_FOUND = { code: "NOT_FOUND" };
const CONFLICT = { code: "CONFLICT" };
const INVALID = { code: "BAD_REQUEST" };
const FAILED = runFilters.parse({ status: ["failed"], tags: ["ops"] });

describe.each(DATABASE_KINDS)("saved views of runs (%s)", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  beforeEach(async () => {
    owner = await aMember(db(), await aWorkspace(db()));
  });
  const views = (scope = owner) => callerOf(scope).runViews;
  const as = async (role: Role) => views(await aMember(db(), owner.workspaceId, role));
  const namesOf = async (of: ReturnType<typeof views>) => (await of.list()).map(({ name }) => name);

  test("keep filters under a name, for oneself", async () => {
    const { viewId } = await views().save({ name: " Failed in ops ", filters: FAILED });
    await views().save({ name: "all", filters: {} });
    expect(await views().list()).toEqual([
      {
        ...{ id: expect.any(String), name: "all", filters: runFilters.parse({}) },
        ...{ isShared: false, isMine: true, by: owner.userName },
      },
      { id: viewId, name: "Failed in ops", filters: FAILED, isShared: false, isMine: true, by: owner.userName },
    ]);
    expect(await namesOf(await as("owner"))).toEqual([]);
  });

  test("are renamed, brought up to date and deleted", async () => {
    const { viewId } = await views().save({ name: "Failed", filters: FAILED });
    const later = runFilters.parse({ status: ["failed"], archived: true });
    await views().change({ viewId, filters: later });
    await views().change({ viewId, name: "Failed once" });
    expect(await views().list()).toMatchObject([{ id: viewId, name: "Failed once", filters: later }]);
    await views().remove({ viewId });
    expect(await views().list()).toEqual([]);
    await expect(views().change({ viewId, name: "Again" })).rejects.toMatchObject(NOT_FOUND);
  });

  test("have a name one has not given yet, and are not without number", async () => {
    const { viewId } = await views().save({ name: "Failed", filters: FAILED });
    await expect(views().save({ name: "FAILED", filters: {} })).rejects.toMatchObject(CONFLICT);
    const { viewId: other } = await views().save({ name: "Other", filters: {} });
    await expect(views().change({ viewId: other, name: "failed" })).rejects.toMatchObject(CONFLICT);
    await views().change({ viewId, name: "failed" });
    for (const name of [" ", "x".repeat(61)]) {
      await expect(views().save({ name, filters: {} })).rejects.toMatchObject(INVALID);
    }
    for (let n = 3; n <= 50; n++) await views().save({ name: `View ${n}`, filters: {} });
    await expect(views().save({ name: "One more", filters: {} })).rejects.toMatchObject(INVALID);
  });

  test("are shared by editors, seen by everybody, and changed by editors only", async () => {
    const { viewId } = await (await as("editor")).save({ name: "Shared", filters: FAILED, isShared: true });
    const operator = await as("operator");
    const viewer = await as("viewer");
    for (const somebody of [operator, viewer, views()]) {
      expect(await somebody.list()).toMatchObject([{ id: viewId, name: "Shared", isShared: true, isMine: false }]);
    }
    await expect(operator.change({ viewId, name: "Mine" })).rejects.toMatchObject(NOT_ALLOWED);
    await expect(operator.remove({ viewId })).rejects.toMatchObject(NOT_ALLOWED);
    await expect(operator.save({ name: "Shared too", filters: {}, isShared: true })).rejects.toMatchObject(NOT_ALLOWED);
    // One of their own they may have, and keep to themselves.
    const { viewId: own } = await viewer.save({ name: "Shared", filters: {} });
    await expect(viewer.change({ viewId: own, isShared: true })).rejects.toMatchObject(NOT_ALLOWED);
    await viewer.change({ viewId: own, name: "Own" });
    expect(await namesOf(viewer)).toEqual(["Own", "Shared"]);
    // Another editor stops sharing it: it is its maker's again.
    await views().change({ viewId, isShared: false });
    expect(await namesOf(operator)).toEqual([]);
    await expect(views().change({ viewId, isShared: true })).rejects.toMatchObject(NOT_FOUND);
  });

  test("of somebody else or another workspace are not there", async () => {
    const { viewId } = await views().save({ name: "Mine", filters: FAILED });
    const { viewId: shared } = await views().save({ name: "Ours", filters: FAILED, isShared: true });
    const colleague = await as("owner");
    await expect(colleague.change({ viewId, name: "Theirs" })).rejects.toMatchObject(NOT_FOUND);
    await expect(colleague.remove({ viewId })).rejects.toMatchObject(NOT_FOUND);
    const stranger = views(await aMember(db(), await aWorkspace(db())));
    expect(await stranger.list()).toEqual([]);
    for (const id of [viewId, shared, uuid()]) {
      await expect(stranger.change({ viewId: id, name: "Theirs" })).rejects.toMatchObject(NOT_FOUND);
      await expect(stranger.remove({ viewId: id })).rejects.toMatchObject(NOT_FOUND);
    }
    expect(await namesOf(views())).toEqual(["Mine", "Ours"]);
  });
});
