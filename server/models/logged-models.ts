import type { Logger } from "pino";
import { costOf } from "./cost";
import { type Model, type ModelDirectory, ModelError } from "./model";

/** One line a call (LLM-OBS-05, LLM-PROV-15): figures and names, never a word of what was said. */
export function loggedModels(models: ModelDirectory, logger: Logger): ModelDirectory {
  return {
    async find(workspaceId, ref) {
      return logged(await models.find(workspaceId, ref), workspaceId, logger);
    },
  };
}

function logged(model: Model, workspaceId: string, logger: Logger): Model {
  return {
    ...model,
    async complete(request) {
      const startedAt = performance.now();
      const call = {
        ...{ workspaceId, provider: model.provider, model: model.name },
        ...{ streamed: request.onText !== undefined, tools: request.tools.length, messages: request.messages.length },
      };
      const elapsedMs = () => Math.round(performance.now() - startedAt);
      try {
        const reply = await model.complete(request);
        const { inputTokens, cachedTokens, outputTokens } = reply.usage;
        logger.debug(
          {
            ...{ ...call, elapsedMs: elapsedMs(), inputTokens, cachedTokens, outputTokens },
            ...{ totalTokens: inputTokens + outputTokens, costNanoUsd: costOf(reply.usage, model.price) },
            ...{ finishReason: reply.told?.finishReason ?? null, firstPieceMs: reply.told?.firstPieceMs ?? null },
          },
          "model call",
        );
        return reply;
      } catch (error) {
        // The message may quote what was sent; the code says enough.
        const code = error instanceof ModelError ? error.code : "unexpected";
        if (code !== "cancelled") logger.warn({ ...call, elapsedMs: elapsedMs(), code }, "a model call failed");
        throw error;
      }
    },
  };
}
