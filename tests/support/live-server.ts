import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createWebFront } from "@/server/launcher/web-front.mjs";
import { createInnerContext } from "@/server/trpc/context";
import { answerLiveStream } from "@/server/trpc/live-stream";
import type { Scope } from "@/server/workspaces/scope";

export type LiveServer = {
  url: string;
  /** Answers under way. */
  open: ReadonlySet<ServerResponse>;
  close: () => Promise<void>;
};

/** The live door over real HTTP behind the product's own front, for somebody who has already signed in. */
export async function startLiveServer(scope: Scope, also: { stalledMs?: number } = {}): Promise<LiveServer> {
  const user = { id: scope.userId, name: scope.userName, email: "reader@example.test" };
  const open = new Set<ServerResponse>();
  const { server } = createWebFront({
    ...also,
    proxies: 0,
    hosts: null,
    async handle(incoming, outgoing) {
      const gone = new AbortController();
      open.add(outgoing);
      outgoing.on("close", () => {
        open.delete(outgoing);
        gone.abort();
      });
      const lastEventId = incoming.headers["last-event-id"];
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        headers: typeof lastEventId === "string" ? { "last-event-id": lastEventId } : {},
        signal: gone.signal,
      });
      try {
        const response = answerLiveStream(request, async () => createInnerContext({ user }));
        // As Next does it: the front looks at them.
        outgoing.statusCode = response.status;
        outgoing.setHeaders(response.headers);
        if (!response.body) return void outgoing.end();
        await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
      } catch {
        outgoing.destroy();
      }
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
