import net from "node:net";

export type CutRelay = {
  /** What is behind it, by way of the relay. */
  url: string;
  /** Breaks every connection there is, in the middle of whatever it carries; new ones are let through. */
  cut(): void;
  stop(): Promise<void>;
};

/** A way to a server on this machine on which connections break whenever a test says so. */
export async function startCutRelay(target: string): Promise<CutRelay> {
  const port = Number(new URL(target).port);
  const sockets = new Set<net.Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = net.createServer({ noDelay: true }, (client) => {
    const upstream = net.connect(port, "127.0.0.1").setNoDelay();
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
