import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type EffectServer = {
  url: string;
  /** Requests that arrived, by effect id. */
  requests(): ReadonlyMap<string, number>;
  /** Effects that took place, by effect id; 1 is right, more is a side effect done twice. */
  applied(): ReadonlyMap<string, number>;
  /** Requests it has and did not answer yet: their sender may be gone. */
  underWay(): number;
  close(): Promise<void>;
};

export type EffectServerOptions = {
  /** True: a repeated Idempotency-Key returns the first answer and does nothing. */
  honoursKey: boolean;
  /** A file every request and effect is appended to. */
  log?: string;
  /** In [0, 1); decides how long the far side takes before and after it acts. */
  random?: () => number;
};

/** The far side of a tool that writes: POST /act?id=… is the effect. It lives outside the database and outlives every kill. */
export async function startEffectServer(options: EffectServerOptions): Promise<EffectServer> {
  const random = options.random ?? Math.random;
  const requests = new Map<string, number>();
  const applied = new Map<string, number>();
  const answers = new Map<string, string>();
  let underWay = 0;
  const count = (map: Map<string, number>, id: string) => map.set(id, (map.get(id) ?? 0) + 1);
  const log = (line: object) => {
    if (options.log) appendFileSync(options.log, `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
  };
  const between = (from: number, to: number) =>
    new Promise((resolve) => setTimeout(resolve, from + random() * (to - from)));

  const server = createServer(async (request, response) => {
    const id = new URL(request.url ?? "/", "http://effects").searchParams.get("id") ?? "";
    const key = String(request.headers["idempotency-key"] ?? "");
    underWay += 1;
    count(requests, id);
    log({ request: id, key });
    await between(5, 15);
    const before = options.honoursKey ? answers.get(key) : undefined;
    if (before === undefined) {
      count(applied, id);
      log({ applied: id, key });
      answers.set(key, JSON.stringify({ receipt: applied.size }));
    }
    await between(5, 25);
    response.setHeader("content-type", "application/json");
    response.end(answers.get(key));
    underWay -= 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    applied: () => applied,
    underWay: () => underWay,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
