"use client";

import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { type MemberView, ROLES } from "@/server/members/schema";
import { ROLE_WORDS } from "./role-words";

type Values = { role: MemberView["role"]; note: string };

/** Makes a link and shows it, this once. Nothing is sent: the owner passes it on. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.members.createInvite.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries({ queryKey: trpc.members.invites.pathKey() }),
    }),
  );
  const form = useForm<Values>({ initialValues: { role: "editor", note: "" } });
  const close = () => {
    onClose();
    create.reset();
    form.reset();
  };
  return (
    <Modal opened={opened} onClose={close} title="Invite somebody" closeButtonProps={{ "aria-label": "Close" }}>
      {create.data ? (
        <InviteLink token={create.data.token} onDone={close} />
      ) : (
        <form
          className="col"
          style={{ gap: 12 }}
          onSubmit={form.onSubmit((values) => create.mutate(values))}
          noValidate
        >
          {create.error && (
            <Note tone="bad" role="alert">
              {errorWords(create.error).sentence}
            </Note>
          )}
          <Select
            label="Role"
            data={ROLES.map((role) => ({ value: role, label: ROLE_WORDS[role] }))}
            allowDeselect={false}
            {...form.getInputProps("role")}
          />
          <TextInput
            label="For whom"
            description="A note for you, to tell invitations apart. Whoever has the link may use it, once."
            maxLength={100}
            {...form.getInputProps("note")}
          />
          <Button type="submit" variant="filled" loading={create.isPending}>
            Make the link
          </Button>
        </form>
      )}
    </Modal>
  );
}

function InviteLink({ token, onDone }: { token: string; onDone: () => void }) {
  const link = `${window.location.origin}/invite#${token}`;
  return (
    <div className="col" style={{ gap: 12 }}>
      <p>Send this link to the person. It works once, for seven days, and is not shown again.</p>
      <div className="row">
        <TextInput
          className="grow mono"
          aria-label="Invitation link"
          value={link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={link} what="the link" />
      </div>
      <Button onClick={onDone}>Done</Button>
    </div>
  );
}
