import { z } from "zod";
import { createOwnerInput } from "@/server/users/schema";

const id = z.uuid();
const instant = z.iso.datetime();
export const ROLES = ["owner", "editor", "operator", "viewer"] as const;

export const memberView = z.object({
  userId: id,
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  isYou: z.boolean(),
  joinedAt: instant,
});
export type MemberView = z.infer<typeof memberView>;

export const inviteView = z.object({
  id,
  role: z.enum(ROLES),
  note: z.string(),
  createdBy: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
});
export type InviteView = z.infer<typeof inviteView>;

export const createInviteInput = z.strictObject({
  role: z.enum(ROLES),
  note: z.string().trim().max(100).default(""),
  expiresInDays: z.int().min(1).max(30).default(7),
});
/** The link's token, shown this once. */
export const inviteCreated = z.object({ invite: inviteView, token: z.string() });
export const inviteIdInput = z.strictObject({ inviteId: id });
export const setRoleInput = z.strictObject({ userId: id, role: z.enum(ROLES) });
export const memberIdInput = z.strictObject({ userId: id });

/** 32 random bytes. The link carries it behind a #, which browsers send to no server. */
const inviteToken = z.string().max(200);
export const inviteTokenInput = z.strictObject({ token: inviteToken });
/** What whoever holds the link is shown. */
export const inviteLook = z.object({
  workspaceName: z.string(),
  role: z.enum(ROLES),
  invitedBy: z.string().nullable(),
  expiresAt: instant,
});
export const acceptInviteInput = z.strictObject({
  token: inviteToken,
  name: createOwnerInput.shape.name,
  email: createOwnerInput.shape.email,
  password: createOwnerInput.shape.password,
});
export const inviteAccepted = z.object({ workspaceName: z.string(), role: z.enum(ROLES) });
export const memberChanged = z.object({ ok: z.literal(true) });
