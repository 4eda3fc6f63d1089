import type pg from "pg";
import { judgeClock, judgeRoundTrip, sizeWords } from "../rules";
import { type Finding, fact, type WithDatabase } from "./examined";

const ROUND_TRIPS = 5;

type Settings = {
  version: string;
  fsync: string;
  readOnly: boolean;
  bytes: string;
  most: string;
  used: string;
};

export async function checkDatabase({ pool }: WithDatabase): Promise<Finding> {
  const ms = await roundTripMs(pool);
  const { rows } = await pool.query<Settings>(
    `SELECT version(), current_setting('fsync') AS fsync,
       pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS "readOnly",
       pg_database_size(current_database()) AS bytes, current_setting('max_connections') AS most,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  );
  const [settings] = rows;
  if (!settings) return { state: "unknown", says: "The database told nothing about itself." };
  const isEmbedded = isEmbeddedVersion(settings.version);
  const facts = [
    fact("Kind", isEmbedded ? "embedded" : "Postgres server"),
    fact("Round trip", `${ms.toFixed(1)} ms`),
    fact("Size", sizeWords(Number(settings.bytes))),
    ...(isEmbedded ? [] : [fact("Connections", `${settings.used} of ${settings.most}`)]),
    fact("Power loss", powerLoss(isEmbedded, settings.fsync)),
  ];
  if (settings.readOnly) {
    return {
      state: "problem",
      says: "The database is read-only: nothing can be saved and no run goes on.",
      advice: "Point DATABASE_URL at the primary server, or make this one writable again.",
      facts,
    };
  }
  if (!isEmbedded && Number(settings.used) > Number(settings.most) * 0.9) {
    const advice = "Raise max_connections on the server, or end what else is connected to it.";
    return { state: "warning", says: "Nearly all connections of the server are taken.", advice, facts };
  }
  if (!isEmbedded && settings.fsync === "off") {
    const advice = "Set fsync = on in the server's configuration.";
    return { state: "warning", says: "fsync is off: a power loss can damage this database.", advice, facts };
  }
  const state = judgeRoundTrip(ms);
  const says = `It answers in ${ms.toFixed(1)} ms and holds ${sizeWords(Number(settings.bytes))}.`;
  if (state === "ok") return { state, says, facts };
  const advice = "Bring the database nearer, or look for what keeps it or this machine busy.";
  return { state, says: `It answers slowly: ${ms.toFixed(0)} ms for the smallest question.`, advice, facts };
}

const isEmbeddedVersion = (version: string) => /pglite|emscripten/i.test(version);

function powerLoss(isEmbedded: boolean, fsync: string): string {
  if (isEmbedded) return "can lose the newest steps: the embedded database does not force writes to the disk";
  return fsync === "off" ? "can damage the files: fsync is off" : "nothing that was committed is lost";
}

/** Median of a few, so that one slow answer counts for nothing. The first also opens the connection. */
async function roundTripMs(pool: pg.Pool): Promise<number> {
  const took: number[] = [];
  await pool.query("SELECT 1");
  for (let i = 0; i < ROUND_TRIPS; i++) {
    const from = performance.now();
    await pool.query("SELECT 1");
    took.push(performance.now() - from);
  }
  return took.sort((a, b) => a - b)[Math.floor(ROUND_TRIPS / 2)] ?? 0;
}

/** How far the database's clock is from this process's. The answer's way is halved: half of it there, half back. */
export async function checkClock({ pool }: WithDatabase): Promise<Finding> {
  await pool.query("SELECT 1");
  const asked = Date.now();
  const { rows } = await pool.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  const answered = Date.now();
  const skewMs = (rows[0]?.now.getTime() ?? answered) - (asked + answered) / 2;
  const state = judgeClock(skewMs);
  const apart = `${(Math.abs(skewMs) / 1000).toFixed(1)} s`;
  const facts = [
    fact("This process", new Date(answered).toISOString()),
    fact("Difference", `${skewMs >= 0 ? "database ahead" : "database behind"} by ${apart}`),
  ];
  if (state === "ok") return { state, says: "This machine and the database agree on the time.", facts };
  return {
    state,
    says: `The clocks of this machine and of the database are ${apart} apart.`,
    advice: "Let both machines keep their time by NTP. Deadlines and sessions are compared across the two.",
    facts,
  };
}
