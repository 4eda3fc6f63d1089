"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatExact } from "@/components/ui/format";
import type { BackupView } from "@/server/system/schema";

export function DeleteBackup({ backup, onClose }: { backup: BackupView; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.system.deleteBackup.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: trpc.system.backups.pathKey() });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Delete this backup?"
      action="Delete"
      isBusy={remove.isPending}
      refusal={remove.error ? errorWords(remove.error).sentence : null}
      onConfirm={() => remove.mutate({ name: backup.name })}
    >
      <p>
        The backup of {formatExact(new Date(backup.takenAt))} goes from the server for good. Copies that were downloaded
        stay.
      </p>
    </ConfirmDialog>
  );
}
