import { startWeb } from "./web";

/** The product's HTTP doors in a process of their own, so that a test can kill it. Prints its address. */
const { url } = await startWeb();
process.stdout.write(`${url}\n`);
process.stdin.on("end", () => process.exit(0)).resume();
