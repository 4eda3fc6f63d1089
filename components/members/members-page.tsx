"use client";

import "./members.css";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useMe } from "@/components/layout/use-me";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { InviteDialog } from "./invite-dialog";
import { InviteList } from "./invite-list";
import { MemberList } from "./member-list";
import { MembersSkeleton } from "./members-skeleton";

/** Who may do what here. Owners invite, change roles and remove. */
export function MembersPage() {
  const isOwner = useMe().role === "owner";
  const [inviting, setInviting] = useState(false);
  return (
    <div className="page">
      <PageHead
        title="Members"
        meta="Who may look, run, change and own this workspace"
        actions={
          isOwner ? (
            <Button variant="filled" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setInviting(true)}>
              Invite…
            </Button>
          ) : (
            <span className="t3 fs12">Only an owner may invite and change roles.</span>
          )
        }
      />
      <LoadBoundary pending={<MembersSkeleton />} failed="The members could not be loaded">
        <MemberList isOwner={isOwner} />
      </LoadBoundary>
      {isOwner && <InviteList />}
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} />
    </div>
  );
}
