import type { Page } from "@playwright/test";
import type { RunTree } from "@/server/runs/schema";
import { expect, rowsOf } from "@/tests/e2e/installation";

/** A row of the tree by its id, with every word and figure in it. */
export type ShownRow = { id: string; words: string };

/** All rows of the run on screen, unfolded, from top to bottom. Only those in view exist at a time: it is scrolled through. */
export async function listShownRows(page: Page): Promise<ShownRow[]> {
  const count = (await rowsOf(page)) - 1;
  const tree = page.getByRole("treegrid");
  await tree.evaluate((box) => box.scrollTo(0, 0));
  const shown = new Map<number, ShownRow>();
  await expect
    .poll(
      async () => {
        const drawn = await tree.locator("[role=row][aria-level]").evaluateAll((rows) =>
          rows.map((row) => ({
            at: Number(row.getAttribute("aria-rowindex")),
            id: row.id,
            words: (row as HTMLElement).innerText.replace(/\s+/g, " "),
          })),
        );
        for (const { at, ...row } of drawn) shown.set(at, row);
        await tree.evaluate((box) => box.scrollBy(0, box.clientHeight / 2));
        return shown.size;
      },
      { timeout: 60_000, intervals: [20] },
    )
    .toBe(count);
  return [...shown].sort(([a], [b]) => a - b).map(([, row]) => row);
}

/** What the rows lack of a run as it is in the database, or show beyond it. */
export function differencesOf(rows: readonly ShownRow[], { agents, steps, decisions }: RunTree): string[] {
  const words = new Map(rows.map((row) => [row.id, row.words]));
  const expected = new Map<string, string>([
    ...agents.map(({ id, name }) => [`row-agent:${id}`, name] as const),
    ...decisions.map(
      ({ id, chosen }) => [`row-decision:${id}`, chosen.length === 1 ? (chosen[0]?.label ?? "") : ""] as const,
    ),
    // The row of a child stands for the step that started it.
    ...steps
      .filter(({ name }) => name !== "agent__spawn")
      .map(({ agentRunId, position }) => [`row-${agentRunId}.${position}`, ""] as const),
  ]);
  return [
    ...[...expected].flatMap(([id, says]) =>
      words.get(id)?.includes(says) ? [] : [`${id} is not shown with “${says}”`],
    ),
    ...rows.flatMap(({ id }) => (expected.has(id) ? [] : [`${id} is of nothing in the database`])),
    ...(words.size === rows.length ? [] : ["a row is shown twice"]),
  ];
}
