"use client";

import { useMutation } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import type { ProviderView } from "@/server/providers/schema";
import { useModelsChanged } from "./use-models-changed";

export function RemoveProviderDialog({ provider, onClose }: { provider: ProviderView; onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useModelsChanged();
  const remove = useMutation(
    trpc.providers.remove.mutationOptions({
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
      title={`Remove ${provider.name}?`}
      action="Remove provider"
      onConfirm={() => remove.mutate({ providerId: provider.id })}
      isBusy={remove.isPending}
      refusal={remove.error ? errorWords(remove.error).sentence : null}
    >
      <p>
        Its address, {provider.apiKeyHint ? "its stored key " : ""}and {formatPlural(provider.models.length, "model")}{" "}
        go for good
        {provider.isPrivateHost ? ", and with them the permission to call its private host" : ""}. Runs that have used
        it stay as they are; runs under way on it fail at their next call.
      </p>
    </ConfirmDialog>
  );
}
