import { startExecutor } from "@/server/engine/executor";
import { openAiCompatible } from "@/server/models/openai-compatible";
import { testTools } from "./test-tools";

/**
 * A worker process for fault tests: scripted model, effect server as far side, and a point at which it kills itself.
 * Settings come as one JSON argument.
 */
export type TestWorkerSettings = {
  databaseUrl: string;
  modelUrl: string;
  effectUrl: string;
  honoursKey: boolean;
  /** SIGKILL itself at the nth time this point is reached. */
  killAt?: { point: string; nth: number };
};

const settings = JSON.parse(process.argv[2] ?? "{}") as TestWorkerSettings;
let reached = 0;
await startExecutor({
  databaseUrl: settings.databaseUrl,
  model: openAiCompatible({ baseUrl: settings.modelUrl, name: "scripted", apiKey: "unused" }),
  tools: testTools(settings.effectUrl, settings.honoursKey),
  atFaultPoint: async (point) => {
    if (point !== settings.killAt?.point) return;
    reached += 1;
    if (reached === settings.killAt.nth) process.kill(process.pid, "SIGKILL");
    // The signal is delivered asynchronously: nothing may happen in between.
    if (reached >= settings.killAt.nth) await new Promise(() => {});
  },
});
process.stdout.write("ready\n");
process.stdin.on("end", () => process.exit(0)).resume();
