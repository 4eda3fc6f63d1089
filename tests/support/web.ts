import { readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, sep } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

/**
 * The product's HTTP doors without a build: the route handlers of app/, behind a plain server that treats
 * requests as Next does (forwarded headers, HEAD and OPTIONS answered where a route does not).
 */

const APP = fileURLToPath(new URL("../../app", import.meta.url));
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof METHODS)[number];
type Handler = (request: Request, context: { params: Promise<Record<string, string | string[]>> }) => Promise<Response>;

export type Route = {
  /** As in the folder names: "/api/trpc/[trpc]". */
  pattern: string;
  handlers: Partial<Record<Method, Handler>>;
};

/** Every route file of the app. */
export async function loadRoutes(): Promise<Route[]> {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|[\\/])route\.tsx?$/.test(file),
  );
  return Promise.all(
    files.map(async (file) => ({
      pattern: `/${dirname(file).split(sep).join("/")}`,
      // From here, and with words around the name, so that a bundle knows which files are meant.
      handlers: (await import(/* @vite-ignore */ `../../app/${dirname(file)}/route.ts`)) as Route["handlers"],
    })),
  );
}

/** "/api/trpc/[trpc]" against "/api/trpc/runs.list": the parameters, or null. */
function match(pattern: string, pathname: string): Record<string, string | string[]> | null {
  const given = pathname.split("/").filter(Boolean);
  const params: Record<string, string | string[]> = {};
  const wanted = pattern.split("/").filter(Boolean);
  for (const [index, part] of wanted.entries()) {
    const rest = /^\[\.\.\.(.+)\]$/.exec(part)?.[1];
    if (rest) {
      params[rest] = given.slice(index);
      return given.length > index ? params : null;
    }
    const value = given[index];
    if (value === undefined) return null;
    const name = /^\[(.+)\]$/.exec(part)?.[1];
    if (name) params[name] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return given.length === wanted.length ? params : null;
}

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  if (!headers.has("x-forwarded-for")) headers.set("x-forwarded-for", incoming.socket.remoteAddress ?? "");
  if (!headers.has("x-forwarded-host")) headers.set("x-forwarded-host", headers.get("host") ?? "");
  if (!headers.has("x-forwarded-proto")) headers.set("x-forwarded-proto", "http");
  const hasBody = !["GET", "HEAD"].includes(incoming.method ?? "GET");
  const body = new PassThrough();
  incoming.pipe(body);
  // What a door did not want to read is thrown away, as Node does, so that the connection stays usable.
  outgoing.on("finish", () => incoming.unpipe(body).resume());
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(body) as ReadableStream, duplex: "half" } : {}),
  } as RequestInit);
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.flushHeaders();
  if (!response.body) return void outgoing.end();
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
}

async function answer(routes: Route[], request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const { pattern, handlers } of routes) {
    const params = match(pattern, pathname);
    if (!params) continue;
    const method = request.method as Method;
    const handler = handlers[method] ?? (method === "HEAD" ? handlers.GET : undefined);
    if (handler) return handler(request, { params: Promise.resolve(params) });
    const allow = METHODS.filter((name) => handlers[name]).join(", ");
    return new Response(null, { status: method === "OPTIONS" ? 204 : 405, headers: { allow } });
  }
  return new Response(null, { status: 404 });
}

export type Web = {
  /** "http://127.0.0.1:port". */
  url: string;
  routes: Route[];
  /** Faults that reached the server itself; a door that holds leaves none. */
  crashes: unknown[];
  close: () => Promise<void>;
};

export async function startWeb(): Promise<Web> {
  const routes = await loadRoutes();
  const crashes: unknown[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    answer(routes, toRequest(incoming, outgoing))
      .then((response) => send(response, outgoing))
      .catch((error: unknown) => {
        if (outgoing.closed) return;
        crashes.push(error);
        if (!outgoing.headersSent) outgoing.statusCode = 500;
        outgoing.end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, routes, crashes, close };
}

/** Somebody with a browser of their own: cookies are kept between requests. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly web: Pick<Web, "url">,
    /** Address the requests seem to come from; rate limits count by it. */
    private readonly address = "203.0.113.1",
  ) {}

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input, this.web.url);
    const headers = new Headers(init.headers);
    if (!headers.has("cookie") && this.cookies.size > 0) {
      headers.set("cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    if (!headers.has("x-forwarded-for")) headers.set("x-forwarded-for", this.address);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    return response;
  };

  private keep(cookie: string): void {
    const [pair = "", ...attributes] = cookie.split(";");
    const [name = "", ...value] = pair.split("=");
    const expired = attributes.some((attribute) => {
      const [key, when] = attribute.trim().split("=");
      if (key?.toLowerCase() === "max-age") return Number(when) <= 0;
      return key?.toLowerCase() === "expires" && Date.parse(when ?? "") <= Date.now();
    });
    if (expired) this.cookies.delete(name);
    else this.cookies.set(name, value.join("="));
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  private async withCsrf(path: string, body: Record<string, string>): Promise<Response> {
    const { csrfToken } = (await (await this.fetch("/api/auth/csrf")).json()) as { csrfToken: string };
    return this.post(path, { ...body, csrfToken });
  }

  signIn(email: string, password: string): Promise<Response> {
    return this.withCsrf("/api/auth/callback/credentials", { email, password });
  }

  signOut(): Promise<Response> {
    return this.withCsrf("/api/auth/signout", {});
  }
}
