import { readFile } from "node:fs/promises";
import pg from "pg";
import { pool } from "@/server/db";
import { haltDatabase, startDatabase } from "@/tests/support/crash-database";
import type { DatabaseKind } from "@/tests/support/databases";
import { LiveReader } from "@/tests/support/live-reader";
import { aSmallDisk } from "@/tests/support/small-disk";
import { judge, type Verdict } from "./invariants";
import { Product } from "./product";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, countOf, startRunOf, startTestWorker, until } from "./world";

const STEPS = 3;
const TOOLS = `[[tools=${STEPS}]]`;

type Report = (name: string, verdict: Verdict) => void;

/**
 * F4, F7, F8 and, on the embedded database, F41: one web server and two workers, which are never started again, live
 * through whatever befalls their database. Workers and doors go on by themselves, and nothing acknowledged is lost.
 */
export async function troubleTheDatabase(kind: DatabaseKind, report: Report): Promise<void> {
  const disk = await aSmallDisk(kind);
  const product = await Product.open(kind, disk ? { directory: disk.directory } : {});
  const { world } = product;
  const workers: TestWorker[] = [];
  try {
    workers.push(await startTestWorker(world, undefined, { indexes: true }), await startTestWorker(world));
    const after = async (name: string, problems: string[]) => {
      const verdict = await settle(product);
      const dead = workers.filter(({ process }) => process.exitCode !== null || process.signalCode !== null).length;
      if (dead || product.web.process.exitCode !== null) problems.push(`${dead} workers or the web server ended`);
      report(name, { ...verdict, problems: [...verdict.problems, ...problems] });
    };
    await after("500 runs at once", await manyAtOnce(product, workers));
    await after("read-only for a while", await readOnly(product));
    if (disk) await after("disk full for a while", await diskFull(product, disk));
    else console.error(`skip ${kind} disk full for a while: no small disk can be mounted here`);
    if (kind === "embedded" || process.env.TEST_DATABASE_SERVER) await after("down for a while", await down(product));
    else console.error(`skip ${kind} down for a while: TEST_DATABASE_SERVER is not set`);
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
    await product.close().finally(() => disk?.remove());
  }
}

/** Waits for the end of all runs and documents, and judges everything since the beginning. */
async function settle(product: Product): Promise<Verdict> {
  const { rows } = await pool().query<{ id: string; input: string }>("select id, input from runs");
  const runIds = rows.map(({ id }) => id);
  await until("the end of all questions", async () => {
    await product.answerAll();
    return (
      (await countOf("select count(*)::int as n from runs where not is_terminal(status) and input like '%ask=%'")) === 0
    );
  });
  await answerUntilEnded(product.world, runIds);
  await until("the end of indexing", async () => {
    return (await countOf("select count(*)::int as n from documents where status not in ('ready', 'failed')")) === 0;
  });
  const effects = rows.filter(({ input }) => input.startsWith(TOOLS)).length * STEPS;
  // Nobody was killed: a call is only made again where its answer could not be recorded in time.
  const verdict = await judge(product.world, runIds, { effects, mostRepeatedCalls: runIds.length });
  return { ...verdict, problems: [...verdict.problems, ...(await product.problems())] };
}

/** F8: far more runs than connections. The doors answer meanwhile, and memory stays within bounds. */
async function manyAtOnce(product: Product, workers: readonly TestWorker[]): Promise<string[]> {
  const problems: string[] = [];
  const runIds: string[] = [];
  const store = async (from: number) => {
    for (let i = from; i < 500; i += 5) {
      runIds.push(await startRunOf(product.world, product.world.solo, `[[tools=0]] queued ${i}`));
    }
  };
  let done = false;
  const work = Promise.all([0, 1, 2, 3, 4].map(store))
    .then(() => answerUntilEnded(product.world, runIds))
    .finally(() => {
      done = true;
    });
  while (!done) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => product.ask("/healthz/ready")));
    if (answers.some(({ status }) => status !== 200 && status !== 503)) problems.push("a health route did not answer");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await work;
  await until("“ready”", async () => (await product.health()) === 200);
  for (const { process } of workers) {
    const peakMegabytes = await peakMemory(process.pid ?? 0);
    if (peakMegabytes > 1024) problems.push(`a worker took ${peakMegabytes} MB`);
  }
  return problems;
}

async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** F7: writes are refused in plain words, reads are answered; what is under way waits. */
async function readOnly(product: Product): Promise<string[]> {
  await underWay(product, 6);
  await setReadOnly(product, true);
  const problems = await refusesWrites(product, /read-only/);
  await setReadOnly(product, false);
  return problems;
}

async function setReadOnly({ world }: Product, on: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: world.database.url });
  client.on("error", () => {});
  await client.connect();
  try {
    if (world.kind === "embedded") {
      // One backend serves all: what one client sets holds for everybody.
      await client.query(`set default_transaction_read_only = ${on ? "on" : "off"}`);
      return;
    }
    await client.query("set default_transaction_read_only = off");
    const name = new URL(world.database.url).pathname.slice(1);
    await client.query(`alter database ${name} set default_transaction_read_only = ${on ? "on" : "off"}`);
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [name],
    );
  } finally {
    await client.end();
  }
}

/** F7: as above, for a disk without a free byte. */
async function diskFull(product: Product, disk: { fill(): Promise<void>; free(): Promise<void> }): Promise<string[]> {
  await underWay(product, 6);
  await disk.fill();
  const problems = await refusesWrites(product, /disk is full/);
  await disk.free();
  return problems;
}

/** F4, F41: the database is ended without warning while runs, uploads and answers are on their way, and comes back. */
async function down(product: Product): Promise<string[]> {
  const problems: string[] = [];
  const { world } = product;
  const watched = await product.startRun("[[ask=2]]");
  const { url, headers } = product.live();
  const reader = new LiveReader(url, { runId: String(watched.data.runId) }, headers);
  let followed = false;
  const following = (async () => {
    while (!followed) {
      await reader.read().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();

  let wanted = 50;
  const start = async () => {
    while (wanted > 0) {
      wanted -= 1;
      const told = await product.startRun(wanted % 10 ? TOOLS : "[[ask=1]]");
      if (!told.ok) {
        wanted += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  let file = 0;
  const upload = async () => {
    while (file < 6) {
      const told = await product.upload(`down ${file}.md`, aText(file, 40_000));
      if (told.ok) file += 1;
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const answer = async () => {
    while (wanted > 0 || file < 6) {
      await product.answerAll().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const work = Promise.all([start(), start(), upload(), answer()]);
  work.catch(() => {});
  for (const left of [30, 10]) {
    await until("some starts", async () => wanted <= left);
    await haltDatabase(world.database);
    try {
      await until("“not ready”", async () => (await product.health()) === 503);
      if ((await product.ask("/healthz/live")).status !== 200)
        problems.push("the web server did not say that it lives");
      const told = await product.startRun(TOOLS);
      if (told.ok) problems.push("a run was started without a database");
      if (!/cannot be reached/.test(told.error?.userMessage ?? "")) problems.push(`told: ${JSON.stringify(told)}`);
    } finally {
      await startDatabase(world.database);
    }
    await until("“ready”", async () => (await product.health()) === 200);
  }
  await work;

  await until("the end of the watched run", async () => {
    await product.answerAll();
    const last = await countOf("select last_seq as n from runs where id = $1 and is_terminal(status)", [
      watched.data.runId,
    ]);
    return last > 0 && reader.seqs.at(-1) === last;
  });
  followed = true;
  reader.close();
  await following;
  const inOrder = reader.seqs.every((seq, index) => seq === index + 1);
  if (!inOrder) problems.push(`the reader saw ${reader.seqs.join(" ")}`);
  return problems;
}

/** Starts runs and waits until some of them have acted. */
async function underWay(product: Product, runs: number): Promise<void> {
  const before = product.world.effects.applied().size;
  for (let i = 0; i < runs; i++) await product.startRun(TOOLS);
  await until("some work", async () => product.world.effects.applied().size > before);
}

/** What people are told while nothing can be written. */
async function refusesWrites(product: Product, why: RegExp): Promise<string[]> {
  const problems: string[] = [];
  // Larger than what may be left in pages that are there already.
  await until("a refused upload", async () => {
    const told = await product.upload(`refused ${crypto.randomUUID()}.md`, aText(product.documents.size, 3_000_000));
    return why.test(told.error?.userMessage ?? "");
  });
  await until("a refused start", async () => why.test((await product.startRun(TOOLS)).error?.userMessage ?? ""));
  if (!(await product.query("runs.list", {})).ok) problems.push("runs could not be listed");
  if (!(await product.query("runs.tree", { runId: [...product.runs].at(-1) })).ok)
    problems.push("a run could not be read");
  if ((await product.ask("/healthz/live")).status !== 200) problems.push("the web server did not say that it lives");
  return problems;
}

/** A text of its own with many passages. */
function aText(seed: number, bytes: number): Buffer {
  const line = (at: number) =>
    `Paragraph ${at} of text ${seed} says that ${(seed + 1) * at} is a number of its own.\n\n`;
  let text = `# Text ${seed}\n\n`;
  for (let at = 0; text.length < bytes; at++) text += line(at);
  return Buffer.from(text);
}
