import { checkBackup } from "../queries/check-backup";
import { checkProviders, checkToolServers } from "../queries/check-connections";
import { checkDataDirectory } from "../queries/check-data-directory";
import { checkClock, checkDatabase } from "../queries/check-database";
import { checkDisk } from "../queries/check-disk";
import { checkFailedCalls } from "../queries/check-failed-calls";
import { checkLedger } from "../queries/check-ledger";
import { checkTracing } from "../queries/check-tracing";
import { checkPgvector, checkVersions } from "../queries/check-versions";
import { checkWebhooks } from "../queries/check-webhooks";
import { checkQueue, checkRuns, checkWorkers } from "../queries/check-work";
import { type Examined, type Finding, TITLES, toCheck, type WithDatabase } from "../queries/examined";
import { worstFirst, worstOf } from "../rules";
import type { Check, CheckId, Report } from "../schema";

/** One check must not hold up the others for longer. */
const CHECK_WITHIN_MS = 5_000;

const ON_DATABASE: Partial<Record<CheckId, (examined: WithDatabase) => Promise<Finding>>> = {
  versions: checkVersions,
  pgvector: checkPgvector,
  workers: checkWorkers,
  queue: checkQueue,
  runs: checkRuns,
  "failed-calls": checkFailedCalls,
  ledger: checkLedger,
  clock: checkClock,
  providers: checkProviders,
  "tool-servers": checkToolServers,
  tracing: checkTracing,
  webhooks: checkWebhooks,
};
const ON_FILES: Partial<Record<CheckId, (examined: Examined) => Promise<Finding>>> = {
  disk: checkDisk,
  "data-directory": checkDataDirectory,
  backup: checkBackup,
};

/**
 * Looks at everything an installation needs, problems first. Calls nobody outside, changes nothing and never throws: a
 * check that fails is a problem in itself.
 */
export async function examineInstallation(examined: Examined): Promise<Report> {
  const database = await look("database", () => withDatabase(examined, checkDatabase));
  const answers = database.state !== "problem" || database.facts.length > 0;
  const checks = [database];
  // One after the other: the embedded database has one backend, and the round trip above should stay what was measured.
  for (const id of Object.keys(TITLES) as CheckId[]) {
    const [onDatabase, onFiles] = [ON_DATABASE[id], ON_FILES[id]];
    if (onDatabase) {
      checks.push(
        answers
          ? await look(id, () => withDatabase(examined, onDatabase))
          : toCheck(id, { state: "unknown", says: "Not looked at: the database does not answer." }),
      );
    } else if (onFiles) {
      const reachable = answers ? examined : { ...examined, database: { problem: "", advice: "" } };
      checks.push(await look(id, () => onFiles(reachable)));
    }
  }
  const sorted = worstFirst(inOrder(checks));
  return { at: new Date().toISOString(), state: worstOf(sorted.map(({ state }) => state)), checks: sorted };
}

const inOrder = (checks: readonly Check[]) =>
  (Object.keys(TITLES) as CheckId[]).flatMap((id) => checks.filter((each) => each.id === id));

async function withDatabase(examined: Examined, run: (examined: WithDatabase) => Promise<Finding>): Promise<Finding> {
  const { database } = examined;
  if ("pool" in database) return run({ ...examined, pool: database.pool });
  return { state: "problem", says: database.problem, advice: database.advice };
}

async function look(id: CheckId, run: () => Promise<Finding>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(tooLate(id)), CHECK_WITHIN_MS);
  });
  try {
    return toCheck(id, await Promise.race([run(), late]));
  } catch (error) {
    return toCheck(id, whatFailed(id, error));
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(id: CheckId): Finding {
  const says =
    id === "database"
      ? `The database did not answer within ${CHECK_WITHIN_MS / 1000} s.`
      : `This could not be told within ${CHECK_WITHIN_MS / 1000} s.`;
  return { state: "problem", says, advice: "Look whether the database, or the disk under it, is overloaded." };
}

/** Tables or columns that this version expects are not there. */
const OTHER_SCHEMA = ["42P01", "42703", "42883", "3F000"];

/** By code alone: a message could quote what it should not. */
function whatFailed(id: CheckId, error: unknown): Finding {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  if (code && OTHER_SCHEMA.includes(code)) {
    const advice = "Start with `npm start`, which brings it up to date.";
    return { state: "problem", says: "The database has not the tables of this version.", advice };
  }
  const reason = code ?? (error instanceof Error ? error.name : "unknown reason");
  if (id === "database") {
    return {
      state: "problem",
      says: `The database cannot be asked (${reason}).`,
      advice: "Check that it runs and that DATABASE_URL is right.",
    };
  }
  return { state: "problem", says: `This could not be looked at (${reason}).`, advice: "Look at the server's log." };
}
