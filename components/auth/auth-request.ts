import { z } from "zod";
import type { PublicError } from "@/server/trpc/error-mapping";

const csrfReply = z.object({ csrfToken: z.string() });
const refusal = z.object({
  error: z.object({
    code: z.string(),
    userMessage: z.string(),
    fieldErrors: z.record(z.string(), z.array(z.string())).nullable(),
  }),
});

export type AuthOutcome = { done: true } | { done: false; error: Pick<PublicError, "userMessage" | "fieldErrors"> };

const UNREACHABLE: AuthOutcome = {
  done: false,
  error: { userMessage: "The server did not answer. Check that it runs, then try again.", fieldErrors: null },
};

/** Posts to an auth door with the token that proves the request comes from this page. Never throws. */
async function post(door: "callback/credentials" | "signout", body: Record<string, string>): Promise<AuthOutcome> {
  try {
    const { csrfToken } = csrfReply.parse(await (await fetch("/api/auth/csrf")).json());
    const response = await fetch(`/api/auth/${door}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, csrfToken }),
    });
    if (response.ok) return { done: true };
    return { done: false, error: refusal.parse(await response.json()).error };
  } catch {
    return UNREACHABLE;
  }
}

export function postSignIn({ email, password }: { email: string; password: string }): Promise<AuthOutcome> {
  return post("callback/credentials", { email, password });
}

export function postSignOut(): Promise<AuthOutcome> {
  return post("signout", {});
}
