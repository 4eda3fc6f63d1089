import { createInnerContext } from "@/server/trpc/context";
import { appRouter } from "@/server/trpc/root";
import type { Scope } from "@/server/workspaces/scope";

/** Calls procedures as this member would, past the session, with their input, role and output checked. */
export function callerOf({ userId, userName }: Scope): ReturnType<typeof appRouter.createCaller> {
  const user = { id: userId, name: userName, email: "member@example.test" };
  return appRouter.createCaller(createInnerContext({ user }));
}
