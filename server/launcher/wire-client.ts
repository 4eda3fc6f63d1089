import { timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import type { WireExchange } from "./wire-exchange";
import {
  CANCEL_REQUEST,
  errorResponse,
  frontend,
  GSS_REQUEST,
  keyData,
  MessageReader,
  message,
  PROTOCOL_3,
  readString,
  readyForQuery,
  SSL_REQUEST,
} from "./wire-messages";
import { WireSession } from "./wire-session";

interface Options {
  exchange: WireExchange;
  /** The backend's own answer to a startup packet, without key data and ReadyForQuery. */
  greeting: Buffer;
  /** Asked for when set (loopback TCP); a Unix socket is guarded by its directory instead. */
  password: string | undefined;
}

const STARTUP_TIMEOUT_MS = 10_000;
const ENDS_BATCH = new Set<number>([frontend.query, frontend.sync, frontend.flush, frontend.functionCall]);
/** The backend ends itself at any other type, and it is everybody's. */
const KNOWN = new Set<number>([...ENDS_BATCH, ...Buffer.from("BCDEPXcdf")]);
let lastId = 0;

/** Speaks the wire protocol with one socket: start-up and password here, everything later through the exchange. */
export function serveClient(socket: Socket, { exchange, greeting, password }: Options): void {
  const reader = new MessageReader();
  let state: "startup" | "password" | "open" | "closed" = "startup";
  let batch: Buffer[] = [];
  lastId += 1;

  const session = new WireSession(
    lastId,
    (data) => {
      // A client that does not read its answers is not read from either.
      if (socket.writable && !socket.write(data)) socket.pause();
    },
    () => socket.destroySoon(),
  );
  socket.on("drain", () => socket.resume());

  const startupTimer = setTimeout(() => socket.destroy(), STARTUP_TIMEOUT_MS);
  const refuse = (code: string, text: string) => {
    state = "closed";
    socket.end(errorResponse("FATAL", code, text));
  };

  function open(): void {
    clearTimeout(startupTimer);
    state = "open";
    exchange.join(session);
    // Cancel requests are accepted and ignored: a WASM backend cannot be interrupted. The key means nothing.
    socket.write(Buffer.concat([greeting, keyData(session.id, 0), readyForQuery("I")]));
  }

  function start(packet: Buffer): void {
    const code = packet.readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) socket.write("N");
    else if (code === CANCEL_REQUEST) socket.end();
    else if (code >>> 16 !== PROTOCOL_3 >>> 16) refuse("0A000", "unsupported frontend protocol");
    else if (password === undefined) open();
    else {
      state = "password";
      socket.write(message(0x52, Buffer.from([0, 0, 0, 3])));
    }
  }

  function checkPassword(packet: Buffer): void {
    const given = packet[0] === frontend.password ? readString(packet, 5).text : "";
    if (isSame(given, password ?? "")) open();
    else refuse("28P01", 'password authentication failed for user "postgres"');
  }

  function accept(packet: Buffer): void {
    const type = packet[0] ?? 0;
    if (type === frontend.terminate) {
      state = "closed";
      void exchange.leave(session).then(() => socket.end());
      return;
    }
    if (!KNOWN.has(type)) throw new Error("unknown message type");
    batch.push(packet);
    if (!ENDS_BATCH.has(type)) return;
    exchange.submit(session, batch);
    batch = [];
  }

  socket.on("data", (chunk) => {
    reader.push(chunk);
    try {
      while (state !== "closed") {
        const packet = reader.take(state !== "startup");
        if (!packet) return;
        if (state === "startup") start(packet);
        else if (state === "password") checkPassword(packet);
        else accept(packet);
      }
    } catch {
      refuse("08P01", "invalid message");
    }
  });
  // Errors are followed by "close", which is where the client is forgotten.
  socket.on("error", () => {});
  socket.on("close", () => {
    clearTimeout(startupTimer);
    state = "closed";
    void exchange.abandon(session);
  });
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
