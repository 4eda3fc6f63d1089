import { ageWords, countWords } from "../rules";
import { type Finding, fact, type WithDatabase } from "./examined";

type Checked = { name: string; silentMs: number | null; error: string | null };

/** As the last test left it: looking calls nobody. */
export async function checkProviders({ pool }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<Checked>(
    `SELECT name, check_error AS error, (extract(epoch FROM clock_timestamp() - checked_at) * 1000)::float8 AS "silentMs"
     FROM providers ORDER BY name, id`,
  );
  // What the environment of the web server names is not known to a doctor that looks from elsewhere.
  const none = "None is added: the model of the environment answers, and where it names none, agents rehearse.";
  if (rows.length === 0) return { state: "ok", says: none };
  return judge(rows, { one: "provider", page: "Models" });
}

export async function checkToolServers({ pool }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<Checked>(
    `SELECT name, check_error AS error, (extract(epoch FROM clock_timestamp() - checked_at) * 1000)::float8 AS "silentMs"
     FROM tool_servers WHERE enabled ORDER BY name, id`,
  );
  if (rows.length === 0) return { state: "ok", says: "None is attached." };
  return judge(rows, { one: "tool server", page: "Tools" });
}

function judge(rows: readonly Checked[], { one, page }: { one: string; page: string }): Finding {
  const facts = rows.map(({ name, silentMs, error }) => {
    if (silentMs === null) return fact(name, "never tested");
    return fact(name, `${error ?? "answered"} (tested ${ageWords(silentMs)} ago)`);
  });
  const failed = rows.filter(({ error }) => error !== null);
  if (failed.length > 0) {
    const names = failed.map(({ name }) => name).join(", ");
    const says = `The last test of ${names} failed.`;
    return { state: "warning", says, advice: `Correct it under ${page}, then test again.`, facts };
  }
  const untested = rows.filter(({ silentMs }) => silentMs === null).length;
  if (untested > 0) return { state: "unknown", says: `${countWords(untested, one)} never tested.`, facts };
  return { state: "ok", says: `${countWords(rows.length, one)}; the last test of each went well.`, facts };
}
