import { z } from "zod";

const id = z.uuid();
const instant = z.iso.datetime();

/** Key of a row of a run's tree: `agent:<id>`, `decision:<id>`, or a step as `<agent run>.<position>`. */
export const runPlace = z
  .string()
  .max(100)
  .regex(/^[\w:.-]+$/, "There is no such place in a run.");

/** For how many days a link is good; null: until it is taken back. */
export const LINK_DAYS = [1, 7, 30, null] as const;

export const createShareLinkInput = z.strictObject({
  runId: id,
  /** Null: the run as its page opens it. */
  place: runPlace.nullable(),
  days: z.union([z.literal(1), z.literal(7), z.literal(30)]).nullable(),
});
export type CreateShareLinkInput = z.infer<typeof createShareLinkInput>;

/** `token` is told this once: only a hash of it is kept. */
export const shareLinkCreated = z.object({ id, token: z.string() });
export const shareLinkInput = z.strictObject({ linkId: id });
export const shareLinkRevoked = z.object({ id });

/** Anything: what is no token leads nowhere, as one that was guessed. */
export const openShareLinkInput = z.strictObject({ token: z.string().max(200) });
export const sharedPlace = z.object({ runId: id, place: z.string().nullable() });

export const shareLink = z.object({
  id,
  /** A row of the tree, see above; null: the run. */
  place: z.string().nullable(),
  /** What that row is; null: the run, or it is gone. */
  placeName: z.string().nullable(),
  createdBy: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  state: z.enum(["open", "expired", "revoked"]),
});
export type ShareLink = z.infer<typeof shareLink>;
