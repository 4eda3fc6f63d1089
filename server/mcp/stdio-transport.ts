import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { LARGEST_ANSWER } from "./largest-answer";
import type { StoredToolServer } from "./stored-server";

const LAST_WORDS_BYTES = 4096;
const TOO_LARGE = /exceeded maximum size/;

export type StdioProgram = {
  transport: StdioClientTransport;
  /** The end of what it wrote to standard error, as it wrote it: redact before showing. */
  lastWords(): string;
  /** After the program ended. May be called twice. */
  cleanUp(): Promise<void>;
};

/** Programs that run now, with their directories; none may outlive this process. */
const running = new Map<number, string>();
let isWatchingExit = false;

/**
 * A program to be started (LOK-MCP-02): directly, never through a shell, in an empty directory of its own. Its
 * environment is the SDK's short list (PATH, HOME and the like) and the given values: nothing else of ours, so that no
 * key of this installation can reach it.
 */
export async function stdioProgram(
  server: StoredToolServer,
  environment: Readonly<Record<string, string>>,
): Promise<StdioProgram> {
  killAtExit();
  const directory = await mkdtemp(join(tmpdir(), "troupe-tool-server-"));
  const transport = new StdioClientTransport({
    command: server.command ?? "",
    args: server.args,
    env: { ...environment },
    cwd: directory,
    stderr: "pipe",
    // The SDK copies what it has of a message at each piece that comes, so the time this takes grows with its square.
    maxBufferSize: LARGEST_ANSWER,
  });
  let words = Buffer.alloc(0);
  transport.stderr?.on("data", (chunk: Buffer) => {
    words = Buffer.concat([words, chunk]).subarray(-LAST_WORDS_BYTES);
  });
  // The transport forgets the id as soon as it begins to close, which takes a while.
  let pid: number | null = null;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    pid = transport.pid;
    if (pid !== null) running.set(pid, directory);
  };
  // The SDK would ask the program to end, and read on meanwhile: as much again, several times.
  transport.onerror = ({ message }) => {
    if (pid !== null && TOO_LARGE.test(message)) kill(pid);
  };
  return {
    transport,
    lastWords: () => words.toString("utf8"),
    cleanUp: async () => {
      if (pid !== null) running.delete(pid);
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/**
 * When this process ends without closing them. When it is killed, the launcher ends all of its process group, and
 * elsewhere the end of their input tells them.
 */
function killAtExit(): void {
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.on("exit", () => {
    for (const [pid, directory] of running) {
      kill(pid);
      rmSync(directory, { recursive: true, force: true });
    }
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
