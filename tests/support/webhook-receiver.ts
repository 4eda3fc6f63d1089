import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedCall = { headers: IncomingHttpHeaders; path: string; text: string; body: Record<string, unknown> };

type Answer = {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** It does not come to an end. */
  holds?: boolean;
  /** It does not even begin. */
  silent?: boolean;
};

export type WebhookReceiver = {
  /** Its address, with a path that looks like the keys chat services hand out. */
  url: string;
  calls: ReceivedCall[];
  /** What it answers from now on; null: it takes everything. */
  answer: Answer | null;
  close(): Promise<void>;
};

/** A real HTTP server that takes calls as a receiver of webhooks does. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      receiver.calls.push({
        headers: request.headers,
        path: request.url ?? "",
        text,
        body: JSON.parse(text) as ReceivedCall["body"],
      });
      const { status, headers = {}, body = "ok", holds, silent }: Answer = receiver.answer ?? { status: 200 };
      if (silent) return;
      response.writeHead(status, headers).write(body);
      if (!holds) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/T0SECRETPATH-4711-abcdef`,
    calls: [],
    answer: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
