import { listBackups } from "@/server/backup/backups";
import { ageWords, countWords, judgeBackup } from "../rules";
import { type Examined, type Finding, fact } from "./examined";

/** Age of the newest backup that can be restored. Backups made by other means, such as pg_dump, are not known here. */
export async function checkBackup({ dataDirectory, database }: Examined): Promise<Finding> {
  if (!dataDirectory) return { state: "unknown", says: "Without a data directory no backups are kept." };
  const backups = await listBackups(dataDirectory);
  const [newest] = backups.filter(({ problem }) => problem === null);
  const damaged = backups.filter(({ problem }) => problem !== null);
  const ageMs = newest ? Date.now() - newest.takenAt.getTime() : null;
  const facts = [
    fact("Kept", countWords(backups.length, "backup")),
    ...(newest && ageMs !== null ? [fact("Newest", `${newest.name}, ${ageWords(ageMs)} old`)] : []),
    ...damaged.map(({ name, problem }) => fact(name, problem ?? "")),
  ];
  const hasRuns = await (async () => {
    if (!("pool" in database)) return true;
    const { rows } = await database.pool.query<{ has: boolean }>("SELECT EXISTS (SELECT FROM runs) AS has");
    return rows[0]?.has ?? false;
  })();
  const advice = "Take one under System, Backups, or with `npm run backup`, and keep a copy on another machine.";
  if (judgeBackup({ ageMs, hasRuns }) !== "ok") {
    const says = ageMs === null ? "There is no backup." : `The newest backup is ${ageWords(ageMs)} old.`;
    return { state: "warning", says, advice, facts };
  }
  if (ageMs === null) return { state: "ok", says: "There is none yet, and no run that it could hold.", facts };
  return { state: "ok", says: `The newest backup is ${ageWords(ageMs)} old.`, facts };
}
