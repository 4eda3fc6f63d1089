import { countEndpointTest } from "@/server/auth/rate-limits";
import { pool } from "@/server/db";
import { ModelError } from "@/server/models/model";
import { modelDirectory } from "@/server/models/model-directory";
import type { Scope } from "@/server/workspaces/scope";
import { getModel } from "../queries";

const TIMEOUT_MS = 30_000;
const LONGEST_SHOWN = 60;

/**
 * One tiny call, which the provider may bill: a chat model is given a tool, because agents need one that can call them;
 * an embedding model a word. Throws NOT_FOUND and TOO_MANY_REQUESTS; what the call came to is the result.
 */
export async function testModel(
  scope: Scope,
  modelId: string,
): Promise<{ ok: boolean; detail: string; durationMs: number }> {
  const { workspaceId } = scope;
  const { ref, kind } = await getModel(workspaceId, modelId);
  await countEndpointTest(scope.userId);
  // A directory of its own: a key entered a moment ago is the one to be tested.
  const models = modelDirectory({ pool: pool() });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const startedAt = performance.now();
  const once = () => (kind === "chat" ? tryChat : tryEmbedding)(models, { workspaceId, ref, signal });
  const outcome = await once()
    .catch((error: unknown) => {
      // A kept connection may have ended meanwhile, which says nothing of the model.
      if (error instanceof ModelError && error.code === "connection_lost") return once();
      throw error;
    })
    .catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error;
      return { ok: false, detail: signal.aborted ? `No answer within ${TIMEOUT_MS / 1000} s.` : error.message };
    });
  return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
}

type Directory = ReturnType<typeof modelDirectory>;
type Try = { workspaceId: string; ref: string; signal: AbortSignal };

const READY_TOOL = {
  name: "report_ready",
  description: "Reports that you can call tools.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

async function tryChat(models: Directory, { workspaceId, ref, signal }: Try) {
  const model = await models.find(workspaceId, ref);
  const reply = await model.complete({
    messages: [{ role: "user", content: "Call the tool report_ready. Say nothing else." }],
    tools: [READY_TOOL],
    signal,
  });
  if (reply.calls.length > 0) return { ok: true, detail: "It answers and calls tools." };
  const text = (reply.text ?? "").trim();
  if (!text) return { ok: false, detail: "It answered with nothing. Try again, or use another model." };
  const said = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return {
    ok: true,
    detail: `It answers (“${said}”), but did not call the tool it was asked to. A supervisor needs a model that calls tools.`,
  };
}

async function tryEmbedding(models: Directory, { workspaceId, ref, signal }: Try) {
  const client = await models.embeddingModel(workspaceId, ref);
  const [vector = []] = await client.embed(["ready"], { signal });
  return { ok: true, detail: `It makes vectors of ${vector.length.toLocaleString("en")} numbers.` };
}
