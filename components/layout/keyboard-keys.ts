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
  {
    title: "In a run: move",
    keys: [
      { does: "Next or previous row", press: ["↓", "↑"] },
      { does: "Fold, unfold, or go to the parent", press: ["←", "→"] },
      { does: "First or last row", press: ["Home", "End"] },
      { does: "Root of the run", press: ["T"] },
      { does: "Parent", press: ["P"] },
      { does: "Jump to the live edge", press: ["."] },
      { does: "Unfold all", press: ["E"] },
      { does: "Fold to agent runs", press: ["W"] },
    ],
  },
  {
    title: "In a run: see and act",
    keys: [
      { does: "Decisions only", press: ["D"] },
      { does: "Failures only", press: ["F"] },
      { does: "Details tab", press: ["1", "–", "6"] },
      { does: "Show or hide the details", press: ["I"] },
      { does: "Go to the selected request's answers", press: ["A"] },
    ],
  },
];
