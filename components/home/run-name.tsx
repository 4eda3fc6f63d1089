import Link from "next/link";
import type { RunSummary } from "@/server/runs/schema";

/** The first cell of a run's row: what was asked, and of whom. */
export function RunName({ run }: { run: Pick<RunSummary, "id" | "title" | "target"> }) {
  return (
    <td className="run-name">
      <span className="row">
        <Link href={`/runs/${run.id}`} className="b ell" title={run.title} prefetch={false}>
          {run.title}
        </Link>
        <span className="t3 hide-m run-team">{run.target.name}</span>
      </span>
    </td>
  );
}
