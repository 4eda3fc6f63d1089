import { addressFilters } from "@/components/ui/address-filters";
import { type FeedbackFilters, feedbackFilters } from "@/server/feedback/schema";

/** What the page reads first. Shared by the server, which reads ahead, and the page, so that both mean the same query. */
export const FEEDBACK_PER_PAGE = 50;

const address = addressFilters<FeedbackFilters>({
  schema: feedbackFilters,
  path: "/feedback",
  names: { search: "q", type: "type", agent: "agent", team: "team", from: "from", to: "to" },
});

export const NO_FILTERS = address.none;
export const readFeedbackFilters = address.read;
export const feedbackHref = address.href;

/** Where the entries of a filtered list are downloaded. */
export const exportHref = (filters: FeedbackFilters) => address.download("/api/feedback/export", filters);
