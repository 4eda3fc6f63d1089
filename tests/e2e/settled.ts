import { expect, type Page } from "@playwright/test";

/** Whatever the page loads is there. */
export async function settled(on: Page): Promise<void> {
  await expect(on.getByRole("main").first()).not.toBeEmpty();
  await expect(on.locator(".skeleton-rows, .start-skeleton")).toHaveCount(0);
}
