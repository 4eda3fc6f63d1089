import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { eachMessage, MessageReader, message, startupPacket } from "@/server/launcher/wire-messages";

/** A Postgres client that sends exactly the protocol messages a test names, well-behaved or not. */
export class RawPostgresClient {
  readonly received: string[] = [];
  closed = false;

  private constructor(readonly socket: net.Socket) {
    const reader = new MessageReader();
    socket.on("data", (chunk) => {
      reader.push(chunk);
      for (let part = reader.take(true); part; part = reader.take(true)) {
        for (const one of eachMessage(part))
          this.received.push(String.fromCharCode(one[0] ?? 0) + one.toString("utf8", 5));
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.closed = true;
    });
  }

  /** Connects to the server behind a URL of the `?host=/directory` form and waits until it is ready. */
  static async connect(url: string): Promise<RawPostgresClient> {
    const directory = new URL(url).searchParams.get("host") ?? "";
    const client = new RawPostgresClient(net.connect(`${directory}/.s.PGSQL.5432`));
    client.socket.write(startupPacket({ user: "postgres", database: "postgres" }));
    await client.sees(/^Z/);
    client.received.length = 0;
    return client;
  }

  send(...messages: Buffer[]): void {
    this.socket.write(Buffer.concat(messages));
  }

  /** Waits until a message matches; messages are their type letter followed by their body. */
  async sees(pattern: RegExp, withinMs = 5_000): Promise<string> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const found = this.received.find((one) => pattern.test(one));
      if (found !== undefined) return found;
      if (Date.now() > deadline) throw new Error(`did not receive ${pattern}, only ${JSON.stringify(this.received)}`);
      await delay(5);
    }
  }
}

export const parse = (name: string, sql: string) => message(0x50, Buffer.from(`${name}\0${sql}\0\0\0`));
export const bind = (statement: string) => message(0x42, Buffer.from(`\0${statement}\0\0\0\0\0\0\0`));
export const execute = () => message(0x45, Buffer.from("\0\0\0\0\0"));
export const flush = () => message(0x48);
