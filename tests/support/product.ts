import { randomUUID } from "node:crypto";
import { vi } from "vitest";
import type { PrismaClient } from "@/prisma/generated/client";
import { type DatabaseKind, freshDatabase } from "./databases";
import { startWeb, Visitor, type Web } from "./web";

export type Product = {
  web: Web;
  db: PrismaClient;
  /** Somebody new, from an address of their own. */
  visitor: (address?: string) => Visitor;
  stop: () => Promise<void>;
};

let addresses = 0;

/**
 * The product's HTTP doors on a database of their own. Server modules read the environment once, so they are loaded
 * again for each database: import server code after this, and dynamically.
 */
export async function startProduct(kind: DatabaseKind, environment: Record<string, string> = {}): Promise<Product> {
  const database = await freshDatabase(kind);
  const settings = { DATABASE_URL: database.url, AUTH_SECRET: `test-${randomUUID()}`, ...environment };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.resetModules();
  const [{ db, closeDb }, { closeListener }] = await Promise.all([
    import("@/server/db"),
    import("@/server/runs/listener"),
  ]);
  const web = await startWeb();
  return {
    web,
    db: db(),
    visitor: (address = `203.0.113.${++addresses}`) => new Visitor(web, address),
    stop: async () => {
      await web.close();
      await closeListener();
      await closeDb();
      await database.stop();
      vi.unstubAllEnvs();
    },
  };
}

export const OWNER = {
  name: "Ada Owner",
  email: "ada@example.test",
  password: "correct horse battery",
  workspaceName: "Analytical engines",
};

/** The first visit, as the setup page does it; answers with the HTTP response. */
export function createOwner(visitor: Visitor, input: Record<string, unknown> = OWNER): Promise<Response> {
  return callTrpc(visitor, "users.createOwner", input);
}

/** A tRPC mutation over HTTP, in the wire format of superjson. */
export function callTrpc(visitor: Visitor, path: string, input: unknown): Promise<Response> {
  return visitor.post(`/api/trpc/${path}`, { json: input });
}

/** A tRPC query over HTTP. */
export function queryTrpc(visitor: Visitor, path: string, input?: unknown): Promise<Response> {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
  return visitor.fetch(`/api/trpc/${path}${query}`);
}

/** `data` of a tRPC answer, or the public part of its error. */
export async function readTrpc(response: Response) {
  const body = (await response.json()) as {
    result?: { data: { json: unknown } };
    error?: { json: { message: string; data: Record<string, unknown> } };
  };
  return { status: response.status, data: body.result?.data.json, error: body.error?.json.data };
}
