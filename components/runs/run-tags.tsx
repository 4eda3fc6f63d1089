import "./run-tags.css";
import { IconArchive } from "@tabler/icons-react";
import type { RunSummary } from "@/server/runs/schema";

/** Whether a run is archived, and its tags. */
export function RunTags({ run: { archived, tags } }: { run: Pick<RunSummary, "archived" | "tags"> }) {
  if (!archived && tags.length === 0) return null;
  return (
    <span className="run-tags">
      {archived && (
        <span className="tag" title={`Archived by ${archived.by ?? "somebody"} on ${archived.at.slice(0, 10)}`}>
          <IconArchive size={12} aria-hidden />
          Archived
        </span>
      )}
      {tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
    </span>
  );
}
