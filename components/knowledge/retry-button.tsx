"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { DocumentView } from "@/server/knowledge/schema";
import { EditButton } from "./edit-button";

/** Has a failed document read and indexed again, from the file as it was uploaded. */
export function RetryButton({ document }: { document: Pick<DocumentView, "id" | "name"> }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const retry = useMutation(
    trpc.knowledge.retry.mutationOptions({
      onSuccess: () => {
        for (const queryKey of [trpc.knowledge.documents.pathKey(), trpc.knowledge.document.pathKey()]) {
          void queryClient.invalidateQueries({ queryKey });
        }
      },
      onError: (error) =>
        notifications.show({
          color: "red",
          title: `${document.name} could not be tried again`,
          message: errorWords(error).sentence,
        }),
    }),
  );
  return (
    <EditButton loading={retry.isPending} onClick={() => retry.mutate({ documentId: document.id })}>
      Retry<span className="sr"> {document.name}</span>
    </EditButton>
  );
}
