"use client";

import { Button, NumberInput, SegmentedControl } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { FormModal } from "@/components/editor/form-modal";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { MoneyField } from "@/components/ui/money-field";
import { Note } from "@/components/ui/note";
import { type ProviderModelView, type ProviderView, saveModelInput } from "@/server/providers/schema";
import { useModelsChanged } from "./use-models-changed";

type Props = { provider: ProviderView; model: ProviderModelView; onClose: () => void };

/** What a model is for, how much it holds and what it costs. An empty price is an unknown one, not zero. */
export function ModelDialog({ provider, model, onClose }: Props) {
  const trpc = useTRPC();
  const changed = useModelsChanged();
  const form = useForm({
    initialValues: {
      kind: model.kind as string,
      contextTokens: model.contextTokens ?? ("" as number | string),
      input: model.inputNanoUsdPerMtok,
      cached: model.cachedNanoUsdPerMtok,
      output: model.outputNanoUsdPerMtok,
      reasoning: model.reasoningNanoUsdPerMtok,
    },
    validate: {
      contextTokens: (typed) =>
        typed === "" || (Number.isInteger(Number(typed)) && Number(typed) > 0) ? null : "A whole number, or nothing.",
      ...{ input: priceProblem, cached: priceProblem, output: priceProblem, reasoning: priceProblem },
    },
  });
  const save = useMutation(
    trpc.providers.saveModel.mutationOptions({
      onSuccess: async () => {
        await changed();
        onClose();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const submit = form.onSubmit(({ kind, contextTokens, ...prices }) => {
    if (save.isPending) return;
    save.mutate({
      ...{ providerId: provider.id, name: model.name, kind: isChat(kind) ? "chat" : "embedding" },
      contextTokens: contextTokens === "" ? null : Number(contextTokens),
      inputNanoUsdPerMtok: prices.input,
      cachedNanoUsdPerMtok: isChat(kind) ? prices.cached : null,
      outputNanoUsdPerMtok: prices.output,
      reasoningNanoUsdPerMtok: isChat(kind) ? prices.reasoning : null,
    });
  });
  return (
    <FormModal isDirty={form.isDirty()} opened onClose={onClose} title={model.ref} size={480}>
      <form className="col provider-form" onSubmit={submit} noValidate>
        {save.error && (
          <Note tone="bad" role="alert">
            {errorWords(save.error).sentence}
          </Note>
        )}
        <div>
          <div className="section-label" id="model-kind">
            What it is for
          </div>
          <SegmentedControl
            aria-labelledby="model-kind"
            data={[
              { value: "chat", label: "Chat: agents" },
              { value: "embedding", label: "Embeddings: knowledge" },
            ]}
            {...form.getInputProps("kind")}
          />
        </div>
        <NumberInput
          label="Context, in tokens"
          placeholder="unknown"
          min={1}
          max={100_000_000}
          thousandSeparator=","
          hideControls
          {...form.getInputProps("contextTokens")}
        />
        <div className="price-fields">
          <MoneyField label="In, per million tokens" placeholder="unknown" {...form.getInputProps("input")} />
          <MoneyField label="Out, per million tokens" placeholder="unknown" {...form.getInputProps("output")} />
        </div>
        <p className="t3 fs12">
          US dollars. Calls made from now on cost this; what runs have cost does not change. With one price missing, the
          cost of a call is unknown and runs say so.
        </p>
        {isChat(form.values.kind) && (
          <>
            <div className="price-fields">
              <MoneyField label="Cached, per million" placeholder="as in" {...form.getInputProps("cached")} />
              <MoneyField label="Reasoning, per million" placeholder="as out" {...form.getInputProps("reasoning")} />
            </div>
            <p className="t3 fs12">
              Cached: what was sent and the provider had in its cache. Reasoning: what it wrote before its reply. Empty,
              they cost what other tokens in and out do.
            </p>
          </>
        )}
        <div className="row provider-form-actions">
          <span className="grow" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </FormModal>
  );
}

/** A model that makes vectors has no reply to reason about. */
const isChat = (kind: string) => kind !== "embedding";

function priceProblem(nanoUsd: number | null): string | null {
  return saveModelInput.shape.inputNanoUsdPerMtok.safeParse(nanoUsd).success ? null : "At most $1,000,000, or nothing.";
}
