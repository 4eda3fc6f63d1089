import type pg from "pg";
import { effectivePolicy, resiliencePolicy } from "@/server/engine/resilience/policy";
import { AppError } from "@/server/errors";
import { guardedFetch } from "@/server/outgoing/guarded-fetch";
import { openSecret } from "@/server/secrets/seal";
import { ModelError, type ModelGuard, type ModelPrice } from "./model";
import type { Remedies } from "./openai-errors";

/** A saved model of a workspace's provider, with all it takes to call it. Holds an opened key: never store or log it. */
export type StoredModel = {
  provider: string;
  name: string;
  kind: "chat" | "embedding";
  price?: ModelPrice;
  contextTokens?: number;
  /** The provider, where it allows only so many calls at once. */
  limitedBy?: string;
  guard?: ModelGuard;
  endpoint: { baseUrl: string; apiKey?: string; fetch: typeof fetch; remedies: Remedies };
};

type Row = {
  provider_id: string;
  base_url: string;
  api_key_sealed: string | null;
  most_calls: number | null;
  resilience: unknown;
  kind: "chat" | "embedding" | null;
  input: string | null;
  output: string | null;
  cached: string | null;
  reasoning: string | null;
  context_tokens: number | null;
  allowed: string[] | null;
};

/** What the key of a provider is sealed for. */
export const providerKeyPurpose = (providerId: string) => `provider:${providerId}`;

/** Whose breaker and rate limit it is. */
export const providerSubject = (providerId: string) => `provider:${providerId}`;

/** "provider/model", cut at the first slash: the names of models hold slashes themselves. */
export function splitRef(ref: string): { provider: string; name: string } {
  const cut = ref.indexOf("/");
  return cut < 0 ? { provider: ref, name: "" } : { provider: ref.slice(0, cut), name: ref.slice(cut + 1) };
}

/** Throws ModelError unknown_model (which, and what to do) or unauthorized (the key cannot be opened). */
export async function readStoredModel(pool: pg.Pool, workspaceId: string, ref: string): Promise<StoredModel> {
  const { provider, name } = splitRef(ref);
  const { rows } = await pool.query<Row>(
    `select p.id as provider_id, p.base_url, p.api_key_sealed, p.most_calls, p.resilience, m.kind, m.context_tokens,
            m.input_nano_usd_per_mtok as input, m.output_nano_usd_per_mtok as output,
            m.cached_nano_usd_per_mtok as cached, m.reasoning_nano_usd_per_mtok as reasoning,
            (select array_agg(host || ':' || port) from allowed_hosts where workspace_id = $1) as allowed
     from providers p
     left join provider_models m on m.workspace_id = p.workspace_id and m.provider_id = p.id and m.name = $3
     where p.workspace_id = $1 and p.name = $2`,
    [workspaceId, provider, name],
  );
  const row = rows[0];
  if (!row) {
    const what = `There is no provider “${provider}” for the model “${ref}”.`;
    throw new ModelError("unknown_model", `${what} An owner can add it under Models; or choose another model.`);
  }
  if (!row.kind) {
    const what = `The provider “${provider}” has no model “${name}” here.`;
    throw new ModelError("unknown_model", `${what} An owner can add it under Models; or choose another model.`);
  }
  const apiKey = openKey(workspaceId, provider, row);
  return {
    provider,
    name,
    kind: row.kind,
    ...(row.most_calls === null ? {} : { limitedBy: row.provider_id }),
    ...guardOf(workspaceId, provider, row),
    ...priceOf(row),
    ...(row.context_tokens === null ? {} : { contextTokens: row.context_tokens }),
    endpoint: {
      baseUrl: row.base_url,
      ...(apiKey ? { apiKey } : {}),
      fetch: guardedFetch({ allowPrivate: new Set(row.allowed ?? []) }),
      remedies: remediesFor(provider),
    },
  };
}

/** Half a price is no price: a cost that leaves out one side would look like the whole. Those of cached tokens and of reasoning only refine it. */
function priceOf({ input, output, cached, reasoning }: Row): { price?: ModelPrice } {
  if (input === null || output === null) return {};
  const own = (nanoUsd: string | null) => (nanoUsd === null ? null : Number(nanoUsd));
  return {
    price: {
      ...{ inputNanoUsd: Number(input), outputNanoUsd: Number(output) },
      ...{ cachedNanoUsd: own(cached), reasoningNanoUsd: own(reasoning) },
    },
  };
}

function guardOf(workspaceId: string, provider: string, row: Row): { guard?: ModelGuard } {
  const stated = resiliencePolicy.parse(row.resilience);
  if (Object.keys(stated).length === 0) return {};
  const subject = { workspaceId, key: providerSubject(row.provider_id), name: `The provider “${provider}”` };
  return { guard: { subject, policy: effectivePolicy(stated) } };
}

function openKey(workspaceId: string, provider: string, row: Row): string | undefined {
  if (row.api_key_sealed === null) return undefined;
  try {
    return openSecret({ workspaceId, purpose: providerKeyPurpose(row.provider_id) }, row.api_key_sealed);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new ModelError("unauthorized", `The key of “${provider}” cannot be used. ${error.userMessage}`);
  }
}

function remediesFor(provider: string): Remedies {
  return {
    key: `An owner can enter a new key for “${provider}” under Models.`,
    address: `Check that it runs and that the address of “${provider}” under Models is right.`,
    model: `remove it from “${provider}” under Models, or choose another`,
  };
}
