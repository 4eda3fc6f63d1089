import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { MediaType } from "@/server/files/media-type";
import type { FromReader, ToReader } from "./child-messages";
import type { ChunkDraft } from "./embedder";
import { ExtractionFailure } from "./extraction-failure";

export type ReadDocument = { chunks: ChunkDraft[]; characters: number; pages: number | null };
export type Parts = () => AsyncIterable<Uint8Array>;
export type DocumentReader = {
  /** Reads and cuts a document. Throws ExtractionFailure; any other error is one of `parts`. */
  read(mediaType: MediaType, parts: Parts): Promise<ReadDocument>;
  /** Ends what is being read. */
  close(): void;
};

export type ReaderLimits = { timeoutMs: number; mostHeapMb: number; mostBytes: number; idleMs: number };
const LIMITS: ReaderLimits = { timeoutMs: 60_000, mostHeapMb: 512, mostBytes: 1024 ** 3, idleMs: 60_000 };

const MAIN = fileURLToPath(new URL("./child-main.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The process ended before it had answered. */
class ReaderDied extends Error {}

/** Reads documents in processes of their own; one stays warm for the next document. */
export function startDocumentReader(limits: Partial<ReaderLimits> = {}): DocumentReader {
  const { timeoutMs, mostHeapMb, mostBytes, idleMs } = { ...LIMITS, ...limits };
  const alive = new Set<ChildProcess>();
  let closed = false;
  let warm: { child: ChildProcess; timer: NodeJS.Timeout } | undefined;

  const take = (): ChildProcess => {
    if (warm?.child.connected) {
      const { child, timer } = warm;
      clearTimeout(timer);
      warm = undefined;
      return child;
    }
    const child = fork(MAIN, [String(process.pid), String(mostBytes)], {
      cwd: ROOT,
      // Nothing of ours: no address of the database, no keys.
      env: { NODE_ENV: "production" },
      execArgv: ["--import", "tsx", `--max-old-space-size=${mostHeapMb}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    alive.add(child);
    child.once("exit", () => alive.delete(child));
    child.on("error", () => child.kill("SIGKILL"));
    return child;
  };
  const giveBack = (child: ChildProcess) => {
    if (warm || !child.connected) return void child.kill("SIGKILL");
    warm = { child, timer: setTimeout(() => end(child), idleMs) };
    warm.timer.unref();
  };
  const end = (child: ChildProcess) => {
    if (warm?.child === child) warm = undefined;
    child.kill("SIGKILL");
  };

  async function readOnce(mediaType: MediaType, parts: Parts): Promise<ReadDocument> {
    const child = take();
    try {
      const read = await talk(child, { mediaType, parts, timeoutMs });
      giveBack(child);
      return read;
    } catch (error) {
      // It said what is wrong with the document, and can read the next one; otherwise nobody knows what state it is in.
      if (error instanceof ExtractionFailure && error.code !== "timed_out") giveBack(child);
      else child.kill("SIGKILL");
      throw error;
    }
  }

  return {
    async read(mediaType, parts) {
      for (const isLast of [false, true]) {
        try {
          return await readOnce(mediaType, parts);
        } catch (error) {
          if (!(error instanceof ReaderDied)) throw error;
          // Somebody may have ended the process, or the documents before have filled it; a fresh one tells.
          if (isLast || closed) throw new ExtractionFailure("too_heavy", { cause: error });
        }
      }
      throw new ExtractionFailure("too_heavy");
    },
    close() {
      closed = true;
      clearTimeout(warm?.timer);
      for (const child of alive) child.kill("SIGKILL");
    },
  };
}

async function talk(
  child: ChildProcess,
  { mediaType, parts, timeoutMs }: { mediaType: MediaType; parts: Parts; timeoutMs: number },
): Promise<ReadDocument> {
  const say = (message: ToReader) =>
    new Promise<void>((resolve, reject) => {
      child.send(message, (error) => (error ? reject(new ReaderDied("send", { cause: error })) : resolve()));
    });
  let timer: NodeJS.Timeout | undefined;
  let forget = () => {};
  const answer = new Promise<ReadDocument>((resolve, reject) => {
    const chunks: ChunkDraft[] = [];
    const onMessage = (message: FromReader) => {
      if (message.kind === "chunks") for (const chunk of message.chunks) chunks.push(chunk);
      else if (message.kind === "read") resolve({ chunks, characters: message.characters, pages: message.pages });
      else reject(new ExtractionFailure(message.code, { cause: message.cause }));
    };
    const onExit = (code: number | null, signal: string | null) => reject(new ReaderDied(`${signal ?? code}`));
    child.on("message", onMessage);
    child.once("exit", onExit);
    forget = () => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
    };
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
  });
  // Awaited at the end; until then its failure is no unhandled one.
  answer.catch(() => {});
  try {
    await say({ kind: "begin", mediaType });
    for await (const content of parts()) await say({ kind: "part", content });
    await say({ kind: "end" });
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ExtractionFailure("timed_out")), timeoutMs);
    });
    return await Promise.race([answer, late]);
  } finally {
    forget();
  }
}
