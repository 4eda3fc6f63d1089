"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { RequestView } from "@/server/engine/events";

/** Says whose a request is; pages hear of it as of any event of the run. */
export function useAssignRequest(requestId: string, onAssigned?: (request: RequestView) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const mutation = useMutation(
    trpc.requests.assign.mutationOptions({
      onSuccess: (request) => onAssigned?.(request),
      onSettled: () => void queryClient.invalidateQueries({ queryKey: trpc.requests.list.pathKey() }),
    }),
  );
  return {
    send: (assigneeId: string | null) => mutation.mutate({ requestId, assigneeId }),
    sending: mutation.isPending,
    refusal: mutation.error ? errorWords(mutation.error).sentence : null,
  };
}
