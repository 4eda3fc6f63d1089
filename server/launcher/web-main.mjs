// @ts-check
// Plain JavaScript: the compiler that runs the other processes would cost this one 100 MB of memory.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import next from "next";
import { createWebFront } from "./web-front.mjs";

/** Less than the launcher waits before it kills, in milliseconds. */
const DRAIN_MS = 8_000;

/** The built web server, as `npm start` runs it: Next behind our own front. */
const { values } = parseArgs({
  options: {
    hostname: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "3000" },
    proxies: { type: "string", default: "0" },
    /** Comma-separated names to answer to; absent: any. */
    hosts: { type: "string" },
  },
});

const dir = dirname(fileURLToPath(new URL("../../package.json", import.meta.url)));
const port = Number(values.port);
const app = next({ dev: false, dir, hostname: values.hostname, port });
await app.prepare();
const front = createWebFront({
  handle: app.getRequestHandler(),
  proxies: Number(values.proxies),
  hosts: values.hosts === undefined ? null : values.hosts.split(",").filter(Boolean),
});

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void front.drain(DRAIN_MS).then(() => process.exit(0));
  });
}
front.server.on("error", (error) => {
  console.error(error);
  process.exit(1);
});
front.server.listen(port, values.hostname);
