import { isDeepStrictEqual } from "node:util";
import type { Browser, CDPSession, Page } from "@playwright/test";
import superjson from "superjson";
import { findOrCreateWorkspace } from "@/prisma/seed/scenarios/first-workspace";
import { closeDb, db } from "@/server/db";
import type { RunEvent } from "@/server/engine/events";
import { env } from "@/server/env";
import type { FollowMessage } from "@/server/runs/live-schema";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import type { RunTree } from "@/server/runs/schema";
import { createOwner, expect, Installation, startDemoRun, type TreeOfRun, treeOf } from "@/tests/e2e/installation";
import { type CutRelay, startCutRelay } from "@/tests/support/cut-relay";
import { aTeam } from "@/tests/support/factories";
import { TALKERS, TOKEN_CHARACTERS, talkOf } from "@/tests/support/scripted-talkers";
import { median } from "./retrieval-figures";
import { differencesOf, listShownRows } from "./shown-rows";

const WINDOWS = 5;
const WINDOW_MS = 3000;
const RECONNECTS = 5;
/** The one that talks longest. */
const LAST_TALKER = TALKERS - 1;
const PATIENCE = { timeout: 60_000 };
const LIVE_TEXT = "section.stream";

/**
 * A run in which many agents stream at once: how busy the page's main thread is while its tree is looked at, and with a streaming
 * step open beside it; then connections break, and what reached the page is held against the record. Throws when anything was
 * lost or out of order: that is no matter of a fast machine.
 */
export async function measureLive(browser: Browser): Promise<[name: string, value: number][]> {
  const installation = await Installation.start({
    kind: "postgres",
    demo: "off",
    model: "scripted",
    script: "talkers",
  });
  const relay = await startCutRelay(installation.url);
  const context = await browser.newContext({ baseURL: relay.url, viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript("globalThis.__name = (value) => value");
    await createOwner(page, installation);
    await storeTalkers(installation.databaseUrl ?? "");
    const runId = await startDemoRun(page, "Talk, all of you.");
    const before = await untilAllStream(page, runId);
    const since = performance.now();

    await page.getByRole("button", { name: "Unfold all" }).click();
    const looking = await measureBusy(page);

    const step = before.liveTexts.find(({ text }) => text.startsWith(`${LAST_TALKER}.0 `));
    if (!step) throw new Error("Nobody says what the last talker is to say.");
    await page.goto(`/runs/${runId}?at=${step.agentRunId}.${step.position}&tab=output`);
    await page.getByRole("button", { name: "Unfold all" }).click();
    await expect(page.locator(LIVE_TEXT)).not.toBeEmpty(PATIENCE);
    const stepOpen = await measureBusy(page);

    const after = await treeOf(page, runId);
    if (after.liveTexts.length < TALKERS) throw new Error(`Only ${after.liveTexts.length} agents streamed to the end.`);
    const tokens = (writtenIn(after) - writtenIn(before)) / TOKEN_CHARACTERS / TALKERS;
    const tokensPerS = tokens / ((performance.now() - since) / 1000);

    const { lost, told } = await breakConnections(page, { runId, relay });
    return [
      ["ui.live20_busy_share", looking.busyShare],
      ["ui.live20_cpu_share", looking.cpuShare],
      ["ui.live20_step_open_busy_share", stepOpen.busyShare],
      ["ui.live20_step_open_cpu_share", stepOpen.cpuShare],
      ["ui.live20_tokens_per_s", tokensPerS],
      ["ui.live20_events_checked", told],
      ["ui.live20_lost_events", lost],
    ];
  } finally {
    await context.close();
    await relay.stop();
    await installation.stop();
  }
}

async function storeTalkers(databaseUrl: string): Promise<void> {
  process.env.DATABASE_URL = databaseUrl;
  // Read once for a process; here each part of the bench has a database of its own.
  env().DATABASE_URL = databaseUrl;
  const { id } = await findOrCreateWorkspace(db());
  await aTeam(db(), id, { supervisor: { maxConcurrentAgents: TALKERS }, agents: [{ name: "Talker" }] });
  await closeDb();
}

async function untilAllStream(page: Page, runId: string): Promise<TreeOfRun> {
  let tree = await treeOf(page, runId);
  const look = async () => {
    tree = await treeOf(page, runId);
    return tree.liveTexts.length;
  };
  await expect.poll(look, PATIENCE).toBe(TALKERS);
  return tree;
}

const writtenIn = ({ liveTexts }: TreeOfRun) => liveTexts.reduce((sum, { text }) => sum + text.length, 0);

type Busy = { busyShare: number; cpuShare: number };
const DOMAINS = ["timeTicks", "threadTicks"] as const;

/**
 * How busy the page's main thread is, in percent, the median of some windows: by the clock, which whatever else runs on the machine
 * draws out, and by the time the thread itself had of a processor.
 */
async function measureBusy(page: Page): Promise<Busy> {
  const [busyShare = Number.NaN, cpuShare = Number.NaN] = await Promise.all(
    DOMAINS.map(async (timeDomain) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Performance.enable", { timeDomain });
      const shares: number[] = [];
      let before = await readTasks(session);
      for (let window = 0; window < WINDOWS; window++) {
        await new Promise((resolve) => setTimeout(resolve, WINDOW_MS));
        const now = await readTasks(session);
        shares.push((100 * (now.busyS - before.busyS)) / (now.atS - before.atS));
        before = now;
      }
      await session.detach();
      return median(shares);
    }),
  );
  return { busyShare, cpuShare };
}

async function readTasks(session: CDPSession): Promise<{ busyS: number; atS: number }> {
  const { metrics } = await session.send("Performance.getMetrics");
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  return { busyS: metric("TaskDuration"), atS: metric("Timestamp") };
}

/** Breaks the page's connections a few times while agents come to their end, and follows the run until it has ended. */
async function breakConnections(
  page: Page,
  { runId, relay }: { runId: string; relay: CutRelay },
): Promise<{ lost: number; told: number }> {
  const session = await page.context().newCDPSession(page);
  const events: RunEvent[] = [];
  let connections = 0;
  session.on("Network.eventSourceMessageReceived", ({ data, eventName }) => {
    const message = eventName === "message" && superjson.parse<FollowMessage>(data);
    if (message && message.type === "event" && message.event.runId === runId) events.push(message.event);
  });
  session.on("Network.responseReceived", ({ type }) => {
    if (type === "EventSource") connections += 1;
  });
  await session.send("Network.enable");
  // Whatever is recorded from here on must reach the page.
  const { lastSeq: from } = await treeOf(page, runId);
  for (let reconnect = 1; reconnect <= RECONNECTS; reconnect++) {
    const seen = await liveText(page);
    relay.cut();
    await expect.poll(() => connections, PATIENCE).toBeGreaterThanOrEqual(reconnect);
    await page.waitForFunction(untilLonger, { in: LIVE_TEXT, than: seen.length }, PATIENCE);
    const text = await liveText(page);
    if (!talkOf(LAST_TALKER).startsWith(text))
      throw new Error(`The text is torn after reconnect ${reconnect}: ${text}`);
  }
  await expect(page.locator(".run-meta").getByText("Succeeded")).toBeVisible(PATIENCE);
  const { lastSeq } = await treeOf(page, runId);
  await expect.poll(() => events.at(-1)?.seq, PATIENCE).toBe(lastSeq);
  await session.detach();

  const seqs = events.map(({ seq }) => seq);
  const lost = countLost(seqs, { from, to: lastSeq });
  if (lost > 0) throw new Error(`${lost} of ${lastSeq - from} events never came, or came out of order: ${seqs}`);
  const record = await readRecord(runId, from);
  const journal = new Map(record.events.map((event) => [event.seq, event]));
  const other = events.find((event) => event.seq > from && !isDeepStrictEqual(event, journal.get(event.seq)));
  if (other) throw new Error(`Event ${other.seq} came otherwise than it is recorded: ${JSON.stringify(other)}`);
  const rows = await listShownRows(page);
  const [difference] = differencesOf(rows, record.tree);
  if (difference) throw new Error(`The page that followed the run is not what the database holds: ${difference}.`);
  await page.reload();
  const anew = await listShownRows(page);
  const changed = rows.find((row, at) => !isDeepStrictEqual(row, anew[at]));
  if (changed || rows.length !== anew.length)
    throw new Error(
      `The page that followed the run shows ${rows.length} rows, a fresh one ${anew.length}: ${JSON.stringify(changed)}`,
    );
  return { lost, told: lastSeq - from };
}

/** The run as its database holds it: its rows, and its events after `seq`. */
async function readRecord(runId: string, seq: number): Promise<{ tree: RunTree; events: RunEvent[] }> {
  const { id } = await findOrCreateWorkspace(db());
  const tree = await getRunTree(id, runId);
  const events = await listEventsAfter(id, { runId, seq, limit: tree.lastSeq });
  await closeDb();
  return { tree, events };
}

const liveText = async (page: Page) => (await page.locator(LIVE_TEXT).textContent()) ?? "";

function untilLonger({ in: selector, than }: { in: string; than: number }): boolean {
  return (document.querySelector(selector)?.textContent?.length ?? 0) > than;
}

/** How many after `from` and up to `to` did not come in their turn. What comes again is no loss: the page knows it by its seq. */
function countLost(seqs: readonly number[], { from, to }: { from: number; to: number }): number {
  let last = from;
  let lost = 0;
  for (const seq of seqs) {
    if (seq <= last) continue;
    lost += seq - last - 1;
    last = seq;
  }
  return lost + to - last;
}
