import { pool } from "@/server/db";
import type { DatabaseKind } from "@/tests/support/databases";
import { type Cut, type PostgresProxy, startPostgresProxy } from "@/tests/support/postgres-proxy";
import { judge, type Verdict } from "./invariants";
import { Product, type Told } from "./product";
import { answerUntilEnded, countOf, startTestWorker, until } from "./world";

type Report = (name: string, verdict: Verdict) => void;

/** What a person does once, however often they have to press. Returns what they were told. */
type Act = { name: string; prepare?: () => Promise<void>; act: () => Promise<Told>; done: () => Promise<number> };

const STEPS = 3;
const RUNS = 10;
/** Every so manieth request of the worker is cut off. A prime, so that each kind of request has its turn. */
const EVERY = 13;

/**
 * F5, F6: a connection breaks at each request that starting a run, answering and uploading send, before the server hears
 * it and after it has carried it out; then at every so manieth request of a worker. Nothing happens twice, nothing is lost.
 */
export async function cutConnections(kind: DatabaseKind, report: Report): Promise<void> {
  const proxies: PostgresProxy[] = [];
  const through = async (direct: string) => {
    const proxy = await startPostgresProxy(direct);
    proxies.push(proxy);
    return proxy;
  };
  let doors: PostgresProxy | undefined;
  const product = await Product.open(kind, {
    databaseUrl: async (direct) => {
      doors = await through(direct);
      return doors.url;
    },
  });
  const way = await through(product.world.database.url);
  const worker = await startTestWorker(product.world, undefined, { indexes: true, databaseUrl: way.url });
  try {
    if (!doors) throw new Error("the doors did not open");
    const problems = await sweepDoors(product, doors);
    report("connections of the doors cut", await verdictOf(product, problems));
    const more = await cutWorker(product, way);
    report("connections of a worker cut", await verdictOf(product, more));
  } finally {
    await worker.kill();
    await product.close();
    for (const proxy of proxies) proxy.close();
  }
}

async function sweepDoors(product: Product, doors: PostgresProxy): Promise<string[]> {
  const problems: string[] = [];
  for (const how of ["before", "after"] satisfies Cut[]) {
    for (const what of [startsARun, uploadsAFile, answersAQuestion]) {
      for (let nth = 1; ; nth++) {
        const { name, prepare, act, done } = what(product, `${how} ${nth}`);
        await prepare?.();
        let sent = 0;
        doors.decide = () => (++sent === nth ? how : null);
        let told = await act();
        doors.decide = () => null;
        const wasCut = sent >= nth;
        if (!told.ok && !wasCut) problems.push(`${name} was refused with nothing cut: ${JSON.stringify(told)}`);
        // Whoever is refused presses again.
        if (!told.ok) told = await act();
        if (!told.ok) problems.push(`${name}, cut ${how} request ${nth}, was refused again: ${JSON.stringify(told)}`);
        const times = await done();
        if (times !== 1) problems.push(`${name}, cut ${how} request ${nth}, happened ${times} times`);
        if (!wasCut) break;
        if (nth > 60) throw new Error(`${name} sends requests without end`);
      }
    }
  }
  return problems;
}

function startsARun(product: Product, tag: string): Act {
  const words = `[[tools=0]] start, ${tag}`;
  return {
    name: "a start",
    act: () => product.startRun(words),
    done: () => countOf("select count(*)::int as n from runs where starts_with(input, $1 || ' number')", [words]),
  };
}

function uploadsAFile(product: Product, tag: string): Act {
  const name = `cut ${tag}.md`;
  const text = Buffer.from(`# ${tag}\n\nWhat ${tag} is about.\n`);
  return {
    name: "an upload",
    act: () => product.upload(name, text),
    done: () =>
      countOf(
        "select count(*)::int as n from documents d join files f on f.id = d.file_id and f.status = 'stored' where d.name = $1",
        [name],
      ),
  };
}

function answersAQuestion(product: Product, tag: string): Act {
  let requestId = "";
  return {
    name: "an answer",
    prepare: async () => {
      const told = await product.startRun(`[[ask=1]] ${tag}`);
      await until("a question", async () => {
        const { rows } = await pool().query<{ id: string }>("select id from human_requests where run_id = $1", [
          told.data.runId,
        ]);
        requestId = rows[0]?.id ?? "";
        return requestId !== "";
      });
    },
    act: () => product.answer(requestId, `answer ${tag}`),
    done: () =>
      countOf(
        `select count(*)::int as n from human_requests h join decisions d on d.agent_run_id = h.agent_run_id and d.kind = 'answer'
         where h.id = $1 and h.answer #>> '{}' = $2`,
        [requestId, `answer ${tag}`],
      ),
  };
}

async function cutWorker(product: Product, way: PostgresProxy): Promise<string[]> {
  let sent = 0;
  way.decide = () => {
    sent += 1;
    if (sent % EVERY !== 0) return null;
    return (sent / EVERY) % 2 ? "after" : "before";
  };
  for (let i = 0; i < RUNS; i++) await product.startRun(`[[tools=${STEPS}]]`);
  const text = Array.from({ length: 900 }, (_, at) => `Paragraph ${at} says that ${at * 7} is a number.`).join("\n\n");
  await product.upload("long.md", Buffer.from(text));
  await settle(product);
  way.decide = () => null;
  return way.cuts < 10 ? [`only ${way.cuts} connections were cut`] : [];
}

async function settle(product: Product): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("select id from runs");
  const runIds = rows.map(({ id }) => id);
  await answerUntilEnded(product.world, runIds);
  await until("the end of indexing", async () => {
    return (await countOf("select count(*)::int as n from documents where status not in ('ready', 'failed')")) === 0;
  });
  return runIds;
}

async function verdictOf(product: Product, problems: string[]): Promise<Verdict> {
  const runIds = await settle(product);
  const effects =
    STEPS * (await countOf("select count(*)::int as n from runs where input like $1", [`[[tools=${STEPS}]]%`]));
  // A call is made again where its answer could not be recorded in time.
  const verdict = await judge(product.world, runIds, { effects, mostRepeatedCalls: runIds.length });
  return { ...verdict, problems: [...problems, ...verdict.problems, ...(await product.problems())] };
}
