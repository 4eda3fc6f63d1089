"use client";

import { Select } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconUserMinus } from "@tabler/icons-react";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { RelativeTime } from "@/components/ui/relative-time";
import { type MemberView, ROLES } from "@/server/members/schema";
import { ROLE_WORDS } from "./role-words";

export function MemberList({ isOwner }: { isOwner: boolean }) {
  const trpc = useTRPC();
  const { data: members } = useSuspenseQuery(trpc.members.list.queryOptions());
  return (
    <table className="table cards edge">
      <thead>
        <tr>
          <th>Person</th>
          <th>Role</th>
          <th>Joined</th>
          {isOwner && <th aria-label="Actions" />}
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <MemberRow key={member.userId} member={member} isOwner={isOwner} />
        ))}
      </tbody>
    </table>
  );
}

function MemberRow({ member, isOwner }: { member: MemberView; isOwner: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const reread = () => {
    void queryClient.invalidateQueries({ queryKey: trpc.members.list.pathKey() });
    // One's own role says what the other screens offer.
    void queryClient.invalidateQueries({ queryKey: trpc.workspace.me.pathKey() });
  };
  const setRole = useMutation(
    trpc.members.setRole.mutationOptions({
      onSuccess: reread,
      onError: (error) =>
        notifications.show({ color: "red", title: "The role was not changed", message: errorWords(error).sentence }),
    }),
  );
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: () => {
        setAsks(false);
        reread();
      },
    }),
  );
  return (
    <tr>
      <td data-m="full">
        <span className="b">{member.name}</span>
        {member.isYou && <span className="tag member-you">you</span>}
        <span className="t3 member-email">{member.email}</span>
      </td>
      <td data-m="full">
        {isOwner ? (
          <Select
            size="xs"
            className="member-role"
            aria-label={`Role of ${member.name}`}
            data={ROLES.map((role) => ({ value: role, label: ROLE_WORDS[role] }))}
            value={setRole.isPending ? setRole.variables.role : member.role}
            allowDeselect={false}
            disabled={setRole.isPending}
            onChange={(role) => role && setRole.mutate({ userId: member.userId, role })}
          />
        ) : (
          ROLE_WORDS[member.role]
        )}
      </td>
      <td className="t3" data-m="hide">
        <RelativeTime at={member.joinedAt} />
      </td>
      {isOwner && (
        <td className="num">
          <button
            type="button"
            className="icon-btn"
            aria-label={`Remove ${member.name}`}
            onClick={() => {
              remove.reset();
              setAsks(true);
            }}
          >
            <IconUserMinus size={16} aria-hidden />
          </button>
          <ConfirmDialog
            opened={asks}
            onClose={() => setAsks(false)}
            title={`Remove ${member.name}?`}
            action="Remove"
            isBusy={remove.isPending}
            refusal={remove.error ? errorWords(remove.error).sentence : null}
            onConfirm={() => remove.mutate({ userId: member.userId })}
          >
            <p>
              {member.isYou ? "You lose" : `${member.name} loses`} this workspace at once. What was started, answered
              and changed stays.
            </p>
          </ConfirmDialog>
        </td>
      )}
    </tr>
  );
}
