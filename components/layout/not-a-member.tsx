"use client";

import { Button } from "@mantine/core";
import { IconDoorExit } from "@tabler/icons-react";
import { EmptyState } from "@/components/ui/empty-state";
import { leave } from "./leave";

/** For somebody who is signed in and belongs to no workspace, or was removed from this one a moment ago. */
export function NotAMember() {
  return (
    <EmptyState
      icon={IconDoorExit}
      title="You are not a member of this workspace"
      action={
        <div className="row">
          {/* A full load: whatever was read as a member goes. */}
          <Button variant="filled" onClick={() => window.location.assign("/")}>
            Try again
          </Button>
          <Button onClick={leave}>Sign out</Button>
        </div>
      }
    >
      An owner has removed you, or has not added you yet. Ask an owner for an invitation. What you started and changed
      stays with the workspace.
    </EmptyState>
  );
}
