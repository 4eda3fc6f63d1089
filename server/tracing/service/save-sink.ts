import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import { forgetUnusedHost } from "@/server/outgoing/allowed-hosts";
import { neededAllowance } from "@/server/outgoing/needed-allowance";
import type { Scope } from "@/server/workspaces/scope";
import { getTracing, headerNamesOf } from "../queries/get-tracing";
import type { SaveTracingInput } from "../schema";
import { type HeaderValues, openHeaders, sealHeaders } from "./sink-headers";

type Saved = { url: string; headersSealed: string | null; headerNames: unknown; enabled: boolean };

/**
 * Saves where the workspace's traces go. What ended before it was first turned on, or while it was off, is not sent. Stored headers stay with
 * the server they were entered for. Throws INVALID for an address that cannot be used or is private and not allowed, and for headers that must
 * be entered; NOT_READY without a secrets key; CONFLICT for a change meanwhile.
 */
export async function saveSink({ scope, input }: { scope: Scope; input: SaveTracingInput }) {
  const { workspaceId, userId } = scope;
  const { endpoint: url, allowPrivateHost } = input;
  const allowance = await neededAllowance(workspaceId, { url, allowPrivateHost });
  const before = await db().traceSink.findUnique({ where: { workspaceId } });
  const headers = mergedHeaders(workspaceId, input, before);
  const isTurnedOn = input.enabled && !before?.enabled;
  const isElsewhere = before !== null && before.url !== input.endpoint;
  const data = {
    ...{ url: input.endpoint, enabled: input.enabled, withContent: input.withContent },
    ...(headers === "kept"
      ? {}
      : { headersSealed: sealHeaders(workspaceId, headers), headerNames: Object.keys(headers) }),
    // It is tried at once, by whoever gets to it first.
    ...{ failures: 0, failingSince: null, problem: null, nextTryAt: new Date(), workerId: null },
    ...(isElsewhere ? { sent: 0, dropped: 0, sentAt: null } : {}),
  };
  await db().$transaction(async (tx) => {
    if (allowance) {
      const { host, port } = allowance;
      await tx.allowedHost.createMany({
        data: [{ workspaceId, host, port, createdById: userId }],
        skipDuplicates: true,
      });
    }
    if (before === null) {
      await tx.traceSink.createMany({ data: [{ workspaceId, ...data }], skipDuplicates: true });
      // Of two owners at once the second is told: one's address and the other's headers must not come together.
      const saved = await tx.traceSink.findUnique({ where: { workspaceId } });
      if (saved?.url !== input.endpoint) throw changedMeanwhile();
      return;
    }
    const where = { workspaceId, url: before.url, updatedAt: before.updatedAt };
    // By the database's clock, as the ends of agent runs are.
    if (isTurnedOn)
      await tx.$executeRaw`update trace_sinks set settled_at = now() where workspace_id = ${workspaceId}::uuid`;
    const { count } = await tx.traceSink.updateMany({ where, data });
    if (count === 0) throw changedMeanwhile();
  });
  if (isElsewhere) await forgetUnusedHost(workspaceId, before.url);
  return getTracing(workspaceId);
}

/** Sends nothing any more, and forgets the address and the headers. */
export async function removeSink(scope: Scope) {
  const { workspaceId } = scope;
  const before = await db().traceSink.findUnique({ where: { workspaceId } });
  await db().$transaction([
    db().traceSink.deleteMany({ where: { workspaceId } }),
    db().traceExport.deleteMany({ where: { workspaceId } }),
  ]);
  if (before) await forgetUnusedHost(workspaceId, before.url);
  return getTracing(workspaceId);
}

const changedMeanwhile = () => new AppError("CONFLICT", "Somebody changed this just now. Look at it again, then save.");

/** "kept": as they are stored. */
function mergedHeaders(workspaceId: string, input: SaveTracingInput, before: Saved | null): HeaderValues | "kept" {
  const kept = input.headers.filter(({ value }) => value === null).map(({ name }) => name);
  const stored = headerNamesOf(before?.headerNames);
  if (kept.length > 0 && (!before || new URL(before.url).origin !== new URL(input.endpoint).origin)) {
    throw new AppError("INVALID", `The address is another server. Enter ${kept.join(", ")} again, or remove it.`);
  }
  if (
    kept.length === input.headers.length &&
    kept.length === stored.length &&
    kept.every((name) => stored.includes(name))
  )
    return "kept";
  // Only what is kept needs the key: headers that no longer open can still be entered anew.
  const values = kept.length > 0 ? openHeaders(workspaceId, before?.headersSealed ?? null) : {};
  return Object.fromEntries(
    input.headers.map(({ name, value }) => {
      const header = value ?? values[name];
      if (header === undefined) throw new AppError("INVALID", `${name} has no stored value. Enter one.`);
      return [name, header];
    }),
  );
}
