import { z } from "zod";
import type { Tool } from "@/server/tools/tool";

const stepArguments = z.object({ i: z.number() });

/** `step`, the tool the scripted model calls: one effect at the far side for each call. */
export function testTools(effectUrl: string, honoursKey: boolean): ReadonlyMap<string, Tool> {
  const step: Tool = {
    name: "step",
    description: "Do step number i",
    parameters: { type: "object", properties: { i: { type: "number" } }, required: ["i"], additionalProperties: false },
    sideEffect: "external",
    idempotency: honoursKey ? "required" : "none",
    timeoutMs: 20_000,
    async run(args, { key, signal, agentRunId }) {
      const { i } = stepArguments.parse(args);
      const response = await fetch(`${effectUrl}/act?id=${agentRunId}/${i}`, {
        method: "POST",
        headers: { "Idempotency-Key": key },
        signal,
      });
      return response.json();
    },
  };
  return new Map([[step.name, step]]);
}
