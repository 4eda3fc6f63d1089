import { expect, test } from "vitest";
import { teamDraft } from "@/server/teams/schema";
import { changedParts, placeOfField, toTeamInput, toTeamValues } from "./team-values";

const draft = teamDraft.parse({ description: "", pattern: "coordinate", example: "", root: null });

test("a form goes to the server as it came from it", () => {
  expect(toTeamInput(toTeamValues({ name: "Refunds", draft }))).toEqual({ name: "Refunds", draft });
});

test("what differs from the published version is said in words", () => {
  expect(changedParts({ ...draft, pattern: "route", example: "Try" }, draft)).toEqual(["pattern", "example"]);
  expect(changedParts({ ...draft, limits: { ...draft.limits, maxTokens: 5000 } }, draft)).toEqual(["limits"]);
  expect(changedParts(draft, null)).toEqual([]);
});

test("a problem's field names its place in the tree", () => {
  expect(["root", "root.children.0.children.1.purpose", "description"].map(placeOfField)).toEqual(["", "0.1", null]);
});
