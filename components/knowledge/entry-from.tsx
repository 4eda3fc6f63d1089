import Link from "next/link";
import { writeRunLocation } from "@/components/runs/run-location";
import type { DocumentView } from "@/server/knowledge/schema";

type From = NonNullable<NonNullable<DocumentView["entry"]>["from"]>;

/** Where an entry comes from: a run, at the step or decision it was saved from. */
export function EntryFromRun({ from: { runId, runTitle, place } }: { from: From }) {
  const where = place === null ? "" : writeRunLocation("", { selected: place, tab: tabOf(place) });
  return (
    <span>
      From the run{" "}
      <Link href={`/runs/${runId}${where}`} prefetch={false} className="linkbtn">
        {runTitle}
      </Link>
    </span>
  );
}

const tabOf = (place: string) => (place.startsWith("decision:") ? "decision" : "output");
