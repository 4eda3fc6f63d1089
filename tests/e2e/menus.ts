import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";

export type By = "mouse" | "keyboard";

/** Opens a menu and presses an entry of it. */
export async function pressInMenu(opener: Locator, entry: string | RegExp, by: By): Promise<void> {
  const page = opener.page();
  const menu = page.getByRole("menu");
  // One that is just going would be opened again, and give the focus away once more.
  await expect(menu).toHaveCount(0);
  if (by === "mouse") await opener.click();
  else await opener.press("Enter");
  const item = page.getByRole("menuitem", { name: entry });
  await expect(item).toBeVisible();
  if (by === "mouse") return item.click();
  // A menu that has opened moves the focus to its first entry: a key before that would be undone by it.
  await expect(menu.locator(":focus")).toHaveCount(1);
  await expect(async () => {
    await page.keyboard.press("ArrowDown");
    await expect(item).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Enter");
}

/** The file that a press saves. */
export async function savedBy(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent("download");
  await press();
  const download = await coming;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

type Row = Readonly<Record<string, unknown>>;
type List = { name: string; rows: Row[] };

/** A list taken along in both formats: as CSV with the mouse, as JSON with the keyboard. Both hold the same. */
export async function downloadedList(opener: Locator): Promise<List> {
  const page = opener.page();
  const csv = await savedBy(page, () => pressInMenu(opener, "Download as CSV", "mouse"));
  const json = await savedBy(page, () => pressInMenu(opener, "Download as JSON, a line each", "keyboard"));
  const rows = json.text
    .trim()
    .split("\n")
    .map((line): Row => JSON.parse(line));
  const name = csv.name.replace(/\.csv$/, "");
  expect(json.name).toBe(`${name}.jsonl`);
  const [head = [], ...cells] = cellsOf(csv.text);
  expect(head).toEqual(Object.keys(rows[0] ?? {}));
  expect(cells).toEqual(rows.map((row) => Object.values(row).map((value) => (value === null ? "" : String(value)))));
  return { name, rows };
}

/** RFC 4180. An apostrophe that keeps a spreadsheet from calculating a text is none of the text. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain ?? "").replace(/^'(?=[=+\-@\t\r])/, ""));
    if (end === "\r\n") lines.push([]);
  }
  return lines.filter((cells) => cells.length > 1);
}
