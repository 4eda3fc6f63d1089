import { launch } from "@/server/launcher/launch";
import { productCommands } from "@/server/launcher/product-commands";
import { runToExit } from "@/server/launcher/run-to-exit";
import { readSettings } from "@/server/launcher/settings";

/**
 * The launcher with small children in place of web server, worker and seed; database and everything else are real.
 * JOURNAL names a file in which the children note what happens to them.
 */
const journal = process.env.JOURNAL ?? "";
const note = `
  const { appendFileSync } = require("node:fs");
  const note = (text) => appendFileSync(${JSON.stringify(journal)}, text + "\\n");`;
const onTerm = (name: string) => `
  process.on("SIGTERM", () => { note(${JSON.stringify(`${name} stopped`)}); process.exit(0); });`;

const web = `${note}${onTerm("web")}
  note("web started " + process.pid);
  require("node:http").createServer((request, response) => response.end(JSON.stringify({
    secret: process.env.AUTH_SECRET, secretsKey: process.env.SECRETS_KEY, token: process.env.SETUP_TOKEN, url: process.env.DATABASE_URL,
  }))).listen(Number(process.env.PORT), process.env.HOST ?? "127.0.0.1");`;

const stubborn = `process.on("SIGTERM", () => note("worker ignored SIGTERM"));`;
const worker = `${note}${process.env.STUBBORN ? stubborn : onTerm("worker")}
  note("worker started " + process.pid);
  setInterval(() => {}, 1000);
  // A process of its own, as Next has them.
  const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  note("grandchild started " + child.pid);`;

// Not before the worker can note its own end.
const crashing = `
  const { existsSync, readFileSync } = require("node:fs");
  const started = () => existsSync(${JSON.stringify(journal)}) && readFileSync(${JSON.stringify(journal)}, "utf8").includes("worker started");
  setInterval(() => { if (started()) { console.error("out of order"); process.exit(7); } }, 20);`;

await runToExit(async (processes) => {
  const settings = readSettings({ dev: false });
  const product = productCommands(settings);
  await launch({
    settings,
    processes,
    commands: {
      ...product,
      web: () => ({ args: ["-e", process.env.WEB_CRASHES ? crashing : web] }),
      worker: {
        args: ["-e", worker],
        env: { NODE_OPTIONS: product.web(settings).env?.NODE_OPTIONS ?? "" },
      },
      seed: { args: ["-e", `${note} note("seeded " + process.argv[1]);`, product.seed.args.at(-1) ?? ""] },
      prepare: async () => {},
    },
  });
});
