import { TOOLS } from "@/server/tools/catalog";
import { testTools } from "./test-tools";
import { startWeb } from "./web";

/** The product's HTTP doors as a process of their own, for fault tests. Prints its address. */

// The doors start nothing that names an unknown tool; the workers of fault tests bring this one along.
if (TOOLS instanceof Map) for (const [name, tool] of testTools("", true)) TOOLS.set(name, tool);
const { url } = await startWeb();
process.stdout.write(`${url}\n`);
process.stdin.on("end", () => process.exit(0)).resume();
