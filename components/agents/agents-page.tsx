"use client";

import "./agents.css";
import "@/components/editor/editor.css";
import { IconPlus } from "@tabler/icons-react";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { LinkButton } from "@/components/ui/link-button";
import { PageHead } from "@/components/ui/page-head";
import { SearchedList } from "@/components/ui/searched-list";
import { AgentList } from "./agent-list";
import { AgentListSkeleton } from "./agent-list-skeleton";

/** Every agent of the workspace. */
export function AgentsPage() {
  const whyNot = useWhyNotEdit();
  return (
    <div className="page">
      <PageHead
        title="Agents"
        meta="Workers you configure once and place in teams, or run alone"
        actions={
          whyNot ? (
            <span className="t3 fs12">{whyNot}</span>
          ) : (
            <LinkButton href="/agents/new" variant="filled" leftSection={<IconPlus size={15} aria-hidden />}>
              New agent
            </LinkButton>
          )
        }
      />
      <SearchedList
        label="Search agents"
        placeholder="Search name and purpose"
        pending={<AgentListSkeleton />}
        failed="The agents could not be loaded"
      >
        {(search) => <AgentList {...search} />}
      </SearchedList>
    </div>
  );
}
