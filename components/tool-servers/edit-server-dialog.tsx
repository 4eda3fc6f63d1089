"use client";

import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { FormModal } from "@/components/editor/form-modal";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import type { ToolServerView } from "@/server/tool-servers/schema";
import { ServerFields } from "./server-fields";
import { inputOf, type ServerValues, toFormFields, valuesOf } from "./server-values";
import { useServerSaved } from "./use-server-saved";

/** Changes how a server is reached. Mounted when opened, so that it begins with what is stored. */
export function EditServerDialog({ server, onClose }: { server: ToolServerView; onClose: () => void }) {
  const trpc = useTRPC();
  const saved = useServerSaved();
  const form = useForm<ServerValues>({ initialValues: valuesOf(server) });
  const update = useMutation(
    trpc.toolServers.update.mutationOptions({
      onSuccess: (changed) => {
        saved(changed);
        onClose();
      },
      onError: (error) => form.setErrors(toFormFields(fieldErrorsOf(error), form.getValues())),
    }),
  );
  const refusal = update.error && Object.keys(fieldErrorsOf(update.error)).length === 0 ? update.error : null;
  const submit = form.onSubmit((values) => {
    const { name: _, ...reach } = inputOf(values);
    if (!update.isPending) update.mutate({ toolServerId: server.id, enabled: server.enabled, ...reach });
  });
  return (
    <FormModal isDirty={form.isDirty()} opened onClose={onClose} title={`Edit ${server.name}`} size={580}>
      <form className="col form" onSubmit={submit} noValidate>
        {refusal && (
          <Note tone="bad" role="alert">
            {errorWords(refusal).sentence}
          </Note>
        )}
        <ServerFields form={form} />
        <div className="row form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={update.isPending}>
            Save changes
          </Button>
        </div>
      </form>
    </FormModal>
  );
}
