import { closeDb } from "@/server/db";
import { LauncherError } from "@/server/launcher/launcher-error";
import { nameDatabase } from "@/server/launcher/name-database";
import { openDatabase } from "@/server/launcher/open-database";
import { loadEnvironmentFile, readSettings } from "@/server/launcher/settings";
import { readScaleOptions } from "./scale/options";
import { demo } from "./scenarios/demo";
import { scale } from "./scenarios/scale";

/** Fills a database with a scenario: `npm run seed -- demo`. Running one twice changes nothing. */
const SCENARIOS = new Map<string, (args: readonly string[]) => Promise<string>>([
  ["demo", demo],
  ["scale", (args) => scale(readScaleOptions(args), (line) => console.log(line))],
]);

const [name = "", ...args] = process.argv.slice(2);
const scenario = SCENARIOS.get(name);
let close = async () => {};
try {
  if (!scenario) {
    throw new LauncherError(`There is no scenario “${name}”. Use one of: ${[...SCENARIOS.keys()].join(", ")}.`);
  }
  loadEnvironmentFile();
  const database = await openDatabase(readSettings({ dev: false }));
  close = database.close;
  nameDatabase(database.url);
  console.log(await scenario(args));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await closeDb();
  await close();
}
