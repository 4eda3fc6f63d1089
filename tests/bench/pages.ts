import { parseArgs } from "node:util";
import { SCALE_DEFAULTS } from "@/prisma/seed/scale/options";
import { scale } from "@/prisma/seed/scenarios/scale";
import { closeDb, db, pool } from "@/server/db";
import { env } from "@/server/env";
import { provenWorkspace, type Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import setup, { DATABASE_KINDS, type DatabaseKind, freshDatabase } from "@/tests/support/databases";
import { aMember } from "@/tests/support/factories";

/**
 * npm run bench:pages [-- --url postgresql://… --kind postgres]: how long what the pages ask for takes with the data of the scale
 * seed, on each kind of database; median of five after one call to warm up. Ends with an error above the house limits.
 * With a URL nothing is seeded: it names a database that has been.
 */
const { values } = parseArgs({ options: { url: { type: "string" }, kind: { type: "string", default: "postgres" } } });
const LIMIT_MS: Record<DatabaseKind, number> = { postgres: 100, embedded: 300 };
/** They read all of a run of 10,000 steps, not what a page shows of it: 500 ms on either. */
const OF_WHOLE_RUNS = ["runs.facts of the largest run", "runs.compare with the largest run"];
const WHOLE_RUNS_MS = 500;
const ROUNDS = 5;

type Caller = ReturnType<typeof callerOf>;
type Figure = { name: string; ms: number; fastestMs: number; kB: number };

const cleanUp = setup();
let slow = 0;
if (values.url) slow += await measure(values.kind === "embedded" ? "embedded" : "postgres", values.url);
else {
  for (const kind of DATABASE_KINDS) {
    const database = await freshDatabase(kind);
    openOn(database.url);
    await scale(SCALE_DEFAULTS, (line) => console.log(line));
    slow += await measure(kind, database.url);
    await closeDb();
    await database.stop();
  }
}
await cleanUp();
process.exit(slow ? 1 : 0);

/** The environment is read once a process. */
function openOn(url: string) {
  process.env.DATABASE_URL = url;
  env().DATABASE_URL = url;
}

async function measure(kind: DatabaseKind, url: string): Promise<number> {
  openOn(url);
  // Postgres does it by itself after a while; in the embedded database nothing does.
  if (kind === "postgres") await pool().query("ANALYZE");
  const scope = await anOwner();
  const figures: Figure[] = [];
  for (const [name, call] of await callsOf(callerOf(scope), scope)) {
    try {
      figures.push({ name, ...(await timed(call)) });
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      slow += 1;
    }
  }
  console.log(`\n${kind} (limit ${LIMIT_MS[kind]} ms)`);
  const isSlow = ({ name, ms }: Figure) => ms > (OF_WHOLE_RUNS.includes(name) ? WHOLE_RUNS_MS : LIMIT_MS[kind]);
  for (const figure of figures) {
    const { name, ms, fastestMs, kB } = figure;
    const mark = isSlow(figure) ? "  <- slow" : "";
    console.log(
      `${name.padEnd(40)}${ms.toFixed(1).padStart(9)} ms (at best ${fastestMs.toFixed(1)})${kB.toFixed(0).padStart(8)} kB${mark}`,
    );
  }
  await closeDb();
  return figures.filter(isSlow).length;
}

async function timed(call: () => Promise<unknown>): Promise<Omit<Figure, "name">> {
  const kB = JSON.stringify(await call()).length / 1024;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    await call();
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return { ms: times[Math.floor(ROUNDS / 2)] ?? 0, fastestMs: times[0] ?? 0, kB };
}

async function anOwner(): Promise<Scope> {
  const workspace = await db().workspace.findFirstOrThrow({ orderBy: { createdAt: "asc" } });
  const workspaceId = provenWorkspace(workspace.id);
  const member = await db().member.findFirst({ where: { workspaceId, role: "owner" }, include: { user: true } });
  return member
    ? { workspaceId, userId: member.userId, userName: member.user.name, role: "owner" }
    : aMember(db(), workspaceId);
}

/** Every list and every page of a single thing, as their pages ask for them. */
async function callsOf(api: Caller, { workspaceId }: Scope): Promise<[string, () => Promise<unknown>][]> {
  const large = await db().run.findFirstOrThrow({ where: { workspaceId }, orderBy: { lastSeq: "desc" } });
  const other = await db().run.findFirstOrThrow({
    where: { workspaceId, id: { not: large.id } },
    orderBy: { lastSeq: "desc" },
  });
  const step = { workspaceId, runId: large.id };
  const model = await db().step.findFirstOrThrow({ where: { ...step, kind: "model" }, orderBy: { position: "desc" } });
  const tool = await db().step.findFirstOrThrow({
    where: { ...step, kind: "retrieval" },
    orderBy: { position: "desc" },
  });
  const decision = await db().decision.findFirstOrThrow({ where: { workspaceId, runId: large.id, kind: "delegate" } });
  const conversation = await db().conversation.findFirstOrThrow({ where: { workspaceId } });
  const agent = await db().agent.findFirstOrThrow({ where: { workspaceId, versions: { some: {} } } });
  const team = await db().team.findFirstOrThrow({ where: { workspaceId, versions: { some: {} } } });
  const { draft } = await api.teams.get({ teamId: team.id });
  const base = await db().knowledgeBase.findFirstOrThrow({ where: { workspaceId }, orderBy: { chunkCount: "desc" } });
  const document = await db().document.findFirstOrThrow({
    where: { baseId: base.id },
    orderBy: { chunkCount: "desc" },
  });
  const citation = await db().citation.findFirstOrThrow({ where: { workspaceId } });
  const runs = (input: Partial<Parameters<Caller["runs"]["list"]>[0]>) => () => api.runs.list({ ...input });
  const documents = (input: object) => () => api.knowledge.documents({ baseId: base.id, ...input });
  return [
    ["workspace.me", () => api.workspace.me()],
    ["runs.summary", () => api.runs.summary()],
    ["runs.list", runs({})],
    ["runs.list waiting", runs({ status: ["waiting"] })],
    ["runs.list failed", runs({ status: ["failed"] })],
    ["runs.list archived, none there", runs({ archived: true })],
    ["runs.list of a tag nobody used", runs({ tags: ["nobody used this"] })],
    ["runs.list dear and long", runs({ minCostNanoUsd: 1_000_000_000_000, longerThanMs: 1 })],
    ["runs.matching", () => api.runs.matching({})],
    ["runs.choices", () => api.runs.choices()],
    ["runs.removalPlan of the largest run", () => api.runs.removalPlan({ runIds: [large.id] })],
    ["runViews.list", () => api.runViews.list()],
    ["runs.list search", runs({ search: "refunded" })],
    ["runs.list search, nothing found", runs({ search: "nothing is called this" })],
    ["runs.targets", () => api.runs.targets()],
    ["runs.tree of 10,000 steps", () => api.runs.tree({ runId: large.id })],
    ["runs.events, first page", () => api.runs.events({ runId: large.id })],
    ["runs.events of an agent", () => api.runs.events({ runId: large.id, agentRunId: decision.agentRunId })],
    [
      "runs.events of a step",
      () => api.runs.events({ runId: large.id, agentRunId: model.agentRunId, position: model.position }),
    ],
    [
      "runs.events of a decision",
      () => api.runs.events({ runId: large.id, agentRunId: decision.agentRunId, decisionId: decision.id }),
    ],
    ["runs.facts of the largest run", () => api.runs.facts({ runId: large.id })],
    ["runs.compare with the largest run", () => api.runs.compare({ leftRunId: large.id, rightRunId: other.id })],
    ["runs.neighbour", () => api.runs.neighbour({ runId: large.id, which: "older" })],
    ["runs.rerunPlan", () => api.runs.rerunPlan({ runId: large.id })],
    [
      "runs.retryPlan",
      () => api.runs.retryPlan({ runId: large.id, agentRunId: model.agentRunId, position: model.position }),
    ],
    ["ledger.run", () => api.ledger.run({ runId: large.id })],
    ["feedback.list", () => api.feedback.list({})],
    ["feedback.counts", () => api.feedback.counts({})],
    ["feedback.onRun", () => api.feedback.onRun({ runId: large.id })],
    ["deadLetters.list", () => api.deadLetters.list({})],
    ["usage.get", () => api.usage.get()],
    ["usage.errors", () => api.usage.errors()],
    ["webhooks.list", () => api.webhooks.list()],
    ["decisions.list", () => api.decisions.list({})],
    ["decisions.list failed", () => api.decisions.list({ outcome: "failed" })],
    ["decisions.list search, nothing found", () => api.decisions.list({ search: "nobody ever said this" })],
    ["decisions.outcomes", () => api.decisions.outcomes({})],
    ["decisions.explain", () => api.decisions.explain({ decisionId: decision.id })],
    ["decisions.get", () => api.decisions.get({ decisionId: decision.id })],
    ["decisions.precedents", () => api.decisions.precedents({ decisionId: decision.id })],
    [
      "runs.step model call",
      () => api.runs.step({ runId: large.id, agentRunId: model.agentRunId, position: model.position }),
    ],
    [
      "runs.step search",
      () => api.runs.step({ runId: large.id, agentRunId: tool.agentRunId, position: tool.position }),
    ],
    ["runs.decision", () => api.runs.decision({ runId: large.id, decisionId: decision.id })],
    ["runs.agent", () => api.runs.agent({ runId: large.id, agentRunId: model.agentRunId })],
    ["runInside.said", () => api.runInside.said({ runId: large.id })],
    ["runInside.said search, nothing found", () => api.runInside.said({ runId: large.id, search: "nobody said this" })],
    ["runInside.messages", () => api.runInside.messages({ runId: large.id })],
    ["runInside.costs", () => api.runInside.costs({ runId: large.id })],
    ["runInside.agentCosts", () => api.runInside.agentCosts({ runId: large.id })],
    ["runInside.timings", () => api.runInside.timings({ runId: large.id })],
    ["runInside.retrievals", () => api.runInside.retrievals({ runId: large.id })],
    [
      "runInside.retrievals search, nothing found",
      () => api.runInside.retrievals({ runId: large.id, search: "nobody said this" }),
    ],
    ["runInside.attached", () => api.runInside.attached({ runId: large.id })],
    [
      "runInside.agentSpending",
      () => api.runInside.agentSpending({ runId: large.id, agentRunId: decision.agentRunId }),
    ],
    ["runInside.usedDocuments", () => api.runInside.usedDocuments({ runId: large.id })],
    ["runInside.results", () => api.runInside.results({ runId: large.id })],
    ["runInside.largeResults", () => api.runInside.largeResults({ runId: large.id })],
    ["runInside.moments", () => api.runInside.moments({ runId: large.id, agentRunId: decision.agentRunId })],
    [
      "runInside.snapshot",
      () => api.runInside.snapshot({ runId: large.id, agentRunId: decision.agentRunId, seq: large.lastSeq }),
    ],
    ["runInside.frames", () => api.runInside.frames({ runId: large.id, afterSeq: 0 })],
    [
      "runs.modelCall",
      () => api.runs.modelCall({ runId: large.id, agentRunId: model.agentRunId, position: model.position }),
    ],
    ["spending.summary", () => api.spending.summary({})],
    ["spending.groups by agent", () => api.spending.groups({})],
    ["spending.groups by tools", () => api.spending.groups({ by: "tools" })],
    ["spending.groups by run, 90 days", () => api.spending.groups({ by: "run", period: "90" })],
    ["spending.calls", () => api.spending.calls({})],
    ["spending.calls, none that long", () => api.spending.calls({ slower: "600" })],
    ["requests.list", () => api.requests.list({})],
    ["conversations.list", () => api.conversations.list({})],
    ["conversations.list search", () => api.conversations.list({ search: "parcel" })],
    ["conversations.get", () => api.conversations.get({ conversationId: conversation.id })],
    ["agents.list", () => api.agents.list({})],
    ["agents.list search", () => api.agents.list({ search: "analyst" })],
    ["agents.get", () => api.agents.get({ agentId: agent.id })],
    ["agents.choices", () => api.agents.choices()],
    ["agents.tools", () => api.agents.tools()],
    ["teams.list", () => api.teams.list()],
    ["teams.all", () => api.teams.all({})],
    ["teams.all search", () => api.teams.all({ search: "desk" })],
    ["teams.names", () => api.teams.names()],
    ["teams.get", () => api.teams.get({ teamId: team.id })],
    ["teams.preview", () => api.teams.preview({ name: team.name, draft })],
    ["knowledge.bases", () => api.knowledge.bases()],
    ["knowledge.base", () => api.knowledge.base({ baseId: base.id })],
    ["knowledge.documents", documents({})],
    ["knowledge.documents search", documents({ search: "09" })],
    ["knowledge.document", () => api.knowledge.document({ documentId: document.id })],
    ["knowledge.chunks", () => api.knowledge.chunks({ documentId: document.id })],
    ["knowledge.search", () => api.knowledge.search({ baseIds: [base.id], query: "who signs above 5,000 euros" })],
    ["knowledge.citation", () => api.knowledge.citation({ runId: citation.runId, mark: citation.mark })],
    ["providers.list", () => api.providers.list()],
    ["providers.models", () => api.providers.models()],
    ["toolServers.list", () => api.toolServers.list()],
    ["examples.list", () => api.examples.list()],
    ["members.list", () => api.members.list()],
  ];
}
