import { closeDb } from "@/server/db";
import { demo } from "./scenarios/demo";

/** Fills a database with a scenario: `npm run seed -- demo`. Running one twice changes nothing. */
const SCENARIOS = new Map([["demo", demo]]);

const name = process.argv[2] ?? "";
const scenario = SCENARIOS.get(name);
try {
  if (scenario) console.log(await scenario());
  else throw new Error(`There is no scenario “${name}”. Use one of: ${[...SCENARIOS.keys()].join(", ")}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await closeDb();
}
