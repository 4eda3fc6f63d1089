import { z } from "zod";

const id = z.uuid();
const instant = z.iso.datetime();

/** What a webhook may be called for. The function webhook_type() in the database says which event of a run is which. */
export const WEBHOOK_EVENTS = [
  "run.created",
  "run.completed",
  "run.failed",
  "run.aborted",
  "run.paused",
  "run.suspended",
  "run.interrupted",
  "request.opened",
  "request.assigned",
  "request.answered",
  "request.expired",
  "request.withdrawn",
  "agent.completed",
  "agent.failed",
  "agent.aborted",
  "agent.published",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const isWebAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const webAddress = z
  .string()
  .trim()
  .max(2000, "At most 2,000 characters.")
  .refine(isWebAddress, "A web address, e.g. https://hooks.example.com/troupe.")
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), "Leave the user name and password out of the address.");

/** Only where it is on: scheme, host and port. */
const origin = z
  .string()
  .trim()
  .max(300)
  .refine((url) => isWebAddress(url), "The web address Troupe is opened under, e.g. https://troupe.example.com.")
  .transform((url) => new URL(url).origin);

const settings = {
  name: z.string().trim().min(1, "Give it a name.").max(80, "At most 80 characters."),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1, "Choose at least one event.")
    .transform((chosen) => WEBHOOK_EVENTS.filter((event) => chosen.includes(event))),
  linkOrigin: origin,
  withContent: z.boolean(),
  enabled: z.boolean(),
  allowPrivateHost: z.boolean().default(false),
};

export const createWebhookInput = z.strictObject({ ...settings, address: webAddress });
export type CreateWebhookInput = z.infer<typeof createWebhookInput>;

/** An address of null keeps the stored one. */
export const updateWebhookInput = z.strictObject({ webhookId: id, ...settings, address: webAddress.nullable() });
export type UpdateWebhookInput = z.infer<typeof updateWebhookInput>;

export const webhookIdInput = z.strictObject({ webhookId: id });

/** An address and how it goes. Never the address itself, nor what calls are signed with. */
export const webhookView = z.object({
  id,
  name: z.string(),
  /** Scheme, host and port of the address. */
  origin: z.string(),
  linkOrigin: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  withContent: z.boolean(),
  enabled: z.boolean(),
  /** An owner allowed calls to this host and port although it may be private. */
  privateHostAllowed: z.boolean(),
  /** Failed calls in a row; 0: the last one was taken, or there was none. */
  failures: z.int(),
  failingSince: instant.nullable(),
  problem: z.string().nullable(),
  nextTryAt: instant.nullable(),
  deliveredAt: instant.nullable(),
  /** Calls that wait to be made; counted up to `MOST_COUNTED`. */
  waiting: z.int(),
  createdAt: instant,
});
export type WebhookView = z.infer<typeof webhookView>;
export const MOST_COUNTED = 1_000;

/** `secret` is told this once. */
export const webhookWithSecret = z.object({ webhook: webhookView, secret: z.string() });
export const webhookRemoved = z.object({ webhookId: id });

/** What came back for a call that tells of nothing. */
export const webhookTest = z.object({
  ok: z.boolean(),
  /** One sentence. */
  says: z.string(),
  /** HTTP status; null: no answer. */
  status: z.int().nullable(),
  tookMs: z.int(),
});
export type WebhookTest = z.infer<typeof webhookTest>;

export const DELIVERY_STATUSES = ["waiting", "delivered", "given_up"] as const;

export const listDeliveriesInput = z.strictObject({
  webhookId: id,
  status: z.enum(["all", ...DELIVERY_STATUSES]).default("all"),
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListDeliveriesInput = z.infer<typeof listDeliveriesInput>;

export const delivery = z.object({
  id,
  type: z.enum(WEBHOOK_EVENTS),
  runId: id,
  runTitle: z.string(),
  occurredAt: instant,
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  /** When it is tried again; null: it is not. */
  nextTryAt: instant.nullable(),
  triedAt: instant.nullable(),
  /** HTTP status of the last answer; null: none. */
  answered: z.int().nullable(),
  says: z.string().nullable(),
  tookMs: z.int().nullable(),
});
export type Delivery = z.infer<typeof delivery>;
export const deliveryPage = z.object({ items: z.array(delivery), nextCursor: z.string().nullable() });

export const deliveryIdInput = z.strictObject({ deliveryId: id });
/** What is sent for it, as it would be sent now: JSON. */
export const deliveryPayload = z.object({ body: z.string() });
