import { formatPlural } from "@/components/ui/format";

export type EverythingControl = "pauseAll" | "resumeAll" | "stopAll";

/** What came of it. */
export function doneWords(control: EverythingControl, runs: number): string {
  const count = formatPlural(runs, "run");
  switch (control) {
    case "pauseAll":
      return `${runs === 0 ? "Nothing was at work" : `${count} ${are(runs)} paused`}. New runs are refused until somebody resumes everything.`;
    case "resumeAll":
      return `${runs === 0 ? "Nothing was paused" : `${count} ${runs === 1 ? "goes" : "go"} on`}. New runs can be started.`;
    case "stopAll":
      return runs === 0 ? "Nothing was left to stop." : `${count} ${runs === 1 ? "was" : "were"} stopped.`;
  }
}

export const NOT_DONE: Record<EverythingControl, string> = {
  pauseAll: "Not everything was paused",
  resumeAll: "Not everything was resumed",
  stopAll: "Not everything was stopped",
};

/** What stops, before it does. */
export function stopQuestion(runs: number): string {
  const which =
    runs === 1
      ? "1 run is at work, waits or is on hold. It ends now."
      : `${formatPlural(runs, "run")} are at work, wait or are on hold. All of them end now.`;
  return `${which} Every step, decision and cost so far is kept. A stopped run cannot go on; you can run it again.`;
}

const are = (runs: number) => (runs === 1 ? "is" : "are");
