import { randomUUID } from "node:crypto";
import type { PrismaClient } from "@/prisma/generated/client";
import { PASSWORD_COST } from "@/server/auth/password";
import { db } from "@/server/db";
import type { Env } from "@/server/env";
import type { DatabaseKind } from "./databases";
import { enterDatabase } from "./use-database";
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
 * The product's HTTP doors on a database of their own. A password takes a fifth of a second, as in the product, only where
 * that is what is tested.
 */
export async function startProduct(
  kind: DatabaseKind,
  settings: Partial<Env> = {},
  { passwords = "quick" }: { passwords?: "quick" | "real" } = {},
): Promise<Product> {
  const secrets = { AUTH_SECRET: `test-${randomUUID()}`, SECRETS_KEY: `test-${randomUUID()}` };
  const { leave } = await enterDatabase(kind, { ...secrets, ...settings });
  const cost = { ...PASSWORD_COST };
  if (passwords === "quick") Object.assign(PASSWORD_COST, { N: 2 ** 10, p: 1 });
  const web = await startWeb();
  return {
    web,
    db: db(),
    visitor: (address = `203.0.113.${++addresses}`) => new Visitor(web, address),
    stop: async () => {
      await web.close();
      Object.assign(PASSWORD_COST, cost);
      await leave();
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

/** The owner after the first visit, signed in. */
export async function signedInOwner(product: Product): Promise<Visitor> {
  const owner = product.visitor();
  await createOwner(owner);
  await owner.signIn(OWNER.email, OWNER.password);
  return owner;
}

export type UploadBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
type UploadAnswer = {
  status: number;
  outcome?: string;
  document?: { id: string; fileId: string; name: string; mediaType: string; sizeBytes: number; status: string };
  error?: { code: string; message: string };
};

/** Sends a file to the base or conversation `target` names; the length of a stream is not announced. */
export async function uploadFile(
  visitor: Visitor,
  target: string,
  name: string,
  body: UploadBody,
  headers: Record<string, string> = {},
): Promise<UploadAnswer> {
  const response = await visitor.fetch(`/api/upload?${target}&name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  } as RequestInit);
  return { status: response.status, ...((await response.json()) as Omit<UploadAnswer, "status">) };
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
