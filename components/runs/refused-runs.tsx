import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { RunRefusal } from "@/server/runs/list-schema";
import { refusalsByReason } from "./removal-words";

/** Runs that stay as they are, by reason. */
export function RefusedRuns({ refused, word }: { refused: readonly RunRefusal[]; word: string }) {
  if (refused.length === 0) return null;
  return (
    <Note tone="warn">
      <span className="b block">
        {formatPlural(refused.length, "run")} {word}:
      </span>
      {refusalsByReason(refused).map(({ why, count, titles }) => (
        <span key={why} className="block">
          {why}{" "}
          {titles.length > 0 && (
            <span className="t2">
              {titles.map((title) => `“${title}”`).join(", ")}
              {count > titles.length && ` and ${formatPlural(count - titles.length, "more", "more")}`}
            </span>
          )}
        </span>
      ))}
    </Note>
  );
}
