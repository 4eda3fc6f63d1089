import Link from "next/link";
import type { ReactNode } from "react";
import { StatusBadge } from "@/components/ui/status";
import type { RunComparison, RunFacts } from "@/server/runs/compare/schema";
import { listFacts } from "./fact-list";
import { SideMark, type SideName } from "./side-mark";

type Props = Pick<RunComparison, "left" | "right"> & {
  /** Beside each run's name: a way to choose another. */
  change: (side: "left" | "right") => ReactNode;
};

/** Both runs' names, and what they are and took, with every difference in words. */
export function CompareFacts({ left, right, change }: Props) {
  return (
    <table className="compare-facts">
      <caption className="sr">Both runs, and how B differs from A</caption>
      <thead>
        <tr>
          <td />
          <RunHead side="A" run={left} change={change("left")} />
          <RunHead side="B" run={right} change={change("right")} />
          <th scope="col">B against A</th>
        </tr>
      </thead>
      <tbody>
        {listFacts(left, right).map((fact) => (
          <tr key={fact.name} className={fact.difference === null ? undefined : "differs"}>
            <th scope="row">{fact.name}</th>
            <td>
              <Value side="A" words={fact.left} />
            </td>
            <td>
              <Value side="B" words={fact.right} />
            </td>
            <td className="difference">{fact.difference ?? <span className="t3">the same</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RunHead({ side, run, change }: { side: SideName; run: RunFacts; change: ReactNode }) {
  return (
    <th scope="col">
      <span className="row">
        <SideMark side={side} />
        <Link href={`/runs/${run.id}`} className="b ell" title={run.title} prefetch={false}>
          {run.title}
        </Link>
        {change}
      </span>
      <StatusBadge status={run.status} reason={run.statusReason} />
    </th>
  );
}

function Value({ side, words }: { side: SideName; words: string }) {
  return (
    <span className="compare-value">
      {/* Where the columns are no columns any more. */}
      <span className="only-m t3">{side} </span>
      {words}
    </span>
  );
}
