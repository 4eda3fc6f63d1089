import { v7 as newId } from "uuid";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import { describeConfiguredModel } from "@/server/models/configured-model";
import { describeModel } from "@/server/models/default-model";
import type { Scope } from "@/server/workspaces/scope";
import { findUses, getModel, getProvider, listModelChoices } from "../queries";
import { usesSentence } from "../rules";
import type { ModelFields, ProviderModelView, ProviderView } from "../schema";

/**
 * Adds a model to a provider, or changes the one of that name. Throws NOT_FOUND for the provider, CONFLICT when a model in
 * use would become one of another kind.
 */
export async function saveModel(
  scope: Scope,
  { providerId, ...fields }: ModelFields & { providerId: string },
): Promise<ProviderModelView> {
  const { workspaceId } = scope;
  const provider = await getProvider(workspaceId, providerId);
  const before = provider.models.find(({ name }) => name === fields.name);
  if (before && before.kind !== fields.kind) await assertUnused(scope, before.ref);
  const { id } = await db().providerModel.upsert({
    where: { providerId_name: { providerId, name: fields.name }, workspaceId },
    create: { id: newId(), workspaceId, providerId, ...fields },
    update: fields,
    select: { id: true },
  });
  return getModel(workspaceId, id);
}

/**
 * Adds several models to a provider, all or nothing; one it has already stays as it is. Throws NOT_FOUND for the provider,
 * INVALID for a name given twice.
 */
export async function addModels(
  { workspaceId }: Scope,
  { providerId, models }: { providerId: string; models: readonly ModelFields[] },
): Promise<ProviderView> {
  await getProvider(workspaceId, providerId);
  if (new Set(models.map(({ name }) => name)).size < models.length) {
    throw new AppError("INVALID", "A model is in the list twice. Name each once.");
  }
  await db().providerModel.createMany({
    data: models.map((model) => ({ id: newId(), workspaceId, providerId, ...model })),
    skipDuplicates: true,
  });
  return getProvider(workspaceId, providerId);
}

/** Throws NOT_FOUND, and CONFLICT naming what still uses it. */
export async function removeModel(scope: Scope, modelId: string): Promise<{ modelId: string }> {
  const { workspaceId } = scope;
  const { ref } = await getModel(workspaceId, modelId);
  await assertUnused(scope, ref);
  await db().providerModel.deleteMany({ where: { workspaceId, id: modelId } });
  return { modelId };
}

/** Sets what answers where an agent names no model; null: what the environment names. Throws INVALID for an unknown one. */
export async function setDefaultModel(
  scope: Scope,
  model: string | null,
): Promise<{ ref: string; label: string; isRehearsal: boolean }> {
  const { workspaceId } = scope;
  if (model !== null) {
    const known = await listModelChoices(workspaceId);
    if (!known.some(({ ref, kind }) => ref === model && kind === "chat")) {
      throw new AppError("INVALID", `There is no chat model “${model}” here. Add it to its provider first.`);
    }
  }
  // What the environment names is followed, so that it may be changed there.
  const defaultModel = model === describeConfiguredModel().ref ? null : model;
  await db().workspace.update({ where: { id: workspaceId }, data: { defaultModel } });
  return describeModel(defaultModel);
}

async function assertUnused({ workspaceId }: Scope, ref: string): Promise<void> {
  const inUse = usesSentence(await findUses(workspaceId, { ref }));
  if (inUse) throw new AppError("CONFLICT", `“${ref}” is still in use: ${inUse}. Choose another model there first.`);
}
