import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./installation";

/** Nothing a person with a screen reader or a keyboard would stumble over badly. */
export async function expectAccessible(page: Page, where?: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // Our pages have no frames: what axe does for those, in a second page, takes as long as all the rest.
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"] })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"])
    .analyze();
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    serious.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3) })),
    where,
  ).toEqual([]);
}

/** The same by day and by night. The page is left in the light. */
export async function expectAccessibleInBoth(page: Page, where: string): Promise<void> {
  // Colours on their way from one to the other are neither.
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page, `${where}, ${colorScheme}`);
  }
}
