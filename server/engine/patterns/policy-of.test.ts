import { expect, test } from "vitest";
import { TEAM_PATTERNS } from "@/server/teams/schema";
import { COMBINATIONS, isCarriedOut, patternSettings } from "../pattern-settings";
import { policyOf } from "./policy-of";

test("there is a policy exactly for the teams that no model leads", () => {
  for (const pattern of [null, ...TEAM_PATTERNS]) {
    for (const combine of COMBINATIONS) {
      const team = { pattern, patternSettings: patternSettings.parse({ broadcast: { combine } }) };
      expect(policyOf(team) !== null, `${pattern} ${combine}`).toBe(isCarriedOut(team));
    }
  }
});
