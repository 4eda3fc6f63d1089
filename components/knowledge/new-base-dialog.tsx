"use client";

import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { firstProblem } from "@/components/editor/first-problem";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { createBaseInput } from "@/server/knowledge/schema";
import { EmbeddingSelect } from "./embedding-select";
import { baseHref } from "./knowledge-links";
import { BUILT_IN } from "./knowledge-words";

const FRESH = { name: "", description: "", embeddingModel: BUILT_IN };

/** Makes a base and goes to it. What was typed stays until the server has taken it. */
export function NewBaseDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: FRESH,
    validate: {
      name: firstProblem(createBaseInput.shape.name),
      description: firstProblem(createBaseInput.shape.description),
    },
  });
  const create = useMutation(
    trpc.knowledge.create.mutationOptions({
      onSuccess: ({ baseId }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.knowledge.bases.pathKey() });
        onClose();
        form.reset();
        router.push(baseHref(baseId));
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const refusal = create.error && Object.keys(fieldErrorsOf(create.error)).length === 0 ? create.error : null;
  const submit = form.onSubmit((values) => {
    if (!create.isPending) create.mutate(values);
  });
  return (
    <Modal opened={opened} onClose={onClose} title="New knowledge base" size={520}>
      <form className="col form" onSubmit={submit} noValidate>
        {refusal && (
          <Note tone="bad" role="alert">
            {errorWords(refusal).sentence}
          </Note>
        )}
        <TextInput label="Name" placeholder="Returns and refunds" data-autofocus {...form.getInputProps("name")} />
        <Textarea
          label="Description"
          description="What is in it and when to look there. Agents that may search it are told this."
          inputWrapperOrder={["label", "input", "description", "error"]}
          minRows={2}
          maxRows={6}
          {...form.getInputProps("description")}
        />
        <EmbeddingSelect
          value={form.values.embeddingModel}
          onChange={(embeddingModel) => form.setFieldValue("embeddingModel", embeddingModel)}
          error={form.errors.embeddingModel}
        />
        <div className="row form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={create.isPending}>
            Create base
          </Button>
        </div>
      </form>
    </Modal>
  );
}
