import "./run-tags.css";
import Link from "next/link";
import { formatPlural } from "@/components/ui/format";
import { entityKey, type TrackedEntity } from "@/server/engine/run-context";
import { aboutHref, entityName } from "./context-words";

const MOST = 3;

/** What a run is about, each leading to the runs about the same. */
export function RunAbout({ entities }: { entities: readonly TrackedEntity[] }) {
  if (entities.length === 0) return null;
  const others = entities.slice(MOST);
  return (
    <span className="run-tags">
      {entities.slice(0, MOST).map((entity) => (
        <Link
          key={entityKey(entity)}
          href={aboutHref(entity)}
          prefetch={false}
          className="tag"
          title={`Runs about ${entityKey(entity)}`}
        >
          <span className="ell">
            <span className="t3">{entity.type}</span> {entityName(entity)}
          </span>
        </Link>
      ))}
      {others.length > 0 && (
        <span className="tag run-tags-more" title={others.map(entityKey).join(", ")}>
          <span aria-hidden>+{others.length}</span>
          <span className="sr">{`${formatPlural(others.length, "more entity", "more entities")}: ${others.map(entityKey).join(", ")}`}</span>
        </span>
      )}
    </span>
  );
}
