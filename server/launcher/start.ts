import { launch } from "./launch";
import { productCommands } from "./product-commands";
import { runToExit } from "./run-to-exit";
import { loadEnvironmentFile, readSettings } from "./settings";

/** `npm start`, and with --dev `npm run dev`: everything Troupe needs, in one command. */
await runToExit(async (processes) => {
  loadEnvironmentFile();
  const settings = readSettings({ dev: process.argv.includes("--dev") });
  await launch({ settings, commands: productCommands(settings), processes });
});
