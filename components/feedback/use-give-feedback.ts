"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";

/** Says something of an answer, in other words, or takes it back. What is refused is told where it stays readable. */
export function useGiveFeedback() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const shared = {
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: trpc.runs.list.pathKey() });
      await client.invalidateQueries({ queryKey: trpc.feedback.pathKey() });
    },
    onError: (error: unknown) =>
      void notifications.show({ color: "red", title: "It was not kept", message: errorWords(error).sentence }),
  };
  const give = useMutation(trpc.feedback.give.mutationOptions(shared));
  const change = useMutation(trpc.feedback.change.mutationOptions(shared));
  const remove = useMutation(trpc.feedback.remove.mutationOptions(shared));
  return { give, change, remove, isBusy: give.isPending || change.isPending || remove.isPending };
}
