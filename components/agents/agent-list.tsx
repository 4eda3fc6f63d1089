"use client";

import { Button } from "@mantine/core";
import { IconFilterOff, IconPlus, IconRobot } from "@tabler/icons-react";
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
import type { AgentSummary } from "@/server/agents/schema";

export function AgentList({ search, busy, onClear }: ListSearch) {
  const trpc = useTRPC();
  const query = useSuspenseInfiniteQuery(
    trpc.agents.list.infiniteQueryOptions({ search }, { getNextPageParam: (page) => page.nextCursor }),
  );
  const agents = query.data.pages.flatMap(({ items }) => items);
  if (agents.length === 0) return <NoAgents search={search} onClear={onClear} />;
  return (
    <>
      <table className="table cards edge agent-list" aria-busy={busy}>
        <thead>
          <tr>
            <th>Agent</th>
            <th>Version</th>
            <th>Purpose</th>
            <th>Model</th>
            <th className="num">Tools</th>
            <th className="num">Knowledge</th>
            <th>Teams</th>
            <th>Changed</th>
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => (
            <AgentRow key={agent.id} agent={agent} />
          ))}
        </tbody>
      </table>
      <LoadMore query={query} />
    </>
  );
}

function AgentRow({ agent }: { agent: AgentSummary }) {
  const href = `/agents/${agent.id}`;
  return (
    <LinkRow href={href}>
      <td className="agent-name">
        <span className="withtag">
          <KindIcon kind="agent" />
          <Link href={href} className="b ell" title={agent.name} prefetch={false}>
            {agent.name}
          </Link>
        </span>
      </td>
      <td>
        <AgentVersionTag version={agent.version} hasUnpublishedChanges={agent.hasUnpublishedChanges} />
      </td>
      <td className="t2" data-m="full">
        <span className="ell block" title={agent.purpose}>
          {agent.purpose}
        </span>
      </td>
      <td className="t2" data-m="hide">
        <span className="ell block">{agent.model ?? "Workspace default"}</span>
      </td>
      <td className="num t2" data-m="hide">
        {formatCount(agent.tools)}
      </td>
      <td className="num t2" data-m="hide">
        {formatCount(agent.knowledge)}
      </td>
      <td className="t2 agent-teams" data-m="full">
        <span className="ell block">
          {agent.teams.map((team, index) => (
            <span key={team.id}>
              {index > 0 && ", "}
              <Link href={`/teams/${team.id}`} prefetch={false}>
                {team.name}
              </Link>
            </span>
          ))}
        </span>
      </td>
      <td className="t3" data-m="hide">
        <RelativeTime at={agent.updatedAt} />
      </td>
    </LinkRow>
  );
}

/** "v3", "Draft", and whether there is more in the draft than was published. */
export function AgentVersionTag({
  version,
  hasUnpublishedChanges,
}: Pick<AgentSummary, "version" | "hasUnpublishedChanges">) {
  if (version === null) return <span className="tag">Draft</span>;
  return (
    <span className="withtag">
      <span className="t2">v{version}</span>
      {hasUnpublishedChanges && <span className="tag changed">unpublished changes</span>}
    </span>
  );
}

function NoAgents({ search, onClear }: Omit<ListSearch, "busy">) {
  const whyNot = useWhyNotEdit();
  if (search) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title={`No agent matches “${search}”`}
        action={<Button onClick={onClear}>Show all agents</Button>}
      >
        The search looks at names and purposes.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconRobot}
      title="No agents yet"
      action={
        whyNot ? undefined : (
          <LinkButton href="/agents/new" leftSection={<IconPlus size={15} aria-hidden />}>
            New agent
          </LinkButton>
        )
      }
    >
      An agent is a worker you describe once: what it is for, how it works, which model, tools and documents it may use.
      Publish it, then run it alone or place it in a team under a supervisor.
    </EmptyState>
  );
}
