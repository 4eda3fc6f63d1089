"use client";

import { useMutation } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { ProviderModelView } from "@/server/providers/schema";
import { useModelsChanged } from "./use-models-changed";

export function RemoveModelDialog({ model, onClose }: { model: ProviderModelView; onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useModelsChanged();
  const remove = useMutation(
    trpc.providers.removeModel.mutationOptions({
      onSuccess: async () => {
        onClose();
        await changed();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${model.name}?`}
      action="Remove model"
      onConfirm={() => remove.mutate({ modelId: model.id })}
      isBusy={remove.isPending}
      refusal={remove.error ? errorWords(remove.error).sentence : null}
    >
      <p>
        Agents can no longer choose it, and its prices here are forgotten. Runs that have used it keep their cost. It
        can be added again.
      </p>
    </ConfirmDialog>
  );
}
