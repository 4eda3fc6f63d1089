import type { Model, ModelReply, ModelRequest } from "@/server/models/model";
import type { Execution } from "./execution";
import { asModelError } from "./model-failure";
import { breakerLayer } from "./resilience/layers";
import { resilient } from "./resilience/resilient";

/** One attempt of a model call, behind the breaker of its provider. The time limit of the policy is the client's own. */
export function askModel({ resources }: Execution, model: Model, request: ModelRequest): Promise<ModelReply> {
  const { guard } = model;
  if (!guard) return model.complete(request);
  const isTrouble = (error: unknown) => {
    const { code, retryable } = asModelError(error);
    return code === "cancelled" ? null : retryable;
  };
  const breaker = breakerLayer<ModelReply>(resources.gates, guard.subject, guard.policy.breaker, isTrouble);
  return resilient({ breaker }, () => model.complete(request));
}
