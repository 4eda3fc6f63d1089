import type { UploadResult } from "@/server/knowledge/schema";
import { type SendFile, sendFile, UploadRefusal } from "./upload-file";
import { problemOf } from "./upload-rules";

/** More at a time would only share the same line, and each holds a database connection. */
const AT_A_TIME = 2;

type Common = { id: number; baseId: string; name: string; sizeBytes: number };
export type Upload = Common &
  (
    | { state: "waiting" }
    /** All bytes sent and no answer yet: the server is storing it. */
    | { state: "sending"; sentBytes: number }
    | { state: "stored"; outcome: UploadResult["outcome"]; documentId: string; documentName: string }
    | { state: "refused"; problem: string; again: boolean }
  );

type Entry = { file: File; shown: Upload; abort: AbortController };

/**
 * The files this tab is uploading. It lives beside the pages, so that walking through the console breaks nothing off;
 * closing the tab does, which the browser asks about.
 */
export class UploadQueue {
  readonly #send: SendFile;
  readonly #listeners = new Set<() => void>();
  #entries: Entry[] = [];
  #snapshot: readonly Upload[] = [];
  #nextId = 1;

  constructor(send: SendFile) {
    this.#send = send;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Stable between changes. */
  list = (): readonly Upload[] => this.#snapshot;

  add(baseId: string, files: readonly File[]): void {
    for (const file of files) {
      const problem = problemOf(file);
      const common = { id: this.#nextId++, baseId, name: file.name, sizeBytes: file.size };
      const shown: Upload =
        problem === null ? { ...common, state: "waiting" } : { ...common, state: "refused", problem, again: false };
      this.#entries.push({ file, shown, abort: new AbortController() });
    }
    this.#go();
  }

  /** Takes it off the list; what is being sent is broken off, and the server keeps nothing of it. */
  remove(id: number): void {
    const entry = this.#entries.find(({ shown }) => shown.id === id);
    if (!entry) return;
    this.#entries = this.#entries.filter((other) => other !== entry);
    entry.abort.abort(new Error("cancelled"));
    this.#go();
  }

  retry(id: number): void {
    const entry = this.#entries.find(({ shown }) => shown.id === id);
    if (entry?.shown.state !== "refused") return;
    this.#show(entry, { ...common(entry.shown), state: "waiting" });
    this.#go();
  }

  /** Takes what has ended off a base's list. */
  clear(baseId: string): void {
    this.#entries = this.#entries.filter(({ shown }) => shown.baseId !== baseId || isUnderWay(shown));
    this.#publish();
  }

  #go(): void {
    const sending = () => this.#entries.filter(({ shown }) => shown.state === "sending");
    for (const entry of this.#entries) {
      if (sending().length >= AT_A_TIME) break;
      const { shown } = entry;
      // Two files of one name at once would race for whose content stays.
      const isTaken = sending().some((other) => other.shown.name === shown.name && other.shown.baseId === shown.baseId);
      if (shown.state === "waiting" && !isTaken) void this.#sendOne(entry);
    }
    this.#publish();
  }

  async #sendOne(entry: Entry): Promise<void> {
    const known = common(entry.shown);
    entry.shown = { ...known, state: "sending", sentBytes: 0 };
    try {
      const { document, outcome } = await this.#send({
        baseId: known.baseId,
        file: entry.file,
        signal: entry.abort.signal,
        onProgress: (sentBytes) => this.#show(entry, { ...known, state: "sending", sentBytes }),
      });
      entry.shown = { ...known, state: "stored", outcome, documentId: document.id, documentName: document.name };
    } catch (error) {
      if (!entry.abort.signal.aborted) entry.shown = { ...known, state: "refused", ...reasonOf(error) };
    }
    this.#go();
  }

  #show(entry: Entry, shown: Upload): void {
    entry.shown = shown;
    this.#publish();
  }

  #publish(): void {
    this.#snapshot = this.#entries.map(({ shown }) => shown);
    for (const listener of this.#listeners) listener();
  }
}

export function isUnderWay({ state }: Upload): boolean {
  return state === "waiting" || state === "sending";
}

function common({ id, baseId, name, sizeBytes }: Upload): Common {
  return { id, baseId, name, sizeBytes };
}

function reasonOf(error: unknown): { problem: string; again: boolean } {
  if (error instanceof UploadRefusal) return { problem: error.message, again: error.again };
  return { problem: "The file could not be sent. Nothing was added.", again: true };
}

/** The tab's one queue. */
export const uploads = new UploadQueue(sendFile);
