"use client";

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { ModelFields, NewProviderCheck, ProviderView } from "@/server/providers/schema";
import type { Endpoint } from "./endpoint-step";
import { PickModels } from "./pick-models";
import { useModelsChanged } from "./use-models-changed";

type Props = {
  endpoint: Endpoint;
  check: NewProviderCheck | null;
  onBack: () => void;
  onSaved: (provider: ProviderView) => void;
};

/** Which of the endpoint's models the workspace may use; then all of it is saved at once. */
export function ModelsStep({ endpoint, check, onBack, onSaved }: Props) {
  const found = check?.models ?? [];
  const trpc = useTRPC();
  const changed = useModelsChanged();
  // A short list is somebody's own server: what is on it is meant to be used.
  const [picked, setPicked] = useState<ModelFields[]>(found.length <= 3 ? found : []);
  const create = useMutation(
    trpc.providers.create.mutationOptions({
      onSuccess: async (provider) => {
        await changed();
        onSaved(provider);
      },
    }),
  );
  const { preset: _, ...input } = endpoint;
  return (
    <div className="col provider-form">
      <p className="t2">
        {found.length > 0
          ? `The endpoint answers and lists ${formatPlural(found.length, "model")}. Tick those that agents and knowledge bases may use; more can be added later.`
          : "The endpoint gave no list of models. Name those you want to use."}
      </p>
      <PickModels found={found} picked={picked} onChange={setPicked} />
      {create.error && (
        <Note tone="bad" role="alert">
          {errorWords(create.error).sentence}
        </Note>
      )}
      <div className="row provider-form-actions">
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
        <span className="grow" />
        {picked.length === 0 && <span className="t3 fs12">Pick at least one model.</span>}
        <Button
          variant="filled"
          loading={create.isPending}
          disabled={picked.length === 0}
          onClick={() => create.mutate({ ...input, models: picked, proof: check?.proof ?? null })}
        >
          {picked.length === 0 ? "Save" : `Save with ${formatPlural(picked.length, "model")}`}
        </Button>
      </div>
    </div>
  );
}
