export const WEBHOOKS_HREF = "/webhooks";
export const webhookHref = (webhookId: string) => `${WEBHOOKS_HREF}/${webhookId}`;
