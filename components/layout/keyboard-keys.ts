/** Every key the console listens to. A key that is not here does not exist; a key that is here works. */
export type KeyGroup = { title: string; keys: readonly { does: string; press: readonly string[] }[] };

export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: "Everywhere",
    keys: [
      { does: "Search or do", press: ["mod", "K"] },
      { does: "Search on this page", press: ["/"] },
      { does: "This sheet", press: ["?"] },
      { does: "Send or start what you wrote", press: ["mod", "Enter"] },
      { does: "Close what lies over the page", press: ["Esc"] },
    ],
  },
  {
    title: "Lists of runs and conversations",
    keys: [
      { does: "Next or previous entry", press: ["J", "K"] },
      { does: "The same among runs", press: ["↓", "↑"] },
      { does: "Open it", press: ["Enter"] },
      { does: "Select the run", press: ["X"] },
    ],
  },
  {
    title: "Editing agents and teams",
    keys: [
      { does: "Save the draft", press: ["mod", "S"] },
      { does: "Next or previous place in the tree", press: ["↓", "↑"] },
      { does: "First or last place", press: ["Home", "End"] },
      { does: "Supervisor, or first agent below", press: ["←", "→"] },
      { does: "Move the place up or down", press: ["Alt", "↑", "↓"] },
      { does: "Remove the place", press: ["Delete"] },
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
      { does: "Next or previous agent run beside it", press: ["]", "["] },
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
      { does: "Details tab", press: ["1", "–", "9"] },
      { does: "Show or hide the details", press: ["I"] },
      { does: "Next or previous view of the run", press: ["V", "B"] },
      { does: "Zoom the time to the selected row", press: ["Z"] },
      { does: "Zoom the time in or out", press: ["+", "−"] },
      { does: "Earlier or later, while zoomed", press: ["Shift", "←", "→"] },
      { does: "Back to the whole time", press: ["Esc"] },
      { does: "Go to the selected request's answers", press: ["A"] },
      { does: "Older or newer run, as the list was last filtered", press: ["J", "K"] },
      { does: "Pause or resume the run", press: ["Space"] },
      { does: "Stop the run", press: ["C"] },
      { does: "Run it again", press: ["R"] },
      { does: "Retry from the selected step", press: ["Y"] },
    ],
  },
  {
    title: "In the graph of a run",
    keys: [
      { does: "Agent run it started, or that started it", press: ["→", "←"] },
      { does: "Agent run below or above it", press: ["↓", "↑"] },
      { does: "Show its details", press: ["Enter"] },
    ],
  },
  {
    title: "In a value (JSON) of a run",
    keys: [
      { does: "Next or previous line", press: ["↓", "↑"] },
      { does: "Unfold it, or fold it or what it is in", press: ["→", "←"] },
      { does: "Copy what it holds", press: ["mod", "C"] },
    ],
  },
  {
    title: "Comparing two runs",
    keys: [
      { does: "Next or previous difference", press: ["N", "P"] },
      { does: "Next or previous row", press: ["↓", "↑"] },
      { does: "Open both sides, or unfold what is the same", press: ["Enter"] },
    ],
  },
];
