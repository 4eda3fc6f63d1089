import { formatPlural } from "@/components/ui/format";
import { RelativeTime } from "@/components/ui/relative-time";
import { CLEANUP_KINDS, type CleanupView } from "@/server/usage/schema";
import { CLEANUP_WORDS, formatMb } from "./usage-words";

/** What was deleted by age lately: by the daily job or by an owner. */
export function CleanupList({ cleanups }: { cleanups: readonly CleanupView[] }) {
  return (
    <section className="usage-part" aria-labelledby="usage-cleanups">
      <div className="usage-head">
        <h2 id="usage-cleanups">Deleted by age</h2>
        {cleanups.length === 0 && <span className="t2">Nothing so far.</span>}
      </div>
      {cleanups.length > 0 && (
        <table className="table cards edge">
          <thead>
            <tr>
              <th>When</th>
              <th>Started by</th>
              <th>Removed</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {cleanups.map((cleanup) => (
              <tr key={cleanup.id}>
                <td>
                  <RelativeTime at={cleanup.createdAt} />
                </td>
                <td className="t2">{cleanup.startedBy ?? "The daily job"}</td>
                <td data-m="full">{removedWords(cleanup)}</td>
                <td className="t2" data-m="full">
                  {stateWords(cleanup)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function removedWords({ removed }: CleanupView): string {
  const kinds = CLEANUP_KINDS.flatMap((kind) => {
    const sum = removed[kind];
    if (!sum) return [];
    const { one, many } = CLEANUP_WORDS[kind];
    return [`${formatPlural(sum.items, one, many)} (${formatMb(sum.bytes)})`];
  });
  return kinds.length > 0 ? kinds.join(", ") : "Nothing";
}

function stateWords({ finishedAt, problem }: CleanupView): string {
  if (finishedAt) return "Done";
  return problem ?? "Under way";
}
