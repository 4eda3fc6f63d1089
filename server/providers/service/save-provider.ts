import { isDeepStrictEqual } from "node:util";
import { v7 as newId } from "uuid";
import { Prisma } from "@/prisma/generated/client";
import { db } from "@/server/db";
import type { ResiliencePolicy } from "@/server/engine/resilience/policy";
import { AppError } from "@/server/errors";
import { describeConfiguredModel } from "@/server/models/configured-model";
import { providerKeyPurpose, providerSubject } from "@/server/models/stored-model";
import { allowedHosts, forgetUnusedHost } from "@/server/outgoing/allowed-hosts";
import { isPrivateTarget, readTarget } from "@/server/outgoing/targets";
import { sealSecret } from "@/server/secrets/seal";
import type { Scope } from "@/server/workspaces/scope";
import { findUses, getProvider, listModelChoices } from "../queries";
import { baseUrlProblem, cleanBaseUrl, isSameOrigin, keyHint, usesSentence } from "../rules";
import type { ModelFields, ProviderView } from "../schema";
import { testedAt } from "./endpoint-proof";

const MOST_PROVIDERS = 100;

type CreateProvider = {
  name: string;
  baseUrl: string;
  apiKey: string;
  allowPrivateHost: boolean;
  models: readonly ModelFields[];
  proof: string | null;
};

/**
 * Saves a provider, its sealed key and its models, all or nothing; as tested, where the proof is of just these. Throws INVALID for an address that cannot be used or
 * is private and not allowed, CONFLICT for a name in use, NOT_READY without a secrets key.
 */
export async function createProvider(scope: Scope, input: CreateProvider): Promise<ProviderView> {
  const { workspaceId } = scope;
  const { baseUrl, allowance } = await usableAddress(scope, input);
  if (input.name === describeConfiguredModel().provider) {
    throw new AppError("CONFLICT", `The server's own model is already called “${input.name}/…”. Take another name.`);
  }
  if ((await db().provider.count({ where: { workspaceId } })) >= MOST_PROVIDERS) {
    throw new AppError("INVALID", `A workspace has at most ${MOST_PROVIDERS} providers. Remove one first.`);
  }
  if (new Set(input.models.map(({ name }) => name)).size < input.models.length) {
    throw new AppError("INVALID", "A model is in the list twice. Name each once.");
  }
  const id = newId();
  try {
    const created = db().provider.create({
      data: {
        ...{ id, workspaceId, name: input.name, baseUrl, ...sealed(scope, id, input.apiKey) },
        checkedAt: testedAt({ workspaceId, baseUrl, apiKey: input.apiKey }, input.proof),
        models: { create: input.models.map((model) => ({ id: newId(), ...model })) },
      },
    });
    await db().$transaction([...allowance, created]);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new AppError("CONFLICT", `There is already a provider called “${input.name}”. Take another name.`);
  }
  return getProvider(workspaceId, id);
}

type UpdateProvider = {
  providerId: string;
  baseUrl: string;
  apiKey?: string | undefined;
  allowPrivateHost: boolean;
  mostCalls?: number | null | undefined;
  resilience?: ResiliencePolicy | undefined;
};

/**
 * Changes address, key, how many calls may be under way at once and how they are guarded. A stored key stays with the server it was entered for:
 * another address needs it again, or an owner could be led to send it elsewhere. Throws NOT_FOUND, CONFLICT for a change meanwhile, and as createProvider.
 */
export async function updateProvider(scope: Scope, input: UpdateProvider): Promise<ProviderView> {
  const { workspaceId } = scope;
  const { providerId, apiKey, resilience } = input;
  const before = await getProvider(workspaceId, providerId);
  const address = cleanBaseUrl(input.baseUrl);
  if (apiKey === undefined && before.apiKeyHint !== null && !isSameOrigin(before.baseUrl, address)) {
    throw new AppError("INVALID", "The new address is another server. Enter its key, or remove the stored one.");
  }
  await assertStandIn(scope, resilience?.fallback?.use ?? null);
  const { baseUrl, allowance } = await usableAddress(scope, input);
  const updated = db().provider.updateMany({
    // Of two owners at once the second is told: its address and the first one's key must not come together.
    where: { workspaceId, id: providerId, baseUrl: before.baseUrl },
    data: {
      baseUrl,
      // What the last test found was about the address and the key of then.
      ...(apiKey === undefined && baseUrl === before.baseUrl ? {} : { checkedAt: null, checkError: null }),
      ...(input.mostCalls === undefined ? {} : { mostCalls: input.mostCalls }),
      ...(apiKey === undefined ? {} : sealed(scope, providerId, apiKey)),
      ...(resilience === undefined ? {} : { resilience }),
    },
  });
  // What was counted by another policy counts no more.
  const isGuardedAnew = resilience !== undefined && !isDeepStrictEqual(resilience, before.resilience);
  const subject = providerSubject(providerId);
  const forgotten = isGuardedAnew ? [db().gate.deleteMany({ where: { workspaceId, subject } })] : [];
  // Whoever waits for room looks again.
  const told = db().$executeRaw`select pg_notify('troupe_work', ${`slot:${providerId}`})`;
  const [{ count }] = await db().$transaction([updated, told, ...forgotten, ...allowance]);
  await forgetUnusedHost(workspaceId, before.baseUrl);
  if (count === 0) {
    await forgetUnusedHost(workspaceId, baseUrl);
    throw new AppError("CONFLICT", "Somebody changed this provider just now. Look at it again, then save.");
  }
  return getProvider(workspaceId, providerId);
}

/** Throws NOT_FOUND, and CONFLICT naming the agents, knowledge bases and default that still use its models. */
export async function removeProvider(scope: Scope, providerId: string): Promise<{ providerId: string }> {
  const { workspaceId } = scope;
  const { name, baseUrl } = await getProvider(workspaceId, providerId);
  const inUse = usesSentence(await findUses(workspaceId, { provider: name }));
  if (inUse)
    throw new AppError("CONFLICT", `Models of “${name}” are still in use: ${inUse}. Choose other models there first.`);
  const subject = providerSubject(providerId);
  await db().$transaction([
    db().provider.deleteMany({ where: { workspaceId, id: providerId } }),
    db().gate.deleteMany({ where: { workspaceId, subject } }),
  ]);
  await forgetUnusedHost(workspaceId, baseUrl);
  return { providerId };
}

async function assertStandIn({ workspaceId }: Scope, ref: string | null): Promise<void> {
  if (ref === null) return;
  const known = await listModelChoices(workspaceId);
  if (known.some((model) => model.ref === ref && model.kind === "chat")) return;
  throw new AppError(
    "INVALID",
    `There is no chat model “${ref}” that could stand in. Choose another, or add it first.`,
  );
}

/** The address to save, and what allows its private host, to be stored with it. */
async function usableAddress({ workspaceId, userId }: Scope, input: { baseUrl: string; allowPrivateHost: boolean }) {
  const baseUrl = cleanBaseUrl(input.baseUrl);
  const problem = baseUrlProblem(baseUrl);
  if (problem) throw new AppError("INVALID", problem);
  const { host, port, key } = readTarget(baseUrl).target;
  const isAllowed = (await allowedHosts(workspaceId)).has(key);
  // A public name gets no allowance: it could be turned to a private address later.
  if (isAllowed || !(await isPrivateTarget(baseUrl))) return { baseUrl, allowance: [] };
  if (!input.allowPrivateHost) {
    const where = new URL(baseUrl).host;
    throw new AppError("INVALID", `${where} is on this machine or a private network. Allow calls there, then save.`);
  }
  const row = { workspaceId, host, port };
  const create = { ...row, createdById: userId };
  const allowance = db().allowedHost.upsert({ where: { workspaceId_host_port: row }, create, update: {} });
  return { baseUrl, allowance: [allowance] };
}

function sealed({ workspaceId }: Scope, providerId: string, apiKey: string) {
  if (!apiKey) return { apiKeySealed: null, apiKeyHint: null };
  const purpose = providerKeyPurpose(providerId);
  return { apiKeySealed: sealSecret({ workspaceId, purpose }, apiKey), apiKeyHint: keyHint(apiKey) };
}

const isTaken = (error: unknown) => error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
