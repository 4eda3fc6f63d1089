/** Gives a text to the browser as a file. */
export function downloadText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/markdown;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it up by the next turn of its loop.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** A file name that every system takes: "How long is a return open?" becomes "how-long-is-a-return-open.md". */
export function fileNameOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return `${(words ?? ["answer"]).join("-").slice(0, 60).replace(/-+$/, "")}.md`;
}
