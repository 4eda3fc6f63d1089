import { z } from "zod";

/** Longest text the preview takes, in characters. */
export const MOST_PREVIEWED = 20_000;

export const privacyView = z.object({ redactsPii: z.boolean() });
export const savePrivacyInput = z.strictObject({ redactsPii: z.boolean() });
export const previewPrivacyInput = z.strictObject({
  text: z.string().max(MOST_PREVIEWED, `At most ${MOST_PREVIEWED.toLocaleString("en-US")} characters.`),
});
export const privacyPreview = z.object({ text: z.string() });

export const workspaceMe = z.object({
  user: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
  workspace: z.object({ id: z.uuid(), name: z.string() }),
  role: z.enum(["owner", "editor", "operator", "viewer"]),
  /** What answers when an agent names no model of its own. The rehearsal model is not an LLM, and screens say so. */
  model: z.object({
    provider: z.string(),
    name: z.string(),
    /** "provider/model" */
    ref: z.string(),
    label: z.string(),
    isRehearsal: z.boolean(),
  }),
});
export type WorkspaceMe = z.infer<typeof workspaceMe>;
