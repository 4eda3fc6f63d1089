"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { adviceFor } from "@/components/runs/inspector/error-advice";
import { useTRPC } from "@/components/trpc/client";
import { formatCount } from "@/components/ui/format";
import { CATEGORY_WORDS } from "./usage-words";

/** Failed steps by their stable code (AGT-ERR-02): what goes wrong here, and how often. */
export function ErrorCounts() {
  const trpc = useTRPC();
  const { data: errors } = useSuspenseQuery(trpc.usage.errors.queryOptions());
  return (
    <section className="usage-part" aria-labelledby="usage-errors">
      <div className="usage-head">
        <h2 id="usage-errors">Failed steps by code</h2>
        {errors.length === 0 && <span className="t2">None within the last seven days.</span>}
      </div>
      {errors.length > 0 && (
        <table className="table cards edge usage-errors">
          <thead>
            <tr>
              <th>Error</th>
              <th>Kind</th>
              <th>What helps</th>
              <th>May pass by itself</th>
              <th className="num">24 hours</th>
              <th className="num">7 days</th>
            </tr>
          </thead>
          <tbody>
            {errors.map((error) => (
              <tr key={`${error.stableCode} ${error.code} ${error.category}`}>
                <td className="mono" data-m="full">
                  {error.code} <span className="t3">{error.stableCode}</span>
                </td>
                <td className="t2" data-m="hide">
                  {CATEGORY_WORDS[error.category] ?? error.category}
                </td>
                <td className="t2 usage-advice" data-m="full">
                  {adviceFor(error)}
                </td>
                <td className="t2" data-m="hide">
                  {error.retryable ? "Yes" : "No"}
                </td>
                <td className="num">
                  {formatCount(error.lastDay)}
                  <span className="only-m t3"> in 24 hours</span>
                </td>
                <td className="num">
                  {formatCount(error.lastWeek)}
                  <span className="only-m t3"> in 7 days</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
