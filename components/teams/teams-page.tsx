"use client";

import "./teams.css";
import "@/components/editor/editor.css";
import { IconPlus } from "@tabler/icons-react";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { LinkButton } from "@/components/ui/link-button";
import { PageHead } from "@/components/ui/page-head";
import { SearchedList } from "@/components/ui/searched-list";
import { TeamList } from "./team-list";
import { TeamListSkeleton } from "./team-list-skeleton";

/** Every team of the workspace. */
export function TeamsPage() {
  const whyNot = useWhyNotEdit();
  return (
    <div className="page">
      <PageHead
        title="Teams"
        meta="A supervisor and the agents it may give work to"
        actions={
          whyNot ? (
            <span className="t3 fs12">{whyNot}</span>
          ) : (
            <LinkButton href="/teams/new" variant="filled" leftSection={<IconPlus size={15} aria-hidden />}>
              New team
            </LinkButton>
          )
        }
      />
      <SearchedList
        label="Search teams"
        placeholder="Search name and description"
        pending={<TeamListSkeleton />}
        failed="The teams could not be loaded"
      >
        {(search) => <TeamList {...search} />}
      </SearchedList>
    </div>
  );
}
