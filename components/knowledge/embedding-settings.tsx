"use client";

import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { BaseDetail } from "@/server/knowledge/schema";
import { EditButton } from "./edit-button";
import { EmbeddingSelect } from "./embedding-select";
import { BUILT_IN, EMBEDDINGS_MEAN, embeddingWords } from "./knowledge-words";
import { ReembeddingNote } from "./reembedding-note";

/** What makes the vectors of a base. A change is prepared in the background and switched at once when it is complete. */
export function EmbeddingSettings({ base }: { base: BaseDetail }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [asking, dialog] = useDisclosure(false);
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const whyNot = useWhyNotEdit();
  const change = useMutation(
    trpc.knowledge.changeEmbedding.mutationOptions({
      onSuccess: () => {
        dialog.close();
        setChosen(null);
        void queryClient.invalidateQueries({ queryKey: trpc.knowledge.base.pathKey() });
      },
    }),
  );
  const next = base.reembedding?.embeddingModel ?? base.embeddingModel;
  const embeddingModel = chosen ?? next;
  const close = () => {
    dialog.close();
    change.reset();
  };
  return (
    <section className="setting">
      <h2>Embeddings</h2>
      <div className="col form">
        <ReembeddingNote base={base} />
        <p className="t2 fs12">{EMBEDDINGS_MEAN}</p>
        <EmbeddingSelect value={embeddingModel} onChange={setChosen} label="Made by" disabled={whyNot !== null} />
        <p className="t2 fs12">
          Now: {embeddingWords(base.embeddingModel)}, {base.dims} dimensions.
        </p>
        {embeddingModel !== next && (
          <div className="row">
            <EditButton onClick={dialog.open}>Change…</EditButton>
            <Button variant="subtle" onClick={() => setChosen(null)}>
              Leave it
            </Button>
          </div>
        )}
      </div>
      <Modal opened={asking} onClose={close} title={`Change to ${embeddingWords(embeddingModel)}?`} size={480}>
        <div className="col form">
          <p className="t2">{whatHappens(base, embeddingModel)}</p>
          {change.error && (
            <Note tone="bad" role="alert">
              {errorWords(change.error).sentence}
            </Note>
          )}
          <div className="row form-actions">
            <Button onClick={close}>Cancel</Button>
            <Button
              variant="filled"
              loading={change.isPending}
              onClick={() => change.mutate({ baseId: base.id, embeddingModel })}
            >
              Change embeddings
            </Button>
          </div>
        </div>
      </Modal>
    </section>
  );
}

function whatHappens(base: BaseDetail, embeddingModel: string): string {
  const now = embeddingWords(base.embeddingModel);
  if (embeddingModel === base.embeddingModel) {
    return `The change to ${embeddingWords(base.reembedding?.embeddingModel ?? "")} ends, and its vectors made so far are dropped. The base goes on with ${now}.`;
  }
  const cost = embeddingModel === BUILT_IN ? "" : " Every passage is sent to the provider, which may charge for it.";
  return `New vectors are made in the background for ${formatPlural(base.chunks, "passage")}. Until all are there the base is searched with ${now}; then it switches at once.${cost}`;
}
