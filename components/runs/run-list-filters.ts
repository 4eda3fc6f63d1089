import { FEEDBACK_WORDS } from "@/components/feedback/feedback-words";
import type { FilterChip } from "@/components/ui/filter-chips";
import { formatExactMoney, formatSpan } from "@/components/ui/format";
import { readUsd, writeUsd } from "@/components/ui/usd";
import { type RunFilters, type RunStateFilter, runFilters } from "@/server/runs/list-schema";

export const RUNS_PER_PAGE = 50;
export const NO_FILTERS: RunFilters = runFilters.parse({});

/** One press each; more than one of them, and the rarer ones, are under "Filters". */
export const STATUS_FILTERS = [
  { value: "all", label: "All" },
  { value: "active", label: "Active" },
  { value: "waiting", label: "Waiting" },
  { value: "failed", label: "Failed" },
  { value: "finished", label: "Finished" },
] as const satisfies readonly { value: RunStateFilter | "all"; label: string }[];

/** As a list says them; "failed" is found with what was interrupted, see queries/run-conditions.ts. */
export const STATE_WORDS: Record<RunStateFilter, string> = {
  active: "Active",
  finished: "Finished",
  queued: "Queued",
  running: "Running",
  waiting: "Waiting for a person",
  paused: "Paused",
  suspended: "Suspended",
  interrupted: "Interrupted",
  completed: "Succeeded",
  failed: "Failed or interrupted",
  aborted: "Stopped or aborted",
};

const SECOND_MS = 1_000;
const { status, targets, startedBy, conversation, about, from, to, minCostNanoUsd, longerThanMs, tags, feedback } =
  runFilters.shape;
type Parser<T> = { safeParse: (value: unknown) => { success: true; data: T } | { success: false } };

/** Filters from the address. What is unknown or mistyped in it is left out, so that no link can break the page. */
export function readRunFilters(params: URLSearchParams): RunFilters {
  const one = <T>(parser: Parser<T>, value: unknown, otherwise: T): T => {
    const parsed = parser.safeParse(value);
    return parsed.success ? parsed.data : otherwise;
  };
  /** Of several values those that stand for something, once each. */
  const some = <T>(parser: Parser<T[]>, values: readonly unknown[]): T[] => {
    const known = [...new Set(values)].flatMap((value) => one(parser, [value], []));
    return one(parser, known, []);
  };
  const seconds = params.get("longer");
  return {
    status: some(status, params.get("status")?.split(",") ?? []),
    targets: some(targets, params.getAll("target")),
    startedBy: some(startedBy, params.getAll("by")),
    conversation: one(conversation, params.get("conversation"), null),
    about: one(about, params.get("about"), null),
    from: one(from, params.get("from"), null),
    to: one(to, params.get("to"), null),
    minCostNanoUsd: one(minCostNanoUsd, readUsd(params.get("cost") ?? ""), null),
    longerThanMs: one(longerThanMs, seconds === null ? null : Number(seconds) * SECOND_MS, null),
    tags: some(tags, params.getAll("tag")),
    feedback: some(feedback, params.getAll("feedback")),
    archived: params.get("archived") === "1",
    rank: params.get("rank") === "likeness" ? "likeness" : "",
    search: (params.get("q") ?? "").trim().slice(0, 200),
  };
}

/** What an address says of filters; defaults are left out. */
export function runFiltersToParams(filters: RunFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (filters.status.length > 0) params.set("status", filters.status.join(","));
  for (const target of filters.targets) params.append("target", target);
  for (const person of filters.startedBy) params.append("by", person);
  if (filters.conversation !== null) params.set("conversation", filters.conversation);
  if (filters.about !== null) params.set("about", filters.about);
  if (filters.from !== null) params.set("from", filters.from);
  if (filters.to !== null) params.set("to", filters.to);
  if (filters.minCostNanoUsd !== null) params.set("cost", writeUsd(filters.minCostNanoUsd));
  if (filters.longerThanMs !== null) params.set("longer", String(filters.longerThanMs / SECOND_MS));
  for (const tag of filters.tags) params.append("tag", tag);
  for (const type of filters.feedback) params.append("feedback", type);
  if (filters.archived) params.set("archived", "1");
  if (filters.search) params.set("q", filters.search);
  if (filters.rank) params.set("rank", filters.rank);
  return params;
}

/** The address of a filtered list. */
export function runFiltersToQuery(filters: RunFilters): string {
  const query = runFiltersToParams(filters).toString();
  return query ? `?${query}` : "";
}

/** Whether two lists are narrowed alike, in whatever order that was chosen. */
export function areSameFilters(one: RunFilters, other: RunFilters): boolean {
  const words = (filters: RunFilters) =>
    runFiltersToParams({ ...filters, status: [...filters.status].sort() })
      .toString()
      .split("&")
      .sort()
      .join("&");
  return words(one) === words(other);
}

/** What is set besides the search and a single state, which have controls of their own. Names are looked up by the caller. */
export function filterChips(filters: RunFilters, nameOf: (key: string) => string): FilterChip<RunFilters>[] {
  const several = <K extends "targets" | "startedBy" | "tags" | "feedback">(
    key: K,
    word: (value: RunFilters[K][number]) => string,
  ): FilterChip<RunFilters>[] =>
    filters[key].map((value: RunFilters[K][number]) => ({
      key: `${key} ${value}`,
      word: word(value),
      without: { [key]: filters[key].filter((other) => other !== value) },
    }));
  const chips: FilterChip<RunFilters>[] = [];
  if (quickState(filters) === null) {
    chips.push(
      ...filters.status.map((state) => ({
        key: `status ${state}`,
        word: STATE_WORDS[state],
        without: { status: filters.status.filter((other) => other !== state) },
      })),
    );
  }
  chips.push(...several("targets", nameOf), ...several("startedBy", (id) => `By ${nameOf(id)}`));
  if (filters.conversation !== null) {
    const word = `Conversation: ${nameOf(filters.conversation)}`;
    chips.push({ key: "conversation", word, without: { conversation: null } });
  }
  if (filters.about !== null) chips.push({ key: "about", word: `About ${filters.about}`, without: { about: null } });
  if (filters.from !== null) chips.push({ key: "from", word: `From ${filters.from}`, without: { from: null } });
  if (filters.to !== null) chips.push({ key: "to", word: `To ${filters.to}`, without: { to: null } });
  if (filters.minCostNanoUsd !== null) {
    const word = `${formatExactMoney(filters.minCostNanoUsd)} or more`;
    chips.push({ key: "cost", word, without: { minCostNanoUsd: null } });
  }
  if (filters.longerThanMs !== null) {
    const word = `Longer than ${formatSpan(filters.longerThanMs)}`;
    chips.push({ key: "longer", word, without: { longerThanMs: null } });
  }
  chips.push(...several("tags", (tag) => `Tag ${tag}`));
  chips.push(...several("feedback", (type) => `Feedback: ${FEEDBACK_WORDS[type].toLowerCase()}`));
  if (filters.archived) chips.push({ key: "archived", word: "Archived", without: { archived: false } });
  return chips;
}

/** The state that one press chose; null while it is another one, or several. */
export function quickState({ status }: RunFilters): (typeof STATUS_FILTERS)[number]["value"] | null {
  if (status.length === 0) return "all";
  return (status.length === 1 && STATUS_FILTERS.find(({ value }) => value === status[0])?.value) || null;
}
