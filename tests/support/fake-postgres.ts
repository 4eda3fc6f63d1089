import net from "node:net";
import {
  errorResponse,
  frontend,
  keyData,
  MessageReader,
  message,
  readString,
  readyForQuery,
} from "@/server/launcher/wire-messages";

type Row = Record<string, string>;

/** A server that speaks just enough Postgres to be some other version than the ones at hand. */
export async function fakePostgres(answer: (sql: string) => Row[]): Promise<{ url: string; stop(): void }> {
  const server = net.createServer((socket) => {
    const reader = new MessageReader();
    let started = false;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      reader.push(chunk);
      for (let packet = reader.take(started); packet; packet = reader.take(started)) {
        if (!started) {
          started = true;
          socket.write(Buffer.concat([message(0x52, Buffer.alloc(4)), keyData(1, 1), readyForQuery("I")]));
        } else if (packet[0] === frontend.query) socket.write(reply(answer, readString(packet, 5).text));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return { url: `postgresql://someone:secret-word@127.0.0.1:${address.port}/x`, stop: () => server.close() };
}

function reply(answer: (sql: string) => Row[], sql: string): Buffer {
  try {
    const rows = answer(sql);
    const names = Object.keys(rows[0] ?? {});
    const fields = names.map((name) => Buffer.concat([Buffer.from(`${name}\0`), TEXT_FIELD]));
    const data = rows.map((row) =>
      message(0x44, Buffer.concat([count(names.length), ...names.map((name) => value(row[name] ?? ""))])),
    );
    const description = message(0x54, Buffer.concat([count(names.length), ...fields]));
    return Buffer.concat([description, ...data, message(0x43, Buffer.from("SELECT\0")), readyForQuery("I")]);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return Buffer.concat([errorResponse("ERROR", "42501", text), readyForQuery("I")]);
  }
}

/** No table, no column, type text, variable length, no modifier, text format. */
const TEXT_FIELD = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]);

function count(n: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(n);
  return bytes;
}

function value(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
