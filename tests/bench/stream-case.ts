import { LiveReader } from "@/tests/support/live-reader";
import { startLiveServer } from "@/tests/support/live-server";
import { engineUnderBench } from "./engine-under-bench";

/**
 * How long after the model server sent it the first token of a run reaches who reads the live stream over HTTP:
 * stream-case.ts STREAMS DATABASE_URL MODEL_URL → one line of JSON. Worker, stream and readers share one process, which is the worst case.
 */
const [streams = "20", databaseUrl = "", baseURL = ""] = process.argv.slice(2);
const engine = await engineUnderBench({ baseURL, databaseUrl, stream: true });
const server = await startLiveServer(engine.scope);

async function firstTokenMs(): Promise<number> {
  const runId = await engine.start("[[stream=50;gap=20]] do the job");
  const reader = new LiveReader(server.url, { runId });
  let arrivedAt = Number.NaN;
  await reader.read(({ messages }) => {
    if (messages.at(-1)?.type !== "delta") return false;
    arrivedAt = performance.timeOrigin + performance.now();
    return true;
  });
  // Each token is the time at which the model server wrote it.
  const sentAt = /^<(\d+\.\d+)>/.exec(reader.text)?.[1];
  if (sentAt === undefined) throw new Error(`the first token was missed: ${reader.text.slice(0, 60)}`);
  await engine.answerOf(runId);
  return arrivedAt - Number(sentAt);
}

await firstTokenMs();
const taken = await Promise.all(Array.from({ length: Number(streams) }, firstTokenMs));
const sorted = taken.sort((a, b) => a - b);
const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
console.log(JSON.stringify({ firstTokenMsP50: at(0.5), firstTokenMsP95: at(0.95) }));
await server.close();
await engine.close();
process.exit(0);
