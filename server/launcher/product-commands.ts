import { join } from "node:path";
import type { Commands } from "./launch";
import { type Command, watchedNodeOptions } from "./processes";
import { buildWeb, ensurePrismaClient, isWebBuilt } from "./product-build";
import { allowedHosts, root, type Settings } from "./settings";

const typescript = (file: string, ...args: string[]) => ["--import", "tsx", join(root, file), ...args];

/** Waits for a killed launcher's database to notice and let go. */
const WAIT_FOR_DATABASE_MS = 10_000;

const nextDev = ({ host, port }: Settings) => [
  join(root, "node_modules/next/dist/bin/next"),
  ...["dev", "--hostname", host, "--port", String(port)],
];

function webServer(settings: Settings): string[] {
  const { host, port, proxies } = settings;
  const hosts = allowedHosts(settings);
  return [
    join(root, "server/launcher/web-main.mjs"),
    ...["--hostname", host, "--port", String(port), "--proxies", String(proxies)],
    ...(hosts ? [`--hosts=${hosts.join(",")}`] : []),
  ];
}

export const workerCommand: Command = { args: typescript("server/worker.ts") };

/** What `npm start` and `npm run dev` run. */
export function productCommands({ dev }: Pick<Settings, "dev">): Commands {
  return {
    database: (directory) => ({
      args: typescript(
        "server/launcher/embedded-main.ts",
        ...["--dir", directory, "--wait-ms", String(WAIT_FOR_DATABASE_MS), "--exit-with-stdin"],
      ),
      // It ends with its stdin instead, after closing its files properly.
      env: { TROUPE_LAUNCHER: "" },
    }),
    worker: workerCommand,
    web: (settings) => ({
      args: dev ? nextDev(settings) : webServer(settings),
      // Next starts processes of its own; they must end with the launcher too.
      env: { NODE_OPTIONS: watchedNodeOptions() },
    }),
    seed: { args: typescript("prisma/seed/seed.ts", "demo") },
    prepare: async (processes) => {
      await ensurePrismaClient(processes);
      if (dev || isWebBuilt()) return;
      console.log("Building Troupe; this happens once per version and takes about half a minute.");
      await buildWeb(processes);
    },
  };
}
