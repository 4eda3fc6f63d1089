import { Worker } from "node:worker_threads";
import type { MediaType } from "@/server/files/media-type";
import type { FromReader, ToReader } from "./child-messages";
import { chunkText } from "./chunk-text";
import type { ChunkDraft } from "./embedder";
import { extract } from "./extract";
import { ExtractionFailure } from "./extraction-failure";

/**
 * A process that reads foreign files and cuts them into passages, so that a parser that hangs, leaks or is taken over harms
 * nobody else. It has no environment and no database; documents come and passages go through its channel.
 * Arguments: the parent's process id, and the most bytes of memory it may take.
 */
const [parentId = "0", mostBytes = "0"] = process.argv.slice(2);
const CHUNKS_A_MESSAGE = 200;

// A busy parser hears nothing, not even that the parent is gone: a thread of its own looks after both.
new Worker(
  `setInterval(() => {
    if (process.ppid !== ${Number(parentId)} || process.memoryUsage.rss() > ${Number(mostBytes)}) process.kill(process.pid, "SIGKILL");
  }, 250)`,
  { eval: true, execArgv: [], env: {} },
);
process.on("disconnect", () => process.exit(0));

const BROKEN: Record<MediaType, "broken_pdf" | "broken_docx" | "broken_html" | "broken_csv" | "broken_text"> = {
  "application/pdf": "broken_pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "broken_docx",
  "text/html": "broken_html",
  "text/csv": "broken_csv",
  "text/markdown": "broken_text",
  "text/plain": "broken_text",
};

let current: { mediaType: MediaType; parts: Uint8Array[] } | undefined;
process.on("message", async (message: ToReader) => {
  if (message.kind === "begin") current = { mediaType: message.mediaType, parts: [] };
  else if (message.kind === "part") current?.parts.push(message.content);
  else if (current) {
    const { mediaType, parts } = current;
    current = undefined;
    await read(Buffer.concat(parts), mediaType);
  }
});

async function read(bytes: Uint8Array, mediaType: MediaType): Promise<void> {
  try {
    const extracted = await extract(bytes, mediaType);
    let chunks: ChunkDraft[] = [];
    for (const chunk of chunkText(extracted)) {
      chunks.push(chunk);
      if (chunks.length < CHUNKS_A_MESSAGE) continue;
      await say({ kind: "chunks", chunks });
      chunks = [];
    }
    if (chunks.length > 0) await say({ kind: "chunks", chunks });
    await say({ kind: "read", characters: extracted.text.length, pages: extracted.pageStarts?.length ?? null });
  } catch (error) {
    const code = error instanceof ExtractionFailure ? error.code : BROKEN[mediaType];
    const cause = error instanceof ExtractionFailure ? error.cause : error;
    await say({ kind: "failed", code, cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : "" });
  }
}

function say(message: FromReader): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}
