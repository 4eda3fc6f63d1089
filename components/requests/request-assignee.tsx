"use client";

import { Menu } from "@mantine/core";
import { IconCheck, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMe, useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { RequestView } from "@/server/engine/events";
import { useAssignRequest } from "./use-assign-request";

/** Whose a request is, and the way to make it somebody's. Whoever may answer still can. */
export function RequestAssignee({
  request,
  onAssigned,
}: {
  request: RequestView;
  onAssigned?: (request: RequestView) => void;
}) {
  const me = useMe();
  const assign = useAssignRequest(request.id, onAssigned);
  const whyNot = useWhyNotAct();
  const { assignee } = request;
  const words = assignee ? `For ${assignee.id === me.user.id ? "you" : assignee.name}` : "Assign";
  if (whyNot !== null) return assignee && <span className="t2 fs12">{words}</span>;
  return (
    <>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <button type="button" className="request-assignee" disabled={assign.sending}>
            <IconUser size={12} aria-hidden />
            {words}
          </button>
        </Menu.Target>
        <Menu.Dropdown className="request-people">
          <People assigneeId={assignee?.id ?? null} onPick={assign.send} />
        </Menu.Dropdown>
      </Menu>
      {assign.refusal && (
        <span className="request-refusal" role="alert">
          {assign.refusal}
        </span>
      )}
    </>
  );
}

/** Asked for when the menu opens: most requests are answered and never assigned. */
function People({ assigneeId, onPick }: { assigneeId: string | null; onPick: (userId: string | null) => void }) {
  const trpc = useTRPC();
  const members = useQuery(trpc.members.list.queryOptions());
  if (members.error) return <Menu.Label>{errorWords(members.error).sentence}</Menu.Label>;
  if (!members.data) return <Menu.Label>Looking who is here…</Menu.Label>;
  const able = members.data.filter(({ role }) => role !== "viewer");
  const tick = (chosen: boolean) => (chosen ? <IconCheck size={14} aria-label="chosen" /> : null);
  return (
    <>
      {able.map(({ userId, name, isYou }) => (
        <Menu.Item key={userId} rightSection={tick(userId === assigneeId)} onClick={() => onPick(userId)}>
          {isYou ? `${name} (you)` : name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item rightSection={tick(assigneeId === null)} onClick={() => onPick(null)}>
        Nobody in particular
      </Menu.Item>
    </>
  );
}
