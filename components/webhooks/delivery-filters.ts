import type { ListDeliveriesInput } from "@/server/webhooks/schema";

/** What the page reads first. */
export const DELIVERIES_PER_PAGE = 50;

export const DELIVERY_FILTERS = [
  { value: "all", label: "All" },
  { value: "waiting", label: "Waiting" },
  { value: "delivered", label: "Taken" },
  { value: "given_up", label: "Given up" },
] as const satisfies readonly { value: ListDeliveriesInput["status"]; label: string }[];

export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number]["value"];

/** From the address; anything unknown in it means all. */
export function readDeliveryFilter(value: string | null): DeliveryFilter {
  return DELIVERY_FILTERS.find((filter) => filter.value === value)?.value ?? "all";
}
