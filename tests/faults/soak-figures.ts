import { readdir, readFile } from "node:fs/promises";
import { pool } from "@/server/db";
import type { Product } from "./product";
import type { TestWorker } from "./test-worker";
import { countOf } from "./world";

/** What must stay level while the load does. By name, each of one process or of the database. */
export type Sample = { ended: number; databaseBytes: number; levels: Record<string, number> };

export async function sample(product: Product, workers: readonly TestWorker[], ended: number): Promise<Sample> {
  const levels: Record<string, number> = {};
  for (const [n, worker] of workers.entries()) {
    const { heapBytes, rssBytes, handles, listeners } = await worker.measure();
    const name = `worker ${n + 1}`;
    levels[`${name} heap MB`] = heapBytes / MEGABYTE;
    levels[`${name} memory MB`] = rssBytes / MEGABYTE;
    levels[`${name} handles`] = handles;
    levels[`${name} listeners`] = listeners;
    levels[`${name} files`] = await openFiles(worker.process.pid);
  }
  const web = product.web.process.pid;
  levels["web memory MB"] = await residentMegabytes(web);
  levels["web files"] = await openFiles(web);
  if (product.world.kind === "postgres") {
    levels.connections = await countOf(
      "select count(*)::int as n from pg_stat_activity where datname = current_database()",
    );
  }
  const { rows } = await pool().query<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
  return { ended, databaseBytes: Number(rows[0]?.bytes ?? 0), levels };
}

const MEGABYTE = 2 ** 20;
/** What comes and goes at the same load. */
const SLACK: [RegExp, { times: number; plus: number }][] = [
  [/heap MB$/, { times: 1.2, plus: 8 }],
  [/memory MB$/, { times: 1.2, plus: 40 }],
  [/./, { times: 1.1, plus: 20 }],
];
/** A run of the last quarter takes at most so many times the room of one of the second. */
const MOST_ROOM_GROWTH = 1.5;

export type Level = { name: string; before: number; after: number; isRising: boolean };

/** The second quarter beside the last: by then everything has been used once. */
export function compareQuarters(samples: readonly Sample[]): Level[] {
  const quarter = Math.floor(samples.length / 4);
  const [second, last] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  const names = Object.keys(last[0]?.levels ?? {});
  const levels = names.map((name) => {
    const of = (part: readonly Sample[]) => median(part.map(({ levels }) => levels[name] ?? 0));
    const [before, after] = [of(second), of(last)];
    const { times, plus } = SLACK.find(([pattern]) => pattern.test(name))?.[1] ?? { times: 1, plus: 0 };
    return { name, before, after, isRising: after > before * times + plus };
  });
  const [before, after] = [kilobytesPerRun(second), kilobytesPerRun(last)];
  return [...levels, { name: "database kB per run", before, after, isRising: after > before * MOST_ROOM_GROWTH }];
}

function kilobytesPerRun(part: readonly Sample[]): number {
  const [first, last] = [part[0], part.at(-1)];
  if (!first || !last || last.ended === first.ended) return 0;
  return (last.databaseBytes - first.databaseBytes) / 1024 / (last.ended - first.ended);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function residentMegabytes(pid = 0): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

async function openFiles(pid = 0): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
}
