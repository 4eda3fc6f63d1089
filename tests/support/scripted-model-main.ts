import { parseArgs } from "node:util";
import { startScriptedModel } from "./scripted-model";
import { scriptNamed } from "./scripted-model-scripts";

/** The scripted model as a process of its own, so that it outlives what a test kills. */
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    script: { type: "string", default: "research-desk" },
    log: { type: "string" },
    latency: { type: "string", default: "0" },
    key: { type: "string" },
  },
});

const script = scriptNamed(values.script);
if (!script) {
  console.error(`There is no script “${values.script}”. Use research-desk, library-desk, markers or talkers.`);
  process.exit(1);
}
const model = await startScriptedModel(script, {
  port: Number(values.port),
  latencyMs: Number(values.latency),
  ...(values.key ? { apiKey: values.key } : {}),
  ...(values.log ? { log: values.log } : {}),
});
console.log(`scripted model at ${model.url}`);
