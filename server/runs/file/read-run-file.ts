import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { v7 as newId } from "uuid";
import { hashOf } from "@/server/engine/ids";
import { blobParts } from "@/server/engine/journal/stored-message";
import { AppError } from "@/server/errors";
import {
  BLOB_SHAPES,
  type BlobShape,
  FORMAT,
  isEvent,
  PART_NAMES,
  PARTS,
  type PartName,
  type RunFileHeader,
  runFileEnd,
  runFileHeader,
} from "./format";
import { whyNotPlain } from "./plain-data";

/** What a file may come to unpacked, whatever it weighs packed; and each of its lines. */
const MOST_UNPACKED_BYTES = 512_000_000;
const LONGEST_LINE_BYTES = 16_000_000;
const MOST_ROWS = 1_000_000;

const NO_RUN_FILE = "This is no run file. Choose one that “Save as a file” on a run's page made.";
const DAMAGED = "The file is damaged or was cut off";

export type FileRow = { name: PartName; row: Record<string, unknown> };

/** What was found in a file that is whole and keeps every rule. */
export type CheckedFile = {
  header: RunFileHeader;
  sha256: string;
  /** New ids of what has one, by those in the file, in the same order. */
  ids: Map<string, string>;
  /** Of agent runs, the decision that started each; by ids of the file. */
  spawnedBy: Map<string, string>;
  /** Of the agent run at the top. */
  rootVersionId: string;
  /** Unpacked. */
  bytes: number;
};

const refuse = (sentence: string, cause?: unknown) => new AppError("INVALID", sentence, cause ? { cause } : {});
const wrongRow = (name: PartName, at: number, why = "It is not what belongs there.") =>
  refuse(`This run file cannot be opened: line ${at} (${name.replaceAll("_", " ")}) is not right. ${why}`);

/**
 * Reads a run file to its end without keeping it, and judges all of it. Throws INVALID, with one sentence, for what is no run file, damaged,
 * cut off, too large unpacked, of a newer form, or holds anything that no run holds or that contradicts the rest.
 */
export async function checkRunFile(path: string): Promise<CheckedFile> {
  const check = new FileCheck();
  for await (const line of readLines(path)) check.take(line);
  return check.end();
}

/** The rows of a file that `checkRunFile` found to be right, in order. */
export async function* readRows(path: string): AsyncGenerator<FileRow> {
  for await (const { bytes } of readLines(path)) {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (Array.isArray(value)) yield { name: value[0], row: value[1] };
  }
}

type Line = { bytes: Buffer; number: number };

class FileCheck {
  private readonly sum = createHash("sha256");
  private readonly counts = new Map<PartName, number>();
  private readonly own = new Set<string>();
  private readonly missing = new Map<string, string>();
  private readonly blobs = new Map<string, Set<BlobShape>>();
  private readonly spawnedBy = new Map<string, string>();
  private header: RunFileHeader | undefined;
  private sha256: string | undefined;
  private part = 0;
  private rows = 0;
  private events = 0;
  private roots = 0;
  private rootVersionId = "";
  private bytes = 0;
  /** A blob whose parts are still coming. */
  private open: { hash: string; parts: string[]; at: number } | undefined;

  take({ bytes, number }: Line): void {
    if (this.sha256) throw refuse(`${DAMAGED}: something follows its end. Save the run again.`);
    this.bytes += bytes.byteLength;
    const value = parse(bytes, number);
    if (!this.header) {
      this.header = headerOf(value);
      this.own.add(this.header.run.id);
    } else if (Array.isArray(value)) {
      this.takeRow(value, number);
    } else {
      const end = runFileEnd.safeParse(value);
      if (!end.success) throw refuse(`${DAMAGED}: line ${number} belongs to nothing. Save the run again.`);
      this.closeBlob();
      this.sha256 = this.sum.digest("hex");
      if (this.sha256 !== end.data.end.sha256) {
        throw refuse(`${DAMAGED}: its contents do not match its checksum. Save the run again.`);
      }
      return;
    }
    this.sum.update(bytes);
  }

  end(): CheckedFile {
    const { header, sha256 } = this;
    if (!header) throw refuse("This file is empty. Choose a run file.");
    if (!sha256) throw refuse(`${DAMAGED}: its end is missing. Save the run again.`);
    for (const name of PART_NAMES as readonly PartName[]) {
      const [said, is] = [header.counts[name], this.counts.get(name) ?? 0];
      if (name !== "blobs" && (said ?? 0) !== is) {
        throw refuse(`${DAMAGED}: it says that it has ${said ?? 0} ${name.replaceAll("_", " ")}, and has ${is}.`);
      }
    }
    if (this.roots !== 1) throw refuse("This run file cannot be opened: a run has one agent at its top.");
    if (this.events !== header.run.last_seq) {
      throw refuse("This run file cannot be opened: its events are not counted as they should be.");
    }
    const lost = [...this.missing].find(([id]) => !this.own.has(id));
    if (lost) throw refuse(`This run file cannot be opened: ${lost[1]} names something that is not in it.`);
    // Rows that are otherwise equal are shown in the order of their ids.
    const ids = new Map([...this.own].sort().map((id) => [id, newId()]));
    const { spawnedBy, rootVersionId, bytes } = this;
    return { header, sha256, ids, spawnedBy, rootVersionId, bytes };
  }

  private takeRow(value: unknown[], at: number): void {
    const [name, given, ...rest] = value;
    const next = (PART_NAMES as readonly unknown[]).indexOf(name);
    if (next < 0 || rest.length > 0) throw refuse(`This run file cannot be opened: line ${at} is of no known kind.`);
    const of = name as PartName;
    if (next < this.part) throw wrongRow(of, at, "It comes too late.");
    this.part = next;
    this.rows += 1;
    if (this.rows > MOST_ROWS) throw refuse("This run file cannot be opened: it has more than 1,000,000 rows.");
    this.counts.set(of, (this.counts.get(of) ?? 0) + 1);
    const parsed = PARTS[of].columns.safeParse(given);
    if (!parsed.success)
      throw wrongRow(of, at, `“${parsed.error.issues[0]?.path.join(".") || "row"}” is not what it should be.`);
    const row = parsed.data as Record<string, unknown>;
    if (of === "blobs") {
      this.takeBlob(row as { hash: string; part: number; content: string }, at);
      return;
    }
    this.closeBlob();
    this.takeIds(of, row, at);
    this.takeNamedBlobs(of, row, at);
    if (of === "events") this.takeEvent(row, at);
    if (of === "agent_runs") this.takeAgent(row, at);
    if (of === "effects" && !String(row.key).startsWith(String(row.agent_run_id))) throw wrongRow(of, at);
  }

  private takeIds(of: PartName, row: Record<string, unknown>, at: number): void {
    const { own, refs = [], later = [] } = PARTS[of];
    for (const column of refs) {
      const id = row[column];
      if (id === null) continue;
      if (!this.own.has(String(id))) throw wrongRow(of, at, "It names something that is not in the file.");
    }
    for (const column of later) if (row[column] !== null) this.missing.set(String(row[column]), `line ${at}`);
    if (!own) return;
    const id = String(row[own]);
    if (this.own.has(id)) throw wrongRow(of, at, "Its id is used twice.");
    this.own.add(id);
  }

  private takeAgent(row: Record<string, unknown>, at: number): void {
    if (row.parent_id === null) {
      this.roots += 1;
      this.rootVersionId = String(row.agent_version_id);
      if (row.spawned_by_id !== null || row.depth !== 0) throw wrongRow("agent_runs", at);
    }
    if (typeof row.spawned_by_id === "string") this.spawnedBy.set(String(row.id), row.spawned_by_id);
  }

  private takeEvent(row: Record<string, unknown>, at: number): void {
    this.events += 1;
    if (row.seq !== this.events) throw wrongRow("events", at, "Events are counted from 1 without gaps.");
    if (!isEvent({ kind: row.kind, body: row.body })) throw wrongRow("events", at, "It is no event of its kind.");
  }

  private takeNamedBlobs(of: PartName, row: Record<string, unknown>, at: number): void {
    for (const [column, shape] of Object.entries(PARTS[of].blobs ?? {})) {
      const value = row[column];
      const hash = typeof value === "object" && value !== null && "blob" in value ? value.blob : value;
      if (typeof hash !== "string") continue;
      if (!this.blobs.get(hash)?.has(shape)) throw wrongRow(of, at, "It names a large value that is not in the file.");
    }
  }

  private takeBlob({ hash, part, content }: { hash: string; part: number; content: string }, at: number): void {
    if (part === 0) {
      this.closeBlob();
      this.open = { hash, parts: [], at };
    }
    if (!this.open || this.open.hash !== hash || this.open.parts.length !== part) throw wrongRow("blobs", at);
    this.open.parts.push(content);
    if (this.open.parts.length * 1_000_000 > LONGEST_LINE_BYTES * 2) throw wrongRow("blobs", at, "It is too large.");
  }

  /** A blob is stored under its hash beside those of this workspace: it must be what its hash says. */
  private closeBlob(): void {
    if (!this.open) return;
    const { hash, parts, at } = this.open;
    this.open = undefined;
    const content = parts.join("");
    if (hashOf(content) !== hash) throw wrongRow("blobs", at, "It is not what its hash says.");
    if (this.blobs.has(hash)) throw wrongRow("blobs", at, "It is there twice.");
    // The same value may be here already, and its parts stay: others beside them would make another value of it.
    if (blobParts(content).some((part, n) => part.content !== parts[n]))
      throw wrongRow("blobs", at, "It is cut otherwise.");
    const value = parse(Buffer.from(content), at);
    const shapes = (Object.keys(BLOB_SHAPES) as BlobShape[]).filter(
      (shape) => BLOB_SHAPES[shape].safeParse(value).success,
    );
    this.blobs.set(hash, new Set(shapes));
  }
}

function headerOf(value: unknown): RunFileHeader {
  const form = typeof value === "object" && value !== null && "troupeRun" in value ? value.troupeRun : undefined;
  if (form === undefined) throw refuse(NO_RUN_FILE);
  if (form !== FORMAT) {
    throw refuse(
      typeof form === "number" && form > FORMAT
        ? "This run file was made by a newer Troupe. Update Troupe, then open it."
        : "This run file is of a form that this Troupe does not know.",
    );
  }
  const parsed = runFileHeader.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.path.join(".") === "run.status") throw refuse("This run file cannot be opened: its run has not ended.");
  throw refuse(
    `This run file cannot be opened: “${issue?.path.join(".") || "header"}” of its header is not what it should be.`,
  );
}

function parse(bytes: Buffer, number: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw refuse(number === 1 ? NO_RUN_FILE : `${DAMAGED}: line ${number} cannot be read. Save the run again.`, cause);
  }
  const why = whyNotPlain(value);
  if (why) throw refuse(`This run file cannot be opened: line ${number} is not plain data. ${why}`);
  return value;
}

/** The unpacked lines of a file. Throws INVALID as soon as they come to more than a run file may. */
async function* readLines(path: string): AsyncGenerator<Line> {
  const unpacked = new PassThrough();
  // Its failure reaches the loop below through `unpacked`.
  const reading = pipeline(createReadStream(/* turbopackIgnore: true */ path), createGunzip(), unpacked).catch(
    (error: unknown) => error,
  );
  let [number, total, keptBytes] = [0, 0, 0];
  let kept: Buffer[] = [];
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      total += chunk.byteLength;
      if (total > MOST_UNPACKED_BYTES) {
        throw refuse(`This file is too large: unpacked it comes to more than ${MOST_UNPACKED_BYTES / 1_000_000} MB.`);
      }
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        number += 1;
        yield { bytes: Buffer.concat([...kept, chunk.subarray(from, at + 1)]), number };
        [kept, keptBytes, from] = [[], 0, at + 1];
      }
      kept.push(chunk.subarray(from));
      keptBytes += chunk.byteLength - from;
      if (keptBytes > LONGEST_LINE_BYTES) throw refuse(number === 0 ? NO_RUN_FILE : `${DAMAGED}: a line is too long.`);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isGzip = !(error instanceof Error && error.message === "incorrect header check");
    throw refuse(isGzip ? `${DAMAGED}. Save the run again.` : NO_RUN_FILE, error);
  } finally {
    unpacked.destroy();
    await reading;
  }
  if (keptBytes > 0) throw refuse(`${DAMAGED}: its end is missing. Save the run again.`);
}
