/** Every key the console listens to. A key that is not here does not exist; a key that is here works. */
export type KeyGroup = { title: string; keys: readonly { does: string; press: readonly string[] }[] };

export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: "Everywhere",
    keys: [
      { does: "Search or do", press: ["mod", "K"] },
      { does: "Search on this page", press: ["/"] },
      { does: "This sheet", press: ["?"] },
    ],
  },
  {
    title: "List of runs",
    keys: [
      { does: "Next or previous run", press: ["J", "K"] },
      { does: "The same", press: ["↓", "↑"] },
      { does: "Open the run", press: ["Enter"] },
    ],
  },
];
