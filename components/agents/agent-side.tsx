"use client";

import Link from "next/link";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AgentDetail } from "@/server/agents/schema";

/** Where it is used and what was published of it. */
export function AgentSide({ agent, onView }: { agent: AgentDetail | null; onView: (number: number) => void }) {
  return (
    <aside className="ag-side scroll" aria-label="Teams and versions">
      <section>
        <h2>Teams</h2>
        {!agent || agent.teams.length === 0 ? (
          <p className="t2 fs12">
            No team holds it yet. {agent && agent.versions.length > 0 ? "Add" : "Publish it, then add"} it to a team, or
            run it alone.
          </p>
        ) : (
          <ul>
            {agent.teams.map((team) => (
              <li key={team.id}>
                <Link href={`/teams/${team.id}`} className="ell grow">
                  {team.name}
                </Link>
                <span className="t3 fs12">{team.version === null ? "in its draft" : `holds v${team.version}`}</span>
                {team.isBehind && <span className="tag warn">older</span>}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2>Versions</h2>
        {!agent || agent.versions.length === 0 ? (
          <p className="t2 fs12">
            Runs and teams use published versions, which never change. Nothing uses the draft until it is published.
          </p>
        ) : (
          <ul>
            {agent.versions.map(({ number, note, publishedAt, publishedBy }) => (
              <li key={number}>
                <button type="button" className="linkbtn" onClick={() => onView(number)}>
                  v{number}
                </button>
                <span className="t2 ell grow" title={note}>
                  {note}
                </span>
                <span className="t3 fs12" title={publishedBy ?? undefined}>
                  <RelativeTime at={publishedAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </aside>
  );
}
