import { countEndpointTest } from "@/server/auth/rate-limits";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import { providerKeyPurpose } from "@/server/models/stored-model";
import { allowedHosts } from "@/server/outgoing/allowed-hosts";
import { guardedFetch } from "@/server/outgoing/guarded-fetch";
import { refusalIn } from "@/server/outgoing/refused";
import { hostPortOf } from "@/server/outgoing/targets";
import { systemCodeIn } from "@/server/outgoing/unreached";
import { openSecret } from "@/server/secrets/seal";
import type { Scope } from "@/server/workspaces/scope";
import { baseUrlProblem, cleanBaseUrl, readModelList } from "../rules";
import type { NewProviderCheck, ProviderCheck } from "../schema";
import { proveTested } from "./endpoint-proof";

const TIMEOUT_MS = 15_000;
/** The longest lists known are about 1 MB. */
const MAX_LIST_BYTES = 8_000_000;

type Endpoint = { baseUrl: string; apiKey: string };

/**
 * Asks an endpoint for its list of models, before it is saved. Saves nothing: an allowance given here counts for this
 * call. What is wrong is told in the result; throws only TOO_MANY_REQUESTS.
 */
export async function checkNewProvider(
  scope: Scope,
  input: Endpoint & { allowPrivateHost: boolean },
): Promise<NewProviderCheck> {
  await countEndpointTest(scope.userId);
  const problem = baseUrlProblem(input.baseUrl);
  if (problem) return { ...failed("refused", problem), proof: null };
  const allowed = new Set(await allowedHosts(scope.workspaceId));
  if (input.allowPrivateHost) allowed.add(hostPortOf(input.baseUrl));
  const check = await checkEndpoint(input, allowed);
  return { ...check, proof: check.ok ? proveTested({ ...input, workspaceId: scope.workspaceId }) : null };
}

/** As checkNewProvider, with the stored address and key; keeps the outcome with the provider. Throws NOT_FOUND. */
export async function checkSavedProvider(scope: Scope, providerId: string): Promise<ProviderCheck> {
  const { workspaceId } = scope;
  const where = { workspaceId_id: { workspaceId, id: providerId } };
  const saved = await db().provider.findUnique({ where, select: { baseUrl: true, apiKeySealed: true } });
  if (!saved) throw new AppError("NOT_FOUND", "There is no such provider. It may have been removed.");
  await countEndpointTest(scope.userId);
  const purpose = providerKeyPurpose(providerId);
  const apiKey = saved.apiKeySealed === null ? "" : openSecret({ workspaceId, purpose }, saved.apiKeySealed);
  const check = await checkEndpoint({ baseUrl: saved.baseUrl, apiKey }, await allowedHosts(workspaceId));
  // It may have been removed or changed while the endpoint was asked: what was found is kept only with what was asked.
  await db().provider.updateMany({
    where: { workspaceId, id: providerId, ...saved },
    data: { checkedAt: new Date(), checkError: check.problem },
  });
  return check;
}

async function checkEndpoint({ baseUrl, apiKey }: Endpoint, allowed: ReadonlySet<string>): Promise<ProviderCheck> {
  const call = guardedFetch({ allowPrivate: allowed, maxResponseBytes: MAX_LIST_BYTES });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await call(`${cleanBaseUrl(baseUrl)}/models`, {
      headers: { accept: "application/json", ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return refusedWith(response.status, apiKey !== "");
    }
    const models = readModelList(await response.json().catch(unreadable));
    return models ? { ok: true, problem: null, code: "ok", models } : failed("not-compatible", NO_LIST);
  } catch (error) {
    return whyNotCalled(error, { isTimeout: signal.aborted, host: new URL(baseUrl).host });
  }
}

const NO_LIST =
  "Something answers there, but not with a list of models. Check that the address ends with the API's version, such as /v1.";

/** Only what is no JSON: a lost connection is told as such. */
function unreadable(error: unknown): null {
  if (error instanceof SyntaxError) return null;
  throw error;
}

/** By status alone: what the endpoint says could hold anything. */
function refusedWith(status: number, withKey: boolean): ProviderCheck {
  if (status === 401 || status === 403) {
    const sentence = withKey
      ? `The endpoint refused the key (${status}). Check that it was copied whole and is still valid.`
      : `The endpoint asks for a key (${status}). Enter one.`;
    return failed("unauthorized", sentence);
  }
  if (status === 404 || status === 405 || status === 400) {
    const sentence = `Something answers there, but it has no list of models (${status}). Check that the address ends with the API's version, such as /v1.`;
    return failed("not-compatible", sentence);
  }
  if (status === 429) return failed("refused", "The endpoint asks for fewer calls (429). Try again in a few minutes.");
  return failed(
    "refused",
    `The endpoint failed (${status}). Try again in a moment; if it stays so, look at its own log.`,
  );
}

function whyNotCalled(error: unknown, { isTimeout, host }: { isTimeout: boolean; host: string }): ProviderCheck {
  const refusal = refusalIn(error);
  if (refusal?.code === "private-host") {
    const sentence = `${host} is on this machine or a private network. Calls there need an owner's permission; give it only for a server you trust.`;
    return failed("private-host", sentence);
  }
  if (refusal) return failed("refused", refusal.message);
  if (isTimeout) {
    return failed("unreachable", `${host} did not answer within ${TIMEOUT_MS / 1000} s. Check that the server runs.`);
  }
  const code = systemCodeIn(error);
  if (code === "ENOTFOUND") {
    return failed("unreachable", `No server is known by the name of ${host}. Check the address for slips.`);
  }
  if (code && /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)) {
    return failed(
      "unreachable",
      `${host} has no valid certificate (${code}). Check the address, or use http if it serves that.`,
    );
  }
  const reason = code ? ` (${code})` : "";
  return failed("unreachable", `${host} could not be reached${reason}. Check the address and that the server runs.`);
}

function failed(code: Exclude<ProviderCheck["code"], "ok">, problem: string): ProviderCheck {
  return { ok: false, problem, code, models: [] };
}
