"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Sets the model; lists by likeness or meaning are other ones from then on. */
export function useChooseFinding(onDone?: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.finding.choose.mutationOptions({
      onSuccess: (finding) => {
        queryClient.setQueryData(trpc.finding.get.queryKey(), finding);
        for (const queryKey of [trpc.runs.list.pathKey(), trpc.decisions.pathKey()]) {
          void queryClient.invalidateQueries({ queryKey });
        }
        onDone?.();
      },
    }),
  );
}
