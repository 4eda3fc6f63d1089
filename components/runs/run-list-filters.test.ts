import { describe, expect, it } from "vitest";
import type { RunFilters } from "@/server/runs/list-schema";
import {
  areSameFilters,
  filterChips,
  NO_FILTERS,
  quickState,
  readRunFilters,
  runFiltersToQuery,
} from "./run-list-filters";

const ID = "01900000-0000-7000-8000-000000000001";
const OTHER = "01900000-0000-7000-8000-000000000002";
const read = (query: string) => readRunFilters(new URLSearchParams(query));
const EVERYTHING: RunFilters = {
  status: ["paused", "failed"],
  targets: [`team:${ID}`, `agent:${OTHER}`],
  startedBy: [ID],
  conversation: OTHER,
  about: "order:47:11",
  from: "2026-11-01",
  to: "2026-11-30",
  minCostNanoUsd: 250_000_000,
  longerThanMs: 90_500,
  tags: ["later, maybe", "50 % & more?"],
  feedback: ["negative", "correction"],
  archived: true,
  search: "50 % & more?",
  rank: "likeness",
};

describe("filters of the runs list", () => {
  it("come back from the address they were written to, each by itself and all together", () => {
    for (const key of Object.keys(EVERYTHING)) {
      const filters = { ...NO_FILTERS, [key]: EVERYTHING[key as keyof RunFilters] };
      expect(runFiltersToQuery(filters)).not.toBe("");
      expect(read(runFiltersToQuery(filters))).toEqual(filters);
    }
    expect(read(runFiltersToQuery(EVERYTHING))).toEqual(EVERYTHING);
  });

  it("leave the address alone by default", () => {
    expect(runFiltersToQuery(NO_FILTERS)).toBe("");
    expect(read("")).toEqual(NO_FILTERS);
  });

  it("survive an address somebody mistyped, and keep what of it means something", () => {
    expect(
      read(
        "?status=bogus&target=team:1&by=me&conversation=ours&about=4711&from=yesterday&to=2026-02-30&cost=cheap&longer=soon&tag=",
      ),
    ).toEqual(NO_FILTERS);
    expect(read("?cost=-1&longer=-3&archived=yes")).toEqual(NO_FILTERS);
    expect(read("?status=failed,bogus,failed,paused").status).toEqual(["failed", "paused"]);
    expect(read(`?tag=kept&tag=${"x".repeat(41)}`).tags).toEqual(["kept"]);
    expect(read(`?q=${"x".repeat(500)}`).search).toHaveLength(200);
  });

  it("are the same in whatever order they were chosen", () => {
    const turned = { ...EVERYTHING, status: [...EVERYTHING.status].reverse(), tags: [...EVERYTHING.tags].reverse() };
    expect(areSameFilters(EVERYTHING, turned)).toBe(true);
    expect(areSameFilters(EVERYTHING, { ...turned, archived: false })).toBe(false);
    expect(areSameFilters(NO_FILTERS, { ...NO_FILTERS, tags: ["a"] })).toBe(false);
  });

  it("know which state one press chose", () => {
    expect(quickState(NO_FILTERS)).toBe("all");
    expect(quickState({ ...NO_FILTERS, status: ["failed"] })).toBe("failed");
    expect(quickState({ ...NO_FILTERS, status: ["paused"] })).toBeNull();
    expect(quickState({ ...NO_FILTERS, status: ["failed", "waiting"] })).toBeNull();
  });

  it("are said in words, and each can be taken away by itself", () => {
    const chips = filterChips(EVERYTHING, (key) => `<${key.slice(-1)}>`);
    expect(chips.map(({ word }) => word)).toEqual([
      ...["Paused", "Failed or interrupted", "<1>", "<2>", "By <1>", "Conversation: <2>"],
      ...["About order:47:11", "From 2026-11-01", "To 2026-11-30"],
      ...["$0.25 or more", "Longer than 1 min 31 s", "Tag later, maybe", "Tag 50 % & more?"],
      ...["Feedback: bad answer", "Feedback: correction", "Archived"],
    ]);
    let left = EVERYTHING;
    for (const { word } of chips) {
      const chip = filterChips(left, (key) => `<${key.slice(-1)}>`).find((other) => other.word === word);
      // A single state that has a press of its own is said there.
      left = { ...left, ...chip?.without };
    }
    expect(left).toEqual({ ...NO_FILTERS, status: ["failed"], search: EVERYTHING.search, rank: "likeness" });
    expect(filterChips(left, String)).toEqual([]);
  });
});
