"use client";

import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormModal } from "@/components/editor/form-modal";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { ImportBox } from "./import-box";
import type { Imported } from "./import-servers";
import { ServerFields } from "./server-fields";
import { EMPTY_VALUES, inputOf, type ServerValues, toFormFields } from "./server-values";
import { toolServerHref } from "./tool-server-links";
import { useServerSaved } from "./use-server-saved";

/** Saves a server and goes to its page, where it can be tested. What was typed stays until the server has taken it. */
export function AddServerDialog({ onClose }: { onClose: () => void }) {
  const [isImporting, setImporting] = useState(false);
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const trpc = useTRPC();
  const router = useRouter();
  const saved = useServerSaved();
  const form = useForm<ServerValues>({ initialValues: EMPTY_VALUES });
  const create = useMutation(
    trpc.toolServers.create.mutationOptions({
      onSuccess: (server) => {
        saved(server);
        onClose();
        router.push(toolServerHref(server.id));
      },
      onError: (error) => form.setErrors(toFormFields(fieldErrorsOf(error), form.getValues())),
    }),
  );
  const refusal = create.error && Object.keys(fieldErrorsOf(create.error)).length === 0 ? create.error : null;
  const take = ({ values, leftOut }: Imported) => {
    form.setValues(values);
    form.clearErrors();
    setLeftOut(leftOut);
    setImporting(false);
  };
  const submit = form.onSubmit((values) => {
    if (!create.isPending) create.mutate(inputOf(values));
  });
  return (
    <FormModal
      isDirty={form.isDirty()}
      opened
      onClose={onClose}
      title={isImporting ? "Paste a configuration" : "Add a tool server"}
      size={580}
    >
      {isImporting ? (
        <ImportBox onTake={take} onCancel={() => setImporting(false)} />
      ) : (
        <form className="col form" onSubmit={submit} noValidate>
          {refusal && (
            <Note tone="bad" role="alert">
              {errorWords(refusal).sentence}
            </Note>
          )}
          {leftOut.length > 0 && <Note tone="warn">Left out of the configuration: {leftOut.join(", ")}.</Note>}
          <TextInput
            label="Name"
            description="Stands before its tools, as in files__read_file. It cannot be changed later."
            placeholder="files"
            spellCheck={false}
            data-autofocus
            {...form.getInputProps("name")}
          />
          <ServerFields form={form} />
          <div className="row wrap form-actions">
            <Button variant="subtle" onClick={() => setImporting(true)}>
              Paste a configuration…
            </Button>
            <span className="grow" />
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={create.isPending}>
              Save server
            </Button>
          </div>
        </form>
      )}
    </FormModal>
  );
}
