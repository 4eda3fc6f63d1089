"use client";

import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LeaveGuard } from "@/components/editor/leave-guard";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { updateProfileInput } from "@/server/users/schema";

export function ProfileForm({ name }: { name: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name }, validate: schemaResolver(updateProfileInput, { sync: true }) });
  const save = useMutation(
    trpc.users.updateProfile.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: trpc.workspace.me.pathKey() });
        form.resetDirty();
        notifications.show({ message: "Your name was saved" });
      },
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <LeaveGuard active={form.isDirty() && !save.isPending} onDiscard={() => form.reset()} />
      {save.error && (
        <Note tone="bad" role="alert">
          {errorWords(save.error).sentence}
        </Note>
      )}
      <TextInput
        label="Your name"
        description="Shown beside what you start, answer and change."
        autoComplete="name"
        {...form.getInputProps("name")}
      />
      <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
        Save the name
      </Button>
    </form>
  );
}
