"use client";

import { Button } from "@mantine/core";
import { IconFilterOff, IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format";
import { LinkButton } from "@/components/ui/link-button";
import { LinkRow } from "@/components/ui/link-row";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ListSearch } from "@/components/ui/searched-list";
import { KindIcon } from "@/components/ui/status";
import type { TeamListItem } from "@/server/teams/schema";
import { BehindNote } from "./behind-note";

export function TeamList({ search, busy, onClear }: ListSearch) {
  const trpc = useTRPC();
  const query = useSuspenseInfiniteQuery(
    trpc.teams.all.infiniteQueryOptions({ search }, { getNextPageParam: (page) => page.nextCursor }),
  );
  const teams = query.data.pages.flatMap(({ items }) => items);
  if (teams.length === 0 && search) return <NoMatch search={search} onClear={onClear} />;
  if (teams.length === 0) return <NoTeams />;
  return (
    <>
      <table className="table cards edge team-list" aria-busy={busy}>
        <thead>
          <tr>
            <th>Team</th>
            <th>Version</th>
            <th>Agents</th>
            <th />
            <th className="num">Runs</th>
            <th>Last run</th>
          </tr>
        </thead>
        <tbody>
          {teams.map((team) => (
            <TeamRow key={team.id} team={team} />
          ))}
        </tbody>
      </table>
      <LoadMore query={query} />
    </>
  );
}

function TeamRow({ team }: { team: TeamListItem }) {
  const href = `/teams/${team.id}`;
  return (
    <LinkRow href={href}>
      <td className="team-name">
        <span className="withtag">
          <KindIcon kind="team" />
          <Link href={href} className="b ell" title={team.name} prefetch={false}>
            {team.name}
          </Link>
        </span>
        {team.description && (
          <span className="t2 fs12 ell block" title={team.description}>
            {team.description}
          </span>
        )}
      </td>
      <td>
        {team.version === null ? (
          <span className="tag">Draft</span>
        ) : (
          <span className="withtag">
            <span className="t2">v{team.version}</span>
            {team.hasUnpublishedChanges && <span className="tag changed">unpublished changes</span>}
          </span>
        )}
      </td>
      <td className="t2 team-agents" data-m="full">
        <span className="ell block" title={team.agents.join(", ")}>
          {team.agents.length > 0 ? team.agents.join(", ") : "No supervisor yet"}
        </span>
      </td>
      <td data-m="full">
        <span>{team.behind > 0 && <BehindNote teamId={team.id} name={team.name} behind={team.behind} />}</span>
      </td>
      <td className="num t2" data-m="hide">
        {formatCount(team.runs)}
      </td>
      <td className="t2" data-m="full">
        <span>{team.lastRunAt ? <LastRun at={team.lastRunAt} /> : <span className="t3">Never run</span>}</span>
      </td>
    </LinkRow>
  );
}

/** On a phone there is no head of the column to say what the time is of. */
function LastRun({ at }: { at: string }) {
  return (
    <>
      <span className="only-m">Last run </span>
      <RelativeTime at={at} />
    </>
  );
}

function NoMatch({ search, onClear }: Omit<ListSearch, "busy">) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title={`No team matches “${search}”`}
      action={<Button onClick={onClear}>Show all teams</Button>}
    >
      The search looks at names and descriptions.
    </EmptyState>
  );
}

function NoTeams() {
  const whyNot = useWhyNotEdit();
  return (
    <EmptyState
      icon={IconUsersGroup}
      title="No teams yet"
      action={
        whyNot ? undefined : (
          <LinkButton href="/teams/new" leftSection={<IconPlus size={15} aria-hidden />}>
            New team
          </LinkButton>
        )
      }
    >
      A team is a supervisor with agents under it. The supervisor gets the task, gives parts of it to the others, and
      answers with what they found.
    </EmptyState>
  );
}
