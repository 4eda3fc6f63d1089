import { type Dispatcher, request as send } from "undici";
import { type GuardedAgents, guardedAgents } from "./agents";
import { ACCEPT_ENCODING, discard, failureOf, toResponse } from "./answer";
import { OutgoingRefusedError } from "./refused";
import { hostPortOf, type Resolver, readTarget, systemResolver } from "./targets";

export type GuardedFetchOptions = {
  /** Private hosts that may be called, as "host:port" in small letters (server/outgoing/allowed-hosts.ts), or a rule. */
  allowPrivate?: ReadonlySet<string> | ((host: string, port: number) => boolean);
  /** Redirects followed for one call; 5 unless told. Each is checked like a call of its own. */
  maxRedirects?: number;
  /** Bytes of a body, unpacked, after which reading fails with too-large. Unlimited unless told. */
  maxResponseBytes?: number;
  /** The answer has a status and headers only; its body is not read. */
  withoutBody?: boolean;
  /** Only for tests: stands in for the system's resolver. */
  resolver?: Resolver;
};

const MAX_REDIRECTS = 5;
/** What may follow a redirect to another origin: never a key, whatever header carries it. */
const HARMLESS_HEADERS = ["accept", "accept-language", "content-type", "content-language", "user-agent"];
const BODY_HEADERS = ["content-type", "content-length", "content-encoding", "content-language", "transfer-encoding"];

const shared = guardedAgents(systemResolver);

/**
 * The one way out (promise 11): a `fetch` that connects only to public addresses, and to private ones only where the
 * caller was allowed that very host and port. The address is checked when the socket is made, again for every redirect.
 *
 * Takes a URL and an init; a body must be text, bytes or form parameters. There is no time limit but `init.signal`.
 * Connections are pooled over all callers.
 * Throws OutgoingRefusedError for what it does not do; a server that cannot be reached is fetch's own TypeError.
 */
export function guardedFetch(options: GuardedFetchOptions = {}): typeof fetch {
  const { allowPrivate, maxRedirects = MAX_REDIRECTS, maxResponseBytes, withoutBody = false } = options;
  const agents: GuardedAgents = options.resolver ? guardedAgents(options.resolver) : shared;
  const isAllowed = (host: string, port: number) =>
    typeof allowPrivate === "function"
      ? allowPrivate(host, port)
      : (allowPrivate?.has(`${host.toLowerCase()}:${port}`) ?? false);

  return async (input, init) => {
    let next = readTarget(input instanceof Request ? input.url : input);
    let request = readRequest(input instanceof Request ? input : undefined, init);
    for (let hops = 0; ; hops++) {
      const { url, target } = next;
      const dispatcher = isAllowed(target.host, target.port) ? agents.allowed : agents.open;
      const { signal } = request;
      const answer = await send(url, { ...request, dispatcher }).catch((error: unknown) => {
        throw failureOf(error, signal ?? undefined);
      });
      const location = init?.redirect === "manual" ? null : redirectOf(answer);
      if (location === null)
        return toResponse(answer, url, { maxBytes: maxResponseBytes, signal: signal ?? undefined, withoutBody });
      discard(answer);
      if (init?.redirect === "error") throw new TypeError("The server redirects, which this call does not follow.");
      if (hops >= maxRedirects) throw new OutgoingRefusedError("too-many-redirects");
      next = readTarget(URL.canParse(location, url) ? new URL(location, url) : location);
      if (url.protocol === "https:" && next.url.protocol === "http:") {
        throw new OutgoingRefusedError("insecure-redirect");
      }
      request = redirected(request, answer.statusCode, next.url.origin !== url.origin);
    }
  };
}

/** For an address that whoever runs the server, or an owner, has named: its own host and port are allowed. */
export function guardedFetchFor(baseUrl: string): typeof fetch {
  return guardedFetch({ allowPrivate: new Set([hostPortOf(baseUrl)]) });
}

type Sent = {
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  signal: AbortSignal | null;
};

function readRequest(request: Request | undefined, init: RequestInit | undefined): Sent {
  const body = init?.body ?? null;
  if (request?.body) throw new OutgoingRefusedError("unsupported-body");
  const headers = new Headers(init?.headers ?? request?.headers);
  if (!headers.has("accept")) headers.set("accept", "*/*");
  // Some firewalls answer nobody without a name.
  if (!headers.has("user-agent")) headers.set("user-agent", "troupe");
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", ACCEPT_ENCODING);
  if (body instanceof URLSearchParams && !headers.has("content-type")) {
    headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
  }
  return {
    method: (init?.method ?? request?.method ?? "GET").toUpperCase() as Dispatcher.HttpMethod,
    headers: Object.fromEntries(headers),
    body: plainBody(body),
    signal: init?.signal ?? request?.signal ?? null,
  };
}

function plainBody(body: unknown): Sent["body"] {
  if (body === null || typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new OutgoingRefusedError("unsupported-body");
}

function redirectOf({ statusCode, headers: { location } }: Dispatcher.ResponseData): string | null {
  return [301, 302, 303, 307, 308].includes(statusCode) && typeof location === "string" ? location : null;
}

function redirected(request: Sent, status: number, isOtherOrigin: boolean): Sent {
  const becomesGet =
    (status === 303 && request.method !== "HEAD") || ((status === 301 || status === 302) && request.method === "POST");
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => (!isOtherOrigin || HARMLESS_HEADERS.includes(name)) && !(becomesGet && BODY_HEADERS.includes(name)),
    ),
  );
  return becomesGet ? { ...request, method: "GET", body: null, headers } : { ...request, headers };
}
