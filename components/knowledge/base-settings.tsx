"use client";

import { Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { firstProblem } from "@/components/editor/first-problem";
import { LeaveGuard } from "@/components/editor/leave-guard";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { type BaseDetail, updateBaseInput } from "@/server/knowledge/schema";
import { DeleteBase } from "./delete-base";
import { EditButton } from "./edit-button";
import { EmbeddingSettings } from "./embedding-settings";
import { RetrievalFields } from "./retrieval-fields";

/** What a base is called, how it is searched, what makes its vectors, and its end. */
export function BaseSettings({ base }: { base: BaseDetail }) {
  const whyNot = useWhyNotEdit();
  return (
    <div className="base-body scroll settings">
      {whyNot && <Note tone="info">{whyNot}</Note>}
      <BaseForm base={base} disabled={whyNot !== null} />
      <EmbeddingSettings base={base} />
      <DeleteBase base={base} />
    </div>
  );
}

function BaseForm({ base, disabled }: { base: BaseDetail; disabled: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: base.name, description: base.description, settings: base.settings },
    validate: {
      name: firstProblem(updateBaseInput.shape.name),
      description: firstProblem(updateBaseInput.shape.description),
    },
  });
  const save = useMutation(
    trpc.knowledge.update.mutationOptions({
      onSuccess: () => {
        form.resetDirty();
        for (const queryKey of [trpc.knowledge.base.pathKey(), trpc.knowledge.bases.pathKey()]) {
          void queryClient.invalidateQueries({ queryKey });
        }
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const submit = form.onSubmit((values) => {
    if (!save.isPending) save.mutate({ baseId: base.id, ...values });
  });
  const isChanged = form.isDirty();
  return (
    <form className="setting" onSubmit={submit} noValidate>
      <LeaveGuard active={isChanged && !save.isPending && !disabled} onDiscard={() => form.reset()} />
      <h2>Base</h2>
      <div className="col form">
        <TextInput label="Name" disabled={disabled} {...form.getInputProps("name")} />
        <Textarea
          label="Description"
          description="What is in it and when to look there. Agents that may search it are told this."
          inputWrapperOrder={["label", "input", "description", "error"]}
          minRows={2}
          maxRows={8}
          disabled={disabled}
          {...form.getInputProps("description")}
        />
        <h3 className="section-label">How it is searched</h3>
        <RetrievalFields
          value={form.values.settings}
          onChange={(settings) => form.setFieldValue("settings", settings)}
          disabled={disabled}
        />
        {save.error && (
          <Note tone="bad" role="alert">
            {errorWords(save.error).sentence}
          </Note>
        )}
        <div className="row">
          <EditButton type="submit" variant="filled" loading={save.isPending} disabled={!isChanged && !disabled}>
            Save changes
          </EditButton>
          <span className="t3 fs12" role="status">
            {isChanged ? "Not saved yet." : save.isSuccess ? "Saved." : "Nothing is changed."}
          </span>
        </div>
      </div>
    </form>
  );
}
