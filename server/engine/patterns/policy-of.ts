import type { Patterned } from "../pattern-settings";
import { broadcast } from "./broadcast";
import { debate } from "./debate";
import { handoff } from "./handoff";
import { pipeline } from "./pipeline";
import type { Policy } from "./policy";

/** How the engine leads a team of this pattern; null where a model leads it. */
export function policyOf({ pattern, patternSettings }: Patterned): Policy | null {
  if (pattern === "pipeline") return pipeline;
  if (pattern === "broadcast") return broadcast(patternSettings.broadcast);
  if (pattern === "debate") return debate(patternSettings.debate);
  if (pattern === "handoff") return handoff(patternSettings.handoff);
  return null;
}
