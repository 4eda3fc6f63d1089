import { pool } from "@/server/db";
import { breakerState } from "@/server/engine/resilience/breaker";
import { resiliencePolicy } from "@/server/engine/resilience/policy";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { configuredPrice, describeConfiguredModel, REHEARSAL } from "@/server/models/configured-model";
import { describeDefaultModel } from "@/server/models/default-model";
import type { ModelPrice } from "@/server/models/model";
import { hostPortOf } from "@/server/outgoing/targets";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ModelChoice, ModelPrices, ProviderModelView, ProviderView } from "./schema";

type ModelRow = {
  id: string;
  name: string;
  kind: "chat" | "embedding";
  context_tokens: number | null;
  input: string | null;
  cached: string | null;
  output: string | null;
  reasoning: string | null;
};
type ProviderRow = {
  id: string;
  name: string;
  base_url: string;
  api_key_hint: string | null;
  checked_at: Date | null;
  check_error: string | null;
  most_calls: number | null;
  resilience: unknown;
  breaker: unknown;
  models: ModelRow[];
  allowed: string[] | null;
};

const PROVIDERS = `
  select p.id, p.name, p.base_url, p.api_key_hint, p.checked_at, p.check_error, p.most_calls, p.resilience,
    (select breaker from gates where workspace_id = p.workspace_id and subject = 'provider:' || p.id) as breaker,
    (select array_agg(host || ':' || port) from allowed_hosts where workspace_id = p.workspace_id) as allowed,
    coalesce((
      select json_agg(json_build_object(
        'id', m.id, 'name', m.name, 'kind', m.kind, 'context_tokens', m.context_tokens,
        'input', m.input_nano_usd_per_mtok::text, 'cached', m.cached_nano_usd_per_mtok::text,
        'output', m.output_nano_usd_per_mtok::text, 'reasoning', m.reasoning_nano_usd_per_mtok::text
      ) order by m.kind, m.name)
      from provider_models m where m.workspace_id = p.workspace_id and m.provider_id = p.id
    ), '[]') as models
  from providers p`;

/** Every provider of the workspace with its models, by name. Keys are not among what is read. */
export async function listProviders(workspaceId: WorkspaceId): Promise<ProviderView[]> {
  const { rows } = await pool().query<ProviderRow>(`${PROVIDERS} where p.workspace_id = $1 order by p.name`, [
    workspaceId,
  ]);
  return rows.map(toProviderView);
}

/** Throws NOT_FOUND. */
export async function getProvider(workspaceId: WorkspaceId, providerId: string): Promise<ProviderView> {
  const { rows } = await pool().query<ProviderRow>(`${PROVIDERS} where p.workspace_id = $1 and p.id = $2`, [
    workspaceId,
    providerId,
  ]);
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such provider. It may have been removed.");
  return toProviderView(rows[0]);
}

/** A saved model and whose it is. Throws NOT_FOUND. */
export async function getModel(
  workspaceId: WorkspaceId,
  modelId: string,
): Promise<ProviderModelView & { providerId: string }> {
  const { rows } = await pool().query<ModelRow & { provider_id: string; provider: string }>(
    `select m.id, m.name, m.kind, m.context_tokens, m.input_nano_usd_per_mtok as input, m.cached_nano_usd_per_mtok as cached,
            m.output_nano_usd_per_mtok as output, m.reasoning_nano_usd_per_mtok as reasoning, p.id as provider_id, p.name as provider
     from provider_models m join providers p on p.workspace_id = m.workspace_id and p.id = m.provider_id
     where m.workspace_id = $1 and m.id = $2`,
    [workspaceId, modelId],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "There is no such model. It may have been removed.");
  return { ...toModelView(row.provider, row), providerId: row.provider_id };
}

/** What can be chosen in forms: saved models, the environment's, and the rehearsal model last. */
export async function listModelChoices(workspaceId: WorkspaceId): Promise<ModelChoice[]> {
  const [providers, usual] = await Promise.all([listProviders(workspaceId), describeDefaultModel(workspaceId)]);
  const configured = describeConfiguredModel();
  const fromEnvironment = {
    ...configured,
    ...{ kind: "chat" as const, contextTokens: env().MODEL_CONTEXT_TOKENS ?? null },
    ...pricesOf(configuredPrice()),
  };
  const saved = providers.flatMap(({ name: provider, models }) =>
    models.map((model) => ({ ...model, label: `${model.name} at ${provider}`, isRehearsal: false })),
  );
  const free = pricesOf({ inputNanoUsd: 0, outputNanoUsd: 0 });
  const rehearsal = { ...REHEARSAL, ...free, kind: "chat" as const, contextTokens: null };
  const all = [...saved, ...(configured.isRehearsal ? [] : [fromEnvironment]), rehearsal];
  return all.map(({ ref, label, kind, isRehearsal, contextTokens, ...model }) => ({
    ...{ ref, label, kind, isRehearsal, contextTokens, isDefault: ref === usual.ref },
    inputNanoUsdPerMtok: model.inputNanoUsdPerMtok,
    cachedNanoUsdPerMtok: model.cachedNanoUsdPerMtok,
    outputNanoUsdPerMtok: model.outputNanoUsdPerMtok,
    reasoningNanoUsdPerMtok: model.reasoningNanoUsdPerMtok,
  }));
}

function pricesOf(price: ModelPrice | undefined): ModelPrices {
  return {
    inputNanoUsdPerMtok: price?.inputNanoUsd ?? null,
    cachedNanoUsdPerMtok: price?.cachedNanoUsd ?? null,
    outputNanoUsdPerMtok: price?.outputNanoUsd ?? null,
    reasoningNanoUsdPerMtok: price?.reasoningNanoUsd ?? null,
  };
}

export type ModelUses = {
  agents: string[];
  bases: string[];
  providers: string[];
  isDefault: boolean;
  isFinding: boolean;
};

/** Models a configuration `c` names and would have called: modelsNamed() of server/agents/rules.ts, in SQL. */
const MODELS_NAMED = `(values (c ->> 'model'), (c ->> 'fallbackModel'),
    (case when c ->> 'canSpawnAgents' = 'true' and c -> 'summarizationThreshold' is distinct from 'null'::jsonb
      then c ->> 'summarizationModel' end),
    (case when c -> 'compaction' ->> 'enabled' is distinct from 'false' then c -> 'compaction' ->> 'model' end))`;

/**
 * What names one model (`{ ref }`) or any of a provider (`{ provider }`): agents by draft, newest version or the version a
 * team's newest version holds; knowledge bases; other providers whose calls it stands in for; the workspace's default; what finds its runs and decisions.
 */
export async function findUses(
  workspaceId: WorkspaceId,
  of: { ref: string } | { provider: string },
): Promise<ModelUses> {
  const matches = "ref" in of ? "u.ref = $2" : "split_part(u.ref, '/', 1) = $2";
  const { rows } = await pool().query<{ kind: "agent" | "base" | "provider" | "default" | "finding"; name: string }>(
    `select distinct u.kind, u.name from (
       select 'provider' as kind, p.name, p.resilience -> 'fallback' ->> 'use' as ref from providers p
         where p.workspace_id = $1 and p.name is distinct from $3
       union all
       select 'agent', a.name, named.ref from agents a
         cross join lateral (select a.draft as c) configuration cross join lateral ${MODELS_NAMED} as named (ref)
         where a.workspace_id = $1 and a.archived_at is null
       union all
       select 'agent', a.name, named.ref from agents a
         join agent_versions v on v.workspace_id = a.workspace_id and v.agent_id = a.id
         cross join lateral (select v.config as c) configuration cross join lateral ${MODELS_NAMED} as named (ref)
         where a.workspace_id = $1 and a.archived_at is null and (
           v.number = (select max(number) from agent_versions where agent_id = a.id)
           or v.id in (
             select n.agent_version_id from (
               select workspace_id, team_version_id, agent_version_id from team_nodes
               union all select workspace_id, team_version_id, agent_version_id from team_allowed_agents) n
             join team_versions t on t.workspace_id = n.workspace_id and t.id = n.team_version_id
             join teams on teams.id = t.team_id and teams.archived_at is null
             where n.workspace_id = $1 and t.number = (select max(number) from team_versions where team_id = t.team_id)))
       union all
       select 'base', b.name, b.embedding_model from knowledge_bases b where b.workspace_id = $1
       union all
       select 'base', b.name, b.next_embedding ->> 'embeddingModel' from knowledge_bases b where b.workspace_id = $1
       union all
       select 'default', w.name, w.default_model from workspaces w where w.id = $1
       union all
       select 'finding', '', f.embedding_model from finding_settings f where f.workspace_id = $1
     ) u where ${matches} order by u.kind, u.name`,
    [workspaceId, "ref" in of ? of.ref : of.provider, "ref" in of ? null : of.provider],
  );
  const named = (kind: "agent" | "base" | "provider") =>
    rows.filter((row) => row.kind === kind).map(({ name }) => name);
  const uses = { agents: named("agent"), bases: named("base"), providers: named("provider") };
  const has = (kind: "default" | "finding") => rows.some((row) => row.kind === kind);
  return { ...uses, isDefault: has("default"), isFinding: has("finding") };
}

function toProviderView(row: ProviderRow): ProviderView {
  return {
    id: row.id,
    name: row.name,
    baseUrl: row.base_url,
    apiKeyHint: row.api_key_hint,
    isPrivateHost: (row.allowed ?? []).includes(hostPortOf(row.base_url)),
    checkedAt: row.checked_at?.toISOString() ?? null,
    checkError: row.check_error,
    mostCalls: row.most_calls,
    ...guardView(row),
    models: row.models.map((model) => toModelView(row.name, model)),
  };
}

function guardView(row: ProviderRow): Pick<ProviderView, "resilience" | "breaker"> {
  const resilience = resiliencePolicy.parse(row.resilience);
  const state = breakerState.nullable().catch(null).parse(row.breaker);
  if (!state || !resilience.breaker?.enabled) return { resilience, breaker: null };
  const until = state.is === "open" ? new Date(state.until).toISOString() : null;
  return { resilience, breaker: { is: state.is, until } };
}

/** Prices stay below 2^53: the schema of what is saved sees to it. */
function toModelView(provider: string, { context_tokens, ...row }: ModelRow): ProviderModelView {
  const price = (text: string | null) => (text === null ? null : Number(text));
  return {
    ...{ id: row.id, name: row.name, kind: row.kind, ref: `${provider}/${row.name}` },
    contextTokens: context_tokens,
    inputNanoUsdPerMtok: price(row.input),
    cachedNanoUsdPerMtok: price(row.cached),
    outputNanoUsdPerMtok: price(row.output),
    reasoningNanoUsdPerMtok: price(row.reasoning),
  };
}
