import { db } from "@/server/db";
import { redactText } from "@/server/secrets/pii";
import type { Scope } from "@/server/workspaces/scope";
import { getPrivacy } from "./queries";

/** Counts for what comes in from now on: runs under way follow within seconds. What is stored stays as it is. */
export async function savePrivacy({ scope, input }: { scope: Scope; input: { redactsPii: boolean } }) {
  await db().workspace.updateMany({ where: { id: scope.workspaceId }, data: { redactsPii: input.redactsPii } });
  return getPrivacy(scope.workspaceId);
}

/** The text as it would be stored. Nothing of it is kept. */
export function previewPrivacy({ text }: { text: string }): { text: string } {
  return { text: redactText(text) };
}
