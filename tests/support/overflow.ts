import type { Page } from "@playwright/test";

/** Elements that make the page scroll sideways, or that stick out of it uncut: "class right-edge". At most five. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = window.innerWidth;
    const found: string[] = [];
    const scrollWidth = document.documentElement.scrollWidth;
    if (scrollWidth > width) found.push(`the page scrolls sideways to ${scrollWidth}`);
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.right <= width + 1 || getComputedStyle(element).visibility === "hidden") continue;
      let cut = false;
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        const { overflowX } = getComputedStyle(parent);
        if (overflowX === "visible") continue;
        cut = overflowX !== "hidden" || parent.getBoundingClientRect().right <= width + 1;
        break;
      }
      if (!cut) found.push(`${element.tagName.toLowerCase()}.${element.className} ${Math.round(box.right)}`);
    }
    return found.slice(0, 5);
  });
}
