import { pool } from "@/server/db";
import { describeConfiguredModel, type ModelDescription, REHEARSAL } from "./configured-model";
import { splitRef } from "./stored-model";

/**
 * The model that answers in this workspace where an agent names none: the workspace's choice, else the environment's,
 * else the rehearsal model. Whether it can be called is found out when it is looked up (model-directory.ts).
 */
export async function describeDefaultModel(workspaceId: string): Promise<ModelDescription> {
  const { rows } = await pool().query<{ chosen: string | null }>(
    "select default_model as chosen from workspaces where id = $1",
    [workspaceId],
  );
  return describeModel(rows[0]?.chosen ?? null);
}

/** As describeDefaultModel: only the reference, "provider/model". */
export async function defaultModelRef(workspaceId: string): Promise<string> {
  return (await describeDefaultModel(workspaceId)).ref;
}

/** A model's names from its reference; null stands for what the environment names. */
export function describeModel(ref: string | null): ModelDescription {
  const configured = describeConfiguredModel();
  if (ref === null || ref === configured.ref) return configured;
  if (ref === REHEARSAL.ref) return REHEARSAL;
  const { provider, name } = splitRef(ref);
  return { provider, name, ref, label: `${name} at ${provider}`, isRehearsal: false };
}
