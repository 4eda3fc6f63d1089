"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { ROLE_WORDS } from "./role-words";

/** Invitations nobody has used yet. Their links were shown once; a lost one is withdrawn and made anew. */
export function InviteList() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  // Read by the browser: the page cannot know whether its visitor is an owner.
  const { data: invites, error } = useQuery(trpc.members.invites.queryOptions());
  const revoke = useMutation(
    trpc.members.revokeInvite.mutationOptions({
      onSettled: () => void queryClient.invalidateQueries({ queryKey: trpc.members.invites.pathKey() }),
      onError: (error) =>
        notifications.show({ color: "red", title: "It was not withdrawn", message: errorWords(error).sentence }),
    }),
  );
  if (error) {
    return (
      <div className="invites">
        <Note tone="bad">The open invitations could not be loaded. {errorWords(error).sentence}</Note>
      </div>
    );
  }
  if (!invites || invites.length === 0) return null;
  return (
    <section className="invites">
      <h2>Open invitations</h2>
      <table className="table cards edge">
        <thead>
          <tr>
            <th>For</th>
            <th>Role</th>
            <th>Made by</th>
            <th>Expires</th>
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {invites.map((invite) => (
            <tr key={invite.id}>
              <td data-m="full">{invite.note || "Whoever has the link"}</td>
              <td data-m="full">{ROLE_WORDS[invite.role]}</td>
              <td className="t2" data-m="hide">
                {invite.createdBy}
              </td>
              <td className="t3" data-m="hide">
                <RelativeTime at={invite.expiresAt} />
              </td>
              <td className="num">
                <Button
                  size="compact-xs"
                  loading={revoke.isPending && revoke.variables.inviteId === invite.id}
                  onClick={() => revoke.mutate({ inviteId: invite.id })}
                >
                  Withdraw
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
