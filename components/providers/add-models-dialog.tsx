"use client";

import { Button, Modal } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { ModelFields, ProviderView } from "@/server/providers/schema";
import { PickModels } from "./pick-models";
import { useModelsChanged } from "./use-models-changed";

/** Asks the saved endpoint for its list anew, and saves what is ticked. */
export function AddModelsDialog({ provider, onClose }: { provider: ProviderView; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const changed = useModelsChanged();
  const [picked, setPicked] = useState<ModelFields[]>([]);
  const providerId = provider.id;
  const list = useQuery({
    queryKey: [...trpc.providers.checkSaved.mutationKey(), providerId],
    queryFn: () => client.providers.checkSaved.mutate({ providerId }),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const saveAll = useMutation(trpc.providers.addModels.mutationOptions({ onSuccess: onClose, onSettled: changed }));
  const problem = list.error ? errorWords(list.error).sentence : list.data?.problem;
  return (
    <Modal opened onClose={onClose} title={`Add models of ${provider.name}`} size={600}>
      <div className="col provider-form">
        {list.isPending ? (
          <SkeletonRows columns={["1fr"]} rowHeight={44} label="Asking the endpoint for its models" />
        ) : (
          <>
            {problem && <Note tone="warn">{problem} You can still name models by hand.</Note>}
            <PickModels
              found={list.data?.models ?? []}
              saved={provider.models.map(({ name }) => name)}
              picked={picked}
              onChange={setPicked}
            />
          </>
        )}
        {saveAll.error && (
          <Note tone="bad" role="alert">
            {errorWords(saveAll.error).sentence}
          </Note>
        )}
        <div className="row provider-form-actions">
          <span className="grow">
            {picked.length === 0 && !list.isPending && <span className="t3 fs12">Pick at least one model.</span>}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="filled"
            loading={saveAll.isPending}
            disabled={picked.length === 0}
            onClick={() => saveAll.mutate({ providerId, models: picked })}
          >
            {picked.length === 0 ? "Add" : `Add ${formatPlural(picked.length, "model")}`}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
