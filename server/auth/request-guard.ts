import { HTTP_STATUS, type PublicError } from "@/server/trpc/error-mapping";

/** A refusal in plain HTTP, in the shape every door uses. */
export function refuse(error: PublicError, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  return Response.json(
    { error },
    { status: init.status ?? HTTP_STATUS[error.code], headers: { "cache-control": "no-store", ...init.headers } },
  );
}

/**
 * Whether a page of another site sent this. Browsers say so themselves in Sec-Fetch-Site, which scripts cannot set;
 * over plain http they send Origin only. Callers that are no browser send neither and carry no stolen cookies.
 */
export function isCrossSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (!origin) return false;
  const host = headers.get("x-forwarded-host")?.split(",")[0]?.trim() || headers.get("host");
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/**
 * Reads the body of a POST that changes something. Answers with a refusal when another site sent it, when it is not
 * JSON (forms of other sites can send every other type unasked), or when it is larger than `maxBytes`.
 */
export async function readGuardedBody(request: Request, maxBytes: number): Promise<string | Response> {
  const invalid = (userMessage: string, status: number) =>
    refuse({ code: "INVALID", userMessage, fieldErrors: null }, { status });

  if (isCrossSite(request.headers)) {
    return refuse({ code: "NOT_ALLOWED", userMessage: "Requests from other sites are refused.", fieldErrors: null });
  }
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return invalid("Send JSON.", 415);
  const body = await readAtMost(request, maxBytes);
  return body ?? invalid("The request is too large.", 413);
}

/** The body as text; null as soon as it turns out larger than allowed, whatever length it announced. */
async function readAtMost(request: Request, maxBytes: number): Promise<string | null> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return null;
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
