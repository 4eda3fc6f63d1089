import pg from "pg";
import { env } from "@/server/env";
import { logger } from "@/server/logger";
import { type Hint, parseChanged, parseDelta, parseRunHint } from "./listener-payloads";

const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 5_000;

const PARSERS: Record<string, (payload: string) => Hint | null> = {
  troupe_run: parseRunHint,
  troupe_delta: parseDelta,
  troupe_changed: parseChanged,
};

type Waiter = (hint: Hint) => void;

/** The one LISTEN connection of this process. `stop` ends it and its retries. */
type Listener = { waiters: Map<string, Set<Waiter>>; stop: () => Promise<void> };
const handles = globalThis as typeof globalThis & { troupeListener?: Listener };

/**
 * Calls `waiter` for each notification of the workspace until the returned function is called.
 *
 * Notifications are hints: they may come late, twice or (when the connection was lost) not at all. After every connect
 * all waiters hear `missed`, also the first, because whatever was notified before LISTEN was heard by nobody.
 */
export function subscribe(workspaceId: string, waiter: Waiter): () => void {
  handles.troupeListener ??= startListener();
  const { waiters } = handles.troupeListener;
  const mine = waiters.get(workspaceId) ?? new Set();
  waiters.set(workspaceId, mine.add(waiter));
  return () => {
    mine.delete(waiter);
    if (mine.size === 0 && waiters.get(workspaceId) === mine) waiters.delete(workspaceId);
  };
}

export async function closeListener(): Promise<void> {
  const listener = handles.troupeListener;
  handles.troupeListener = undefined;
  await listener?.stop();
}

function startListener(): Listener {
  const waiters: Listener["waiters"] = new Map();
  let stopped = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let delayMs = FIRST_RETRY_MS;

  const tell = (workspaceId: string, hint: Hint) => {
    for (const waiter of waiters.get(workspaceId) ?? []) waiter(hint);
  };

  const connect = async () => {
    const connection = new pg.Client({ connectionString: env().DATABASE_URL, keepAlive: true });
    client = connection;
    connection.on("notification", ({ channel, payload = "" }) => {
      const hint = PARSERS[channel]?.(payload);
      if (hint) tell(hint.workspaceId, hint);
    });
    let ended = false;
    const lost = (error?: Error) => {
      if (ended) return;
      ended = true;
      connection.end().catch(() => {});
      if (stopped) return;
      logger.warn({ err: error, delayMs }, "The live connection to the database is lost; trying again");
      retry = setTimeout(connect, delayMs);
      delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS);
    };
    connection.on("error", lost);
    connection.on("end", lost);
    try {
      await connection.connect();
      for (const channel of Object.keys(PARSERS)) await connection.query(`LISTEN ${channel}`);
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
      return;
    }
    delayMs = FIRST_RETRY_MS;
    for (const workspaceId of waiters.keys()) tell(workspaceId, { type: "missed", workspaceId });
  };
  void connect();

  return {
    waiters,
    stop: async () => {
      stopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
