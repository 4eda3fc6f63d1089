import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { isCrossSite, readGuardedBody, refuse } from "@/server/auth/request-guard";
import { createContext } from "./context";
import { logUnexpected } from "./error-mapping";
import { answerLiveStream } from "./live-stream";
import { appRouter } from "./root";

const MAX_BODY_BYTES = 1024 * 1024;
/** More than the browser's batch link ever sends together. */
const MAX_BATCH = 50;
const LIVE_STREAM = "/api/trpc/live.follow";

/** The browser's door: queries and subscriptions by GET, mutations by POST. */
export async function answerTrpc(request: Request): Promise<Response> {
  const guarded = request.method === "POST" ? await withReadBody(request) : refuseForeignPage(request);
  if (guarded instanceof Response) return guarded;
  if (request.method === "GET" && new URL(request.url).pathname === LIVE_STREAM) {
    return answerLiveStream(request, () => contextOf(request));
  }
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: guarded,
    router: appRouter,
    createContext: () => contextOf(request),
    maxBatchSize: MAX_BATCH,
    onError: logUnexpected,
  });
}

const contextOf = ({ headers, url }: Request) => createContext({ headers, url });

async function withReadBody(request: Request): Promise<Request | Response> {
  const body = await readGuardedBody(request, MAX_BODY_BYTES);
  if (body instanceof Response) return body;
  return new Request(request.url, { method: "POST", headers: request.headers, body, signal: request.signal });
}

function refuseForeignPage(request: Request): Request | Response {
  if (!isCrossSite(request.headers)) return request;
  return refuse({ code: "NOT_ALLOWED", userMessage: "Requests from other sites are refused.", fieldErrors: null });
}

export function refuseMethod(): Response {
  const error = { code: "INVALID", userMessage: "Use GET or POST.", fieldErrors: null } as const;
  return refuse(error, { status: 405, headers: { allow: "GET, POST" } });
}
