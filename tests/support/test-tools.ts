import { z } from "zod";
import type { Tool } from "@/server/tools/tool";
import { toolPolicy } from "@/server/tools/tool-policy";

const stepArguments = z.object({ i: z.number() });

/** `exit` ends the worker that calls it, as a tool that uses up all memory would. */
const exit: Tool = {
  name: "exit",
  description: "Ends the worker",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  sideEffect: "none",
  idempotency: "none",
  timeoutMs: 20_000,
  run: () => process.exit(1),
};

/** Keeps the whole worker busy: neither its heartbeats nor its answers are sent meanwhile. */
const busy = (name: string, ms: number): Tool => ({
  ...exit,
  name,
  description: `Computes for ${ms / 1000} s`,
  run: async () => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return { computed: true };
  },
});
/** For less, and for more, than it takes until a silent worker counts as dead. */
const block = busy("block", 2_000);
const freeze = busy("freeze", 5_000);

/** What `step` is offered as where calls with the same arguments are one call, in whatever run. */
const SAME_CALLS = { idempotency: { strategy: "hash_input" } } as const;

/** `step`, the tool the scripted model calls: one effect at the far side for each call. */
export function testTools(effectUrl: string, honoursKey: boolean, sameCalls = false): ReadonlyMap<string, Tool> {
  const step: Tool = {
    name: "step",
    description: "Do step number i",
    parameters: { type: "object", properties: { i: { type: "number" } }, required: ["i"], additionalProperties: false },
    sideEffect: "external",
    idempotency: honoursKey ? "required" : "none",
    timeoutMs: 20_000,
    ...(sameCalls ? { policy: toolPolicy.parse(SAME_CALLS) } : {}),
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
  return new Map([step, exit, block, freeze].map((tool) => [tool.name, tool]));
}
