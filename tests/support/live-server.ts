import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { liveRouter } from "@/server/runs/live-router";
import { createInnerContext } from "@/server/trpc/context";
import { router } from "@/server/trpc/procedures";
import type { Scope } from "@/server/workspaces/scope";

const served = router({ live: liveRouter });

/** The live door over real HTTP, for somebody who has already signed in. */
export async function startLiveServer(scope: Scope): Promise<{ url: string; close: () => Promise<void> }> {
  const user = { id: scope.userId, name: scope.userName, email: "reader@example.test" };
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const lastEventId = incoming.headers["last-event-id"];
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      headers: typeof lastEventId === "string" ? { "last-event-id": lastEventId } : {},
      signal: gone.signal,
    });
    const createContext = () => createInnerContext({ user });
    fetchRequestHandler({ endpoint: "", req: request, router: served, createContext })
      .then(async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        if (!response.body) return void outgoing.end();
        await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
      })
      .catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
