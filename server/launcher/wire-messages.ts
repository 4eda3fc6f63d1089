/** The few pieces of the Postgres wire protocol (version 3) the embedded server reads and writes itself. */

/** Message types by their first byte; frontend and backend reuse letters, hence the two tables. */
export const frontend = {
  bind: 0x42,
  close: 0x43,
  describe: 0x44,
  flush: 0x48,
  functionCall: 0x46,
  parse: 0x50,
  password: 0x70,
  query: 0x51,
  sync: 0x53,
  terminate: 0x58,
} as const;

export const backend = {
  commandComplete: 0x43,
  errorResponse: 0x45,
  keyData: 0x4b,
  notification: 0x41,
  parseComplete: 0x31,
  readyForQuery: 0x5a,
} as const;

export type TransactionStatus = "I" | "T" | "E";

/** A typed message: one byte, then a length that counts itself and the body. */
export function message(type: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head[0] = type;
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export const SYNC = message(frontend.sync);

export const query = (sql: string) => message(frontend.query, Buffer.from(`${sql}\0`));

export const readyForQuery = (status: TransactionStatus) => message(backend.readyForQuery, Buffer.from(status));

export const closeStatement = (name: string) => message(frontend.close, Buffer.from(`S${name}\0`));

export function errorResponse(severity: "ERROR" | "FATAL", code: string, text: string): Buffer {
  return message(backend.errorResponse, Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${text}\0\0`));
}

export function keyData(pid: number, secret: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeInt32BE(pid, 0);
  body.writeInt32BE(secret, 4);
  return message(backend.keyData, body);
}

/** The startup packet carries no type byte: length, protocol number, then name/value pairs. */
export function startupPacket(parameters: Record<string, string>): Buffer {
  const pairs = Object.entries(parameters).flat();
  const body = Buffer.from(`${pairs.join("\0")}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(PROTOCOL_3, 4);
  return Buffer.concat([head, body]);
}

export const PROTOCOL_3 = 196608;
export const SSL_REQUEST = 80877103;
export const GSS_REQUEST = 80877104;
export const CANCEL_REQUEST = 80877102;

/** Reads a zero-terminated string; `next` is the offset behind its zero. */
export function readString(from: Buffer, at: number): { text: string; next: number } {
  const end = from.indexOf(0, at);
  if (end < 0) return { text: from.toString("utf8", at), next: from.length };
  return { text: from.toString("utf8", at, end), next: end + 1 };
}

/** Inserts text in front of the byte at `offset` and corrects the length. */
export function insertText(into: Buffer, offset: number, text: string): Buffer {
  const changed = Buffer.concat([into.subarray(0, offset), Buffer.from(text), into.subarray(offset)]);
  changed.writeInt32BE(changed.length - 1, 1);
  return changed;
}

/** Cuts a buffer of complete messages into them. */
export function* eachMessage(from: Buffer): Generator<Buffer> {
  let at = 0;
  while (at + 5 <= from.length) {
    const end = at + 1 + from.readInt32BE(at + 1);
    yield from.subarray(at, end);
    at = end;
  }
}

/** Collects socket chunks and hands out complete messages; joins chunks once per message, not once per chunk. */
export class MessageReader {
  private chunks: Buffer[] = [];
  private size = 0;

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
  }

  /** The next message, or null until more has arrived. `typed` is false for the packets that open a connection. */
  take(typed: boolean): Buffer | null {
    const lengthAt = typed ? 1 : 0;
    if (this.size < lengthAt + 4) return null;
    const head = this.joined(lengthAt + 4);
    const length = head.readInt32BE(lengthAt) + lengthAt;
    if (length < lengthAt + 4 || length > (typed ? MAX_MESSAGE_BYTES : MAX_STARTUP_BYTES)) {
      throw new Error("invalid message length");
    }
    if (this.size < length) return null;
    const all = this.joined(this.size);
    this.chunks = all.length > length ? [all.subarray(length)] : [];
    this.size = all.length - length;
    return all.subarray(0, length);
  }

  private joined(atLeast: number): Buffer {
    const [first] = this.chunks;
    if (first && first.length >= atLeast) return first;
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }
}

const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const MAX_STARTUP_BYTES = 10_000;
