import { countWords } from "../rules";
import { type Finding, fact, type WithDatabase } from "./examined";

type Row = { open: string; recent: string; breakers: string[] };

/** AGT-RES-14: calls that failed for good and nobody looked at, and what is left alone because it fails. */
export async function checkFailedCalls({ pool }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<Row>(
    `SELECT count(*) AS open, count(*) FILTER (WHERE at > now() - interval '1 day') AS recent,
       (SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM (
          SELECT DISTINCT coalesce(p.name, g.subject) AS name FROM gates g
            LEFT JOIN providers p ON g.subject = 'provider:' || p.id
          WHERE g.breaker ->> 'is' = 'half_open'
             OR (g.breaker ->> 'is' = 'open' AND (g.breaker ->> 'until')::float8 > extract(epoch FROM clock_timestamp()) * 1000)
          LIMIT 50) open) AS breakers
     FROM dead_letters WHERE status = 'open'`,
  );
  const { open = "0", recent = "0", breakers = [] } = rows[0] ?? {};
  const facts = [
    fact("Open dead letters", open),
    fact("Of the last day", recent),
    fact("Open breakers", breakers.join(", ") || "none"),
  ];
  const wrong = [
    ...(Number(recent) ? [`${countWords(Number(recent), "call")} failed for good in the last day`] : []),
    ...(breakers.length
      ? [`${breakers.join(", ")} failed too often and ${breakers.length === 1 ? "is" : "are"} left alone`]
      : []),
  ];
  if (wrong.length === 0) {
    const says = open === "0" ? "No call waits to be looked at." : "No call failed for good in the last day.";
    return { state: "ok", says, facts };
  }
  return {
    state: "warning",
    says: `${wrong.join("; ")}.`,
    advice: "Look under Dead letters for what failed and why, and acknowledge it or have it made again.",
    facts,
  };
}
