import { closeDb } from "@/server/db";
import { LauncherError } from "@/server/launcher/launcher-error";
import { loadEnvironmentFile, readSettings } from "@/server/launcher/settings";
import { demo } from "./scenarios/demo";

/** Fills a database with a scenario: `npm run seed -- demo`. Running one twice changes nothing. */
const SCENARIOS = new Map([["demo", demo]]);

const name = process.argv[2] ?? "";
const scenario = SCENARIOS.get(name);
try {
  if (!scenario) {
    throw new LauncherError(`There is no scenario “${name}”. Use one of: ${[...SCENARIOS.keys()].join(", ")}.`);
  }
  loadEnvironmentFile();
  if (!readSettings({ dev: false }).databaseUrl) {
    throw new LauncherError(
      "DATABASE_URL is not set. Set it to the Postgres to fill; `npm start` fills an empty embedded database by itself.",
    );
  }
  console.log(await scenario());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await closeDb();
}
