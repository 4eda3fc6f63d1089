import type { AuthConfig } from "@auth/core";
import Credentials from "@auth/core/providers/credentials";
import { logger } from "@/server/logger";
import { authSecret } from "./secret";
import { SESSION_MAX_AGE_S, sessionCookieName } from "./session-cookie";

type Person = { id: string };

/** Settings of @auth/core for one request. `authorize` is told whose credentials to check by the door itself. */
export function authConfig(options: { https: boolean; authorize: () => Promise<Person | null> }): AuthConfig {
  const { https, authorize } = options;
  return {
    basePath: "/api/auth",
    trustHost: true,
    secret: authSecret(),
    session: { strategy: "jwt", maxAge: SESSION_MAX_AGE_S },
    useSecureCookies: https,
    cookies: {
      sessionToken: {
        name: sessionCookieName(https),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: https },
      },
    },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [Credentials({ credentials: {}, authorize })],
    callbacks: {
      // The user's id and nothing else: a token cannot be taken back, so it must not carry rights or names.
      jwt: ({ token, user }) => ({ sub: user?.id ?? token.sub }),
    },
    logger: {
      // Refusals are answers, not faults; what the library could not explain comes as CallbackRouteError.
      error: (error) => {
        const refusal = error.name === "CredentialsSignin" || error.name === "MissingCSRF";
        logger[refusal ? "debug" : "error"]({ err: error.cause ?? error }, "The auth door refused or failed");
      },
      warn: (code) => logger.debug({ code }, "The auth library warns"),
      debug: () => {},
    },
  };
}
