import { connectToolServer, type ToolServerConnection } from "./connect";
import { connectionKey, type StoredToolServer } from "./stored-server";

const IDLE_MS = 60_000;
const PING_WITHIN_MS = 5000;

type Entry = {
  key: string;
  opening: Promise<ToolServerConnection>;
  active: number;
  idle?: NodeJS.Timeout;
  /** A call on it was given up: before the next one it must show that it still answers. */
  doubtful: boolean;
  /** Another one took its place: closes after its last call. */
  replaced: boolean;
};

/**
 * The connections of this process, one for each way of connecting (LOK-MCP-14): opened by the first call, shared by
 * all, closed when nobody has used it for a minute or the server was changed.
 */
class ToolServerConnections {
  private readonly entries = new Map<string, Entry>();

  /** Throws ToolServerConnectError before `work` begins, and whatever `work` throws after. */
  async use<T>(
    server: StoredToolServer,
    signal: AbortSignal,
    work: (connection: ToolServerConnection) => Promise<T>,
  ): Promise<T> {
    const entry = await this.entryFor(server);
    entry.active++;
    clearTimeout(entry.idle);
    try {
      return await work(await unlessStopped(entry.opening, signal));
    } catch (error) {
      if (signal.aborted) entry.doubtful = true;
      throw error;
    } finally {
      entry.active--;
      this.rest(server.id, entry);
    }
  }

  /** The next call opens a new connection; calls on the old one may end. */
  forget(serverId: string): void {
    const entry = this.entries.get(serverId);
    if (entry) this.replace(serverId, entry);
  }

  async closeAll(): Promise<void> {
    const all = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(all.map(close));
  }

  private async entryFor(server: StoredToolServer): Promise<Entry> {
    const key = connectionKey(server);
    const found = this.entries.get(server.id);
    if (found && (found.key !== key || (found.doubtful && !(await answers(found))))) this.replace(server.id, found);
    const kept = this.entries.get(server.id);
    if (kept) return kept;

    const entry: Entry = { key, opening: connectToolServer(server), active: 0, doubtful: false, replaced: false };
    this.entries.set(server.id, entry);
    const gone = () => this.replace(server.id, entry);
    entry.opening.then(({ closed }) => closed).then(gone, gone);
    return entry;
  }

  private replace(serverId: string, entry: Entry): void {
    if (this.entries.get(serverId) === entry) this.entries.delete(serverId);
    entry.replaced = true;
    this.rest(serverId, entry);
  }

  private rest(serverId: string, entry: Entry): void {
    if (entry.active > 0) return;
    clearTimeout(entry.idle);
    if (entry.replaced) void close(entry);
    else entry.idle = setTimeout(() => this.replace(serverId, entry), IDLE_MS).unref();
  }
}

async function answers(entry: Entry): Promise<boolean> {
  entry.doubtful = false;
  return entry.opening
    .then(({ client }) => client.ping({ timeout: PING_WITHIN_MS }))
    .then(
      () => true,
      () => false,
    );
}

async function close(entry: Entry): Promise<void> {
  clearTimeout(entry.idle);
  // One that never opened has nothing to close; one that will not close is killed by its transport.
  await entry.opening.then((connection) => connection.close()).catch(() => {});
}

/** Waits for what others wait for too: a stop ends this wait only. */
function unlessStopped<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

export const toolServerConnections = new ToolServerConnections();
