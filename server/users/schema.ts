import { z } from "zod";

/** Addresses are compared without case and stored that way. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "That address is too long.")
  .pipe(z.email("Write an e-mail address, like ada@example.org."));

export const MIN_PASSWORD_LENGTH = 10;

export const newPassword = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `At least ${MIN_PASSWORD_LENGTH} characters.`)
  // Hashing time grows with length; nobody types more than this.
  .max(200, "At most 200 characters.");

const personName = z.string().trim().min(1, "Write your name.").max(100, "At most 100 characters.");

export const createOwnerInput = z.strictObject({
  name: personName,
  email,
  password: newPassword,
  workspaceName: z
    .string()
    .trim()
    .min(1, "Name the workspace.")
    .max(100, "At most 100 characters.")
    .default("My workspace"),
  /** Asked for when the installation listens beyond this machine. */
  setupToken: z.string().trim().max(200).optional(),
});
export type CreateOwnerInput = z.infer<typeof createOwnerInput>;

export const changePasswordInput = z.strictObject({
  currentPassword: z.string().min(1, "Write your present password.").max(200, "At most 200 characters."),
  newPassword,
});
export const updateProfileInput = z.strictObject({ name: personName });
export const userSaved = z.object({ ok: z.literal(true) });

export const createdOwner = z.object({ userId: z.uuid(), workspaceId: z.uuid() });
