import "./run-tags.css";
import { IconArchive } from "@tabler/icons-react";
import { formatPlural } from "@/components/ui/format";
import type { RunSummary } from "@/server/runs/schema";

type Props = {
  run: Pick<RunSummary, "archived" | "tags">;
  /** How many tags there is room for; of the others is said how many they are. */
  most?: number;
};

/** Whether a run is archived, and its tags. */
export function RunTags({ run: { archived, tags }, most = tags.length }: Props) {
  if (!archived && tags.length === 0) return null;
  const others = tags.slice(most);
  return (
    <span className="run-tags">
      {archived && (
        <span className="tag" title={`Archived by ${archived.by ?? "somebody"} on ${archived.at.slice(0, 10)}`}>
          <IconArchive size={12} aria-hidden />
          <span className="ell">Archived</span>
        </span>
      )}
      {tags.slice(0, most).map((tag) => (
        <span key={tag} className="tag" title={tag}>
          <span className="ell">{tag}</span>
        </span>
      ))}
      {others.length > 0 && (
        <span className="tag run-tags-more" title={others.join(", ")}>
          <span aria-hidden>+{others.length}</span>
          <span className="sr">{`${formatPlural(others.length, "more tag")}: ${others.join(", ")}`}</span>
        </span>
      )}
    </span>
  );
}
