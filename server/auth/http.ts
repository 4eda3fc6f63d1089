import { Auth } from "@auth/core";
import { z } from "zod";
import { AppError } from "@/server/errors";
import { toInvalidInput } from "@/server/trpc/error-mapping";
import { clientAddress } from "./client-address";
import { authConfig } from "./config";
import { TooManyAttempts } from "./rate-limits";
import { readGuardedBody, refuse } from "./request-guard";
import { signInBody, signOutBody } from "./schema";
import { checkCredentials } from "./service";
import { isHttps } from "./session-cookie";

const MAX_BODY_BYTES = 16 * 1024;

/** The three doors of @auth/core that the product uses; its other pages and actions stay shut. */
export async function answerAuth(request: Request): Promise<Response> {
  const door = `${request.method} ${new URL(request.url).pathname}`;
  if (door === "GET /api/auth/csrf") return csrf(request);
  if (door === "POST /api/auth/callback/credentials") return signIn(request);
  if (door === "POST /api/auth/signout") return signOut(request);
  return refuse({ code: "NOT_FOUND", userMessage: "There is nothing here.", fieldErrors: null });
}

const nobody = async () => null;

function csrf(request: Request): Promise<Response> {
  return Auth(forward(request), authConfig({ https: isHttps(request.headers, request.url), authorize: nobody }));
}

/** Checks credentials and sets the session cookie. 401 for wrong ones, 429 with Retry-After for too many tries. */
async function signIn(request: Request): Promise<Response> {
  const body = await readBody(request, signInBody);
  if (body instanceof Response) return body;
  const { csrfToken, email, password } = body;

  let refusal: AppError | undefined;
  const authorize = async () => {
    try {
      return await checkCredentials({ email, password, address: clientAddress(request.headers) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusal = error;
      return null;
    }
  };
  const config = authConfig({ https: isHttps(request.headers, request.url), authorize });
  const response = await Auth(forward(request, { csrfToken }), config);
  return refusal ? refuseFor(refusal) : done(response);
}

/** Clears the session cookie; signing out twice is no error. */
async function signOut(request: Request): Promise<Response> {
  const body = await readBody(request, signOutBody);
  if (body instanceof Response) return body;
  const config = authConfig({ https: isHttps(request.headers, request.url), authorize: nobody });
  return done(await Auth(forward(request, body), config));
}

async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T | Response> {
  const text = await readGuardedBody(request, MAX_BODY_BYTES);
  if (text instanceof Response) return text;
  const parsed = z
    .string()
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: "custom", message: "The request could not be read." });
        return z.NEVER;
      }
    })
    .pipe(schema)
    .safeParse(text);
  return parsed.success ? parsed.data : refuse(toInvalidInput(parsed.error));
}

/** The request as the library sees it: our path and cookies, and only the fields we checked. */
function forward(request: Request, body?: { csrfToken: string }): Request {
  const { origin, pathname } = new URL(request.url);
  const headers = new Headers({ "content-type": "application/json", "x-auth-return-redirect": "1" });
  const cookie = request.headers.get("cookie");
  if (cookie) headers.set("cookie", cookie);
  return new Request(`${origin}${pathname}`, {
    method: request.method,
    headers,
    body: body ? JSON.stringify(body) : undefined,
  });
}

/** The library answers with the address to go to; an address with an error in it is a refusal. */
async function done(response: Response): Promise<Response> {
  const outcome = z.object({ url: z.string() }).safeParse(await response.json());
  const error = outcome.success ? new URL(outcome.data.url).searchParams.get("error") : "Configuration";
  if (error === "MissingCSRF") {
    const userMessage = "This page has been open for too long. Try again.";
    return refuse({ code: "NOT_ALLOWED", userMessage, fieldErrors: null });
  }
  if (error) {
    const userMessage = "Something went wrong on the server. Its log says what.";
    return refuse({ code: "INTERNAL", userMessage, fieldErrors: null });
  }
  const headers = new Headers({ "cache-control": "no-store" });
  for (const cookie of response.headers.getSetCookie()) headers.append("set-cookie", cookie);
  return Response.json({ done: true }, { headers });
}

function refuseFor(error: AppError): Response {
  const headers: Record<string, string> =
    error instanceof TooManyAttempts ? { "retry-after": String(Math.ceil(error.waitMs / 1000)) } : {};
  return refuse({ code: error.code, userMessage: error.userMessage, fieldErrors: null }, { headers });
}
