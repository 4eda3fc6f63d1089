import type { Page } from "@playwright/test";

/** One picture of the console. */
export type Screen = {
  name: string;
  path: string;
  /** What to do once the page is there; false when there is nothing to show. */
  act?: (page: Page) => Promise<unknown>;
  only?: "wide" | "narrow";
};

/** Fonts are in, nothing is loading, React has taken over every control, and animations have ended. */
export async function settle(page: Page): Promise<void> {
  await page.locator("main").first().waitFor();
  await page.waitForFunction(() => {
    const controls = [...document.querySelectorAll("main a, main button, main input, main time, nav a")];
    // No named functions in here: the loader wraps them in a helper that the page does not have.
    const hydrated = controls.every((control) => Object.keys(control).some((key) => key.startsWith("__reactFiber")));
    const isLoading = document.querySelector(
      ".skeleton-rows, .skeleton-lines, .start-skeleton, :is(.page, .run, .busy-line)[aria-busy='true']",
    );
    return document.fonts.status === "loaded" && !isLoading && hydrated;
  });
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => null)),
    ),
  );
}

/** Follows the first link of a list to its own page. */
export function openFirst(selector: string): (page: Page) => Promise<boolean> {
  return async (page) => {
    await settle(page);
    const link = page.locator(selector).first();
    if ((await link.count()) === 0) return false;
    const { href } = new URL(page.url());
    await link.click();
    await page.waitForURL((url) => url.href !== href);
    await settle(page);
    return true;
  };
}

/** Presses a button, one after the other, and ends with what the last one opened: a dialog, or a menu. */
export function press(...names: (string | RegExp)[]): (page: Page) => Promise<boolean> {
  return async (page) => {
    for (const [at, name] of names.entries()) {
      const button =
        at === 0
          ? page.getByRole("main").getByRole("button", { name }).first()
          : page.getByRole("menuitem", { name }).first();
      // A menu comes with an animation.
      if (at > 0) await button.waitFor({ timeout: 2_000 }).catch(() => null);
      if ((await button.count()) === 0 || (await button.isDisabled())) return false;
      await button.click();
    }
    await page.locator('[role="dialog"], [role="menu"]').last().waitFor();
    return true;
  };
}
