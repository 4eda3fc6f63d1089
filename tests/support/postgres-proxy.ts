import net from "node:net";
import { backend, frontend, MessageReader } from "@/server/launcher/wire-messages";

/** Cut a connection before the server hears a request, or after it has carried it out and before the client hears so. */
export type Cut = "before" | "after";

export type PostgresProxy = {
  /** The database behind it, by way of the proxy. */
  url: string;
  /** Asked for each request of any connection; a request is all that one answer belongs to. */
  decide: (sql: string) => Cut | null;
  cuts: number;
  close(): void;
};

/** A way to a database on which connections break where a test says so. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ noDelay: true }, (client) => {
    const upstream = net.connect(addressOf(databaseUrl)).setNoDelay();
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }

    let started = false;
    let withheld = false;
    let request: Buffer[] = [];
    const asked = new MessageReader();
    client.on("data", (chunk) => {
      asked.push(chunk);
      for (let part = asked.take(started); part; part = asked.take(started)) {
        const first = !started;
        started = true;
        request.push(part);
        const ends = first || part[0] === frontend.query || part[0] === frontend.sync;
        if (!ends && part[0] !== frontend.password && part[0] !== frontend.terminate) continue;
        const bytes = Buffer.concat(request);
        request = [];
        const how = first || !ends ? null : proxy.decide(bytes.toString("latin1"));
        if (how) proxy.cuts += 1;
        if (how === "before") return cut();
        withheld = how === "after";
        upstream.write(bytes);
      }
    });
    const answered = new MessageReader();
    upstream.on("data", (chunk) => {
      answered.push(chunk);
      for (let part = answered.take(true); part; part = answered.take(true)) {
        if (!withheld) client.write(part);
        else if (part[0] === backend.readyForQuery) return cut();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  const { pathname, username } = new URL(databaseUrl);
  const proxy: PostgresProxy = {
    url: `postgresql://${username}@127.0.0.1:${address.port}${pathname}`,
    decide: () => null,
    cuts: 0,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}

function addressOf(databaseUrl: string): net.NetConnectOpts {
  const url = new URL(databaseUrl);
  const directory = url.searchParams.get("host");
  if (directory) return { path: `${directory}/.s.PGSQL.5432` };
  return { host: url.hostname, port: Number(url.port || 5432) };
}
